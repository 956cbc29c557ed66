//! One assertion by options.

use clap::Args;
use pawl_proto::v1::{self, Draft};

use super::{
    citation::Citations,
    claim::ClaimOptions,
    resource::{Resource, ids_on},
    words::{Kind, Level},
};
use crate::cli::failure::Failure;

/// The options that draft an assertion, all but those for its module and for what it replaces.
#[derive(Args, Debug, Default)]
pub(crate) struct DraftOptions {
    #[command(flatten)]
    statement: StatementOptions,
    #[command(flatten)]
    claim: ClaimOptions,
    #[command(flatten)]
    citations: Citations,
}

/// The groups of options that draft an assertion, for options that do not go with them.
pub(crate) const GROUPS: [&str; 3] = ["StatementOptions", "ClaimOptions", "Citations"];

/// What it says.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "The assertion")]
struct StatementOptions {
    /// One proposition.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    content: Option<String>,
    /// Why its author holds it to be so.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    rationale: Option<String>,
    /// How sure its author is, from 0 to 1; needed for every assertion.
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    confidence: Option<f64>,
    /// How far it goes beyond its source; a statement unless given.
    #[arg(long)]
    level: Option<Level>,
    /// What it states; a fact unless given.
    #[arg(long)]
    kind: Option<Kind>,
    /// Something it is about; may be repeated.
    #[arg(long = "entity", value_name = "NAME")]
    entities: Vec<String>,
    /// A free label; may be repeated.
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// From when it holds, ISO 8601.
    #[arg(long, value_name = "DATE")]
    valid_from: Option<String>,
    /// Until when it holds, ISO 8601.
    #[arg(long, value_name = "DATE")]
    valid_to: Option<String>,
    /// A revision it rests on, `a3@1`; may be repeated.
    #[arg(long = "support", value_name = "REVISION")]
    supports: Vec<Resource>,
}

impl DraftOptions {
    /// Says whether there is anything to submit.
    pub(crate) fn has_content(&self) -> bool {
        self.statement.content.is_some()
    }

    /// Makes the message for a board; says which option is wrong.
    pub(crate) fn into_message(self, board: &str) -> Result<Draft, Failure> {
        let Self {
            statement,
            claim,
            citations,
        } = self;
        Ok(Draft {
            content: statement.content.unwrap_or_default(),
            rationale: statement.rationale.unwrap_or_default(),
            confidence: statement.confidence,
            level: statement
                .level
                .map_or(0, |level| v1::Level::from(level).into()),
            kind: statement.kind.map_or(0, |kind| v1::Kind::from(kind).into()),
            entities: statement.entities,
            tags: statement.tags,
            valid_from: statement.valid_from.unwrap_or_default(),
            valid_to: statement.valid_to.unwrap_or_default(),
            supports: ids_on(&statement.supports, board)?,
            claim: claim.into_message()?,
            citations: citations.into_messages()?,
            ..Draft::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use pawl_proto::v1::{DecimalValue, claim::Value};

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        draft: DraftOptions,
    }

    fn read(line: &[&str]) -> Result<Draft, String> {
        let arguments = std::iter::once("pawl").chain(line.iter().copied());
        let line = Line::try_parse_from(arguments).map_err(|error| error.to_string())?;
        line.draft
            .into_message("energy")
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_claim_is_read() {
        let line = [
            "--content",
            "Revenue fell to -12.5 EUR",
            "--subject",
            "acme",
            "--attribute",
            "revenue",
            "--decimal",
            "-12.5",
            "--unit",
            "EUR",
            "--qualifier",
            "period=2024",
            "--confidence",
            "0.9",
        ];
        let claim = read(&line).expect("right").claim.expect("a claim");
        let value = DecimalValue {
            value: "-12.5".to_owned(),
            unit: "EUR".to_owned(),
        };
        assert_eq!(claim.value, Some(Value::Decimal(value)));
        assert_eq!(
            claim.qualifiers.get("period").map(String::as_str),
            Some("2024")
        );
    }

    #[test]
    fn half_a_claim_is_refused() {
        let check = |line: &[&str], part: &str| {
            let error = read(line).expect_err("wrong");
            assert!(error.contains(part), "{error}");
        };
        let base = ["--subject", "acme", "--attribute", "revenue"];
        check(&base, "--decimal");
        check(&["--decimal", "1"], "--attribute");
        check(&[&base[..], &["--range", "1-2"]].concat(), "is no range");
        check(
            &[&base[..], &["--text", "x", "--unit", "EUR"]].concat(),
            "--unit goes with",
        );
        check(
            &[&base[..], &["--text", "x", "--qualifier", "2024"]].concat(),
            "is no qualifier",
        );
        check(
            &[&base[..], &["--text", "x", "--decimal", "1"]].concat(),
            "cannot be used with",
        );
    }
}
