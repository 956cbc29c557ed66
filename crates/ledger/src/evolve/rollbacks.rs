//! Rollbacks: a module's locks as they were at an earlier snapshot. Nothing is forgotten; what leaves
//! force keeps its place in the log and in the snapshots that hold it.

use std::collections::{BTreeMap, BTreeSet};

use super::{EvolveError, locked, set_status, statuses::end_beside, unknown};
use crate::{
    board::Board,
    digest::Digest,
    event::Recorded,
    id::{ModuleName, RevisionId},
    status::Status,
};

/// What a rollback changes in its module, in the order of ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// What is locked now and leaves force.
    pub ended: Vec<RevisionId>,
    /// What is locked again.
    pub reinstated: Vec<RevisionId>,
    /// Of what leaves force, what had taken the place of something that is locked again, with that.
    pub gives_way: BTreeMap<RevisionId, RevisionId>,
}

/// Compares what is locked in a module with what a snapshot of it holds.
pub fn exchange(board: &Board, module: &ModuleName, members: &[RevisionId]) -> Exchange {
    let target: BTreeSet<RevisionId> = members.iter().copied().collect();
    let now: BTreeSet<RevisionId> = locked(board, module).into_iter().collect();
    let ended: Vec<RevisionId> = now.difference(&target).copied().collect();
    let reinstated: Vec<RevisionId> = target.difference(&now).copied().collect();
    let mut gives_way = BTreeMap::new();
    for back in &reinstated {
        if let Some(taker) = taker(board, *back).filter(|it| ended.binary_search(it).is_ok()) {
            gives_way.entry(taker).or_insert(*back);
        }
    }
    Exchange {
        ended,
        reinstated,
        gives_way,
    }
}

/// What has the place of a revision now, at the end of all that took it one after another.
fn taker(board: &Board, id: RevisionId) -> Option<RevisionId> {
    let next = |at: RevisionId| board.revision(at).and_then(|state| state.replaced_by);
    std::iter::successors(next(id), |at| next(*at)).last()
}

pub(super) fn rolled_back(
    board: &mut Board,
    recorded: &Recorded,
    module: &ModuleName,
    to: &Digest,
) -> Result<(), EvolveError> {
    let node = board
        .snapshots
        .get(to)
        .filter(|node| node.snapshot.module == *module);
    let missing = || {
        let what = format!("module `{module}` has no snapshot `{}`", to.short());
        EvolveError::new(recorded, what)
    };
    let exchange = exchange(board, module, &node.ok_or_else(missing)?.members);
    for id in &exchange.ended {
        set_status(board, recorded, *id, Status::RolledBack)?;
    }
    for id in &exchange.reinstated {
        reinstate(board, recorded, *id)?;
    }
    // After every place is free, so that no revision is its own successor.
    for (ended, back) in exchange.gives_way {
        let state = board.revision_mut(ended);
        state.ok_or_else(|| unknown(recorded, ended))?.replaced_by = Some(back);
    }
    Ok(())
}

/// Locks a revision again; what was proposed in its place meanwhile ends.
fn reinstate(board: &mut Board, recorded: &Recorded, id: RevisionId) -> Result<(), EvolveError> {
    let state = board
        .revision_mut(id)
        .ok_or_else(|| unknown(recorded, id))?;
    if !matches!(state.status, Status::Superseded | Status::RolledBack) {
        let what = format!("`{id}` is {} and cannot be locked again", state.status);
        return Err(EvolveError::new(recorded, what));
    }
    state.replaced_by = None;
    set_status(board, recorded, id, Status::Locked)?;
    end_beside(board, recorded, id)
}
