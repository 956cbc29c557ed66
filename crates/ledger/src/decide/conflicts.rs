//! Who decides a conflict, and what that makes happen.

use std::collections::BTreeSet;

use super::{Denied, Reason, is_owner, require_role, seals};
use crate::{
    board::{Board, Conflict, number},
    command::{Command, Context},
    digest::Commitment,
    event::{Challenger, Event, Grounds},
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
            if let (Challenger::Revision(challenger), false) = (state.challenger, state.rescan) {
                check_replaces_no_lock(board, *conflict, challenger)?;
            }
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
    let resolution = Event::ConflictResolved {
        conflict: id,
        challenger_wins,
        grounds: Grounds::Reason(reason),
    };
    if conflict.rescan {
        return resolve_of_two(board, conflict, winner, resolution);
    }
    let standing = conflict.standing.filter(|_| challenger_wins);
    let Some(loser) = standing.filter(|it| lock_mode(board, *it).is_some()) else {
        if challenger_wins {
            check_replaces_no_lock(board, id, winner)?;
        }
        let mut events = standing.map_or(Vec::new(), |loser| turned(board, loser, winner));
        events.push(resolution);
        return Ok(events);
    };
    check_takes_lock(board, id, loser, winner)?;
    let amendment = seals::amendment(board, context, loser, winner, reason, &[], None);
    Ok(std::iter::once(resolution).chain(amendment).collect())
}

/// Of two facts that stand, the loser goes, unless it is locked: only an amendment ends a lock.
fn resolve_of_two(
    board: &Board,
    conflict: &Conflict,
    winner: RevisionId,
    resolution: Event,
) -> Result<Vec<Event>, Denied> {
    let sides = match conflict.challenger {
        Challenger::Revision(challenger) => [Some(challenger), conflict.standing],
        Challenger::Refusal(_) => [None, conflict.standing],
    };
    let loser = sides.into_iter().flatten().find(|side| *side != winner);
    if let Some(loser) = loser.filter(|loser| lock_mode(board, *loser).is_some()) {
        return Err(Denied::new(
            Reason::Locked,
            format!(
                "`{loser}` would lose but is locked; amend it, which ends this conflict, or resolve \
                 for it, or dismiss"
            ),
        )
        .with("assertion", loser)
        .with("remedy", "amend, resolve, dismiss"));
    }
    let mut events = loser.map_or(Vec::new(), |loser| turned(board, loser, winner));
    events.push(resolution);
    Ok(events)
}

/// A challenger that wins over a locked revision is locked itself, so nothing else may be open
/// about it, and it may not replace another locked one at the same time.
fn check_takes_lock(
    board: &Board,
    id: ConflictId,
    loser: RevisionId,
    winner: RevisionId,
) -> Result<(), Denied> {
    let others = open_conflicts_of(board, winner).filter(|other| *other != id);
    let others: Vec<String> = others.map(|other| other.to_string()).collect();
    if !others.is_empty() {
        return Err(Denied::new(
            Reason::TransitionIllegal,
            format!(
                "`{winner}` would be locked in the place of `{loser}` but is challenging in {} \
                 too; decide these first",
                others.join(", ")
            ),
        )
        .with("conflicts", others.join(",")));
    }
    let replaces = board.revision(winner).and_then(|it| it.replaces);
    match board
        .in_place_of(replaces)
        .filter(|old| *old != loser && lock_mode(board, *old).is_some())
    {
        None => Ok(()),
        Some(old) => Err(replaces_lock(winner, old)),
    }
}

/// A challenger would stand in the place of what was locked while it waited.
fn check_replaces_no_lock(
    board: &Board,
    id: ConflictId,
    challenger: RevisionId,
) -> Result<(), Denied> {
    let waits = open_conflicts_of(board, challenger).any(|other| other != id);
    let replaces = board.revision(challenger).and_then(|it| it.replaces);
    match board
        .in_place_of(replaces)
        .filter(|old| !waits && lock_mode(board, *old).is_some())
    {
        None => Ok(()),
        Some(old) => Err(replaces_lock(challenger, old)),
    }
}

fn replaces_lock(challenger: RevisionId, old: RevisionId) -> Denied {
    Denied::new(
        Reason::Locked,
        format!(
            "`{challenger}` replaces `{old}`, which has been locked since; resolve for what \
             stands, or amend `{old}`"
        ),
    )
    .with("assertion", old)
    .with("remedy", "resolve, amend")
}

/// What else challenges a revision that loses its place is turned against the one that takes it:
/// it was not compared with that one, so it stays in quarantine until somebody looks.
pub(super) fn turned(board: &Board, old: RevisionId, new: RevisionId) -> Vec<Event> {
    turned_among(board, &BTreeSet::from([old]), new)
}

/// The same where several lose their place at once; each challenger is turned once.
pub(super) fn turned_among(
    board: &Board,
    old: &BTreeSet<RevisionId>,
    new: RevisionId,
) -> Vec<Event> {
    let mut met = BTreeSet::new();
    let challenging = board.open_conflicts().filter(|(_, conflict)| {
        let against = conflict.standing.is_some_and(|it| old.contains(&it));
        against
            && !conflict.rescan
            && match conflict.challenger {
                Challenger::Revision(challenger) => challenger != new && met.insert(challenger),
                Challenger::Refusal(_) => false,
            }
    });
    let challenging: Vec<_> = challenging.collect();
    let numbers = (board.conflicts.len() + 1..).map(|it| ConflictId(number(it)));
    numbers
        .zip(challenging)
        .map(|(conflict, (_, other))| Event::ConflictOpened {
            conflict,
            challenger: other.challenger,
            standing: Some(new),
            reference: None,
            cause: other.cause,
            score: other.score,
            rescan: false,
        })
        .collect()
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

/// The first soft lock that a challenger with strictly more distinct verified sources overcomes,
/// among the conflicts and corroborations just applied.
pub(super) fn soft_locks_overcome(
    board: &Board,
    context: &Context,
    applied: &[Event],
) -> Vec<Event> {
    let touched = applied.iter().filter_map(|event| match event {
        Event::ConflictOpened {
            challenger: Challenger::Revision(revision),
            ..
        }
        | Event::Corroborated { revision, .. } => Some(*revision),
        _ => None,
    });
    touched
        .filter_map(|challenger| {
            let reason = recorded_reason(applied, challenger)?;
            overcome(board, context, challenger, reason)
        })
        .next()
        .unwrap_or_default()
}

fn overcome(
    board: &Board,
    context: &Context,
    challenger: RevisionId,
    reason: Commitment,
) -> Option<Vec<Event>> {
    let mut open = open_conflicts_of(board, challenger);
    let (conflict, None) = (open.next()?, open.next()) else {
        return None;
    };
    let standing = board.conflict(conflict)?.standing?;
    let free = check_takes_lock(board, conflict, standing, challenger).is_ok();
    if !free || !overcomes(board, challenger, standing, conflict) {
        return None;
    }
    let resolution = Event::ConflictResolved {
        conflict,
        challenger_wins: true,
        grounds: Grounds::Reason(reason),
    };
    let amendment = seals::amendment(board, context, standing, challenger, reason, &[], None);
    Some(std::iter::once(resolution).chain(amendment).collect())
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
        && is_as_sure(board, challenger, standing)
        && lock_mode(board, standing) == Some(SealMode::Soft)
        && sources(challenger) > sources(standing)
}

/// A challenger takes a soft lock by itself only within the same module, and with the confidence that
/// the module asks of what it seals; otherwise an arbiter decides.
fn is_as_sure(board: &Board, challenger: RevisionId, standing: RevisionId) -> bool {
    let (Some(challenger), Some(standing)) = (board.revision(challenger), board.revision(standing))
    else {
        return false;
    };
    let least = board
        .modules
        .get(&standing.module)
        .map(|it| it.declaration.policy.confidence);
    challenger.module == standing.module
        && least.is_some_and(|least| challenger.confidence >= least)
}

/// What turned the scale: the check of the submission, or the quote of the corroboration.
fn recorded_reason(applied: &[Event], challenger: RevisionId) -> Option<Commitment> {
    applied.iter().rev().find_map(|event| match event {
        Event::Submitted(submitted) if submitted.revision == challenger => Some(submitted.check),
        Event::Corroborated {
            revision,
            citations,
        } if *revision == challenger => citations.first().map(|citation| citation.quote),
        _ => None,
    })
}
