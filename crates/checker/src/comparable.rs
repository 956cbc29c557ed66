//! Whether two statements can be about the same thing at all, and what separates them if not.

use std::collections::BTreeSet;

use pawl_ledger::finding::{FindingKind, Score};
use serde::{Deserialize, Serialize};

use crate::claims::{self, ParsedClaim};
use crate::compare::{Judgement, Part};
use crate::explain;
use crate::interval::Interval;
use crate::lexicon::Narrowing;
use crate::quantity::{Dimension, Quantity, written};
use crate::score::SAME_FACT_COSINE;
use crate::statement::{Item, Statement};
use crate::text::term::Term;
use crate::view::{Frame, Of, View};
use crate::vocabulary::Vocabulary;

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

fn separated(
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

/// What the claims of two statements decide.
pub(crate) struct ClaimsDecide {
    /// The answer, if the claims give one and the texts need no look.
    pub(crate) decided: Option<Comparability>,
    pub(crate) finding: Option<Judgement>,
}

/// Compares the claims, the validity and the named entities of two statements.
pub(crate) fn claims(
    new: &Statement,
    standing: &Statement,
    vocabulary: &Vocabulary,
) -> ClaimsDecide {
    let decided = |comparable| ClaimsDecide {
        decided: Some(comparable),
        finding: None,
    };
    if new.valid.is_disjoint(&standing.valid) {
        let day = |interval: &Interval| written(&Dimension::Date, interval);
        return decided(separated(
            Qualifier::Period,
            day(&new.valid),
            day(&standing.valid),
        ));
    }
    if let (Some(one), Some(other)) = (&new.claim, &standing.claim) {
        return keyed(new, standing, one, other, vocabulary);
    }
    let named = !new.entities.is_empty() && !standing.entities.is_empty();
    if named
        && !new
            .entities
            .iter()
            .any(|name| standing.entities.contains(name))
    {
        return decided(separated(
            Qualifier::Subject,
            new.entities.join(", "),
            standing.entities.join(", "),
        ));
    }
    ClaimsDecide {
        decided: None,
        finding: None,
    }
}

fn keyed(
    new: &Statement,
    standing: &Statement,
    one: &ParsedClaim,
    other: &ParsedClaim,
    vocabulary: &Vocabulary,
) -> ClaimsDecide {
    let decided = |comparable| ClaimsDecide {
        decided: Some(comparable),
        finding: None,
    };
    if one.key.subject() != other.key.subject() {
        return decided(separated(
            Qualifier::Subject,
            one.key.subject(),
            other.key.subject(),
        ));
    }
    if one.key.attribute() != other.key.attribute() {
        return decided(separated(
            Qualifier::Attribute,
            one.key.attribute(),
            other.key.attribute(),
        ));
    }
    let names: BTreeSet<&String> = one
        .qualifiers
        .keys()
        .chain(other.qualifiers.keys())
        .collect();
    let value = |claim: &ParsedClaim, name: &String| {
        claim.qualifiers.get(name).cloned().unwrap_or_default()
    };
    let mut qualifiers = Vec::new();
    for name in names {
        let (one, other) = (value(one, name), value(other, name));
        if one != other {
            return decided(separated(claim_qualifier(name), one, other));
        }
        qualifiers.push(ComparedQualifier {
            qualifier: claim_qualifier(name),
            new: one,
            standing: other,
        });
    }
    match claims::relate(one, other, vocabulary) {
        claims::Relation::OtherDimension => decided(separated(
            Qualifier::UnitDimension,
            one.value.written(),
            other.value.written(),
        )),
        claims::Relation::Compatible => ClaimsDecide {
            decided: None,
            finding: None,
        },
        claims::Relation::Exclusive => ClaimsDecide {
            decided: Some(Comparability::Comparable { qualifiers }),
            finding: Some(claim_finding(new, standing, one, other)),
        },
    }
}

fn claim_finding(
    new: &Statement,
    standing: &Statement,
    one: &ParsedClaim,
    other: &ParsedClaim,
) -> Judgement {
    let (value, standing_value) = (one.value.written(), other.value.written());
    Judgement {
        kind: FindingKind::ClaimKey,
        score: Score::MAX,
        reason: explain::claim(new.language(), &one.key, &value, &standing_value),
        new_spans: vec![new.span(&(0..new.content().len()))],
        standing_spans: vec![standing.span(&(0..standing.content().len()))],
        parts: vec![
            Part::new("rule", "claim_key"),
            Part::new("subject", one.key.subject()),
            Part::new("attribute", one.key.attribute()),
            Part::new("new_value", value),
            Part::new("standing_value", standing_value),
        ],
    }
}

fn claim_qualifier(name: &str) -> Qualifier {
    match name {
        "period" | "date" | "time" | "as of" | "as_of" | "year" => Qualifier::Period,
        "region" | "country" | "location" | "market" => Qualifier::Region,
        "segment" => Qualifier::Segment,
        "scope" => Qualifier::Scope,
        _ => Qualifier::Other,
    }
}

/// Compares what the texts are about.
pub(crate) fn texts(view: &View<'_>) -> Comparability {
    let mut qualifiers = Vec::new();
    let checks = [
        periods(view, &mut qualifiers),
        narrowings(view, &mut qualifiers),
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
