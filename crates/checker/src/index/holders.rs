//! The statements that have something, in the order of their keys.

use super::{Slot, Statement};

/// The slots of statements, in the order of the statements' keys: a slot is half as wide as a key.
#[derive(Debug, Default)]
pub(super) struct Holders(Vec<Slot>);

impl Holders {
    /// Adds a statement; says whether it was not there.
    pub(super) fn insert<K: Copy + Ord>(&mut self, slot: Slot, table: &[Statement<K>]) -> bool {
        let place = self.place(slot, table);
        if let Err(position) = place {
            self.0.insert(position, slot);
        }
        place.is_err()
    }

    /// Takes a statement out; says whether it was there.
    pub(super) fn remove<K: Copy + Ord>(&mut self, slot: Slot, table: &[Statement<K>]) -> bool {
        let place = self.place(slot, table);
        if let Ok(position) = place {
            self.0.remove(position);
        }
        place.is_ok()
    }

    fn place<K: Copy + Ord>(&self, slot: Slot, table: &[Statement<K>]) -> Result<usize, usize> {
        let key = |slot: Slot| table.get(wide(slot)).map(|it| it.key);
        let wanted = key(slot);
        self.0.binary_search_by(|other| key(*other).cmp(&wanted))
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, the oldest first.
    pub(super) fn all(&self) -> &[Slot] {
        &self.0
    }

    /// So many of the newest ones, the newest first.
    pub(super) fn newest(&self, limit: usize) -> impl Iterator<Item = Slot> {
        self.0.iter().rev().take(limit).copied()
    }
}

/// A slot as a place in a table.
pub(super) fn wide(slot: Slot) -> usize {
    slot as usize
}
