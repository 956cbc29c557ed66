//! Which text is taken in from outside, for every field that is stored.

use pawl_checker::hygiene::{self, HygieneError, Oddity};
use pawl_ledger::decide::{Denied, Reason};

use super::error::{AppError, missing};

pub use hygiene::Accepted;

/// Accepts a text that may be empty, at most `most_bytes` long. Invisible characters are taken out
/// and told of; what reorders or controls text is refused.
pub fn accept(field: &'static str, text: &str, most_bytes: usize) -> Result<Accepted, AppError> {
    if text.len() > most_bytes {
        return Err(Denied::new(
            Reason::FieldTooLong,
            format!(
                "field `{field}` has {} bytes, at most {most_bytes}; shorten it",
                text.len()
            ),
        )
        .with("field", field)
        .with("bytes", text.len())
        .with("limit", most_bytes)
        .into());
    }
    hygiene::accept(text, most_bytes).map_err(|error| refused(field, &error))
}

/// Accepts a text that says something.
pub fn accept_some(
    field: &'static str,
    text: &str,
    most_bytes: usize,
) -> Result<Accepted, AppError> {
    let accepted = accept(field, text, most_bytes)?;
    if accepted.text.trim().is_empty() {
        return Err(missing(field, "a text"));
    }
    Ok(accepted)
}

/// Accepts a text that stays as it is, since it is compared with another one.
pub fn accept_verbatim(
    field: &'static str,
    text: &str,
    most_bytes: usize,
) -> Result<String, AppError> {
    accept(field, text, most_bytes).map(|_| text.to_owned())
}

fn refused(field: &'static str, error: &HygieneError) -> AppError {
    let denied = Denied::new(Reason::TextInvalid, format!("field `{field}`: {error}"));
    let denied = denied.with("field", field);
    match error {
        HygieneError::Control(oddities) | HygieneError::Bidirectional(oddities) => {
            with_first(denied, oddities).into()
        }
        HygieneError::Encoding(byte) => denied.with("byte", byte).into(),
        HygieneError::TooLong { most, .. } => denied.with("limit", most).into(),
    }
}

fn with_first(denied: Denied, oddities: &[Oddity]) -> Denied {
    match oddities.first() {
        None => denied,
        Some(first) => denied
            .with(
                "code_point",
                format!("U+{:04X}", u32::from(first.character)),
            )
            .with("position", first.position),
    }
}
