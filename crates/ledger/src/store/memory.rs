//! A store kept in memory only, with fault points: for tests of what stands on a store.
//!
//! Nothing of it outlives the process. It keeps the contract otherwise, so that a test can fail
//! each commit before or after it took effect and then look at what a crash would have left.

use std::{collections::BTreeMap, io, path::PathBuf, sync::Arc};

use parking_lot::Mutex;

use super::{Batch, Store, StoreError, Visit};

/// A store in memory. Clones share their contents and faults: keep one as the handle.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    state: Arc<Mutex<State>>,
}

/// How a commit fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing of the batch is written.
    Before,
    /// The batch is written, the caller learns nothing of it.
    After,
}

#[derive(Debug, Default)]
struct State {
    contents: Contents,
    commits: u64,
    faults: BTreeMap<u64, Fault>,
    full: bool,
}

/// Shared with the scans under way; a commit during one of them copies it.
type Contents = Arc<BTreeMap<Vec<u8>, Vec<u8>>>;

impl MemoryStore {
    /// Makes an empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the `nth` commit from now on fail, where 1 is the next one.
    pub fn fail(&self, nth: u64, fault: Fault) {
        let mut state = self.state.lock();
        let commit = state.commits.saturating_add(nth);
        state.faults.insert(commit, fault);
    }

    /// Makes every commit fail for want of space, or ends that.
    pub fn set_full(&self, full: bool) {
        self.state.lock().full = full;
    }

    /// Counts the commits so far, failed ones included.
    pub fn commits(&self) -> u64 {
        self.state.lock().commits
    }

    /// Gives what a crash at this moment leaves: what was committed, without the faults.
    pub fn crash(&self) -> Self {
        let contents = self.contents();
        Self {
            state: Arc::new(Mutex::new(State {
                contents,
                ..State::default()
            })),
        }
    }

    fn contents(&self) -> Contents {
        Arc::clone(&self.state.lock().contents)
    }
}

impl Store for MemoryStore {
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.state.lock().contents.get(key).cloned())
    }

    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StoreError> {
        if from >= to {
            return Ok(());
        }
        for (key, value) in self.contents().range(from.to_vec()..to.to_vec()) {
            if visit(key, value).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn commit(&self, batch: &Batch) -> Result<(), StoreError> {
        let writes = batch.writes()?;
        let mut state = self.state.lock();
        state.commits += 1;
        let commit = state.commits;
        if state.full {
            return Err(StoreError::Full {
                path: PathBuf::from("memory"),
            });
        }
        let fault = state.faults.remove(&commit);
        if fault != Some(Fault::Before) {
            let contents = Arc::make_mut(&mut state.contents);
            for (key, value) in writes {
                match value {
                    Some(value) => contents.insert(key.to_vec(), value.to_vec()),
                    None => contents.remove(key),
                };
            }
        }
        match fault {
            None => Ok(()),
            Some(_) => Err(StoreError::Engine(Box::new(io::Error::other(
                "a fault point was hit",
            )))),
        }
    }
}
