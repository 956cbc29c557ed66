//! A finished text, read so that each of its sentences can be checked: against a board, and against the others.
//!
//! Pure: the text goes in, statements with their byte ranges and their context come out. Nothing is rewritten but the
//! form that is compared, and that only by words which stand in the text itself.

mod backing;
mod blocks;
mod claim;
mod contradictions;
mod dated;
mod markdown;
mod plain;
mod reading;
mod sections;
mod sentences;
mod subject;
mod trace;

use std::ops::Range;

use crate::quote::MediaType;
use crate::vocabulary::Vocabulary;

pub use backing::Backing;
pub use contradictions::{Contradiction, Read, contradictions};
pub use trace::{Traced, trace};

/// The most bytes of a text that is checked.
pub const MAX_BYTES: usize = 1024 * 1024;
/// The most statements of a text that is checked.
pub const MAX_STATEMENTS: usize = 2_000;

/// Where in the text a statement stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A sentence of running text.
    Sentence,
    /// A sentence of a list item.
    Item,
    /// A cell of a table, with the subject of its row and the heading of its column.
    Cell,
    /// A sentence of a block quote: somebody else's words.
    Quote,
}

/// One statement of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Where it stands in the text, in bytes.
    pub range: Range<usize>,
    /// What a reader sees: without markup, on one line.
    pub text: String,
    /// What is compared: the text with what it takes from its context, see [`Document::read`].
    pub compared: String,
    /// What kind of place it stands in.
    pub kind: Kind,
    /// The headings it stands under, the outermost first.
    pub headings: Vec<String>,
    /// It says something that can be checked.
    pub is_claim: bool,
    /// It speaks of something that an earlier sentence names, and which was not found out.
    pub is_subject_unknown: bool,
    /// The section it stands in.
    section: usize,
    /// The block it stands in.
    paragraph: usize,
    /// The list or table it is a part of.
    group: Option<usize>,
    /// It has no full stop: a label with a value, a name in a list.
    is_fragment: bool,
}

/// A finished text, read.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its statements, in the order of the text.
    pub passages: Vec<Passage>,
    sections: sections::Sections,
}

/// Why a text is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It is in a form that has no sentences for us.
    #[error("a text in `{0}` is not checked; give `text/markdown` or `text/plain`")]
    Unsupported(MediaType),
    /// It is too long.
    #[error("the text has {0} bytes, at most {MAX_BYTES} are checked; check its parts one by one")]
    TooLong(usize),
    /// It has too many statements.
    #[error("the text has more than {MAX_STATEMENTS} statements; check its parts one by one")]
    TooMany,
}

impl Document {
    /// Reads a text.
    ///
    /// What is compared of a statement is its text, with what a reader takes from around it, as far as that can be
    /// told without guessing:
    ///
    /// - `It`, `They`, `Its`, `它`, `其` at its start, or `it` behind a date, stand for the subject of the sentence before;
    /// - a statement without a date holds for the one date of the nearest heading that has one;
    /// - a fragment (`Capacity: 40 MW`) speaks of what its heading names.
    ///
    /// A statement whose subject stays unknown is compared with nothing.
    pub fn read(
        text: &str,
        media_type: &MediaType,
        vocabulary: &Vocabulary,
    ) -> Result<Self, ReadError> {
        if text.len() > MAX_BYTES {
            return Err(ReadError::TooLong(text.len()));
        }
        let blocks = match media_type {
            MediaType::Markdown => markdown::blocks(text),
            MediaType::Plain => plain::blocks(text),
            other => return Err(ReadError::Unsupported(other.clone())),
        };
        reading::read(text, &blocks, vocabulary)
    }
}

#[cfg(test)]
mod tests;
