//! One suite for all stores: each has to keep the same contract.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod backups;
mod compaction;
mod conformance;
mod crash;
mod directory;
mod faults;
mod model;

use std::{ops::ControlFlow, path::PathBuf, sync::Arc};

use pawl_ledger::store::{self, Batch, Engine, MemoryStore, Store};
use tempfile::TempDir;

/// Makes a store, and opens it again as after a crash.
enum Place {
    Memory(MemoryStore),
    Directory { directory: TempDir, engine: Engine },
}

impl Place {
    fn memory() -> Self {
        Self::Memory(MemoryStore::new())
    }

    fn engine(engine: Engine) -> Self {
        Self::Directory {
            directory: tempfile::tempdir().unwrap(),
            engine,
        }
    }

    fn fjall() -> Self {
        Self::engine(Engine::Fjall)
    }

    #[cfg(feature = "sled")]
    fn sled() -> Self {
        Self::engine(Engine::Sled)
    }

    /// Makes an empty place of the same kind.
    fn fresh(&self) -> Self {
        match self {
            Self::Memory(_) => Self::memory(),
            Self::Directory { engine, .. } => Self::engine(*engine),
        }
    }

    /// What was opened before has to be dropped.
    fn open(&mut self) -> Arc<dyn Store> {
        match self {
            Self::Memory(store) => {
                *store = store.crash();
                Arc::new(store.clone())
            }
            Self::Directory { directory, engine } => {
                store::open(directory.path(), Some(*engine)).unwrap()
            }
        }
    }

    fn files(&self, name: &str) -> Option<PathBuf> {
        match self {
            Self::Memory(_) => None,
            Self::Directory { directory, .. } => Some(directory.path().join(name)),
        }
    }
}

/// Makes one test for each store out of a function of a place.
macro_rules! for_each_store {
    ($($test:ident),* $(,)?) => {
        mod memory {
            $(#[test] fn $test() { super::$test(&mut crate::Place::memory()); })*
        }
        mod fjall {
            $(#[test] fn $test() { super::$test(&mut crate::Place::fjall()); })*
        }
        #[cfg(feature = "sled")]
        mod sled {
            $(#[test] fn $test() { super::$test(&mut crate::Place::sled()); })*
        }
    };
}
pub(crate) use for_each_store;

type Pairs = Vec<(Vec<u8>, Vec<u8>)>;

fn batch(puts: &[(&str, &str)], deletes: &[&str]) -> Batch {
    let bytes = |text: &str| text.as_bytes().to_vec();
    Batch {
        puts: puts
            .iter()
            .map(|(key, value)| (bytes(key), bytes(value)))
            .collect(),
        deletes: deletes.iter().map(|key| bytes(key)).collect(),
    }
}

fn range(store: &dyn Store, from: &[u8], to: &[u8]) -> Pairs {
    let mut pairs = Pairs::new();
    let mut visit = |key: &[u8], value: &[u8]| {
        pairs.push((key.to_vec(), value.to_vec()));
        ControlFlow::Continue(())
    };
    store.scan(from, to, &mut visit).unwrap();
    pairs
}

fn everything(store: &dyn Store) -> Pairs {
    range(store, &[], &[0xff; 16])
}

/// Compares everything in a store with pairs in ascending order.
#[track_caller]
fn check(store: &dyn Store, expected: &[(&str, &str)]) {
    let found = everything(store);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let found = found
        .iter()
        .map(|(key, value)| (text(key), text(value)))
        .collect::<Vec<_>>();
    let found = found
        .iter()
        .map(|(key, value)| (key.as_str(), value.as_str()));
    assert_eq!(found.collect::<Vec<_>>(), expected);
}
