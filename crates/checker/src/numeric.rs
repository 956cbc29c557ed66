//! Judges quantities: the same thing measured, intervals that do not meet.

use pawl_ledger::finding::{FindingKind, Score};

use crate::align::Relation;
use crate::compare::{Judgement, Part};
use crate::explain;
use crate::quantity::{Dimension, Quantity, written};
use crate::score::{score, weigh};
use crate::view::{Frame, Of, View};

/// The strength of two aligned quantities that do not meet.
const ALIGNED: u16 = 9_000;

/// The score of the exact kind: everything but the number is equal.
const SURELY_ALIGNED: u16 = 9_900;

/// Judges the quantities of two texts; at most one finding.
pub(crate) fn judge(view: &View<'_>) -> Option<Judgement> {
    let (new, standing) = disjoint_pair(view)?;
    let exact = is_surely_aligned(view, new, standing);
    let found = if exact {
        (
            FindingKind::Quantity,
            score(SURELY_ALIGNED),
            "aligned_quantity",
        )
    } else {
        (FindingKind::Number, weigh(ALIGNED, view), "number")
    };
    Some(finding(view, new, standing, found))
}

/// The first aligned pair whose intervals do not meet and that no other quantity of the standing text explains.
fn disjoint_pair<'a>(view: &View<'a>) -> Option<(&'a Quantity, &'a Quantity)> {
    if !view.lone_negators.is_empty() || view.is_existential() {
        return None;
    }
    view.pairs(Relation::Quantity).find_map(|pair| {
        let new = view
            .new
            .quantities()
            .get(view.item(Of::New, pair.new)?.quantity?)?;
        let standing = view
            .standing
            .quantities()
            .get(view.item(Of::Standing, pair.standing)?.quantity?)?;
        let apart = new.interval.is_disjoint(&standing.interval)
            && new.interval.is_disjoint(&standing.meant)
            || new.interval.is_disjoint(&standing.meant);
        let period = new.is_period || standing.is_period;
        (apart && !period && !view.is_denied(pair) && same_noun(new, standing))
            .then_some((new, standing))
    })
}

/// Whether the things counted can be the same.
fn same_noun(new: &Quantity, standing: &Quantity) -> bool {
    new.dimension != Dimension::Count
        || new.nouns.is_empty()
        || standing.nouns.is_empty()
        || new.nouns.iter().any(|noun| standing.nouns.contains(noun))
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
        && new.interval.is_disjoint(&standing.interval)
}

fn finding(
    view: &View<'_>,
    new: &Quantity,
    standing: &Quantity,
    (kind, score, rule): (FindingKind, Score, &str),
) -> Judgement {
    let (new_span, standing_span) = (view.new.span(&new.span), view.standing.span(&standing.span));
    let (new_interval, standing_interval) = (
        written(&new.dimension, &new.interval),
        written(&standing.dimension, &standing.meant),
    );
    Judgement {
        kind,
        score,
        reason: explain::quantity(
            view.language(),
            (&new_span.text, &new_interval),
            (&standing_span.text, &standing_interval),
        ),
        new_spans: vec![new_span],
        standing_spans: vec![standing_span],
        parts: vec![
            Part::new("rule", rule),
            Part::new("dimension", new.dimension.to_string()),
            Part::new("new_interval", new_interval),
            Part::new("standing_interval", standing_interval),
            Part::new("coverage_percent", view.coverage_percent().to_string()),
        ],
    }
}
