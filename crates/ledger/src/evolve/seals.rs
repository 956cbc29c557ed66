//! Locks: what a snapshot holds and what an amendment puts in whose place.

use super::{EvolveError, set_status, take_place, unknown};
use crate::{
    board::Board,
    digest::Digest,
    event::Recorded,
    graph::SnapshotNode,
    id::{ModuleName, RevisionId},
    log::tree::{Frontier, NodeHash},
    module::SealMode,
    snapshot::{Snapshot, SnapshotCause},
    status::Status,
};

pub(super) fn amended(
    board: &mut Board,
    recorded: &Recorded,
    old: RevisionId,
    new: RevisionId,
) -> Result<(), EvolveError> {
    let alive = [Status::Proposed, Status::Validated, Status::Contested];
    let takes = board.revision(new);
    if !takes.is_some_and(|state| alive.contains(&state.status)) {
        return Err(EvolveError::new(
            recorded,
            format!("`{new}` can take no place"),
        ));
    }
    let state = board
        .revision_mut(old)
        .ok_or_else(|| unknown(recorded, old))?;
    if state.status != Status::Locked {
        return Err(EvolveError::new(recorded, format!("`{old}` is not locked")));
    }
    state.replaced_by = Some(new);
    set_status(board, recorded, old, Status::Superseded)?;
    set_status(board, recorded, new, Status::Locked)?;
    // What it replaces besides the amended one ends too.
    take_place(board, recorded, new)
}

pub(super) fn taken(
    board: &mut Board,
    recorded: &Recorded,
    id: Digest,
    snapshot: &Snapshot,
) -> Result<(), EvolveError> {
    let members = match snapshot.cause {
        SnapshotCause::Seal => members(board, &snapshot.module, snapshot.only),
        SnapshotCause::Amendment | SnapshotCause::Rollback => locked(board, &snapshot.module),
    };
    let root = member_root(board, &members, None);
    if root != snapshot.member_root {
        return Err(EvolveError::new(
            recorded,
            format!(
                "snapshot `{}` names other members than the log gives it",
                id.short()
            ),
        ));
    }
    for member in &members {
        lock(board, recorded, *member, id, snapshot)?;
    }
    if let Some(module) = board.modules.get_mut(&snapshot.module) {
        module.current = Some(id);
        module.sealed = Some(recorded.position);
    }
    board.snapshots.add(SnapshotNode {
        id,
        snapshot: snapshot.clone(),
        members,
    });
    Ok(())
}

fn lock(
    board: &mut Board,
    recorded: &Recorded,
    member: RevisionId,
    id: Digest,
    snapshot: &Snapshot,
) -> Result<(), EvolveError> {
    let state = board
        .revision(member)
        .ok_or_else(|| unknown(recorded, member))?;
    let sealed_now =
        snapshot.cause == SnapshotCause::Seal && snapshot.only.is_none_or(|only| only == member);
    let locks_anew = sealed_now || state.snapshot.is_none();
    let weakens = snapshot.mode == SealMode::Soft
        && state.snapshot.is_some()
        && lock_mode(board, member) == Some(SealMode::Hard);
    if state.status != Status::Locked {
        set_status(board, recorded, member, Status::Locked)?;
    }
    if locks_anew
        && !weakens
        && let Some(state) = board.revision_mut(member)
    {
        state.snapshot = Some(id);
    }
    Ok(())
}

/// How a locked revision is locked.
pub fn lock_mode(board: &Board, revision: RevisionId) -> Option<SealMode> {
    let state = board
        .revision(revision)
        .filter(|state| state.status == Status::Locked)?;
    let snapshot = state.snapshot.and_then(|id| board.snapshots.get(&id));
    Some(snapshot.map_or(SealMode::Hard, |node| node.snapshot.mode))
}

/// What a seal of a module, or of one revision in it, holds: all that is locked in the module
/// already and what is sealed now.
pub fn members(board: &Board, module: &ModuleName, only: Option<RevisionId>) -> Vec<RevisionId> {
    let Some(state) = board.modules.get(module) else {
        return Vec::new();
    };
    let sealed = |id: &RevisionId| match only {
        None => true,
        Some(only) => *id == only || is_locked(board, *id),
    };
    state.standing.iter().copied().filter(sealed).collect()
}

/// What is locked in a module.
pub fn locked(board: &Board, module: &ModuleName) -> Vec<RevisionId> {
    let Some(state) = board.modules.get(module) else {
        return Vec::new();
    };
    state
        .standing
        .iter()
        .copied()
        .filter(|id| is_locked(board, *id))
        .collect()
}

/// The tree hash over the leaf hashes of revisions; `new` gives the leaf of a revision whose entry
/// is yet to be written.
pub fn member_root(
    board: &Board,
    members: &[RevisionId],
    new: Option<(RevisionId, NodeHash)>,
) -> NodeHash {
    let leaf = |id: &RevisionId| match new {
        Some((new, leaf)) if new == *id => leaf,
        _ => board
            .revision(*id)
            .map(|state| state.leaf)
            .unwrap_or_default(),
    };
    members.iter().map(leaf).collect::<Frontier>().root()
}

fn is_locked(board: &Board, id: RevisionId) -> bool {
    board
        .revision(id)
        .is_some_and(|state| state.status == Status::Locked)
}
