//! A source, read: its text as given, the text a reader sees, and its parts.

use std::ops::Range;
use std::sync::OnceLock;

use thiserror::Error;

use super::normalise::{Normal, Reading, normalise};
use super::offsets::Derived;
use super::outcome::View;
use super::{MediaType, json, markdown, table};

/// The largest source that is read.
pub const MAX_BYTES: usize = 16 * 1024 * 1024;

/// A source whose quotes can be checked.
#[derive(Debug)]
pub struct Document {
    source: String,
    /// The text a reader sees, where that is not the source itself.
    extracted: Option<Derived>,
    pub(super) structure: Structure,
    normal: [OnceLock<Normal>; 4],
}

/// The parts of a source that a locator can name.
#[derive(Debug)]
pub(super) enum Structure {
    Plain,
    Markdown(Vec<markdown::Section>),
    Table(table::Table),
    Json,
}

/// Says why a source cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DocumentError {
    /// Quotes in this kind of source are not checked.
    #[error(
        "quotes in `{0}` cannot be checked; cite a text, markdown, csv or json form of the source to have them checked"
    )]
    Unsupported(MediaType),
    /// The source is too large.
    #[error(
        "the source has `{0}` bytes, at most `{MAX_BYTES}` are read; cite the part of it that matters"
    )]
    TooLarge(usize),
    /// The bytes are no text.
    #[error("the source is not valid utf-8 from byte `{0}` on; upload it as utf-8")]
    Encoding(usize),
    /// The source is not in the form its media type says.
    #[error("the source is not valid {media_type}: {reason}; upload it with the media type it has")]
    Malformed {
        /// What it was said to be.
        media_type: MediaType,
        /// What is wrong.
        reason: String,
    },
}

impl Document {
    /// Reads a source. A byte order mark at the start is no part of the text.
    pub fn parse(media_type: MediaType, bytes: &[u8]) -> Result<Self, DocumentError> {
        if bytes.len() > MAX_BYTES {
            return Err(DocumentError::TooLarge(bytes.len()));
        }
        let text = std::str::from_utf8(bytes)
            .map_err(|error| DocumentError::Encoding(error.valid_up_to()))?;
        let source = text.strip_prefix('\u{feff}').unwrap_or(text).to_owned();
        let (extracted, structure) = match media_type {
            MediaType::Plain => (None, Structure::Plain),
            MediaType::Markdown => {
                let (text, sections) = markdown::extract(&source);
                (Some(text), Structure::Markdown(sections))
            }
            MediaType::Csv => {
                let (text, table) = table::extract(&source)
                    .map_err(|reason| DocumentError::Malformed { media_type, reason })?;
                (Some(text), Structure::Table(table))
            }
            MediaType::Json => {
                let text = json::extract(&source)
                    .map_err(|reason| DocumentError::Malformed { media_type, reason })?;
                (Some(text), Structure::Json)
            }
            MediaType::Html | MediaType::Pdf | MediaType::Other(_) => {
                return Err(DocumentError::Unsupported(media_type));
            }
        };
        Ok(Self {
            source,
            extracted,
            structure,
            normal: Default::default(),
        })
    }

    /// The text as it was given.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The text a reader sees: without markup, cells parted by tabs, escapes resolved.
    pub fn extracted(&self) -> &str {
        self.extracted.as_ref().map_or(&self.source, Derived::text)
    }

    /// The views that differ from each other, the reader's first.
    pub(super) fn views(&self) -> &'static [View] {
        if self.extracted.is_some() {
            &[View::Extracted, View::Source]
        } else {
            &[View::Extracted]
        }
    }

    pub(super) fn text(&self, view: View) -> &str {
        match view {
            View::Extracted => self.extracted(),
            View::Source => &self.source,
        }
    }

    /// A view in normal form, made on first need.
    pub(super) fn normal(&self, view: View, reading: Reading) -> &Normal {
        let [extracted_joined, extracted_kept, source_joined, source_kept] = &self.normal;
        let cell = match (view, reading) {
            (View::Extracted, Reading::Joined) => extracted_joined,
            (View::Extracted, Reading::Kept) => extracted_kept,
            (View::Source, Reading::Joined) => source_joined,
            (View::Source, Reading::Kept) => source_kept,
        };
        cell.get_or_init(|| normalise(self.text(view), reading))
    }

    /// The range of the source that a range of a view came from.
    pub(super) fn source_range(&self, view: View, range: &Range<usize>) -> Range<usize> {
        match (view, &self.extracted) {
            (View::Extracted, Some(extracted)) => extracted.source(range),
            _ => range.clone(),
        }
    }
}
