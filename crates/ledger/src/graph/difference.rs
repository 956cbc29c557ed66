//! What changed from one snapshot to another.

use std::collections::{BTreeMap, BTreeSet};

use super::SnapshotNode;
use crate::{board::Board, id::RevisionId};

/// What changed, in the order of ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// Held by the later one only, in nobody's place.
    pub added: Vec<RevisionId>,
    /// Held by the earlier one only, with what the later one holds in its place.
    pub amended: BTreeMap<RevisionId, RevisionId>,
    /// Held by the earlier one only, with nothing in its place.
    pub gone: Vec<RevisionId>,
    /// How many both hold.
    pub kept: usize,
}

/// Compares the members of two snapshots. A pair belongs together where it is of the same assertion,
/// or where one took the other's place, in whichever order.
pub fn difference(board: &Board, from: &SnapshotNode, to: &SnapshotNode) -> Difference {
    let before: BTreeSet<RevisionId> = from.members.iter().copied().collect();
    let after: BTreeSet<RevisionId> = to.members.iter().copied().collect();
    let left: BTreeSet<RevisionId> = before.difference(&after).copied().collect();
    let came: BTreeSet<RevisionId> = after.difference(&before).copied().collect();

    let mut amended = BTreeMap::new();
    // What came back took its place from what had taken it before.
    for new in &came {
        for old in takers(board, *new).filter(|it| left.contains(it)) {
            amended.insert(old, *new);
        }
    }
    for old in &left {
        if let Some(new) = takers(board, *old).find(|it| came.contains(it)) {
            amended.insert(*old, new);
        }
        let (first, last) = (revision(*old, 1), revision(*old, u32::MAX));
        if let Some(new) = came.range(first..=last).next() {
            amended.insert(*old, *new);
        }
    }
    let taken: BTreeSet<RevisionId> = amended.values().copied().collect();
    Difference {
        added: came.difference(&taken).copied().collect(),
        gone: left
            .into_iter()
            .filter(|old| !amended.contains_key(old))
            .collect(),
        amended,
        kept: before.intersection(&after).count(),
    }
}

fn revision(id: RevisionId, revision: u32) -> RevisionId {
    RevisionId { revision, ..id }
}

/// What took the place of a revision, one after another.
fn takers(board: &Board, id: RevisionId) -> impl Iterator<Item = RevisionId> + '_ {
    let next = |at: RevisionId| board.revision(at).and_then(|state| state.replaced_by);
    std::iter::successors(next(id), move |at| next(*at))
}
