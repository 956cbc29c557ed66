//! The value of a row, by the type its attribute is declared with.

use pawl_ledger::claim::{Claim, ClaimValue};
use rust_decimal::Decimal;

use super::{Problem, Row, sentence::date};
use crate::{
    claims::{self, Value},
    vocabulary::{AttributeKind, Vocabulary},
};

/// A row as a claim. Its value has to be of the type and the dimension that its attribute is
/// declared with; where it is not declared, the form of the value says the type.
pub fn typed(row: &Row, vocabulary: &Vocabulary) -> Result<Claim, Problem> {
    let attribute = vocabulary.attribute(&row.attribute);
    let declared = vocabulary.declaration(&attribute);
    let value = match declared {
        Some(declared) => of_kind(row, declared.kind)?,
        None => by_form(row),
    };
    let claim = claim(row, value);
    let unit = declared.and_then(|it| it.unit.clone());
    if let (Some(unit), false) = (unit, row.unit.is_empty()) {
        let in_declared = Row {
            unit: unit.clone(),
            ..row.clone()
        };
        let other = self::claim(&in_declared, by_form(&in_declared));
        let dimension = |claim| match claims::parse(claim, vocabulary).value {
            Value::Measured { dimension, .. } => Some(dimension),
            Value::Word(_) | Value::Truth(_) => None,
        };
        if dimension(&claim) != dimension(&other) {
            let what = format!("it is no unit of what is measured in `{unit}`; use that one");
            return Err(wrong(row, "unit", &row.unit, &what));
        }
    }
    Ok(claim)
}

/// A row as a claim whatever its attribute is declared with since it was mounted.
pub(super) fn understood(row: &Row, vocabulary: &Vocabulary) -> Claim {
    typed(row, vocabulary).unwrap_or_else(|_| claim(row, by_form(row)))
}

fn claim(row: &Row, value: ClaimValue) -> Claim {
    Claim {
        subject: row.subject.clone(),
        attribute: row.attribute.clone(),
        value,
        qualifiers: row.qualifiers.clone(),
    }
}

fn of_kind(row: &Row, kind: AttributeKind) -> Result<ClaimValue, Problem> {
    let text = &row.value;
    let is = |what: &str| wrong(row, "value", text, what);
    let measured = matches!(kind, AttributeKind::Decimal | AttributeKind::Range);
    if !measured && !row.unit.is_empty() {
        let what = format!("`{}` has no unit; leave it empty", row.attribute);
        return Err(wrong(row, "unit", &row.unit, &what));
    }
    match kind {
        AttributeKind::Decimal => decimal(row)
            .ok_or_else(|| is("write a number in digits with an optional sign and point")),
        AttributeKind::Range => range(row)
            .or_else(|| decimal(row))
            .ok_or_else(|| is("write a range as `1.5..2`, one end may be left out")),
        AttributeKind::Boolean => truth(text).ok_or_else(|| is("write `true` or `false`")),
        AttributeKind::Date => date(text)
            .map(|_| ClaimValue::Date(text.clone()))
            .ok_or_else(|| is("write a date as `2024`, `2024-06` or `2024-06-30`")),
        AttributeKind::Text => Ok(ClaimValue::Text(text.clone())),
        AttributeKind::Enum => Ok(ClaimValue::Enum(text.clone())),
    }
}

/// What the form of a value says: digits are a number, whatever the attribute.
fn by_form(row: &Row) -> ClaimValue {
    let text = &row.value;
    let number = decimal(row).or_else(|| range(row));
    number.or_else(|| truth(text)).unwrap_or_else(|| {
        if date(text).is_some() {
            ClaimValue::Date(text.clone())
        } else {
            ClaimValue::Text(text.clone())
        }
    })
}

fn decimal(row: &Row) -> Option<ClaimValue> {
    Some(ClaimValue::Decimal {
        value: number(&row.value)?,
        unit: unit(row),
    })
}

fn range(row: &Row) -> Option<ClaimValue> {
    let (low, high) = row.value.split_once("..")?;
    let end = |text: &str| match text.trim() {
        "" => Some(None),
        text => number(text).map(Some),
    };
    let (low, high) = (end(low)?, end(high)?);
    let ordered = match (low, high) {
        (Some(low), Some(high)) => low <= high,
        (low, high) => low.is_some() || high.is_some(),
    };
    ordered.then(|| ClaimValue::Range {
        low,
        high,
        unit: unit(row),
    })
}

/// Digits with an optional sign and point; no exponent, no grouping.
fn number(text: &str) -> Option<Decimal> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let plain = digits.starts_with(|it: char| it.is_ascii_digit())
        && digits.bytes().all(|it| it.is_ascii_digit() || it == b'.');
    plain.then(|| Decimal::from_str_exact(text).ok()).flatten()
}

fn truth(text: &str) -> Option<ClaimValue> {
    match text {
        "true" => Some(ClaimValue::Boolean(true)),
        "false" => Some(ClaimValue::Boolean(false)),
        _ => None,
    }
}

fn unit(row: &Row) -> Option<String> {
    (!row.unit.is_empty()).then(|| row.unit.clone())
}

fn wrong(row: &Row, column: &str, value: &str, what: &str) -> Problem {
    let line = usize::try_from(row.line).unwrap_or(usize::MAX);
    Problem::new(line, column, value, what)
}
