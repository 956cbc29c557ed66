//! The check outside the lock: every item against what stands at one position, and against the
//! items before it in its batch.

use std::{collections::BTreeMap, sync::Arc};

use pawl_checker::{
    compare::{self as checker, Judgement, Scored},
    index::Index,
    vocabulary::Vocabulary,
};
use pawl_ledger::{
    decide::Denied,
    id::{Position, RevisionId},
    status::ConflictCause,
};

use super::{
    prepare::Prepared,
    references::{ComparedReference, with_tables},
};
use crate::app::{
    boards::LiveBoard,
    judge::{Judge, Known, LoadError, Tables},
};

/// The least nearness of meaning, in ten-thousandths, at which two texts without a common term are
/// compared: below it they are about other things.
const LEAST_COSINE: i16 = 3_500;

/// What was found at a position.
#[derive(Debug)]
pub(super) struct Checked {
    /// The number of entries the board had.
    pub(super) position: Position,
    /// What the texts were understood by.
    pub(super) vocabulary: Arc<Vocabulary>,
    /// The tables that were looked in.
    pub(super) tables: Arc<Tables>,
    /// One for each item.
    pub(super) items: Vec<CheckedItem>,
}

/// What was found of one item.
#[derive(Debug, Default)]
pub(super) struct CheckedItem {
    /// Against what stood.
    pub(super) compared: BTreeMap<RevisionId, Arc<Compared>>,
    /// Against earlier items, by their place.
    pub(super) in_batch: BTreeMap<usize, Arc<Compared>>,
    /// Against rows of tables.
    pub(super) rows: Vec<ComparedReference>,
}

/// A pair that was compared.
#[derive(Clone, Debug)]
pub(in crate::app) struct Compared {
    /// What stood.
    pub(super) standing: Arc<Known>,
    pub(super) overlap: usize,
    pub(super) cosine: Option<i16>,
    /// What was found, the surest first.
    pub(in crate::app) findings: Vec<Scored>,
}

impl Compared {
    /// Says why two texts disagree: the same findings in the same order.
    pub(in crate::app) fn told(&self, vocabulary: &Vocabulary, new: &Known) -> Vec<Judgement> {
        let (new, standing) = (&new.statement, &self.standing.statement);
        checker::compare(new, standing, self.cosine, vocabulary).findings
    }
}

/// Checks every item. What is known of the board is held only while candidates are looked up, so that
/// no writer waits for the comparisons.
pub(super) fn check(
    live: &LiveBoard,
    prepared: &[Result<Prepared, Denied>],
    vocabulary: Arc<Vocabulary>,
) -> Result<Checked, LoadError> {
    let position = live.open.state.read().position();
    let tables = live.judge.read().tables.clone();
    let mut batch: Index<usize> = Index::new();
    let mut items = Vec::with_capacity(prepared.len());
    for (place, item) in prepared.iter().enumerate() {
        let Ok(item) = item else {
            items.push(CheckedItem::default());
            continue;
        };
        let standing = live.judge.read().likely(&item.known)?;
        let compared = standing
            .into_iter()
            .map(|(id, standing)| (id, Arc::new(compare(&vocabulary, &item.known, &standing))))
            .collect();
        let in_batch = item
            .known
            .candidates(&batch)
            .into_iter()
            .filter_map(|candidate| {
                let earlier = prepared.get(candidate.key)?.as_ref().ok()?;
                let compared = compare(&vocabulary, &item.known, &earlier.known);
                Some((candidate.key, Arc::new(compared)))
            })
            .collect();
        item.known.insert_into(&mut batch, place);
        items.push(CheckedItem {
            compared,
            in_batch,
            rows: with_tables(&tables, &item.known.statement, &vocabulary),
        });
    }
    Ok(Checked {
        position,
        vocabulary,
        tables,
        items,
    })
}

/// Compares a pair.
pub(in crate::app) fn compare(
    vocabulary: &Vocabulary,
    new: &Known,
    standing: &Arc<Known>,
) -> Compared {
    let (overlap, cosine) = new.likeness(standing);
    Compared {
        findings: checker::scores(&new.statement, &standing.statement, cosine, vocabulary),
        standing: standing.clone(),
        overlap,
        cosine,
    }
}

/// What two texts that are known disagree in, where that is what a conflict is about.
pub fn explain(
    judge: &Judge,
    challenger: RevisionId,
    standing: RevisionId,
    cause: ConflictCause,
) -> Result<Option<(RevisionId, Judgement)>, LoadError> {
    let (Some(new), Some(old)) = (judge.known(challenger)?, judge.known(standing)?) else {
        return Ok(None);
    };
    let told = compare(&judge.vocabulary, &new, &old).told(&judge.vocabulary, &new);
    let found = told
        .into_iter()
        .find(|it| ConflictCause::Finding(it.kind) == cause);
    Ok(found.map(|found| (standing, found)))
}

/// Compares a pair that no index gave, if it could matter: a common claim key, a common term, or a
/// near meaning.
pub(super) fn compare_late(
    vocabulary: &Vocabulary,
    new: &Known,
    standing: &Arc<Known>,
) -> Option<Compared> {
    let (overlap, cosine) = new.likeness(standing);
    let same_key = new.claim_key().is_some() && new.claim_key() == standing.claim_key();
    let near = cosine.is_some_and(|cosine| cosine >= LEAST_COSINE);
    (same_key || overlap > 0 || near).then(|| compare(vocabulary, new, standing))
}
