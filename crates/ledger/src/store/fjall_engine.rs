//! The engine fjall: a log-structured merge tree with a journal.
//!
//! A batch is one record of the journal, synced before it is applied: readers see it after it is
//! durable, and a crash leaves all of it or none.

use std::{path::Path, thread, time::Duration};

use fjall::{AbstractTree, Database, Keyspace, KeyspaceCreateOptions, PersistMode, Readable};

use super::{
    Visit, Writes,
    reopening::{Failure, OpenEngine},
};

/// Bounds the journals, and with them the time it takes to open after a crash.
const JOURNAL_BYTES: u64 = 64 << 20;

/// Bounds what is kept in memory before it goes to a table.
const MEMTABLE_BYTES: u64 = 8 << 20;

/// An open database and the one keyspace in it.
pub(super) struct FjallEngine {
    database: Database,
    keyspace: Keyspace,
}

impl OpenEngine for FjallEngine {
    const OPENING_BYTES: u64 = 0;

    fn open(directory: &Path) -> Result<Self, Failure> {
        let database = Database::builder(directory)
            .max_journaling_size(JOURNAL_BYTES)
            .open()?;
        let options = || KeyspaceCreateOptions::default().max_memtable_size(MEMTABLE_BYTES);
        let keyspace = database.keyspace("pawl", options)?;
        Ok(Self { database, keyspace })
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, Failure> {
        // Through a snapshot: the keyspace itself would show batches that are half applied.
        let value = self.database.snapshot().get(&self.keyspace, key)?;
        Ok(value.map(|value| value.to_vec()))
    }

    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), Failure> {
        for item in self.database.snapshot().range(&self.keyspace, from..to) {
            let (key, value) = item.into_inner()?;
            if visit(&key, &value).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn write(&self, writes: &Writes<'_>) -> Result<(), Failure> {
        self.wait_for_background()?;
        let mut batch = self
            .database
            .batch()
            .durability(Some(PersistMode::SyncData));
        for (key, value) in writes {
            match value {
                Some(value) => batch.insert(&self.keyspace, *key, *value),
                None => batch.remove(&self.keyspace, *key),
            }
        }
        Ok(batch.commit()?)
    }
}

impl FjallEngine {
    /// Waits while the background is behind, and says so if it has stopped.
    ///
    /// fjall itself waits once 4 memtables or 30 runs are due, but for ever if the threads that
    /// should write them have died of a full disk. So it must not come to that: a batch adds at
    /// most one of them.
    fn wait_for_background(&self) -> Result<(), Failure> {
        const MEMTABLES: usize = 1;
        const RUNS: usize = 20;
        const PAUSE: Duration = Duration::from_millis(1);
        while self.keyspace.sealed_memtable_count() > MEMTABLES
            || self.keyspace.tree.l0_run_count() >= RUNS
        {
            // Writes nothing new; fails if a thread has died.
            self.database.persist(PersistMode::Buffer)?;
            thread::sleep(PAUSE);
        }
        Ok(())
    }
}

impl From<fjall::Error> for Failure {
    fn from(error: fjall::Error) -> Self {
        use fjall::Error as E;
        match error {
            E::Io(error) | E::Storage(fjall::LsmError::Io(error)) => Self::Io(error),
            E::Poisoned => Self::Stopped,
            E::Storage(_)
            | E::JournalRecovery(_)
            | E::InvalidVersion(_)
            | E::Decompress(_)
            | E::InvalidTrailer
            | E::InvalidTag(_)
            | E::Unrecoverable => Self::Damaged(error.to_string()),
            _ => Self::Other(Box::new(error)),
        }
    }
}
