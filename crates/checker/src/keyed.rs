//! What the structured parts of two statements decide: validity, named entities, claim keys and their qualifiers.

use std::collections::BTreeSet;

use pawl_ledger::finding::{FindingKind, Score};

use crate::claims::{self, ParsedClaim};
use crate::comparable::{Comparability, ComparedQualifier, Qualifier, separated};
use crate::compare::{Explanation, Finding, Part};
use crate::explain;
use crate::interval::Interval;
use crate::quantity::{Dimension, written};
use crate::statement::Statement;
use crate::vocabulary::Vocabulary;

/// What the claims of two statements decide.
pub(crate) struct ClaimsDecide<'a> {
    /// The answer, if the claims give one and the texts need no look.
    pub(crate) decided: Option<Comparability>,
    pub(crate) finding: Option<Finding<'a>>,
}

/// Compares the claims, the validity and the named entities of two statements.
pub(crate) fn claims<'a>(
    new: &'a Statement,
    standing: &'a Statement,
    vocabulary: &Vocabulary,
) -> ClaimsDecide<'a> {
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

fn keyed<'a>(
    new: &'a Statement,
    standing: &'a Statement,
    one: &'a ParsedClaim,
    other: &'a ParsedClaim,
    vocabulary: &Vocabulary,
) -> ClaimsDecide<'a> {
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

fn claim_finding<'a>(
    new: &'a Statement,
    standing: &'a Statement,
    one: &'a ParsedClaim,
    other: &'a ParsedClaim,
) -> Finding<'a> {
    Finding::new(FindingKind::ClaimKey, Score::MAX, || Explanation {
        reason: explain::claim(new.language(), &one.key, &one.said, &other.said),
        new_spans: vec![new.span(&(0..new.content().len()))],
        standing_spans: vec![standing.span(&(0..standing.content().len()))],
        parts: vec![
            Part::new("rule", "claim_key"),
            Part::new("subject", one.key.subject()),
            Part::new("attribute", one.key.attribute()),
            Part::new("new_value", one.value.written()),
            Part::new("standing_value", other.value.written()),
        ],
    })
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
