//! Contradictions among standing facts, found by comparing them anew.

use std::collections::BTreeSet;

use super::{Denied, Reason, declarations::unknown_module, is_owner, require_role};

use crate::{
    board::{Board, number},
    command::{Context, StandingPair},
    event::{Challenger, Event, Rescan},
    evolve::lock_mode,
    finding::Certainty,
    id::{ConflictId, ModuleName, RevisionId},
    status::{ConflictCause, ConflictState, Role},
};

pub(super) fn decide(
    board: &Board,
    context: &Context,
    module: Option<&ModuleName>,
    found: &[StandingPair],
    done: Option<&Rescan>,
) -> Result<Vec<Event>, Denied> {
    may_rescan(board, context, module)?;
    if done.is_some_and(|done| done.from > board.position() || done.module.as_ref() != module) {
        return Err(Denied::new(
            Reason::FieldInvalid,
            "a rescan cannot begin after its end, or end with another module than it began with",
        )
        .with("field", "module"));
    }
    let mut events: Vec<Event> = Vec::new();
    let numbers = (board.conflicts.len() + 1..).map(|it| ConflictId(number(it)));
    // Each side may have found the other.
    let mut pairs = BTreeSet::new();
    let counted = found.iter().filter(|pair| {
        let (one, other) = pair.sides;
        counts(board, module, pair) && pairs.insert((one.min(other), one.max(other)))
    });
    events.extend(numbers.zip(counted).map(|(conflict, pair)| {
        let (challenger, standing) = challenger_first(board, pair.sides);
        Event::ConflictOpened {
            conflict,
            challenger: Challenger::Revision(challenger),
            standing: Some(standing),
            reference: None,
            cause: ConflictCause::Finding(pair.kind),
            score: pair.score,
            rescan: true,
        }
    }));
    events.extend(done.cloned().map(Event::Rescanned));
    Ok(events)
}

/// Arbiters and operators; before the seal of a module, who may seal it. A module that seals itself
/// is compared whoever's act makes it due.
fn may_rescan(board: &Board, context: &Context, module: Option<&ModuleName>) -> Result<(), Denied> {
    let Some(name) = module else {
        return require_role(board, context, &[Role::Arbiter, Role::Operator]);
    };
    let state = board.modules.get(name);
    let state = state.ok_or_else(|| unknown_module(board, name))?;
    if state.declaration.policy.automatic.is_some() || is_owner(board, name, &context.principal) {
        return Ok(());
    }
    require_role(board, context, &[Role::Arbiter, Role::Operator])
}

/// Both stand, one of them in the module, the finding is one that contests, and the pair is neither
/// in an open conflict nor in one that an arbiter dismissed.
fn counts(board: &Board, module: Option<&ModuleName>, pair: &StandingPair) -> bool {
    let (one, other) = pair.sides;
    let stands = |id: RevisionId| {
        let state = board.revision(id);
        state.is_some_and(|state| state.status.stands())
    };
    let within = |id: RevisionId| {
        let state = board.revision(id);
        state.is_some_and(|state| module.is_none_or(|module| state.module == *module))
    };
    one != other
        && stands(one)
        && stands(other)
        && (within(one) || within(other))
        && (pair.kind.certainty() == Certainty::Exact || pair.score >= board.policy.conflict)
        && !met(board, one, other)
}

/// Says whether two revisions are in an open conflict, or in one that an arbiter dismissed.
pub fn met(board: &Board, one: RevisionId, other: RevisionId) -> bool {
    let between = |challenger: Challenger, standing: Option<RevisionId>| {
        (challenger == Challenger::Revision(one) && standing == Some(other))
            || (challenger == Challenger::Revision(other) && standing == Some(one))
    };
    let conflicts = board.revision(one).map(|it| it.conflicts.as_slice());
    let mut conflicts = conflicts
        .unwrap_or_default()
        .iter()
        .filter_map(|id| board.conflict(*id));
    conflicts.any(|it| {
        let about_both = matches!(
            it.cause,
            ConflictCause::Finding(_) | ConflictCause::Rewording
        );
        let told = match it.state {
            ConflictState::Open => true,
            ConflictState::Dismissed => about_both,
            ConflictState::Resolved => false,
        };
        told && between(it.challenger, it.standing)
    })
}

/// The challenger first: what is not locked where the other is, else the later one.
pub fn challenger_first(
    board: &Board,
    (one, other): (RevisionId, RevisionId),
) -> (RevisionId, RevisionId) {
    let place = |id: RevisionId| {
        let came = board.revision(id).map(|state| state.position);
        (lock_mode(board, id).is_none(), came)
    };
    if place(one) > place(other) {
        (one, other)
    } else {
        (other, one)
    }
}
