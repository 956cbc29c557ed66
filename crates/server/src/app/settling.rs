//! What has come into force without a check against all that stands now: what came out of quarantine
//! was checked when it came, not since; what an amendment locked, or a rollback locked again, may
//! contradict what is not locked.

use std::collections::{BTreeMap, BTreeSet};

use pawl_ledger::{
    board::{Board, Conflict, Revision},
    decide::{Denied, Reason},
    event::{Challenger, Event},
    finding::{FindingKind, Score},
    id::{ConflictId, Position, RevisionId},
    ledger::Transaction,
    status::{ConflictCause, ConflictState, Role, Status, Verdict},
};

use crate::app;

use super::{
    error::AppError,
    judge::{Judge, Known, LoadError},
    rescan,
    submission::{compare, contradicts},
};

/// Takes over what changed on a board since a position, and puts into quarantine what came out of it
/// and contradicts something that stands now, and what contradicts a fact that was amended or locked
/// again.
pub fn follow(
    transaction: &mut Transaction<'_>,
    judge: &mut Judge,
    since: Position,
) -> Result<(), AppError> {
    judge.follow(transaction.board(), since)?;
    drop_groundless(transaction, judge, since)?;
    loop {
        let board = transaction.board();
        let settled = changed(board, since, came_out);
        let mut found = challengers(board, judge, &settled)?;
        for amended in changed(board, since, |state| state.status == Status::Locked) {
            found.extend(displaced(board, judge, amended)?);
        }
        // One challenger at a time: what goes into quarantine challenges nothing and is challenged by
        // nothing, so the others are looked at again.
        let Some(first) = found.iter().map(|(challenger, ..)| *challenger).min() else {
            follow_given(transaction, judge, &settled)?;
            return rescan::before_automatic_seals(transaction, judge);
        };
        found.retain(|(challenger, ..)| *challenger == first);
        open(transaction, judge, found)?;
    }
}

/// Puts back what came out of quarantine and contradicts a row of a mounted table: a newer version
/// of a table frees who waited for the one before.
fn follow_given(
    transaction: &mut Transaction<'_>,
    judge: &mut Judge,
    settled: &BTreeSet<RevisionId>,
) -> Result<(), AppError> {
    let board = transaction.board();
    let since = board.position();
    let first = u32::try_from(board.conflicts.len()).unwrap_or(u32::MAX);
    let numbers = (first.saturating_add(1)..).map(ConflictId);
    let mut contradicted = Vec::new();
    for id in settled {
        let found = judge.given_contradictions(board, *id)?;
        contradicted.extend(found.into_iter().map(|found| (*id, found)));
    }
    let opened: Vec<Event> = numbers
        .zip(contradicted)
        .map(
            |(conflict, (challenger, (reference, kind, score)))| Event::ConflictOpened {
                conflict,
                challenger: Challenger::Revision(challenger),
                standing: None,
                reference: Some(reference),
                cause: ConflictCause::Finding(kind),
                score,
                rescan: false,
            },
        )
        .collect();
    transaction.apply(opened, &BTreeMap::new())?;
    judge.follow(transaction.board(), since)?;
    Ok(())
}

/// Compares revisions in quarantine with all that stands now, and opens what conflicts they have not
/// met yet. To be asked before something could take them out of it.
pub fn meet(
    transaction: &mut Transaction<'_>,
    judge: &mut Judge,
    contested: &BTreeSet<RevisionId>,
) -> Result<(), AppError> {
    for id in contested {
        let found = contradictions(transaction.board(), judge, *id)?.into_iter();
        let found = found.map(|(other, kind, score)| (*id, other, kind, score));
        open(transaction, judge, found.collect())?;
    }
    Ok(())
}

/// Refuses to lock a challenger that contradicts something else that is locked, which it has not met.
pub fn check_beside(board: &Board, judge: &Judge, challenger: RevisionId) -> Result<(), AppError> {
    let locked = |id: &RevisionId| {
        board
            .revision(*id)
            .is_some_and(|state| state.status == Status::Locked)
    };
    let mut against = contradictions(board, judge, challenger)?.into_iter();
    match against.find(|(other, ..)| locked(other)) {
        None => Ok(()),
        Some((other, ..)) => Err(Denied::new(
            Reason::ContradictsLocked,
            format!(
                "`{challenger}` contradicts `{other}` too, which is locked; amend that first, or \
                 resolve for what stands"
            ),
        )
        .with("standing", other)
        .into()),
    }
}

fn open(
    transaction: &mut Transaction<'_>,
    judge: &mut Judge,
    found: Vec<Found>,
) -> Result<(), AppError> {
    let challenges = opened(transaction.board(), found);
    let since = transaction.board().position();
    transaction.apply(challenges, &BTreeMap::new())?;
    judge.follow(transaction.board(), since)?;
    Ok(())
}

/// Challengers of what lost its place are turned against what took it, unseen. Where the two do not
/// contradict each other, an arbiter's act dismisses that at once.
fn drop_groundless(
    transaction: &mut Transaction<'_>,
    judge: &mut Judge,
    since: Position,
) -> Result<(), AppError> {
    let board = transaction.board();
    let principal = transaction.context().principal.clone();
    if !board.has_role(&principal, Role::Arbiter) {
        return Ok(());
    }
    let groundless = |conflict: &Conflict| -> Result<bool, LoadError> {
        let turned = conflict.position >= since
            && conflict.principal != principal
            && matches!(conflict.cause, ConflictCause::Finding(_));
        let (true, Challenger::Revision(challenger), Some(standing)) =
            (turned, conflict.challenger, conflict.standing)
        else {
            return Ok(false);
        };
        let taken = board
            .revision(standing)
            .is_some_and(|it| it.current_since >= since);
        let (true, Some(new), Some(old)) =
            (taken, judge.known(challenger)?, judge.known(standing)?)
        else {
            return Ok(false);
        };
        let found = compare(&judge.vocabulary, &new, &old).findings;
        let mut found = found.into_iter();
        Ok(!found.any(|it| contradicts(it, board.policy.conflict)))
    };
    let mut found: Vec<ConflictId> = Vec::new();
    for (id, conflict) in board.open_conflicts() {
        found.extend(groundless(conflict)?.then_some(id));
    }
    for conflict in found {
        let still = transaction
            .board()
            .conflict(conflict)
            .is_some_and(|it| it.state == ConflictState::Open);
        if !still {
            continue;
        }
        let reason =
            app::words(b"it does not contradict what took the place of the other".to_vec())?;
        let dismissed = Event::ConflictDismissed {
            conflict,
            reason: reason.commitment(),
        };
        let since = transaction.board().position();
        transaction.apply(
            vec![dismissed],
            &BTreeMap::from([(reason.commitment(), reason)]),
        )?;
        judge.follow(transaction.board(), since)?;
    }
    Ok(())
}

/// A contradiction: challenger, standing, what they disagree in, how sure that is.
pub(super) type Found = (RevisionId, RevisionId, FindingKind, Score);

/// What came into force since a position and is as asked for.
fn changed(
    board: &Board,
    since: Position,
    wanted: impl Fn(&Revision) -> bool,
) -> BTreeSet<RevisionId> {
    let changed = board.changed_since(since).unwrap_or_default();
    let came = |id: &RevisionId| {
        let state = board.revision(*id);
        state.is_some_and(|it| it.status.stands() && it.current_since >= since && wanted(it))
    };
    changed.into_iter().filter(came).collect()
}

fn came_out(state: &Revision) -> bool {
    state.status == Status::Proposed && state.verdict == Verdict::Contested
}

/// What came out of quarantine and contradicts something that stands.
fn challengers(
    board: &Board,
    judge: &Judge,
    settled: &BTreeSet<RevisionId>,
) -> Result<Vec<Found>, LoadError> {
    let mut found = Vec::new();
    for id in settled {
        for (other, kind, score) in contradictions(board, judge, *id)? {
            let replaces = board.revision(*id).and_then(|state| state.replaces);
            // Of two that came out together, the later one challenges the earlier.
            let is_asked_already = settled.contains(&other) && other > *id;
            if !is_asked_already && replaces != Some(other) {
                found.push((*id, other, kind, score));
            }
        }
    }
    Ok(found)
}

/// What is not locked and contradicts a fact that an amendment locked.
fn displaced(board: &Board, judge: &Judge, amended: RevisionId) -> Result<Vec<Found>, LoadError> {
    match judge.known(amended)? {
        Some(text) => would_displace(board, judge, amended, &text),
        None => Ok(Vec::new()),
    }
}

/// What is not locked and contradicts a fact with this text, once that is locked.
pub(super) fn would_displace(
    board: &Board,
    judge: &Judge,
    amended: RevisionId,
    text: &Known,
) -> Result<Vec<Found>, LoadError> {
    let unlocked = |id: &RevisionId| {
        let status = board.revision(*id).map(|state| state.status);
        matches!(status, Some(Status::Proposed | Status::Validated))
    };
    let found = contradictions_of(board, judge, amended, text)?.into_iter();
    Ok(found
        .filter(|(other, ..)| unlocked(other))
        .map(|(other, kind, score)| (other, amended, kind, score))
        .collect())
}

/// The strongest contradiction of a revision with each that stands and that it never met before.
fn contradictions(
    board: &Board,
    judge: &Judge,
    id: RevisionId,
) -> Result<Vec<(RevisionId, FindingKind, Score)>, LoadError> {
    match judge.known(id)? {
        Some(text) => contradictions_of(board, judge, id, &text),
        None => Ok(Vec::new()),
    }
}

fn contradictions_of(
    board: &Board,
    judge: &Judge,
    id: RevisionId,
    text: &Known,
) -> Result<Vec<(RevisionId, FindingKind, Score)>, LoadError> {
    let Some(state) = board.revision(id) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for (other, standing) in judge.likely(text)? {
        if other == id || met(board, state, id, other) {
            continue;
        }
        let findings = compare(&judge.vocabulary, text, &standing).findings;
        let strongest = findings
            .into_iter()
            .filter(|it| contradicts(*it, board.policy.conflict))
            .max_by_key(|(_, score)| *score);
        found.extend(strongest.map(|(kind, score)| (other, kind, score)));
    }
    Ok(found)
}

fn opened(board: &Board, found: Vec<Found>) -> Vec<Event> {
    let first = u32::try_from(board.conflicts.len()).unwrap_or(u32::MAX);
    let numbers = (first.saturating_add(1)..).map(ConflictId);
    let events = numbers
        .zip(found)
        .map(
            |(conflict, (challenger, standing, kind, score))| Event::ConflictOpened {
                conflict,
                challenger: Challenger::Revision(challenger),
                standing: Some(standing),
                reference: None,
                cause: ConflictCause::Finding(kind),
                score,
                rescan: false,
            },
        );
    events.collect()
}

/// There is a conflict between the two already, or somebody decided it. One that ended by itself, with
/// a side that is locked again now, is none.
fn met(board: &Board, state: &Revision, id: RevisionId, other: RevisionId) -> bool {
    let between = |conflict: &Conflict| match conflict.challenger {
        _ if conflict.state != ConflictState::Open && conflict.decided.is_none() => false,
        Challenger::Revision(challenger) => {
            (challenger == id && conflict.standing == Some(other))
                || (challenger == other && conflict.standing == Some(id))
        }
        Challenger::Refusal(_) => false,
    };
    let conflicts = state.conflicts.iter();
    conflicts.filter_map(|id| board.conflict(*id)).any(between)
}
