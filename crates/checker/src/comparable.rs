//! Whether two statements can be about the same thing at all, and what separates them if not.

use serde::{Deserialize, Serialize};

use crate::item::Item;
use crate::lexicon::Narrowing;
use crate::quantity::Quantity;
use crate::score::SAME_FACT_COSINE;
use crate::statement::Statement;
use crate::text::term::Term;
use crate::view::{Frame, Of, View};

/// What can separate two statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Qualifier {
    /// What they are about.
    Subject,
    /// What they say of it.
    Attribute,
    /// When it holds.
    Period,
    /// Where it holds.
    Region,
    /// For which part of a market or population.
    Segment,
    /// Which part or stage is meant.
    Scope,
    /// What the numbers measure.
    UnitDimension,
    /// A change against a level.
    DeltaVersusLevel,
    /// A qualifier of a claim that has no kind of its own here.
    Other,
}

/// A qualifier that was looked at and found equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedQualifier {
    /// Which.
    pub qualifier: Qualifier,
    /// Its value in the new statement.
    pub new: String,
    /// Its value in the standing one.
    pub standing: String,
}

/// Whether two statements can be about the same thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparability {
    /// They can; the qualifiers both carry are equal.
    Comparable {
        /// The qualifiers both carry.
        qualifiers: Vec<ComparedQualifier>,
    },
    /// They cannot.
    NotComparable {
        /// What separates them.
        qualifier: Qualifier,
        /// Its value in the new statement; empty when it has none.
        new: String,
        /// Its value in the standing one; empty when it has none.
        standing: String,
    },
}

pub(crate) fn separated(
    qualifier: Qualifier,
    new: impl Into<String>,
    standing: impl Into<String>,
) -> Comparability {
    Comparability::NotComparable {
        qualifier,
        new: new.into(),
        standing: standing.into(),
    }
}

/// Compares what the texts are about.
pub(crate) fn texts(view: &View<'_>) -> Comparability {
    let mut qualifiers = Vec::new();
    let checks = [
        periods(view, &mut qualifiers),
        narrowings(view, &mut qualifiers),
        labels(view),
        slots(view),
        topic(view),
    ];
    checks
        .into_iter()
        .flatten()
        .next()
        .unwrap_or(Comparability::Comparable { qualifiers })
}

fn periods(view: &View<'_>, equal: &mut Vec<ComparedQualifier>) -> Option<Comparability> {
    let of = |statement: &Statement| -> Vec<Quantity> {
        statement
            .quantities()
            .iter()
            .filter(|quantity| quantity.is_period)
            .cloned()
            .collect()
    };
    let (new, standing) = (of(view.new), of(view.standing));
    let (Some(one), Some(other)) = (new.first(), standing.first()) else {
        return None;
    };
    let text = |statement: &Statement, quantity: &Quantity| statement.span(&quantity.span).text;
    let meet = |one: &Quantity, other: &Quantity| {
        one.dimension == other.dimension && !one.interval.is_disjoint(&other.interval)
    };
    let unmatched = |from: &[Quantity], to: &[Quantity]| {
        from.iter().any(|one| {
            to.iter().any(|other| other.dimension == one.dimension)
                && !to.iter().any(|other| meet(one, other))
        })
    };
    let compared = (text(view.new, one), text(view.standing, other));
    if unmatched(&new, &standing) || unmatched(&standing, &new) {
        return Some(separated(Qualifier::Period, compared.0, compared.1));
    }
    equal.push(ComparedQualifier {
        qualifier: Qualifier::Period,
        new: compared.0,
        standing: compared.1,
    });
    None
}

fn narrowings(view: &View<'_>, equal: &mut Vec<ComparedQualifier>) -> Option<Comparability> {
    for (kind, qualifier) in [
        (Narrowing::Segment, Qualifier::Segment),
        (Narrowing::Region, Qualifier::Region),
        (Narrowing::Scope, Qualifier::Scope),
    ] {
        let (new, standing) = (narrowed(view.new, kind), narrowed(view.standing, kind));
        let texts = |statement: &Statement, of: &[(Term, &Item)]| {
            of.iter()
                .map(|(_, item)| statement.span(&item.span).text)
                .collect::<Vec<_>>()
                .join(", ")
        };
        let (new_text, standing_text) = (texts(view.new, &new), texts(view.standing, &standing));
        if new
            .iter()
            .map(|(term, _)| term)
            .ne(standing.iter().map(|(term, _)| term))
        {
            return Some(separated(qualifier, new_text, standing_text));
        }
        if !new.is_empty() {
            equal.push(ComparedQualifier {
                qualifier,
                new: new_text,
                standing: standing_text,
            });
        }
    }
    None
}

/// The narrowing words of one kind, sorted, each once.
fn narrowed(statement: &Statement, kind: Narrowing) -> Vec<(Term, &Item)> {
    let mut found: Vec<(Term, &Item)> = statement
        .items
        .iter()
        .filter_map(|item| {
            item.narrowing
                .filter(|(narrowing, _)| *narrowing == kind)
                .map(|(_, term)| (term, item))
        })
        .collect();
    found.sort_by_key(|(term, _)| *term);
    found.dedup_by_key(|(term, _)| *term);
    found
}

/// The least share of the shorter text that both must have in common, in percent.
const LEAST_COVERAGE: usize = 34;

fn topic(view: &View<'_>) -> Option<Comparability> {
    let apart = |qualifier| {
        let first = |of: Of| {
            let item = view
                .statement(of)
                .items
                .iter()
                .find(|item| item.is_content() && item.quantity.is_none());
            item.map(|item| view.statement(of).span(&item.span).text)
                .unwrap_or_default()
        };
        Some(separated(qualifier, first(Of::New), first(Of::Standing)))
    };
    if view.cosine.is_some_and(|cosine| cosine < SAME_FACT_COSINE) && view.frame != Frame::Exact {
        return apart(Qualifier::Subject);
    }
    if view.is_mixed() {
        return if view.cosine.is_some() || view.shared > 0 {
            None
        } else {
            apart(Qualifier::Subject)
        };
    }
    if view.shared == 0 && !view.new.items.is_empty() {
        return apart(Qualifier::Subject);
    }
    if view.coverage_percent() >= LEAST_COVERAGE || view.frame != Frame::Loose {
        return None;
    }
    let first = view
        .new
        .items
        .iter()
        .find(|item| item.is_content() && item.quantity.is_none())?;
    let known = view
        .standing
        .items
        .iter()
        .any(|item| item.term == first.term);
    apart(if known {
        Qualifier::Attribute
    } else {
        Qualifier::Subject
    })
}

/// Numbers that name two things.
fn labels(view: &View<'_>) -> Option<Comparability> {
    let (new, standing) = view.quantities_of(view.differing_label()?)?;
    let text = |statement: &Statement, quantity: &Quantity| statement.span(&quantity.span).text;
    Some(separated(
        Qualifier::Subject,
        text(view.new, new),
        text(view.standing, standing),
    ))
}

/// Quantities that stand in one slot but measure two things.
fn slots(view: &View<'_>) -> Option<Comparability> {
    let alignment = view.alignment.as_ref().filter(|_| view.shared > 0)?;
    for gap in &alignment.gaps {
        let lone = |of: Of, range| {
            let mut found = view
                .slice(of, range)
                .iter()
                .filter_map(|item| item.quantity);
            let index = found.next()?;
            found
                .next()
                .is_none()
                .then(|| view.statement(of).quantities().get(index))
                .flatten()
        };
        let (Some(one), Some(other)) = (lone(Of::New, &gap.new), lone(Of::Standing, &gap.standing))
        else {
            continue;
        };
        let texts = (
            view.new.span(&one.span).text,
            view.standing.span(&other.span).text,
        );
        if one.dimension == other.dimension && one.is_delta != other.is_delta {
            return Some(separated(Qualifier::DeltaVersusLevel, texts.0, texts.1));
        }
        if one.dimension != other.dimension && gap.new.len().max(gap.standing.len()) <= 2 {
            return Some(separated(Qualifier::UnitDimension, texts.0, texts.1));
        }
    }
    None
}
