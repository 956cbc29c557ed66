//! How a revision's status changes, and what follows from that alone: counts, module membership,
//! what is current, conflicts that end, supports lost or back, and the revisions all this moves in
//! turn. One step after another from a list, so that a long chain needs no deep stack.

use super::{EvolveError, conflicts, revisions::refresh_dependents, unknown};
use crate::{
    board::{Board, RECENT_CHANGES},
    event::Recorded,
    id::{ModuleName, Position, RevisionId},
    status::Status,
};

/// What is left to do.
enum Step {
    /// Moves a revision to a status.
    Move(RevisionId, Status),
    /// Lets a challenger without open conflicts stand.
    Settle(RevisionId),
    /// Ends what a newly standing revision replaces, and what that was meant to replace.
    TakePlace {
        new: RevisionId,
        old: Option<RevisionId>,
    },
}

/// Moves a revision to a status.
pub(super) fn set_status(
    board: &mut Board,
    recorded: &Recorded,
    id: RevisionId,
    status: Status,
) -> Result<(), EvolveError> {
    run(board, recorded, Step::Move(id, status))
}

/// Lets a challenger stand if no open conflict of it is left.
pub(super) fn settle(
    board: &mut Board,
    recorded: &Recorded,
    id: RevisionId,
) -> Result<(), EvolveError> {
    run(board, recorded, Step::Settle(id))
}

/// Ends the revision that a newly standing one replaces. A locked one ends by an amendment only.
pub(super) fn take_place(
    board: &mut Board,
    recorded: &Recorded,
    id: RevisionId,
) -> Result<(), EvolveError> {
    let old = board.revision(id).and_then(|state| state.replaces);
    run(board, recorded, Step::TakePlace { new: id, old })
}

/// Ends the other revision of the same assertion that stands and is not locked.
pub(super) fn end_beside(
    board: &mut Board,
    recorded: &Recorded,
    id: RevisionId,
) -> Result<(), EvolveError> {
    let step = Step::TakePlace { new: id, old: None };
    run(board, recorded, step)
}

fn run(board: &mut Board, recorded: &Recorded, first: Step) -> Result<(), EvolveError> {
    let mut waiting = vec![first];
    while let Some(step) = waiting.pop() {
        match step {
            Step::Move(id, status) => {
                change(board, recorded, id, status)?;
                if !status.stands() && status != Status::Contested {
                    let free = conflicts::close_all_of(board, recorded, id)?;
                    waiting.extend(free.into_iter().rev().map(Step::Settle));
                }
            }
            Step::Settle(id) => waiting.extend(settled(board, recorded, id)?),
            Step::TakePlace {
                new,
                old: Some(old),
            } => {
                waiting.extend(replaced(board, recorded, new, old)?);
            }
            Step::TakePlace { new, old: None } => {
                let others = standing_beside(board, new);
                waiting.extend(others.map(|it| Step::Move(it, Status::Superseded)));
            }
        }
    }
    Ok(())
}

/// What becomes of a challenger whose conflicts may all be closed; last step first. Where what it
/// replaces was locked meanwhile it cannot stand: a lock ends by an amendment only.
fn settled(board: &Board, recorded: &Recorded, id: RevisionId) -> Result<Vec<Step>, EvolveError> {
    let state = board.revision(id).ok_or_else(|| unknown(recorded, id))?;
    let waits = conflicts::open_conflicts_of(board, id).next().is_some();
    if state.status != Status::Contested || waits {
        return Ok(Vec::new());
    }
    let (new, old) = (id, state.replaces);
    let ends = board.in_place_of(old).and_then(|it| board.revision(it));
    Ok(if ends.is_some_and(|it| it.status == Status::Locked) {
        vec![Step::Move(id, Status::Rejected)]
    } else {
        vec![
            Step::TakePlace { new, old },
            Step::Move(id, Status::Proposed),
        ]
    })
}

/// An earlier revision of the same assertion that stands, though the new one does not name it.
fn standing_beside(board: &mut Board, new: RevisionId) -> Option<RevisionId> {
    let others = (1..).map(|revision| RevisionId { revision, ..new });
    let (other, _) = others
        .map_while(|id| Some((id, board.revision(id)?)))
        .find(|(id, it)| *id != new && it.status.stands() && it.status != Status::Locked)?;
    board.revision_mut(other)?.replaced_by = Some(new);
    Some(other)
}

/// What becomes of a revision whose place was taken; last step first.
fn replaced(
    board: &mut Board,
    recorded: &Recorded,
    new: RevisionId,
    old: RevisionId,
) -> Result<Vec<Step>, EvolveError> {
    let state = board
        .revision_mut(old)
        .ok_or_else(|| unknown(recorded, old))?;
    let before = Step::TakePlace {
        new,
        old: state.replaces,
    };
    Ok(match state.status {
        Status::Locked => Vec::new(),
        Status::Proposed | Status::Validated => {
            state.replaced_by = Some(new);
            vec![Step::Move(old, Status::Superseded)]
        }
        Status::Contested => {
            state.replaced_by = Some(new);
            vec![before, Step::Move(old, Status::Superseded)]
        }
        Status::Rejected | Status::Superseded | Status::Retracted | Status::RolledBack => {
            state.replaced_by.get_or_insert(new);
            vec![before]
        }
    })
}

fn change(
    board: &mut Board,
    recorded: &Recorded,
    id: RevisionId,
    status: Status,
) -> Result<(), EvolveError> {
    let revision = board
        .revision_mut(id)
        .ok_or_else(|| unknown(recorded, id))?;
    let old = std::mem::replace(&mut revision.status, status);
    let module = revision.module.clone();
    if status.stands() && !old.stands() {
        revision.current_since = recorded.position;
        revision.ended = None;
    } else if old.stands() && !status.stands() {
        revision.ended = Some(recorded.position);
    }
    count(board, old, status);
    place(board, recorded, id, &module, old, status);
    if old.stands() != status.stands() {
        remember_change(board, recorded.position, id);
        refresh_dependents(board, id);
    }
    Ok(())
}

fn count(board: &mut Board, old: Status, new: Status) {
    if let Some(count) = board.counts.get_mut(&old) {
        *count = count.saturating_sub(1);
    }
    *board.counts.entry(new).or_default() += 1;
}

/// Keeps the module's members, and when they last changed.
fn place(
    board: &mut Board,
    recorded: &Recorded,
    id: RevisionId,
    module: &ModuleName,
    old: Status,
    new: Status,
) {
    let submissions = board.submissions;
    let Some(module) = board.modules.get_mut(module) else {
        return;
    };
    if new.stands() {
        module.standing.insert(id);
    } else {
        module.standing.remove(&id);
    }
    if new == Status::Contested {
        module.contested.insert(id);
    } else {
        module.contested.remove(&id);
    }
    if old.stands() != new.stands() {
        module.changed_at = recorded.at;
        module.changed_at_submission = submissions;
    }
}

fn remember_change(board: &mut Board, position: Position, id: RevisionId) {
    board.recent.push_back((position, id));
    if board.recent.len() > RECENT_CHANGES
        && let Some((forgotten, _)) = board.recent.pop_front()
    {
        board.recent_from = Position(forgotten.0 + 1);
    }
}
