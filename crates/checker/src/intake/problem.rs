//! What is wrong with a document, in a form a program can read and a model can act on.

use serde::Serialize;

/// The most problems told at once.
pub(super) const MOST_TOLD: usize = 100;

/// The most characters shown of what was found.
const MOST_SHOWN: usize = 80;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Where: a JSON pointer (RFC 6901), empty for the whole document.
    pub pointer: String,
    /// What is wrong, and what to do.
    pub message: String,
    /// What would be right.
    pub expected: String,
    /// What was found, cut short if it is long.
    pub got: String,
}

impl Problem {
    pub(super) fn new(
        pointer: impl Into<String>,
        message: impl Into<String>,
        expected: impl Into<String>,
        got: &str,
    ) -> Self {
        let mut shown: String = got.chars().take(MOST_SHOWN).collect();
        if shown.len() < got.len() {
            shown.push('…');
        }
        Self {
            pointer: pointer.into(),
            message: message.into(),
            expected: expected.into(),
            got: shown,
        }
    }
}

/// Everything that is wrong with a document; at least one problem, at most 100 of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Problems(pub(super) Vec<Problem>);

impl Problems {
    /// The problems, in the order of the document.
    pub fn all(&self) -> &[Problem] {
        &self.0
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

impl std::error::Error for Problems {}

impl std::fmt::Display for Problems {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (
            position,
            Problem {
                pointer,
                message,
                expected,
                got,
            },
        ) in self.0.iter().enumerate()
        {
            let line = if position == 0 { "" } else { "\n" };
            write!(
                formatter,
                "{line}at `{pointer}`: {message} (expected {expected}; got `{got}`)"
            )?;
        }
        Ok(())
    }
}
