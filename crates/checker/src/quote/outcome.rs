//! What becomes of looking a quote up.

use std::ops::Range;

use super::document::DocumentError;
use super::locator::Locator;

/// Whether and how a quote stands in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuoteMatch {
    /// Character by character.
    Exact(Place),
    /// Up to composition, white space and line breaks.
    Normalised(Place),
    /// Not, or not where it was said to.
    NotFound {
        /// Why not.
        miss: Miss,
        /// The passage most like it; none where the source shares no word with it.
        nearest: Option<Passage>,
    },
    /// Nobody can say, since the source cannot be read.
    Unverifiable(DocumentError),
}

/// Where a quote stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The text it was found in.
    pub view: View,
    /// Its characters in that text, counted from zero.
    pub characters: Range<usize>,
    /// The line of the source as given that it starts in, counted from one.
    pub line: usize,
    /// The section, pointer or cell it stands in, where the source has such parts.
    pub part: Option<Locator>,
    /// Whether the quote begins or ends inside a word or a number: `grew 4` of `grew 45%`.
    pub cuts_word: bool,
}

/// Which text of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The text a reader sees.
    Extracted,
    /// The text as it was given.
    Source,
}

/// Why a quote does not stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Miss {
    /// It stands nowhere.
    Absent,
    /// It is longer than the whole source.
    LongerThanSource,
    /// It stands here, but not between that prefix and that suffix.
    OtherContext(Place),
    /// It stands here, but not where the locator points.
    Elsewhere(Place),
    /// The locator points at nothing in this source.
    NoSuchPart,
}

/// A part of a source that is like a quote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Its words, at most 400 characters of them.
    pub text: String,
    /// Where it starts in the text a reader sees, in characters from zero.
    pub start: usize,
    /// How like the quote it is, in ten-thousandths.
    pub similarity: u16,
}
