//! Who decides a conflict, and what that makes happen.

use super::{Denied, Reason, is_owner, require_role, seals};
use crate::{
    board::{Board, Conflict},
    command::{Command, Context},
    digest::Commitment,
    event::{Challenger, Event},
    evolve::{lock_mode, open_conflicts_of},
    id::{ConflictId, RevisionId},
    module::SealMode,
    status::{ConflictCause, ConflictState, Role, Status},
};

pub(super) fn decide(
    board: &Board,
    context: &Context,
    command: &Command,
) -> Result<Vec<Event>, Denied> {
    match command {
        Command::Resolve {
            conflict,
            winner,
            reason,
        } => resolve(board, context, *conflict, *winner, *reason),
        Command::Dismiss { conflict, reason } => {
            let state = open_conflict(board, *conflict)?;
            may_decide(board, context, state)?;
            Ok(vec![Event::ConflictDismissed {
                conflict: *conflict,
                reason: *reason,
            }])
        }
        Command::Appeal { conflict, reason } => {
            let state = open_conflict(board, *conflict)?;
            if state.principal != context.principal {
                return Err(Denied::new(
                    Reason::NotAuthor,
                    format!(
                        "only `{}`, whose submission it is, can appeal",
                        state.principal
                    ),
                )
                .with("author", &state.principal));
            }
            Ok(vec![Event::ConflictAppealed {
                conflict: *conflict,
                reason: *reason,
            }])
        }
        _ => Ok(Vec::new()),
    }
}

fn open_conflict(board: &Board, id: ConflictId) -> Result<&Conflict, Denied> {
    let conflict = board.conflict(id).ok_or_else(|| {
        Denied::new(
            Reason::ConflictUnknown,
            format!(
                "board `{}` has no conflict `{id}`; list the conflicts",
                board.name
            ),
        )
        .with("conflict", id)
    })?;
    if conflict.state == ConflictState::Open {
        return Ok(conflict);
    }
    Err(Denied::new(
        Reason::ConflictClosed,
        format!("conflict `{id}` is {} already", conflict.state),
    )
    .with("conflict", id)
    .with("state", conflict.state))
}

/// Arbiters decide; where only a module's owner has to agree, the owner does too. Nobody decides in
/// favour of their own submission.
fn may_decide(board: &Board, context: &Context, conflict: &Conflict) -> Result<(), Denied> {
    let owner_agrees = conflict.cause == ConflictCause::Ownership
        && challenger_module(board, conflict)
            .is_some_and(|module| is_owner(board, module, &context.principal));
    if !owner_agrees {
        require_role(board, context, &[Role::Arbiter])?;
    }
    if conflict.principal == context.principal {
        return Err(Denied::new(
            Reason::OwnAssertion,
            "the challenger is your own; another arbiter has to decide this conflict",
        )
        .with("principal", &context.principal));
    }
    Ok(())
}

fn challenger_module<'a>(
    board: &'a Board,
    conflict: &Conflict,
) -> Option<&'a crate::id::ModuleName> {
    match conflict.challenger {
        Challenger::Revision(revision) => Some(&board.revision(revision)?.module),
        Challenger::Refusal(refusal) => Some(&board.refusal(refusal)?.module),
    }
}

fn resolve(
    board: &Board,
    context: &Context,
    id: ConflictId,
    winner: RevisionId,
    reason: Commitment,
) -> Result<Vec<Event>, Denied> {
    let conflict = open_conflict(board, id)?;
    may_decide(board, context, conflict)?;
    let challenger_wins = match (conflict.challenger, conflict.standing) {
        (Challenger::Revision(challenger), _) if challenger == winner => true,
        (_, Some(standing)) if standing == winner => false,
        _ => return Err(no_side(conflict, winner)),
    };
    let mut events = vec![Event::ConflictResolved {
        conflict: id,
        challenger_wins,
        reason,
    }];
    if let (true, Some(standing)) = (challenger_wins, conflict.standing)
        && lock_mode(board, standing).is_some()
    {
        let others = open_conflicts_of(board, winner).filter(|other| *other != id);
        let others: Vec<String> = others.map(|other| other.to_string()).collect();
        if !others.is_empty() {
            return Err(Denied::new(
                Reason::TransitionIllegal,
                format!(
                    "`{winner}` would be locked in the place of `{standing}` but is challenging in \
                     {} too; decide these first",
                    others.join(", ")
                ),
            )
            .with("conflicts", others.join(",")));
        }
        events.extend(seals::amendment(
            board,
            context,
            standing,
            winner,
            reason,
            &[],
            None,
        ));
    }
    Ok(events)
}

fn no_side(conflict: &Conflict, winner: RevisionId) -> Denied {
    let challenger = match conflict.challenger {
        Challenger::Revision(revision) => revision.to_string(),
        Challenger::Refusal(refusal) => {
            format!("{refusal} (refused: dismiss the conflict instead)")
        }
    };
    let standing = conflict
        .standing
        .map_or("none".to_owned(), |standing| standing.to_string());
    Denied::new(
        Reason::FieldInvalid,
        format!("`{winner}` is no side of this conflict: they are {challenger} and {standing}"),
    )
    .with("field", "winner")
    .with("challenger", challenger)
    .with("standing", standing)
}

/// Soft locks that a challenger with strictly more distinct verified sources overcomes, among the
/// conflicts and corroborations just applied.
pub(super) fn soft_locks_overcome(
    board: &Board,
    context: &Context,
    applied: &[Event],
) -> Vec<Event> {
    let touched = applied.iter().find_map(|event| {
        let challenger = match event {
            Event::ConflictOpened {
                challenger: Challenger::Revision(revision),
                ..
            }
            | Event::Corroborated { revision, .. } => *revision,
            _ => return None,
        };
        let mut open = open_conflicts_of(board, challenger);
        let (only, None) = (open.next()?, open.next()) else {
            return None;
        };
        Some((challenger, only, board.conflict(only)?.standing?))
    });
    let Some((challenger, conflict, standing)) = touched else {
        return Vec::new();
    };
    if !overcomes(board, challenger, standing, conflict) {
        return Vec::new();
    }
    let Some(reason) = recorded_reason(applied) else {
        return Vec::new();
    };
    let mut events = vec![Event::ConflictResolved {
        conflict,
        challenger_wins: true,
        reason,
    }];
    events.extend(seals::amendment(
        board,
        context,
        standing,
        challenger,
        reason,
        &[],
        None,
    ));
    events
}

fn overcomes(
    board: &Board,
    challenger: RevisionId,
    standing: RevisionId,
    conflict: ConflictId,
) -> bool {
    let is_finding = board
        .conflict(conflict)
        .is_some_and(|conflict| matches!(conflict.cause, ConflictCause::Finding(_)));
    let sources = |id: RevisionId| board.revision(id).map(|state| state.verified_sources.len());
    let contested = board
        .revision(challenger)
        .is_some_and(|state| state.status == Status::Contested);
    is_finding
        && contested
        && lock_mode(board, standing) == Some(SealMode::Soft)
        && sources(challenger) > sources(standing)
}

/// What gave the decision: the check of the submission, or the quote of the corroboration.
fn recorded_reason(applied: &[Event]) -> Option<Commitment> {
    applied.iter().find_map(|event| match event {
        Event::Submitted(submitted) => Some(submitted.check),
        Event::Corroborated { citations, .. } => citations.first().map(|citation| citation.quote),
        _ => None,
    })
}
