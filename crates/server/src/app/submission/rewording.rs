//! Whether a text says again what its author was refused.

use pawl_checker::{
    comparable::{Comparability, Qualifier},
    compare::compare,
    quantity::Quantity,
};
use pawl_ledger::command::{Context, Repeat};

use crate::app::judge::{Judge, Known};

/// From this nearness of meaning on, in ten-thousandths, a text is a rewording of another.
const REWORDING_COSINE: i16 = 8_500;
/// Without a model: from this share of common terms on, in percent of the longer text's.
const REWORDING_TERMS_PERCENT: usize = 70;

/// The refusals of the caller whose text this one repeats, word for word or in other words.
pub(super) fn repeats(judge: &Judge, context: &Context, text: &Known) -> Vec<Repeat> {
    let refused = judge.refused(&context.principal);
    refused
        .iter()
        .filter_map(|(refusal, earlier)| {
            let same_words = earlier.same_text == text.same_text;
            (same_words || rewords(judge, text, earlier)).then_some(Repeat {
                refusal: *refusal,
                same_words,
            })
        })
        .collect()
}

/// A text says what another said, in other words: near in meaning, with the same quantities, and of
/// the same period, region and scope. Naming another one is what a refusal advises, and no rewording.
fn rewords(judge: &Judge, text: &Known, earlier: &Known) -> bool {
    let (shared, cosine) = text.likeness(earlier);
    let longer = text
        .statement
        .terms()
        .len()
        .max(earlier.statement.terms().len());
    let near = match cosine {
        Some(cosine) => cosine >= REWORDING_COSINE,
        None => longer > 0 && shared * 100 >= longer * REWORDING_TERMS_PERCENT,
    };
    near && same_quantities(text, earlier) && !is_qualified_apart(judge, text, earlier, cosine)
}

fn same_quantities(text: &Known, earlier: &Known) -> bool {
    let found_in = |all: &[Quantity], one: &Quantity| {
        all.iter().any(|other| {
            other.dimension == one.dimension && !other.interval.is_disjoint(&one.interval)
        })
    };
    let (mine, theirs) = (text.statement.quantities(), earlier.statement.quantities());
    mine.iter().all(|one| found_in(theirs, one)) && theirs.iter().all(|one| found_in(mine, one))
}

/// Both speak of the same, but for another period, region, segment or scope.
fn is_qualified_apart(judge: &Judge, text: &Known, earlier: &Known, cosine: Option<i16>) -> bool {
    let comparison = compare(
        &text.statement,
        &earlier.statement,
        cosine,
        &judge.vocabulary,
    );
    matches!(
        comparison.comparable,
        Comparability::NotComparable {
            qualifier: Qualifier::Period
                | Qualifier::Region
                | Qualifier::Segment
                | Qualifier::Scope
                | Qualifier::Other,
            ..
        }
    )
}
