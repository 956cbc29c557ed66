//! The structured part of an assertion by options.

use std::collections::BTreeMap;

use clap::Args;
use pawl_proto::v1::{Claim, DecimalValue, RangeValue, claim::Value};

use crate::cli::failure::Failure;

/// The structured part.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Its structured part")]
pub(crate) struct ClaimOptions {
    /// What it is about.
    #[arg(long, value_name = "NAME", requires = "attribute")]
    subject: Option<String>,
    /// The attribute, by its declared name or an alias.
    #[arg(
        long,
        value_name = "NAME",
        requires = "subject",
        requires = "claim_value"
    )]
    attribute: Option<String>,
    /// The value: an exact decimal.
    #[arg(
        long,
        value_name = "DIGITS",
        group = "claim_value",
        requires = "attribute",
        allow_hyphen_values = true
    )]
    decimal: Option<String>,
    /// The value: free text.
    #[arg(
        long,
        value_name = "TEXT",
        group = "claim_value",
        requires = "attribute",
        allow_hyphen_values = true
    )]
    text: Option<String>,
    /// The value: true or false.
    #[arg(
        long,
        value_name = "BOOL",
        group = "claim_value",
        requires = "attribute"
    )]
    boolean: Option<bool>,
    /// The value: an ISO 8601 year, month or day.
    #[arg(
        long,
        value_name = "DATE",
        group = "claim_value",
        requires = "attribute"
    )]
    date: Option<String>,
    /// The value: a range of decimals, one end may be empty.
    #[arg(
        long,
        value_name = "LOW..HIGH",
        group = "claim_value",
        requires = "attribute",
        allow_hyphen_values = true
    )]
    range: Option<String>,
    /// The value: one word of a closed list.
    #[arg(
        long,
        value_name = "WORD",
        group = "claim_value",
        requires = "attribute"
    )]
    word: Option<String>,
    /// The unit of a decimal or a range.
    #[arg(long, requires = "claim_value")]
    unit: Option<String>,
    /// What the value holds for, such as `period=2024`; may be repeated.
    #[arg(long = "qualifier", value_name = "KEY=VALUE", requires = "claim_value")]
    qualifiers: Vec<String>,
}

impl ClaimOptions {
    /// Makes the message, nothing without a claim; says which option is wrong.
    pub(crate) fn into_message(self) -> Result<Option<Claim>, Failure> {
        let (Some(subject), Some(attribute)) = (self.subject.clone(), self.attribute.clone())
        else {
            return Ok(None);
        };
        let mut qualifiers = BTreeMap::new();
        for qualifier in &self.qualifiers {
            let (key, value) = qualifier.split_once('=').ok_or_else(|| {
                Failure::Usage(format!("`{qualifier}` is no qualifier: write `KEY=VALUE`"))
            })?;
            if qualifiers
                .insert(key.to_owned(), value.to_owned())
                .is_some()
            {
                return Err(Failure::Usage(format!(
                    "the qualifier `{key}` is given twice"
                )));
            }
        }
        Ok(Some(Claim {
            subject,
            attribute,
            qualifiers,
            value: Some(self.value()?),
        }))
    }

    fn value(self) -> Result<Value, Failure> {
        let has_unit = self.unit.is_some();
        let unit = self.unit.unwrap_or_default();
        if let Some(value) = self.decimal {
            return Ok(Value::Decimal(DecimalValue { value, unit }));
        }
        if let Some(range) = self.range {
            let (low, high) = range.split_once("..").ok_or_else(|| {
                Failure::Usage(format!(
                    "`{range}` is no range: write `LOW..HIGH`, `LOW..` or `..HIGH`"
                ))
            })?;
            return Ok(Value::Range(RangeValue {
                low: low.to_owned(),
                high: high.to_owned(),
                unit,
            }));
        }
        if has_unit {
            return Err(Failure::Usage(
                "--unit goes with --decimal or --range only".to_owned(),
            ));
        }
        let value = self
            .text
            .map(Value::Text)
            .or(self.boolean.map(Value::Boolean));
        value
            .or(self.date.map(Value::Date))
            .or(self.word.map(Value::Enumeration))
            .ok_or_else(|| Failure::Usage("the claim has no value".to_owned()))
    }
}
