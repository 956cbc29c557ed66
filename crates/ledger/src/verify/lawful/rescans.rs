//! Who compares standing facts anew, and what may come of it.

use std::collections::BTreeSet;

use super::{Wrong, holds, is_next, revision, role};
use crate::{
    board::{Board, Conflict},
    event::{Challenger, Event, Recorded, Rescan},
    evolve::lock_mode,
    finding::Certainty,
    id::{ModuleName, RevisionId},
    status::{ConflictCause, ConflictState, Role},
};

/// Both sides stand, and are in no conflict that is open or was found to be none.
pub(super) fn opened(board: &Board, recorded: &Recorded, wrong: &mut Wrong) {
    let Event::ConflictOpened {
        conflict,
        challenger: Challenger::Revision(challenger),
        standing: Some(standing),
        cause,
        score,
        ..
    } = &recorded.event
    else {
        wrong.push("a rescan compares two facts".into());
        return;
    };
    let sides = [*challenger, *standing];
    let mut modules = Vec::new();
    for side in sides {
        if let Some(state) = revision(board, side, wrong) {
            modules.push(&state.module);
            let stands = state.status.stands();
            holds(stands, || format!("`{side}` did not stand"), wrong);
        }
    }
    holds(
        challenger != standing && is_next(conflict.0, board.conflicts.len()),
        || "a fact contradicts itself".into(),
        wrong,
    );
    let counts = matches!(cause, ConflictCause::Finding(kind)
        if kind.certainty() == Certainty::Exact || *score >= board.policy.conflict);
    holds(counts, || "what was found is no conflict".into(), wrong);
    let told = board.conflicts.iter().any(|it| {
        let both = sides
            .iter()
            .all(|side| it.challenger == Challenger::Revision(*side) || it.standing == Some(*side));
        let about_words = !matches!(
            it.cause,
            ConflictCause::Ownership | ConflictCause::Replacement
        );
        both && match it.state {
            ConflictState::Open => true,
            ConflictState::Dismissed => about_words,
            ConflictState::Resolved => false,
        }
    });
    holds(!told, || "the two are in a conflict already".into(), wrong);
    if !modules
        .iter()
        .any(|module| compares_itself(board, recorded, module))
    {
        role(board, recorded, &[Role::Arbiter, Role::Operator], wrong);
    }
}

pub(super) fn ended(board: &Board, recorded: &Recorded, rescan: &Rescan, wrong: &mut Wrong) {
    let before = rescan.from <= recorded.position;
    holds(before, || "it began after its end".into(), wrong);
    let found = board.conflicts.iter();
    let found = found.filter(|it| it.rescan && it.position >= rescan.from);
    let many = usize::try_from(rescan.opened).is_ok_and(|opened| opened <= found.count());
    holds(
        many,
        || format!("it did not open {} conflicts", rescan.opened),
        wrong,
    );
    match &rescan.module {
        Some(module) if !board.modules.contains_key(module) => {
            wrong.push(format!("module `{module}` was not declared"));
        }
        Some(module) if compares_itself(board, recorded, module) => {}
        _ => role(board, recorded, &[Role::Arbiter, Role::Operator], wrong),
    }
}

/// A module's owner compares it before a seal, and one that seals itself is compared by anybody's act.
fn compares_itself(board: &Board, recorded: &Recorded, module: &ModuleName) -> bool {
    board.modules.get(module).is_some_and(|it| {
        it.declaration.policy.automatic.is_some()
            || it.declaration.owners.contains(&recorded.principal)
    })
}

/// What is locked does not lose.
pub(super) fn resolved(board: &Board, state: &Conflict, challenger_wins: bool, wrong: &mut Wrong) {
    let loser = match state.challenger {
        _ if challenger_wins => state.standing,
        Challenger::Revision(challenger) => Some(challenger),
        Challenger::Refusal(_) => None,
    };
    let locked = loser.filter(|it| lock_mode(board, *it).is_some());
    holds(
        locked.is_none(),
        || "a locked fact lost without an amendment".into(),
        wrong,
    );
}

/// The sides of open conflicts between two that stand.
pub(super) fn undecided(board: &Board) -> BTreeSet<RevisionId> {
    let open = board.open_conflicts().filter(|(_, it)| it.rescan);
    open.flat_map(|(_, it)| {
        let challenger = match it.challenger {
            Challenger::Revision(challenger) => Some(challenger),
            Challenger::Refusal(_) => None,
        };
        challenger.into_iter().chain(it.standing)
    })
    .collect()
}
