//! Judges quantities: the same thing measured, intervals that do not meet.

use std::sync::LazyLock;

use pawl_ledger::finding::{FindingKind, Score};

use crate::align::Relation;
use crate::compare::{Explanation, Finding, Part};
use crate::explain;
use crate::interval::Interval;
use crate::lexicon::Comparator;
use crate::quantity::{Dimension, Quantity, written};
use crate::score::{score, weigh};
use crate::text::stem::stem;
use crate::text::term::Term;
use crate::view::{Frame, Of, View};

/// The strength of two aligned quantities that do not meet.
const ALIGNED: u16 = 9_000;

/// The score of the exact kind: everything but the number is equal.
const SURELY_ALIGNED: u16 = 9_900;

/// Judges the quantities of two texts; at most one finding.
pub(crate) fn judge<'a>(view: &'a View<'a>) -> Option<Finding<'a>> {
    if !view.lone_negators.is_empty() || view.is_existential() {
        return None;
    }
    if let Some((new, standing)) = aligned(view) {
        if is_surely_aligned(view, new, standing) {
            return Some(finding(
                view,
                new,
                standing,
                (
                    FindingKind::Quantity,
                    score(SURELY_ALIGNED),
                    "aligned_quantity",
                ),
            ));
        }
        if view.frame != Frame::Loose {
            return Some(finding(
                view,
                new,
                standing,
                (FindingKind::Number, weigh(ALIGNED, view), "number"),
            ));
        }
    }
    let (found, new, standing) = scattered(view)?;
    Some(finding(
        view,
        new,
        standing,
        (FindingKind::Number, found, "number_by_context"),
    ))
}

/// The first aligned pair whose intervals do not meet.
fn aligned<'a>(view: &View<'a>) -> Option<(&'a Quantity, &'a Quantity)> {
    view.pairs(Relation::Quantity).find_map(|pair| {
        let (new, standing) = view.quantities_of(pair)?;
        let period = new.is_period || standing.is_period;
        let fits = is_apart(new, standing)
            && !view.is_offered(pair)
            && !is_said_elsewhere(view, new)
            && !period
            && !view.is_denied(pair)
            && same_noun(new, standing);
        fits.then_some((new, standing))
    })
}

/// Whether another quantity of the standing text agrees with the new one.
fn is_said_elsewhere(view: &View<'_>, new: &Quantity) -> bool {
    view.frame != Frame::Exact
        && view.standing.quantities().iter().any(|other| {
            other.dimension == new.dimension
                && other.is_delta == new.is_delta
                && !is_apart(new, other)
        })
}

/// Whether two quantities cannot both hold, the new one by the letter, the standing one as it was meant.
pub(crate) fn is_apart(new: &Quantity, standing: &Quantity) -> bool {
    let strict = |quantity: &Quantity| {
        matches!(
            quantity.comparator,
            Comparator::Over | Comparator::Past | Comparator::Under
        )
    };
    match (new.point, standing.point) {
        (Some(_), Some(point)) if strict(new) && standing.comparator == Comparator::Exactly => {
            new.interval.is_disjoint(&Interval::exactly(point))
        }
        (Some(point), Some(_))
            if standing.comparator != Comparator::Past
                && strict(standing)
                && new.comparator == Comparator::Exactly =>
        {
            standing.interval.is_disjoint(&Interval::exactly(point))
        }
        _ => new.interval.is_disjoint(&standing.meant),
    }
}

/// Quantities of texts that are worded differently: the surest pair that nothing else in the standing text explains.
fn scattered<'a>(view: &View<'a>) -> Option<(Score, &'a Quantity, &'a Quantity)> {
    let usable =
        |quantity: &&Quantity| !quantity.is_period && quantity.dimension != Dimension::Score;
    view.new
        .quantities()
        .iter()
        .filter(usable)
        .filter_map(|new| {
            let of_kind = || {
                view.standing.quantities().iter().filter(|standing| {
                    standing.dimension == new.dimension && standing.is_delta == new.is_delta
                })
            };
            if of_kind().any(|standing| !is_apart(new, standing)) {
                return None;
            }
            let standing = of_kind()
                .filter(usable)
                .max_by_key(|standing| nearness(new, standing))?;
            let offered = view.is_alternative(Of::New, view.place_of(Of::New, new))
                || view.is_alternative(Of::Standing, view.place_of(Of::Standing, standing));
            if offered {
                return None;
            }
            let found = by_context(view, new, standing, of_kind().count());
            Some((score(found), new, standing))
        })
        .max_by_key(|(found, ..)| *found)
}

/// How many of the counted things two quantities have in common.
fn nearness(new: &Quantity, standing: &Quantity) -> u16 {
    let shared = new
        .nouns
        .iter()
        .filter(|noun| standing.nouns.contains(noun))
        .count();
    u16::try_from(shared).unwrap_or(u16::MAX)
}

/// Weighs a pair found by context: how much of the new text is in the standing one, what is counted, how many could be meant.
fn by_context(view: &View<'_>, new: &Quantity, standing: &Quantity, candidates: usize) -> u16 {
    let coverage = if view.is_mixed() {
        let cosine = view
            .cosine
            .and_then(|cosine| u16::try_from(cosine).ok())
            .unwrap_or(0);
        if cosine < SAME_FACT_MIXED { 0 } else { 80 }
    } else {
        u16::try_from(view.new_terms_known_percent()).unwrap_or(100)
    };
    let counted = new.dimension == Dimension::Count || new.dimension == Dimension::Ordinal;
    let noun = match (counted, nearness(new, standing)) {
        (true, 0) if new.nouns.is_empty() && standing.nouns.is_empty() => 300,
        (true, 0) => return 0,
        (true, 1) => 1_600,
        (true, _) => 2_000,
        (false, _) => 1_400,
    };
    let only = match candidates {
        1 => 1_200,
        2 => 500,
        _ => 0,
    };
    let names = if view.shares_a_name() { 700 } else { 0 };
    let found = 1_000 + noun + only + names + coverage * 28;
    if view.is_renamed() {
        found.min(NOTED)
    } else {
        found
    }
}

/// The most a pair found by context is worth when one name stands where the other text has another.
const NOTED: u16 = 5_000;

/// The similarity from which two texts of two languages speak of one fact, in ten-thousandths.
const SAME_FACT_MIXED: u16 = 6_000;

/// Whether the things counted can be the same.
pub(crate) fn same_noun(new: &Quantity, standing: &Quantity) -> bool {
    new.dimension != Dimension::Count
        || new.nouns.is_empty()
        || standing.nouns.is_empty()
        || nearness(new, standing) > 0
}

fn is_surely_aligned(view: &View<'_>, new: &Quantity, standing: &Quantity) -> bool {
    view.frame == Frame::Exact
        && view.shared >= 2
        && view.pairs(Relation::Quantity).count() == 1
        && [
            Relation::Opposite,
            Relation::Exclusive,
            Relation::Quantifier,
            Relation::Modal,
        ]
        .into_iter()
        .all(|relation| view.pairs(relation).next().is_none())
        && !view.new.is_indefinite
        && !view.standing.is_indefinite
        && is_stated(view, new)
        && new.interval.is_disjoint(&standing.interval)
}

/// Whether a number of things is said of the subject itself: `has 500 staff`, not `stood near two men`.
fn is_stated(view: &View<'_>, new: &Quantity) -> bool {
    if new.dimension != Dimension::Count {
        return true;
    }
    let before = view
        .place_of(Of::New, new)
        .checked_sub(1)
        .and_then(|at| view.item(Of::New, at));
    let after = view.item(Of::New, view.place_of(Of::New, new) + 1);
    before.is_some_and(|item| stating().contains(&item.term))
        && !after.is_some_and(|item| item.capital)
}

fn stating() -> &'static [Term; 9] {
    static TERMS: LazyLock<[Term; 9]> = LazyLock::new(|| {
        [
            "have", "be", "number", "employ", "contain", "有", "为", "是", "达",
        ]
        .map(|word| Term::of(&stem(word)))
    });
    &TERMS
}

fn finding<'a>(
    view: &'a View<'a>,
    new: &'a Quantity,
    standing: &'a Quantity,
    (kind, score, rule): (FindingKind, Score, &'a str),
) -> Finding<'a> {
    Finding::new(kind, score, move || {
        let (new_span, standing_span) =
            (view.new.span(&new.span), view.standing.span(&standing.span));
        Explanation {
            reason: explain::quantity(view.language(), &new_span.text, &standing_span.text),
            new_spans: vec![new_span],
            standing_spans: vec![standing_span],
            parts: vec![
                Part::new("rule", rule),
                Part::new("dimension", new.dimension.to_string()),
                Part::new("new_interval", written(&new.dimension, &new.interval)),
                Part::new(
                    "standing_interval",
                    written(&standing.dimension, &standing.meant),
                ),
                Part::new("coverage_percent", view.coverage_percent().to_string()),
            ],
        }
    })
}
