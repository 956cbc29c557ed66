//! A source, read: its text as given, the text a reader sees, and its parts.

use std::ops::Range;
use std::sync::OnceLock;

use thiserror::Error;

use super::normalise::{Normal, Reading, normalise};
use super::offsets::Derived;
use super::outcome::View;
use super::sections::Section;
use super::{MediaType, html, json, markdown, pdf, table};

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
    Markdown(Vec<Section>),
    Html(html::Parts),
    /// The range of each page.
    Pages(Vec<Range<usize>>),
    Table(table::Table),
    Json,
}

/// Says why a source cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DocumentError {
    /// There is nothing to read.
    #[error("the bytes of the source are not kept; upload the source to have its quotes checked")]
    NotKept,
    /// Quotes in this kind of source are not checked.
    #[error(
        "quotes in `{0}` cannot be checked; cite a text, markdown, csv, json, html or pdf form of the source to have them checked"
    )]
    Unsupported(MediaType),
    /// The source is too large.
    #[error(
        "the source has `{0}` bytes, at most `{MAX_BYTES}` are read; cite the part of it that matters"
    )]
    TooLarge(usize),
    /// The bytes are no text.
    #[error("the source is not valid {charset} from byte `{byte}` on; upload it as utf-8")]
    Encoding {
        /// The character set it was read in.
        charset: String,
        /// The first byte that is wrong.
        byte: usize,
    },
    /// The source names a character set that nobody knows.
    #[error("the character set `{0}` of the source is not known; upload it as utf-8")]
    UnknownCharset(String),
    /// The source is a PDF without text that can be read.
    #[error("the pdf cannot be read: {0}")]
    Pdf(#[from] pdf::PdfError),
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
        if media_type == MediaType::Pdf {
            let (source, pages) = pdf::extract(bytes)?;
            return Ok(Self {
                source,
                extracted: None,
                structure: Structure::Pages(pages),
                normal: Default::default(),
            });
        }
        let source = decode(&media_type, bytes)?;
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
            MediaType::Html { .. } | MediaType::Xhtml { .. } => {
                let syntax = match media_type {
                    MediaType::Html { .. } => html::Syntax::Html,
                    _ => html::Syntax::Xml,
                };
                let (text, parts) = html::extract(&source, syntax)
                    .map_err(|reason| DocumentError::Malformed { media_type, reason })?;
                (Some(text), Structure::Html(parts))
            }
            MediaType::Pdf | MediaType::Other(_) => {
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

    /// The text as it was given; of a PDF, what was read from it.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The text a reader sees: without markup, cells parted by tabs, escapes resolved.
    pub fn extracted(&self) -> &str {
        self.extracted.as_ref().map_or(&self.source, Derived::text)
    }

    /// The views that quotes may stand in and that differ from each other, the reader's first. The source of a page is
    /// none: what stands in it and is not shown, a reader never sees.
    pub(super) fn views(&self) -> &'static [View] {
        match self.structure {
            Structure::Markdown(_) | Structure::Table(_) | Structure::Json => {
                &[View::Extracted, View::Source]
            }
            Structure::Plain | Structure::Html(_) | Structure::Pages(_) => &[View::Extracted],
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

/// The bytes as text. A byte order mark at the start is no part of it.
fn decode(media_type: &MediaType, bytes: &[u8]) -> Result<String, DocumentError> {
    if let MediaType::Html { charset } | MediaType::Xhtml { charset } = media_type {
        return html::charset::decode(bytes, charset.as_deref());
    }
    let text = std::str::from_utf8(bytes).map_err(|error| DocumentError::Encoding {
        charset: "utf-8".to_owned(),
        byte: error.valid_up_to(),
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned())
}
