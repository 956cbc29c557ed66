//! The life of a conflict.

use super::{EvolveError, set_status, settle, unknown};
use crate::{
    board::{Board, Conflict, number},
    event::{Challenger, Event, Recorded},
    id::{ConflictId, RevisionId},
    status::{ConflictState, Status},
};

pub(super) fn apply(board: &mut Board, recorded: &Recorded) -> Result<(), EvolveError> {
    match &recorded.event {
        Event::ConflictOpened { .. } => opened(board, recorded),
        Event::ConflictAppealed { conflict, .. } => {
            conflict_mut(board, recorded, *conflict)?.appealed = Some(recorded.position);
            Ok(())
        }
        Event::ConflictResolved {
            conflict,
            challenger_wins,
            ..
        } => resolved(board, recorded, *conflict, *challenger_wins),
        Event::ConflictDismissed { conflict, .. } => dismissed(board, recorded, *conflict),
        _ => Ok(()),
    }
}

fn opened(board: &mut Board, recorded: &Recorded) -> Result<(), EvolveError> {
    let Event::ConflictOpened {
        challenger,
        standing,
        reference,
        cause,
        score,
        rescan,
        ..
    } = &recorded.event
    else {
        return Ok(());
    };
    let principal = match challenger {
        Challenger::Revision(id) => board.revision(*id).map(|it| it.author.clone()),
        Challenger::Refusal(id) => board.refusal(*id).map(|it| it.principal.clone()),
    };
    board.conflicts.push(Conflict {
        challenger: *challenger,
        standing: *standing,
        reference: *reference,
        cause: *cause,
        score: *score,
        rescan: *rescan,
        state: ConflictState::Open,
        challenger_won: false,
        position: recorded.position,
        at: recorded.at,
        principal: principal.unwrap_or_else(|| recorded.principal.clone()),
        appealed: None,
        decided: None,
    });
    let id = ConflictId(number(board.conflicts.len()));
    match challenger {
        Challenger::Revision(revision) => {
            let state = board.revision_mut(*revision);
            let state = state.ok_or_else(|| unknown(recorded, *revision))?;
            state.conflicts.push(id);
            state.challenged += u32::from(*rescan);
        }
        Challenger::Refusal(refusal) => {
            let place = usize::try_from(refusal.0)
                .unwrap_or(usize::MAX)
                .wrapping_sub(1);
            let state = board.refusals.get_mut(place);
            let missing = || EvolveError::new(recorded, format!("there is no `{refusal}`"));
            state.ok_or_else(missing)?.conflicts.push(id);
        }
    }
    if let Some(standing) = standing {
        let contests = matches!(challenger, Challenger::Revision(_));
        let state = board
            .revision_mut(*standing)
            .ok_or_else(|| unknown(recorded, *standing))?;
        state.conflicts.push(id);
        state.challenged += u32::from(contests);
    }
    if *rescan {
        return Ok(());
    }
    back_to_quarantine(board, recorded, *challenger)
}

/// A challenger that stands goes into quarantine: one that came out of it and contradicts what was
/// accepted meanwhile, and one that an amendment turned into a contradiction of what is locked.
fn back_to_quarantine(
    board: &mut Board,
    recorded: &Recorded,
    challenger: Challenger,
) -> Result<(), EvolveError> {
    let Challenger::Revision(id) = challenger else {
        return Ok(());
    };
    match board.revision(id).map(|state| state.status) {
        Some(Status::Proposed | Status::Validated) => {
            set_status(board, recorded, id, Status::Contested)
        }
        _ => Ok(()),
    }
}

fn resolved(
    board: &mut Board,
    recorded: &Recorded,
    id: ConflictId,
    challenger_wins: bool,
) -> Result<(), EvolveError> {
    let state = conflict_mut(board, recorded, id)?;
    state.decided = Some((recorded.principal.clone(), recorded.position));
    let (challenger, standing, rescan) = (state.challenger, state.standing, state.rescan);
    close(
        board,
        recorded,
        id,
        ConflictState::Resolved,
        challenger_wins,
    )?;
    let Challenger::Revision(challenger) = challenger else {
        return Ok(());
    };
    if rescan {
        let loser = standing.filter(|_| challenger_wins).unwrap_or(challenger);
        return end_of_two(board, recorded, loser);
    }
    if !challenger_wins {
        return set_status(board, recorded, challenger, Status::Rejected);
    }
    match standing.and_then(|standing| Some((standing, board.revision(standing)?.status))) {
        // The amendment that follows ends the lock and locks the challenger.
        Some((_, Status::Locked)) => Ok(()),
        Some((standing, status)) if status.stands() => {
            end_loser(board, recorded, challenger, standing)?;
            settle(board, recorded, challenger)
        }
        _ => settle(board, recorded, challenger),
    }
}

/// Of two that stood, the loser goes. A locked one ends by an amendment only.
fn end_of_two(
    board: &mut Board,
    recorded: &Recorded,
    loser: RevisionId,
) -> Result<(), EvolveError> {
    match board.revision(loser).map(|it| it.status) {
        Some(Status::Locked) => Err(EvolveError::new(recorded, format!("`{loser}` is locked"))),
        _ => set_status(board, recorded, loser, Status::Rejected),
    }
}

fn end_loser(
    board: &mut Board,
    recorded: &Recorded,
    challenger: RevisionId,
    standing: RevisionId,
) -> Result<(), EvolveError> {
    let replaces = board
        .revision(challenger)
        .is_some_and(|it| it.replaces == Some(standing));
    if replaces {
        let state = board
            .revision_mut(standing)
            .ok_or_else(|| unknown(recorded, standing))?;
        state.replaced_by = Some(challenger);
        set_status(board, recorded, standing, Status::Superseded)
    } else {
        set_status(board, recorded, standing, Status::Rejected)
    }
}

fn dismissed(board: &mut Board, recorded: &Recorded, id: ConflictId) -> Result<(), EvolveError> {
    let state = conflict_mut(board, recorded, id)?;
    state.decided = Some((recorded.principal.clone(), recorded.position));
    let challenger = state.challenger;
    close(board, recorded, id, ConflictState::Dismissed, false)?;
    board.rules_changed = recorded.position;
    let Challenger::Revision(challenger) = challenger else {
        return Ok(());
    };
    settle(board, recorded, challenger)
}

/// Closes the open conflicts of a revision that ended: against it as a challenger they are lost,
/// against it as the standing side they are won. Gives the challengers that may be free now.
pub(super) fn close_all_of(
    board: &mut Board,
    recorded: &Recorded,
    id: RevisionId,
) -> Result<Vec<RevisionId>, EvolveError> {
    let conflicts = board
        .revision(id)
        .map(|it| it.conflicts.clone())
        .unwrap_or_default();
    let mut free = Vec::new();
    for conflict in conflicts {
        let Some(state) = board.conflict(conflict) else {
            continue;
        };
        if state.state != ConflictState::Open {
            continue;
        }
        let challenger = state.challenger;
        let won = challenger != Challenger::Revision(id);
        close(board, recorded, conflict, ConflictState::Resolved, won)?;
        if let (true, Challenger::Revision(challenger)) = (won, challenger) {
            free.push(challenger);
        }
    }
    Ok(free)
}

/// Closes conflicts whose row or answer is no longer taken as given, and lets those stand whom
/// nothing else keeps in quarantine.
pub(super) fn close_without_reference(
    board: &mut Board,
    recorded: &Recorded,
    ended: &[ConflictId],
) -> Result<(), EvolveError> {
    for id in ended {
        close(board, recorded, *id, ConflictState::Resolved, true)?;
    }
    for id in ended {
        let challenger = board.conflict(*id).map(|it| it.challenger);
        if let Some(Challenger::Revision(challenger)) = challenger {
            settle(board, recorded, challenger)?;
        }
    }
    Ok(())
}

/// The open conflicts that hold a challenger in quarantine.
pub(crate) fn open_conflicts_of(
    board: &Board,
    challenger: RevisionId,
) -> impl Iterator<Item = ConflictId> + '_ {
    let conflicts = board.revision(challenger).map(|it| it.conflicts.as_slice());
    conflicts
        .unwrap_or_default()
        .iter()
        .copied()
        .filter(move |id| {
            board.conflict(*id).is_some_and(|conflict| {
                conflict.state == ConflictState::Open
                    && conflict.challenger == Challenger::Revision(challenger)
                    && !conflict.rescan
            })
        })
}

fn close(
    board: &mut Board,
    recorded: &Recorded,
    id: ConflictId,
    state: ConflictState,
    challenger_won: bool,
) -> Result<(), EvolveError> {
    let conflict = conflict_mut(board, recorded, id)?;
    if conflict.state != ConflictState::Open {
        return Err(EvolveError::new(recorded, format!("`{id}` is not open")));
    }
    conflict.state = state;
    conflict.challenger_won = challenger_won;
    let conflict = conflict.clone();
    let contests = matches!(conflict.challenger, Challenger::Revision(_));
    let challenged = conflict.standing.filter(|_| contests);
    let challenged = challenged.into_iter().chain(match conflict.challenger {
        Challenger::Revision(challenger) if conflict.rescan => Some(challenger),
        _ => None,
    });
    for side in challenged {
        if let Some(state) = board.revision_mut(side) {
            state.challenged = state.challenged.saturating_sub(1);
        }
    }
    Ok(())
}

fn conflict_mut<'a>(
    board: &'a mut Board,
    recorded: &Recorded,
    id: ConflictId,
) -> Result<&'a mut Conflict, EvolveError> {
    let place = usize::try_from(id.0).unwrap_or(usize::MAX).wrapping_sub(1);
    let missing = || EvolveError::new(recorded, format!("there is no conflict `{id}`"));
    board.conflicts.get_mut(place).ok_or_else(missing)
}
