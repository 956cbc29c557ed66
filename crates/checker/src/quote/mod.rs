//! Says whether a quote stands in a source, and where.
//!
//! Two texts are the same here if they are equal after Unicode composition (NFC), with each run of white space as one
//! space, and with line breaks undone: a word hyphenated at the end of a line, and lines of Chinese or Japanese, which
//! join without a space. Nothing else is folded: `10²` is not `102`, and `Not` is not `not`.

mod document;
mod find;
mod html;
mod json;
mod locator;
mod markdown;
mod media_type;
mod nearest;
mod needle;
mod normalise;
mod occurrences;
pub(crate) mod offsets;
mod outcome;
mod pdf;
mod raised;
mod sections;
mod table;

use thiserror::Error;

pub use document::{Document, DocumentError, MAX_BYTES};
pub use find::{check, find};
pub use locator::{Column, Locator};
pub use media_type::MediaType;
pub use outcome::{Miss, Passage, Place, QuoteMatch, View};
pub use pdf::PdfError;

/// A quote with what stands directly before and after it, as in the text quote selector of the W3C's web annotation
/// model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextQuote {
    exact: String,
    prefix: String,
    suffix: String,
}

/// Says that a quote has no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the quote is empty; quote the words of the source that show the assertion")]
pub struct EmptyQuote;

impl TextQuote {
    /// Makes a quote; it must have something other than white space. Prefix and suffix may be empty.
    pub fn new(
        exact: impl Into<String>,
        prefix: impl Into<String>,
        suffix: impl Into<String>,
    ) -> Result<Self, EmptyQuote> {
        let exact = exact.into();
        if exact.trim().is_empty() {
            return Err(EmptyQuote);
        }
        Ok(Self {
            exact,
            prefix: prefix.into(),
            suffix: suffix.into(),
        })
    }

    /// The words quoted.
    pub fn exact(&self) -> &str {
        &self.exact
    }

    /// What stands directly before them, or nothing.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// What stands directly after them, or nothing.
    pub fn suffix(&self) -> &str {
        &self.suffix
    }
}

#[cfg(test)]
mod tests;
