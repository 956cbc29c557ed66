//! Whether two statements can be about the same thing at all, and what separates them if not.

use std::ops::Range;

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

/// Says what separates the texts, or which qualifiers both carry.
pub(crate) fn texts(view: &View<'_>) -> Comparability {
    match separation(view) {
        Some(it) => separated(
            it.qualifier,
            it.new.text(view.new),
            it.standing.text(view.standing),
        ),
        None => Comparability::Comparable {
            qualifiers: equal_qualifiers(view),
        },
    }
}

/// What separates two texts, not yet put into words: most pairs that are compared are told to nobody.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Separation<'a> {
    qualifier: Qualifier,
    new: Words<'a>,
    standing: Words<'a>,
}

/// Where the words of a qualifier stand.
#[derive(Clone, Copy, Debug)]
enum Words<'a> {
    Nowhere,
    At(&'a Range<usize>),
    /// The narrowing words of a kind.
    Narrowings(Narrowing),
}

impl Words<'_> {
    fn text(self, statement: &Statement) -> String {
        match self {
            Self::Nowhere => String::new(),
            Self::At(range) => statement.span(range).text,
            Self::Narrowings(kind) => {
                let found = narrowed(statement, kind).into_iter();
                let texts: Vec<String> = found
                    .map(|(_, item)| statement.span(&item.span).text)
                    .collect();
                texts.join(", ")
            }
        }
    }
}

const NARROWINGS: [(Narrowing, Qualifier); 3] = [
    (Narrowing::Segment, Qualifier::Segment),
    (Narrowing::Region, Qualifier::Region),
    (Narrowing::Scope, Qualifier::Scope),
];

/// What separates the texts: the first thing found that does.
pub(crate) fn separation<'a>(view: &View<'a>) -> Option<Separation<'a>> {
    periods(view)
        .or_else(|| narrowings(view))
        .or_else(|| labels(view))
        .or_else(|| slots(view))
        .or_else(|| topic(view))
}

/// The qualifiers that both texts carry, where nothing separates them.
fn equal_qualifiers(view: &View<'_>) -> Vec<ComparedQualifier> {
    let mut equal = Vec::new();
    let first = |statement: &Statement| {
        let period = periods_of(statement).next();
        period.map(|it| statement.span(&it.span).text)
    };
    if let (Some(new), Some(standing)) = (first(view.new), first(view.standing)) {
        equal.push(ComparedQualifier {
            qualifier: Qualifier::Period,
            new,
            standing,
        });
    }
    for (kind, qualifier) in NARROWINGS {
        let words = Words::Narrowings(kind);
        let new = words.text(view.new);
        if !new.is_empty() {
            equal.push(ComparedQualifier {
                qualifier,
                new,
                standing: words.text(view.standing),
            });
        }
    }
    equal
}

fn periods_of(statement: &Statement) -> impl Iterator<Item = &Quantity> {
    statement.quantities().iter().filter(|it| it.is_period)
}

fn periods<'a>(view: &View<'a>) -> Option<Separation<'a>> {
    let new = periods_of(view.new).next()?;
    let standing = periods_of(view.standing).next()?;
    let meet = |one: &Quantity, other: &Quantity| {
        one.dimension == other.dimension && !one.interval.is_disjoint(&other.interval)
    };
    let unmatched = |from: &Statement, to: &Statement| {
        periods_of(from).any(|one| {
            periods_of(to).any(|other| other.dimension == one.dimension)
                && !periods_of(to).any(|other| meet(one, other))
        })
    };
    let apart = unmatched(view.new, view.standing) || unmatched(view.standing, view.new);
    apart.then_some(Separation {
        qualifier: Qualifier::Period,
        new: Words::At(&new.span),
        standing: Words::At(&standing.span),
    })
}

fn narrowings<'a>(view: &View<'a>) -> Option<Separation<'a>> {
    let (kind, qualifier) = NARROWINGS.into_iter().find(|(kind, _)| {
        let (new, standing) = (narrowed(view.new, *kind), narrowed(view.standing, *kind));
        let terms = |of: Vec<(Term, _)>| of.into_iter().map(|(term, _)| term);
        terms(new).ne(terms(standing))
    })?;
    Some(Separation {
        qualifier,
        new: Words::Narrowings(kind),
        standing: Words::Narrowings(kind),
    })
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

fn topic<'a>(view: &View<'a>) -> Option<Separation<'a>> {
    let apart = |qualifier| {
        let first = |of: Of| {
            let mut items = view.statement(of).items.iter();
            let item = items.find(|item| item.is_content() && item.quantity.is_none());
            item.map_or(Words::Nowhere, |item| Words::At(&item.span))
        };
        Some(Separation {
            qualifier,
            new: first(Of::New),
            standing: first(Of::Standing),
        })
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
fn labels<'a>(view: &View<'a>) -> Option<Separation<'a>> {
    let (new, standing) = view.quantities_of(view.differing_label()?)?;
    Some(Separation {
        qualifier: Qualifier::Subject,
        new: Words::At(&new.span),
        standing: Words::At(&standing.span),
    })
}

/// Quantities that stand in one slot but measure two things.
fn slots<'a>(view: &View<'a>) -> Option<Separation<'a>> {
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
        let differs = if one.dimension == other.dimension {
            one.is_delta != other.is_delta
        } else {
            gap.new.len().max(gap.standing.len()) <= 2
        };
        if differs {
            return Some(Separation {
                qualifier: if one.dimension == other.dimension {
                    Qualifier::DeltaVersusLevel
                } else {
                    Qualifier::UnitDimension
                },
                new: Words::At(&one.span),
                standing: Words::At(&other.span),
            });
        }
    }
    None
}
