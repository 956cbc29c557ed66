//! The statements of each claim key, in the order of their keys.

use std::collections::HashMap;

/// For each claim key the statements that have it.
#[derive(Debug)]
pub(super) struct ClaimKeys<K> {
    statements: HashMap<u64, Vec<K>>,
}

impl<K> Default for ClaimKeys<K> {
    fn default() -> Self {
        Self {
            statements: HashMap::new(),
        }
    }
}

impl<K: Copy + Ord> ClaimKeys<K> {
    pub(super) fn insert(&mut self, claim_key: u64, key: K) {
        let keys = self.statements.entry(claim_key).or_default();
        if let Err(position) = keys.binary_search(&key) {
            keys.insert(position, key);
        }
    }

    pub(super) fn remove(&mut self, claim_key: u64, key: K) {
        let Some(keys) = self.statements.get_mut(&claim_key) else {
            return;
        };
        if let Ok(position) = keys.binary_search(&key) {
            keys.remove(position);
        }
        if keys.is_empty() {
            self.statements.remove(&claim_key);
        }
    }

    /// The highest keys of a claim key, the highest first.
    pub(super) fn newest(&self, claim_key: Option<u64>, limit: usize) -> impl Iterator<Item = K> {
        let keys = claim_key.and_then(|claim_key| self.statements.get(&claim_key));
        keys.into_iter().flatten().rev().take(limit).copied()
    }
}
