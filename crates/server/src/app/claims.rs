//! Claims in their protobuf form.

use pawl_ledger::claim::{Claim, ClaimValue};
use pawl_proto::v1::{self as proto, claim::Value};
use rust_decimal::Decimal;

/// What is wrong with a claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}` of the claim is `{value}`: {expected}")]
pub struct ClaimError {
    /// The field.
    pub field: &'static str,
    /// What it holds.
    pub value: String,
    /// What it should hold.
    pub expected: &'static str,
}

fn wrong(field: &'static str, value: &str, expected: &'static str) -> ClaimError {
    ClaimError {
        field,
        value: value.chars().take(80).collect(),
        expected,
    }
}

/// Reads a claim.
pub fn from_wire(wire: &proto::Claim) -> Result<Claim, ClaimError> {
    let named = |field, text: &str| {
        if text.trim().is_empty() {
            Err(wrong(field, text, "a name"))
        } else {
            Ok(text.to_owned())
        }
    };
    Ok(Claim {
        subject: named("subject", &wire.subject)?,
        attribute: named("attribute", &wire.attribute)?,
        value: value(
            wire.value
                .as_ref()
                .ok_or_else(|| wrong("value", "", "one value"))?,
        )?,
        qualifiers: wire.qualifiers.clone(),
    })
}

fn value(wire: &Value) -> Result<ClaimValue, ClaimError> {
    Ok(match wire {
        Value::Decimal(decimal) => ClaimValue::Decimal {
            value: number("decimal", &decimal.value)?,
            unit: unit(&decimal.unit),
        },
        Value::Text(text) => ClaimValue::Text(text.clone()),
        Value::Boolean(boolean) => ClaimValue::Boolean(*boolean),
        Value::Date(date) => ClaimValue::Date(date_of(date)?),
        Value::Range(range) => {
            let end =
                |field, text: &str| (!text.is_empty()).then(|| number(field, text)).transpose();
            let (low, high) = (
                end("range.low", &range.low)?,
                end("range.high", &range.high)?,
            );
            let ordered = match (low, high) {
                (Some(low), Some(high)) => low <= high,
                (low, high) => low.is_some() || high.is_some(),
            };
            if !ordered {
                let text = format!("{}..{}", range.low, range.high);
                return Err(wrong(
                    "range",
                    &text,
                    "at least one end, the lower one first",
                ));
            }
            ClaimValue::Range {
                low,
                high,
                unit: unit(&range.unit),
            }
        }
        Value::Enumeration(word) => ClaimValue::Enum(word.clone()),
    })
}

fn number(field: &'static str, text: &str) -> Result<Decimal, ClaimError> {
    Decimal::from_str_exact(text).map_err(|_| {
        wrong(
            field,
            text,
            "digits with an optional sign and point, at most 28",
        )
    })
}

/// Accepts `2024`, `2024-06` and `2024-06-30`, if they are in the calendar.
pub fn date_of(text: &str) -> Result<String, ClaimError> {
    let expected = "a date as `2024`, `2024-06` or `2024-06-30`";
    let whole = match text.len() {
        4 => format!("{text}-01-01"),
        7 => format!("{text}-01"),
        _ => text.to_owned(),
    };
    let is_date = whole.len() == 10 && whole.parse::<jiff::civil::Date>().is_ok();
    if is_date {
        Ok(text.to_owned())
    } else {
        Err(wrong("date", text, expected))
    }
}

fn unit(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// Writes a claim.
pub fn to_wire(claim: &Claim) -> proto::Claim {
    let unit = |unit: &Option<String>| unit.clone().unwrap_or_default();
    let end = |end: &Option<Decimal>| end.map(|end| end.to_string()).unwrap_or_default();
    let value = match &claim.value {
        ClaimValue::Decimal { value, unit: of } => Value::Decimal(proto::DecimalValue {
            value: value.to_string(),
            unit: unit(of),
        }),
        ClaimValue::Text(text) => Value::Text(text.clone()),
        ClaimValue::Boolean(boolean) => Value::Boolean(*boolean),
        ClaimValue::Date(date) => Value::Date(date.clone()),
        ClaimValue::Range {
            low,
            high,
            unit: of,
        } => Value::Range(proto::RangeValue {
            low: end(low),
            high: end(high),
            unit: unit(of),
        }),
        ClaimValue::Enum(word) => Value::Enumeration(word.clone()),
    };
    proto::Claim {
        subject: claim.subject.clone(),
        attribute: claim.attribute.clone(),
        value: Some(value),
        qualifiers: claim.qualifiers.clone(),
    }
}
