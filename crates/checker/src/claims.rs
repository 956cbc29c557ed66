//! Exact comparison of structured claims: same key, equal qualifiers, values that exclude each other.

use std::collections::BTreeMap;

use pawl_ledger::claim::{Claim, ClaimValue};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::interval::Interval;
use crate::lexicon::Lexicon;
use crate::quantity::{Dimension, written};
use crate::text::days::parse_iso;
use crate::text::measure;
use crate::text::normalise::normalise;
use crate::text::number;
use crate::text::token::tokenise;
use crate::vocabulary::Vocabulary;

/// What a claim gives a value to: subject and attribute, aliases resolved.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ClaimKey {
    subject: String,
    attribute: String,
}

impl ClaimKey {
    /// The subject, normalised.
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// The attribute, normalised.
    pub fn attribute(&self) -> &str {
        &self.attribute
    }
}

/// A claim, parsed for comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ParsedClaim {
    pub(crate) key: ClaimKey,
    pub(crate) value: Value,
    /// The value as its author wrote it, for people.
    pub(crate) said: String,
    pub(crate) qualifiers: BTreeMap<String, String>,
}

/// The value of a claim, parsed for comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Measured {
        dimension: Dimension,
        interval: Interval,
    },
    Word(String),
    Truth(bool),
}

impl Value {
    /// The dimension and the interval of a value that is measured.
    pub(crate) fn measured(&self) -> Option<(&Dimension, &Interval)> {
        match self {
            Self::Measured {
                dimension,
                interval,
            } => Some((dimension, interval)),
            Self::Word(_) | Self::Truth(_) => None,
        }
    }

    /// The value as people read it.
    pub(crate) fn written(&self) -> String {
        match self {
            Self::Measured {
                dimension,
                interval,
            } => written(dimension, interval),
            Self::Word(word) => word.clone(),
            Self::Truth(truth) => truth.to_string(),
        }
    }
}

/// How two values of one key stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Compatible,
    Exclusive,
    /// Of different units or kinds of value.
    OtherDimension,
}

/// The key of an attribute of a subject, aliases resolved.
pub(crate) fn key(subject: &str, attribute: &str, vocabulary: &Vocabulary) -> ClaimKey {
    ClaimKey {
        subject: vocabulary.entity(subject),
        attribute: vocabulary.attribute(attribute),
    }
}

/// Parses a claim.
pub(crate) fn parse(claim: &Claim, vocabulary: &Vocabulary) -> ParsedClaim {
    let attribute = vocabulary.attribute(&claim.attribute);
    let declared_unit = vocabulary
        .declaration(&attribute)
        .and_then(|declared| declared.unit.as_deref());
    let qualifiers = claim
        .qualifiers
        .iter()
        .map(|(name, value)| (normalise(name), vocabulary.entity(value)))
        .collect();
    let said = said(&claim.value, declared_unit);
    let value = value(&claim.value, declared_unit, vocabulary);
    ParsedClaim {
        key: ClaimKey {
            subject: vocabulary.entity(&claim.subject),
            attribute,
        },
        value,
        said,
        qualifiers,
    }
}

fn said(value: &ClaimValue, declared_unit: Option<&str>) -> String {
    let with_unit = |number: String, unit: &Option<String>| match unit.as_deref().or(declared_unit)
    {
        Some(unit) => format!("{number} {unit}"),
        None => number,
    };
    let end = |end: &Option<Decimal>| end.map_or("…".to_owned(), |end| end.to_string());
    match value {
        ClaimValue::Decimal { value, unit } => with_unit(value.to_string(), unit),
        ClaimValue::Range { low, high, unit } => {
            with_unit(format!("{}–{}", end(low), end(high)), unit)
        }
        ClaimValue::Text(word) | ClaimValue::Date(word) | ClaimValue::Enum(word) => word.clone(),
        ClaimValue::Boolean(truth) => truth.to_string(),
    }
}

fn value(value: &ClaimValue, declared_unit: Option<&str>, vocabulary: &Vocabulary) -> Value {
    let measured = |interval: Interval, unit: Option<&str>| {
        let unit = unit_of(unit.or(declared_unit), vocabulary.lexicon());
        Value::Measured {
            dimension: unit.0,
            interval: interval.scaled(unit.1, unit.2),
        }
    };
    match value {
        ClaimValue::Decimal { value, unit } => {
            let place = Decimal::new(1, value.scale());
            measured(Interval::rounded(*value, place), unit.as_deref())
        }
        ClaimValue::Range { low, high, unit } => {
            let bound = |end: &Option<Decimal>| {
                end.map_or(
                    crate::interval::Bound::Unbounded,
                    crate::interval::Bound::Closed,
                )
            };
            measured(
                Interval {
                    low: bound(low),
                    high: bound(high),
                },
                unit.as_deref(),
            )
        }
        ClaimValue::Date(date) => match parse_iso(date) {
            Some((low, high)) => Value::Measured {
                dimension: Dimension::Date,
                interval: Interval::closed(low.into(), high.into()),
            },
            None => Value::Word(normalise(date)),
        },
        ClaimValue::Boolean(truth) => Value::Truth(*truth),
        ClaimValue::Text(word) | ClaimValue::Enum(word) => Value::Word(vocabulary.entity(word)),
    }
}

/// The dimension, factor and offset of a unit as written: `%`, `million USD`, `亿元`; an unknown unit is its own dimension.
fn unit_of(unit: Option<&str>, lexicon: &Lexicon) -> (Dimension, Decimal, Decimal) {
    let Some(unit) = unit.map(normalise).filter(|unit| !unit.is_empty()) else {
        return (Dimension::Count, Decimal::ONE, Decimal::ZERO);
    };
    let gap =
        if unit.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '.' | ',')) {
            " "
        } else {
            ""
        };
    let tokens = tokenise(&format!("1{gap}{unit}"), lexicon);
    let scaled = number::read(&tokens, 0, lexicon)
        .map(|number| (number.value, number.next))
        .filter(|(value, _)| !value.is_zero());
    let (scale, next) = scaled.unwrap_or((Decimal::ONE, 1));
    let found = measure::after(&tokens, next, lexicon).filter(|found| found.edge == tokens.len());
    match found {
        Some(found) => match scale.checked_mul(found.factor) {
            Some(factor) if found.offset.is_zero() || scale == Decimal::ONE => {
                (found.dimension, factor, found.offset)
            }
            _ => (Dimension::Measure(unit), Decimal::ONE, Decimal::ZERO),
        },
        None if next == tokens.len() => (Dimension::Count, scale, Decimal::ZERO),
        None => (Dimension::Measure(unit), Decimal::ONE, Decimal::ZERO),
    }
}

/// Compares the values of two claims with one key; text that is not declared single-valued never excludes.
pub(crate) fn relate(
    new: &ParsedClaim,
    standing: &ParsedClaim,
    vocabulary: &Vocabulary,
) -> Relation {
    let declared = vocabulary.declaration(&new.key.attribute);
    if declared.is_some_and(|declared| declared.multi_valued) {
        return Relation::Compatible;
    }
    let exclusive = |excludes: bool| {
        if excludes {
            Relation::Exclusive
        } else {
            Relation::Compatible
        }
    };
    match (&new.value, &standing.value) {
        (
            Value::Measured {
                dimension,
                interval,
            },
            Value::Measured {
                dimension: other_dimension,
                interval: other,
            },
        ) => {
            if dimension == other_dimension {
                exclusive(interval.is_disjoint(other))
            } else {
                Relation::OtherDimension
            }
        }
        (Value::Truth(new), Value::Truth(standing)) => exclusive(new != standing),
        (Value::Word(new), Value::Word(standing)) => {
            exclusive(declared.is_some() && new != standing)
        }
        _ => Relation::OtherDimension,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(unit: &str, dimension: &str, factor: &str) {
        let (found, times, _) = unit_of(Some(unit), Vocabulary::shipped().lexicon());
        assert_eq!(
            (
                found.to_string().as_str(),
                times.normalize().to_string().as_str()
            ),
            (dimension, factor),
            "{unit}"
        );
    }

    #[test]
    fn units_of_claims_are_read() {
        check("%", "ratio", "0.01");
        check("million USD", "money:USD", "1000000");
        check("亿元", "money:CNY", "100000000");
        check("km", "length", "1000");
        check("bn", "count", "1000000000");
        check("widgets", "widgets", "1");
    }

    #[test]
    fn what_cannot_be_seen_makes_no_other_claim() {
        let vocabulary = Vocabulary::shipped();
        let claim = |hidden: &str, value: i64| Claim {
            subject: format!("No{hidden}rway"),
            attribute: format!("solar{hidden}_capacity"),
            value: ClaimValue::Decimal {
                value: Decimal::from(value),
                unit: Some(format!("G{hidden}W")),
            },
            qualifiers: [(format!("per{hidden}iod"), format!("20{hidden}23"))].into(),
        };
        let ranges = [
            0xad..=0xad,
            0x34f..=0x34f,
            0x61c..=0x61c,
            0x115f..=0x1160,
            0x17b4..=0x17b5,
            0x180b..=0x180f,
            0x200b..=0x200f,
            0x202a..=0x202e,
            0x2060..=0x206f,
            0x3164..=0x3164,
            0xfe00..=0xfe0f,
            0xfeff..=0xfeff,
            0xffa0..=0xffa0,
            0xe0000..=0xe0fff,
        ];
        let plain = parse(&claim("", 45), &vocabulary);
        for hidden in ranges.into_iter().flatten().filter_map(char::from_u32) {
            let new = parse(&claim(&hidden.to_string(), 46), &vocabulary);
            assert_eq!(new.key, plain.key, "{hidden:?}");
            assert_eq!(new.qualifiers, plain.qualifiers, "{hidden:?}");
            let relation = relate(&new, &plain, &vocabulary);
            assert_eq!(relation, Relation::Exclusive, "{hidden:?}");
            assert_eq!(vocabulary.entity(&format!("Nor{hidden}way")), "norway");
        }
    }
}
