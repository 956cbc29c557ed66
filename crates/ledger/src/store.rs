//! Where a server keeps everything: one ordered map of bytes with durable, atomic batches.

pub mod keys;

use std::{ops::ControlFlow, path::PathBuf};

/// The longest value a store takes; longer things are kept in chunks.
pub const MAX_VALUE_BYTES: usize = 65_536;

/// What is written together: all of it or nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// Keys and their new values.
    pub puts: Vec<(Vec<u8>, Vec<u8>)>,
    /// Keys that go.
    pub deletes: Vec<Vec<u8>>,
}

impl Batch {
    /// Adds a key with its value.
    pub fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.puts.push((key, value));
    }

    /// Adds all of another batch.
    pub fn append(&mut self, other: Self) {
        self.puts.extend(other.puts);
        self.deletes.extend(other.deletes);
    }

    /// Says whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.puts.is_empty() && self.deletes.is_empty()
    }
}

/// One durable, ordered map of bytes. Keys compare byte by byte and are unique.
///
/// `commit` returns once the batch is on the disk, synced: whoever is answered after it keeps
/// what was acknowledged over kill -9 and power cuts. A batch is seen whole or not at all, by
/// readers and after a crash. After an error of `commit` it is open whether the batch took effect;
/// the caller has to read again before it writes again.
pub trait Store: Send + Sync {
    /// Reads a value.
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError>;

    /// Visits the keys in `from..to` in ascending order until `visit` breaks.
    #[allow(
        clippy::type_complexity,
        reason = "an alias would hide what an engine has to call"
    )]
    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        visit: &mut dyn FnMut(&[u8], &[u8]) -> ControlFlow<()>,
    ) -> Result<(), StoreError>;

    /// Writes a batch durably.
    fn commit(&self, batch: &Batch) -> Result<(), StoreError>;
}

/// Why a store could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The disk, or the quota on it, is full.
    #[error("the disk with `{path}` is full; free space and try again")]
    Full {
        /// The store's directory.
        path: PathBuf,
    },
    /// Another process has it open.
    #[error("the store `{path}` is in use; stop the server, or ask it over `--server`")]
    InUse {
        /// The store's directory.
        path: PathBuf,
    },
    /// It was written in another form or with another engine.
    #[error("the store `{path}` has {found}, this program reads {expected}")]
    Format {
        /// The store's directory.
        path: PathBuf,
        /// What was found.
        found: String,
        /// What can be read.
        expected: String,
    },
    /// A value is longer than a store takes.
    #[error("a value of {bytes} bytes is longer than {MAX_VALUE_BYTES}")]
    ValueTooLong {
        /// Its length.
        bytes: usize,
    },
    /// What is stored cannot be read.
    #[error("the store is damaged: {0}; run `pawl verify` on it")]
    Damaged(String),
    /// The engine failed.
    #[error("the storage engine failed: {0}")]
    Engine(#[source] Box<dyn std::error::Error + Send + Sync>),
}
