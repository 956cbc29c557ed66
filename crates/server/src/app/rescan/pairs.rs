//! The comparing of a rescan: which pairs, and what of them contradicts.

use std::{collections::BTreeMap, sync::Arc};

use pawl_checker::{compare::Judgement, vocabulary::Vocabulary};
use pawl_ledger::{
    board::Board,
    command::StandingPair,
    decide::{challenger_first, met},
    event::Challenger,
    finding::Score,
    id::RevisionId,
    status::ConflictState,
};

use crate::app::{
    LiveBoard,
    judge::{Judge, Known, LoadError},
    submission::{compare, contradicts},
};

/// A contradiction with the texts it was found in, the challenger's first.
pub(super) struct Found {
    pub(super) pair: StandingPair,
    pub(super) texts: (Arc<Known>, Arc<Known>),
    pub(super) judgement: Judgement,
}

/// Two facts to compare, the challenger first.
pub(super) type Pair = ((RevisionId, RevisionId), (Arc<Known>, Arc<Known>));

/// Compares facts with all that stands, the board's lock held only to look things up.
pub(super) fn find(live: &LiveBoard, facts: &[RevisionId]) -> Result<(Vec<Found>, u64), LoadError> {
    let (mut found, mut compared) = (Vec::new(), 0);
    for id in facts {
        let (pairs, vocabulary, threshold) = {
            let board = live.open.state.read();
            let judge = live.judge.read();
            let pairs = pairs_of(&board, &judge, *id)?;
            (pairs, judge.vocabulary.clone(), board.policy.conflict)
        };
        for pair in pairs {
            compared += 1;
            found.extend(contradiction(&vocabulary, pair, threshold));
        }
    }
    Ok((distinct(found), compared))
}

pub(super) fn contradiction(
    vocabulary: &Vocabulary,
    (sides, texts): Pair,
    threshold: Score,
) -> Option<Found> {
    let compared = compare(vocabulary, &texts.0, &texts.1);
    let counts = compared.findings.iter().enumerate();
    let counts = counts.filter(|(_, it)| contradicts(**it, threshold));
    let (place, _) = counts.max_by_key(|(_, (_, score))| *score)?;
    let judgement = compared.told(vocabulary, &texts.0).into_iter().nth(place)?;
    Some(Found {
        pair: StandingPair {
            sides,
            kind: judgement.kind,
            score: judgement.score,
        },
        texts,
        judgement,
    })
}

/// What a fact is to be compared with: all that is like it, but what it is in an open conflict with,
/// and what an arbiter found it can stand beside.
pub(super) fn pairs_of(
    board: &Board,
    judge: &Judge,
    id: RevisionId,
) -> Result<Vec<Pair>, LoadError> {
    let Some(text) = judge.known(id)? else {
        return Ok(Vec::new());
    };
    let mut pairs = Vec::new();
    for (other, known) in judge.likely(&text)? {
        let apart = other == id
            || met(board, id, other)
            || waved_through(board, judge, (id, &text), other)
            || waved_through(board, judge, (other, &known), id);
        if apart {
            continue;
        }
        let sides = challenger_first(board, (id, other));
        let texts = if sides.0 == id {
            (text.clone(), known)
        } else {
            (known, text.clone())
        };
        pairs.push((sides, texts));
    }
    Ok(pairs)
}

/// The same words were refused for the sake of the other, and an arbiter dismissed that.
fn waved_through(
    board: &Board,
    judge: &Judge,
    (id, text): (RevisionId, &Known),
    other: RevisionId,
) -> bool {
    let Some(state) = board.revision(id) else {
        return false;
    };
    let conflicts = board.revision(other).map(|it| it.conflicts.as_slice());
    let dismissed = conflicts
        .unwrap_or_default()
        .iter()
        .filter_map(|id| board.conflict(*id))
        .filter(|it| it.state == ConflictState::Dismissed && it.principal == state.author);
    dismissed
        .filter_map(|it| match it.challenger {
            Challenger::Refusal(refusal) => Some(refusal),
            Challenger::Revision(_) => None,
        })
        .any(|refusal| {
            let mut refused = judge.refused(&state.author).iter();
            refused.any(|(it, earlier)| *it == refusal && earlier.same_text == text.same_text)
        })
}

/// One finding for each pair: both sides may have found it.
pub(super) fn distinct(found: Vec<Found>) -> Vec<Found> {
    let mut pairs: BTreeMap<(RevisionId, RevisionId), Found> = BTreeMap::new();
    for one in found {
        pairs.entry(one.pair.sides).or_insert(one);
    }
    pairs.into_values().collect()
}

/// What is still found under the lock: where attributes were declared meanwhile it is compared again.
pub(super) fn still(
    judge: &Judge,
    board: &Board,
    found: Vec<Found>,
) -> Result<Vec<Found>, LoadError> {
    let mut kept = Vec::with_capacity(found.len());
    for one in found {
        let (challenger, standing) = one.pair.sides;
        let (Some(new), Some(old)) = (judge.known(challenger)?, judge.known(standing)?) else {
            continue;
        };
        if Arc::ptr_eq(&new, &one.texts.0) && Arc::ptr_eq(&old, &one.texts.1) {
            kept.push(one);
        } else {
            let pair = (one.pair.sides, (new, old));
            kept.extend(contradiction(
                &judge.vocabulary,
                pair,
                board.policy.conflict,
            ));
        }
    }
    Ok(kept)
}
