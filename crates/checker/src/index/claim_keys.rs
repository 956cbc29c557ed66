//! The statements of each claim key, in the order of their keys.

use std::collections::HashMap;

use super::{Slot, Statement, holders::Holders};

/// For each claim key the statements that have it.
#[derive(Debug, Default)]
pub(super) struct ClaimKeys(HashMap<u64, Holders>);

impl ClaimKeys {
    pub(super) fn insert<K: Copy + Ord>(&mut self, key: u64, slot: Slot, table: &[Statement<K>]) {
        self.0.entry(key).or_default().insert(slot, table);
    }

    pub(super) fn remove<K: Copy + Ord>(&mut self, key: u64, slot: Slot, table: &[Statement<K>]) {
        let Some(holders) = self.0.get_mut(&key) else {
            return;
        };
        holders.remove(slot, table);
        if holders.is_empty() {
            self.0.remove(&key);
        }
    }

    /// The newest statements of a claim key, the newest first.
    pub(super) fn newest(&self, key: Option<u64>, limit: usize) -> impl Iterator<Item = Slot> {
        let holders = key.and_then(|key| self.0.get(&key));
        holders.into_iter().flat_map(move |it| it.newest(limit))
    }
}
