//! The structured part of an assertion: exact values, never binary floats.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// A structured claim: what is said of which attribute of which subject, under which qualifiers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// What the claim is about, for example `Norway`.
    pub subject: String,
    /// The attribute it gives a value to, by its declared name, one of its aliases, or freely.
    pub attribute: String,
    /// The value.
    pub value: ClaimValue,
    /// What the value holds for: `period`, `region`, `scope` and so on.
    #[serde(default)]
    pub qualifiers: BTreeMap<String, String>,
}

/// The value of a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimValue {
    /// A number with its unit as written, for example `45` and `%`.
    Decimal {
        /// The number, exact.
        value: Decimal,
        /// The unit as written; none for a bare number.
        unit: Option<String>,
    },
    /// Free text.
    Text(String),
    /// True or false.
    Boolean(bool),
    /// A date of any precision in ISO 8601 form: `2024`, `2024-06` or `2024-06-30`.
    Date(String),
    /// A range, closed at the ends that are given; at least one is.
    Range {
        /// The lower end.
        low: Option<Decimal>,
        /// The upper end.
        high: Option<Decimal>,
        /// The unit as written, of both ends.
        unit: Option<String>,
    },
    /// One word of a closed list.
    Enum(String),
}
