//! What came out of quarantine is compared with what was accepted meanwhile: it was checked when it
//! came, not since.

use std::collections::{BTreeMap, BTreeSet};

use pawl_ledger::{
    board::{Board, Conflict, Revision},
    event::{Challenger, Event},
    id::{ConflictId, Position, RevisionId},
    ledger::Transaction,
    status::{ConflictCause, Status, Verdict},
};

use super::{
    error::AppError,
    judge::Judge,
    submission::{compare, is_conflict},
};

/// Takes over what changed on a board since a position, and sends back into quarantine what came
/// out of it and contradicts something that stands now.
pub fn follow(
    transaction: &mut Transaction<'_>,
    judge: &mut Judge,
    since: Position,
) -> Result<(), AppError> {
    let mut since = since;
    loop {
        judge.follow(transaction.board(), since);
        let settled = settled(transaction.board(), since);
        let challenges = challenges(transaction.board(), judge, &settled);
        if challenges.is_empty() {
            return Ok(());
        }
        since = transaction.board().position();
        transaction.apply(challenges, &BTreeMap::new())?;
    }
}

/// What came out of quarantine since a position.
fn settled(board: &Board, since: Position) -> BTreeSet<RevisionId> {
    let came_out = |id: &RevisionId| {
        board.revision(*id).is_some_and(|state| {
            state.status == Status::Proposed
                && state.verdict == Verdict::Contested
                && state.current_since >= since
        })
    };
    let changed = board.changed_since(since).unwrap_or_default();
    changed.into_iter().filter(came_out).collect()
}

fn challenges(board: &Board, judge: &Judge, settled: &BTreeSet<RevisionId>) -> Vec<Event> {
    let mut found = Vec::new();
    for id in settled {
        let Some((state, text)) = board.revision(*id).zip(judge.known(*id)) else {
            continue;
        };
        for candidate in judge.candidates(text) {
            let other = candidate.key;
            // Of two that came out together, the later one challenges the earlier.
            let is_asked_already = other == *id
                || (settled.contains(&other) && other > *id)
                || state.replaces == Some(other)
                || met(board, state, *id, other);
            let Some(standing) = judge.known(other).filter(|_| !is_asked_already) else {
                continue;
            };
            let strongest = compare(judge, text, standing)
                .judgements
                .into_iter()
                .filter(|it| is_conflict(it, board.policy.conflict))
                .max_by_key(|it| it.score);
            found.extend(strongest.map(|it| (*id, other, it.kind, it.score)));
        }
    }
    let first = u32::try_from(board.conflicts.len()).unwrap_or(u32::MAX);
    let numbers = (first.saturating_add(1)..).map(ConflictId);
    numbers
        .zip(found)
        .map(
            |(conflict, (challenger, standing, kind, score))| Event::ConflictOpened {
                conflict,
                challenger: Challenger::Revision(challenger),
                standing: Some(standing),
                cause: ConflictCause::Finding(kind),
                score,
            },
        )
        .collect()
}

/// There was a conflict between the two already, whatever became of it.
fn met(board: &Board, state: &Revision, id: RevisionId, other: RevisionId) -> bool {
    let between = |conflict: &Conflict| match conflict.challenger {
        Challenger::Revision(challenger) => {
            (challenger == id && conflict.standing == Some(other))
                || (challenger == other && conflict.standing == Some(id))
        }
        Challenger::Refusal(_) => false,
    };
    let conflicts = state.conflicts.iter();
    conflicts.filter_map(|id| board.conflict(*id)).any(between)
}
