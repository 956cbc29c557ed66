//! Where a server keeps everything: one ordered map of bytes with durable, atomic batches.

mod compact;
mod copy;
mod directory;
mod fjall_engine;
mod format;
pub mod keys;
mod memory;
mod reopening;
mod reserve;
#[cfg(feature = "sled")]
mod sled_engine;

use std::{
    collections::{BTreeMap, HashSet},
    ops::ControlFlow,
    path::PathBuf,
};

pub use compact::compact;
pub use copy::copy_for_reading;
pub(crate) use directory::{Restoring, sync_directory};
pub use directory::{engine_at, open};
pub use format::{Engine, UnknownEngine, VERSION as LAYOUT};
pub use memory::{Fault, MemoryStore};

/// The longest value a store takes; longer things are kept in chunks.
pub const MAX_VALUE_BYTES: usize = 65_536;

/// The longest key a store takes; the shortest has one byte.
pub const MAX_KEY_BYTES: usize = 1_024;

/// What is written together: all of it or nothing.
///
/// Deletes come before puts, so a batch can replace what it deletes. Of several puts of a key the
/// last one stays.
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

    /// Adds all of another batch, as if it were written after this one.
    pub fn append(&mut self, other: Self) {
        if !self.puts.is_empty() && !other.deletes.is_empty() {
            let deleted = other.deletes.iter().collect::<HashSet<_>>();
            self.puts.retain(|(key, _)| !deleted.contains(key));
        }
        self.puts.extend(other.puts);
        self.deletes.extend(other.deletes);
    }

    /// Says whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.puts.is_empty() && self.deletes.is_empty()
    }

    /// Refuses keys and values of a wrong length, as `commit` does.
    pub fn check(&self) -> Result<(), StoreError> {
        self.writes().map(drop)
    }

    /// Settles what is written under each key (`None` deletes it) and refuses what is too long.
    fn writes(&self) -> Result<Writes<'_>, StoreError> {
        let deletes = self.deletes.iter().map(|key| (key.as_slice(), None));
        let puts = self
            .puts
            .iter()
            .map(|(key, value)| (key.as_slice(), Some(value.as_slice())));
        let writes = deletes.chain(puts).collect::<Writes<'_>>();
        for (key, value) in &writes {
            if key.is_empty() || key.len() > MAX_KEY_BYTES {
                return Err(StoreError::KeyLength { bytes: key.len() });
            }
            if let Some(value) = value.filter(|value| value.len() > MAX_VALUE_BYTES) {
                return Err(StoreError::ValueTooLong { bytes: value.len() });
            }
        }
        Ok(writes)
    }
}

/// What a batch comes to: one write for each key, in ascending order.
type Writes<'a> = BTreeMap<&'a [u8], Option<&'a [u8]>>;

/// What a scan calls with each key and its value.
pub type Visit<'a> = &'a mut dyn FnMut(&[u8], &[u8]) -> ControlFlow<()>;

/// One durable, ordered map of bytes. Keys compare byte by byte and are unique.
///
/// `commit` returns once the batch is on the disk, synced: whoever is answered after it keeps
/// what was acknowledged over kill -9 and power cuts. A batch is seen whole or not at all, by
/// readers and after a crash: a scan sees the store at one moment, whatever is committed during it.
/// Readers may see a batch shortly before it is durable, that is before its `commit` returns.
/// After an error of `commit` it is open whether the batch took effect; the caller has to read
/// again before it writes again, and what it reads then stays true. Once the cause is gone (space
/// was freed), commits work again without opening the store anew.
pub trait Store: Send + Sync {
    /// Reads a value.
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError>;

    /// Visits the keys in `from..to` in ascending order until `visit` breaks; none if `from` is
    /// not below `to`. `visit` may read from the store, but must not commit to it.
    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StoreError>;

    /// Writes a batch durably. A batch with a key or value of a wrong length writes nothing.
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
    #[error("the store `{path}` is in use; stop the server that has it open, then try again")]
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
    /// It was written in a later version of the layout.
    #[error(
        "the store `{path}` has layout {found}, this program reads up to {}; use a pawl that reads {found}",
        format::VERSION
    )]
    Newer {
        /// The store's directory.
        path: PathBuf,
        /// Its layout.
        found: u32,
    },
    /// A restore into it has not come to its end.
    #[error("the store `{path}` is half restored; run `pawl restore` again, which begins anew")]
    Restoring {
        /// The store's directory.
        path: PathBuf,
    },
    /// A value is longer than a store takes.
    #[error("a value of {bytes} bytes is longer than {MAX_VALUE_BYTES}")]
    ValueTooLong {
        /// Its length.
        bytes: usize,
    },
    /// A key is empty or longer than a store takes.
    #[error("a key of {bytes} bytes is not within 1 to {MAX_KEY_BYTES}")]
    KeyLength {
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
