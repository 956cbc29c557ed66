//! The engine sled: a log-structured B+ tree.
//!
//! Three things make it keep the contract. A flush of sled only starts the writing, so its file is
//! synced after it. Nodes above a quarter of a segment go to files of their own that nobody ever
//! syncs, so segments are so large that no node gets there. And a scan of sled sees commits made
//! during it, so commits wait for the scans under way.

use std::{
    fs::File,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use parking_lot::RwLock;

use super::{
    Visit, Writes,
    reopening::{Failure, OpenEngine},
};

/// A leaf splits above 16 keys and may merge with a neighbour: 34 values of 64 KiB with their keys
/// stay below 4 MiB, a quarter of this. It is also the most that sled allows.
const SEGMENT_BYTES: usize = 16 << 20;

/// Bounds the pages kept in memory.
const CACHE_BYTES: u64 = 64 << 20;

/// An open database, used with its default tree only: a batch is atomic within one tree.
pub(super) struct SledEngine {
    database: sled::Db,
    /// The file that sled writes to, opened a second time to sync it.
    file: File,
    /// Read by scans, written by commits.
    scans: RwLock<()>,
}

impl OpenEngine for SledEngine {
    fn open(directory: &Path) -> Result<Self, Failure> {
        let database = open_when_free(directory)?;
        let file = File::open(directory.join("db")).map_err(Failure::Io)?;
        Ok(Self {
            database,
            file,
            scans: RwLock::new(()),
        })
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, Failure> {
        Ok(self.database.get(key)?.map(|value| value.to_vec()))
    }

    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), Failure> {
        // Recursive, as a visitor may scan while a commit waits.
        let _scans = self.scans.read_recursive();
        for item in self.database.range(from..to) {
            let (key, value) = item?;
            if visit(&key, &value).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn write(&self, writes: &Writes<'_>) -> Result<(), Failure> {
        let mut batch = sled::Batch::default();
        for (key, value) in writes {
            match value {
                Some(value) => batch.insert(*key, *value),
                None => batch.remove(*key),
            }
        }
        let scans = self.scans.write();
        self.database.apply_batch(batch)?;
        drop(scans);
        self.database.flush()?;
        self.file.sync_data().map_err(Failure::Io)
    }
}

/// Opens the database once nothing of this process has it open any more.
///
/// Threads of sled outlive the database for some milliseconds, and hold its lock. Nobody else can,
/// as the store's directory is locked as a whole.
fn open_when_free(directory: &Path) -> Result<sled::Db, sled::Error> {
    const PATIENCE: Duration = Duration::from_secs(10);
    const PAUSE: Duration = Duration::from_millis(2);
    let start = Instant::now();
    loop {
        let config = sled::Config::new()
            .path(directory)
            .segment_size(SEGMENT_BYTES);
        match config.cache_capacity(CACHE_BYTES).open() {
            Err(sled::Error::Io(error))
                if error.to_string().starts_with("could not acquire lock")
                    && start.elapsed() < PATIENCE =>
            {
                thread::sleep(PAUSE);
            }
            opened => return opened,
        }
    }
}

impl From<sled::Error> for Failure {
    fn from(error: sled::Error) -> Self {
        match error {
            sled::Error::Io(error) => Self::Io(error),
            sled::Error::Corruption { .. } => Self::Damaged(error.to_string()),
            error => Self::Other(Box::new(error)),
        }
    }
}
