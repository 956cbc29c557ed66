//! Claims of drafts off the wire: what is stored and compared is each text as it was accepted.

use std::collections::{BTreeMap, btree_map::Entry};

use pawl_ledger::{
    claim::Claim,
    decide::{Denied, Reason},
};
use pawl_proto::v1::{self as proto, claim::Value};

use super::{MAX_CONTENT_CHARACTERS, MAX_LABEL_CHARACTERS, MAX_LISTED, accept, told, within};
use crate::app::{
    claims::{self, ClaimError},
    error::AppError,
};

/// Reads a claim.
pub(super) fn read(wire: &proto::Claim, warnings: &mut Vec<String>) -> Result<Claim, AppError> {
    within("claim.qualifiers", wire.qualifiers.len(), MAX_LISTED)?;
    let accepted = proto::Claim {
        subject: label("claim.subject", &wire.subject, warnings)?,
        attribute: label("claim.attribute", &wire.attribute, warnings)?,
        value: wire
            .value
            .as_ref()
            .map(|it| value(it, warnings))
            .transpose()?,
        qualifiers: qualifiers(&wire.qualifiers, warnings)?,
    };
    claims::from_wire(&accepted).map_err(denied)
}

fn label(field: &'static str, text: &str, warnings: &mut Vec<String>) -> Result<String, AppError> {
    Ok(told(
        field,
        accept(field, text, MAX_LABEL_CHARACTERS)?,
        warnings,
    ))
}

fn value(wire: &Value, warnings: &mut Vec<String>) -> Result<Value, AppError> {
    let field = "claim.value";
    let mut text = |text: &str| -> Result<String, AppError> {
        Ok(told(
            field,
            accept(field, text, MAX_CONTENT_CHARACTERS)?,
            warnings,
        ))
    };
    Ok(match wire {
        Value::Text(word) => Value::Text(text(word)?),
        Value::Enumeration(word) => Value::Enumeration(text(word)?),
        Value::Decimal(decimal) => Value::Decimal(proto::DecimalValue {
            unit: label("claim.unit", &decimal.unit, warnings)?,
            ..decimal.clone()
        }),
        Value::Range(range) => Value::Range(proto::RangeValue {
            unit: label("claim.unit", &range.unit, warnings)?,
            ..range.clone()
        }),
        // These are read as what they are, or refused.
        Value::Boolean(_) | Value::Date(_) => wire.clone(),
    })
}

fn qualifiers(
    wire: &BTreeMap<String, String>,
    warnings: &mut Vec<String>,
) -> Result<BTreeMap<String, String>, AppError> {
    let field = "claim.qualifiers";
    let mut qualifiers = BTreeMap::new();
    for (name, value) in wire {
        let (name, value) = (
            label(field, name, warnings)?,
            label(field, value, warnings)?,
        );
        match qualifiers.entry(name) {
            Entry::Vacant(vacant) => {
                vacant.insert(value);
            }
            Entry::Occupied(occupied) => {
                return Err(denied(ClaimError {
                    field: "qualifiers",
                    value: occupied.key().clone(),
                    expected: "each name once; two differ in invisible characters alone",
                }));
            }
        }
    }
    Ok(qualifiers)
}

fn denied(error: ClaimError) -> AppError {
    Denied::new(Reason::ClaimInvalid, error.to_string())
        .with("field", error.field)
        .with("value", error.value)
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(hidden: &str, value: Value) -> proto::Claim {
        proto::Claim {
            subject: format!("Nor{hidden}way"),
            attribute: format!("capa{hidden}city"),
            value: Some(value),
            qualifiers: [(format!("per{hidden}iod"), format!("20{hidden}23"))].into(),
        }
    }

    #[test]
    fn a_claim_is_kept_without_what_hides_in_it() {
        let values = |hidden: &str| {
            let word = format!("sol{hidden}ar");
            let unit = format!("G{hidden}W");
            let decimal = proto::DecimalValue {
                value: "4".into(),
                unit: unit.clone(),
            };
            let range = proto::RangeValue {
                low: "4".into(),
                high: "5".into(),
                unit,
            };
            [
                Value::Text(word.clone()),
                Value::Enumeration(word),
                Value::Decimal(decimal),
                Value::Range(range),
            ]
        };
        for (plain, hiding) in values("").into_iter().zip(values("\u{200b}")) {
            let mut warnings = Vec::new();
            let expected = read(&claim("", plain), &mut warnings).unwrap();
            assert!(warnings.is_empty());
            let hiding = claim("\u{200b}", hiding);
            assert_eq!(read(&hiding, &mut warnings).unwrap(), expected);
            assert_eq!(warnings.len(), 5, "{warnings:?}");
        }
    }

    #[test]
    fn names_that_only_look_apart_to_machines_are_refused() {
        let mut twice = claim("", Value::Boolean(true));
        twice
            .qualifiers
            .insert("peri\u{200b}od".into(), "2024".into());
        let refused = read(&twice, &mut Vec::new()).unwrap_err().told();
        assert_eq!(refused.reason, Reason::ClaimInvalid);
        let nameless = proto::Claim {
            subject: "\u{200b}".into(),
            ..claim("", Value::Boolean(true))
        };
        let refused = read(&nameless, &mut Vec::new()).unwrap_err().told();
        assert_eq!(refused.reason, Reason::ClaimInvalid);
    }
}
