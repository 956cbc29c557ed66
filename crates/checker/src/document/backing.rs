//! How far one statement bears out another: the counterpart of judging that they exclude each other.

use std::ops::Range;

use crate::align::Relation;
use crate::comparable;
use crate::compare::scores;
use crate::lexicon::Role;
use crate::numeric::{is_apart, same_noun};
use crate::quantity::Quantity;
use crate::statement::Statement;
use crate::view::View;
use crate::vocabulary::Vocabulary;

/// A standing statement bears a new one out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backing {
    /// It says the same, word for word.
    pub is_same: bool,
    /// How much of the new text's content is in the standing one, in percent.
    pub coverage_percent: u8,
    /// The figures of the new text that it bears out, as byte ranges.
    pub figures: Vec<Range<usize>>,
}

/// The least nearness in meaning and the least common content that a backing needs, by what else speaks for it.
///
/// Chosen on texts written for the purpose: the lowest at which no fact backed a sentence about something else.
struct Least {
    cosine: i16,
    coverage: usize,
    /// The coverage that is asked for where there is no model.
    coverage_alone: usize,
}

/// Where every figure of the standing text, or at least one of the new text's, agrees.
const WITH_FIGURES: Least = Least {
    cosine: 5_000,
    coverage: 50,
    coverage_alone: 60,
};
/// Where there is nothing but words.
const WORDS_ALONE: Least = Least {
    cosine: 7_000,
    coverage: 65,
    coverage_alone: 85,
};
/// The nearness from which texts in two languages speak of one fact, where figures agree and where there are none.
const MIXED: (i16, i16) = (6_000, 7_800);

/// Says whether a standing statement bears a new one out; none if not, or if the two disagree in anything.
pub(super) fn backing(
    new: &Statement,
    standing: &Statement,
    cosine: Option<i16>,
    vocabulary: &Vocabulary,
) -> Option<Backing> {
    let figures = || new.quantities().iter().filter(|it| is_figure(it));
    if new.normalised() == standing.normalised() {
        return Some(Backing {
            is_same: true,
            coverage_percent: 100,
            figures: figures().map(|it| it.span.clone()).collect(),
        });
    }
    let view = View::new(new, standing, cosine, vocabulary);
    if comparable::separation(&view).is_some() || says_otherwise(&view) {
        return None;
    }
    if !scores(new, standing, cosine, vocabulary).is_empty() {
        return None;
    }
    let met: Vec<Range<usize>> = figures()
        .filter(|figure| is_met(&view, figure))
        .map(|figure| figure.span.clone())
        .collect();
    let has_figures = figures().next().is_some();
    if has_figures && met.is_empty() || !is_near(&view, has_figures) {
        return None;
    }
    Some(Backing {
        is_same: false,
        coverage_percent: u8::try_from(view.new_terms_known_percent()).unwrap_or(100),
        figures: met,
    })
}

/// Whether a quantity is a figure that needs something behind it: no period, no number of a ticket.
pub(super) fn is_figure(quantity: &Quantity) -> bool {
    !quantity.is_period && !quantity.is_label
}

/// Whether anything in the two texts speaks against their saying the same.
fn says_otherwise(view: &View<'_>) -> bool {
    let differs = [
        Relation::Opposite,
        Relation::Exclusive,
        Relation::Quantifier,
        Relation::Modal,
    ];
    let denials = |statement: &Statement| {
        let denies = |item: &&crate::item::Item| item.role == Role::Negator;
        statement.items.iter().filter(denies).count()
    };
    differs
        .into_iter()
        .any(|relation| view.pairs(relation).next().is_some())
        || !view.lone_negators.is_empty()
        || denials(view.new) != denials(view.standing)
        || view.is_renamed()
}

/// Whether the standing text, or its claim, gives the same figure.
fn is_met(view: &View<'_>, figure: &Quantity) -> bool {
    let in_text = view.standing.quantities().iter().any(|other| {
        is_figure(other)
            && other.dimension == figure.dimension
            && other.is_delta == figure.is_delta
            && !is_apart(figure, other)
            && same_noun(figure, other)
    });
    let claimed = view.standing.claim.as_ref().is_some_and(|claim| {
        claim.value.measured().is_some_and(|(dimension, interval)| {
            *dimension == figure.dimension
                && !figure.is_delta
                && !interval.is_disjoint(&figure.interval)
        })
    });
    in_text || claimed
}

fn is_near(view: &View<'_>, has_figures: bool) -> bool {
    if view.is_mixed() {
        let least = if has_figures { MIXED.0 } else { MIXED.1 };
        return view.cosine.is_some_and(|cosine| cosine >= least);
    }
    let least = if has_figures {
        WITH_FIGURES
    } else {
        WORDS_ALONE
    };
    let coverage = view.new_terms_known_percent();
    match view.cosine {
        Some(cosine) => cosine >= least.cosine && coverage >= least.coverage,
        None => coverage >= least.coverage_alone,
    }
}
