//! Looks a quote up in a document.

use std::ops::Range;

use super::document::{Document, DocumentError};
use super::locator::Locator;
use super::nearest::nearest;
use super::normalise::{Reading, normalise, starts_cluster};
use super::{MediaType, TextQuote};

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

/// Reads a source and looks a quote up in it.
pub fn check(
    media_type: MediaType,
    bytes: &[u8],
    quote: &TextQuote,
    locator: Option<&Locator>,
) -> QuoteMatch {
    match Document::parse(media_type, bytes) {
        Ok(document) => find(&document, quote, locator),
        Err(error) => QuoteMatch::Unverifiable(error),
    }
}

/// Looks a quote up: the whole of it must stand in one piece, between its prefix and suffix, and within the locator.
///
/// Takes time in proportion to the source, whatever the quote.
pub fn find(document: &Document, quote: &TextQuote, locator: Option<&Locator>) -> QuoteMatch {
    let regions = locator.map(|locator| document.regions(locator));
    if let Some(found) = search(document, quote, regions.as_deref()) {
        return found.into_match(document);
    }
    let anywhere =
        || search(document, quote, None).map(|found| Miss::Elsewhere(found.place(document)));
    let alone = || {
        let bare = TextQuote {
            prefix: String::new(),
            suffix: String::new(),
            ..quote.clone()
        };
        search(document, &bare, None).map(|found| Miss::OtherContext(found.place(document)))
    };
    let has_context = !quote.prefix.is_empty() || !quote.suffix.is_empty();
    let miss = locator
        .and_then(|_| anywhere())
        .or_else(|| has_context.then(alone).flatten())
        .or_else(|| regions.filter(Vec::is_empty).map(|_| Miss::NoSuchPart))
        .or_else(|| is_longer(document, quote).then_some(Miss::LongerThanSource))
        .unwrap_or(Miss::Absent);
    QuoteMatch::NotFound {
        miss,
        nearest: nearest(document.extracted(), quote.exact()),
    }
}

fn is_longer(document: &Document, quote: &TextQuote) -> bool {
    let length = |text: &str| {
        text.split_whitespace()
            .map(|word| word.chars().count())
            .sum::<usize>()
    };
    length(quote.exact()) > length(document.source()).max(length(document.extracted()))
}

/// A match, still in bytes.
struct Found {
    view: View,
    exact: bool,
    /// The range in the text of the view.
    range: Range<usize>,
}

impl Found {
    fn into_match(self, document: &Document) -> QuoteMatch {
        let place = self.place(document);
        if self.exact {
            QuoteMatch::Exact(place)
        } else {
            QuoteMatch::Normalised(place)
        }
    }

    fn place(&self, document: &Document) -> Place {
        let text = document.text(self.view);
        let before = text.get(..self.range.start).unwrap_or_default();
        let quoted = text.get(self.range.clone()).unwrap_or_default();
        let after = text.get(self.range.end..).unwrap_or_default();
        let start = before.chars().count();
        let source = document.source_range(self.view, &self.range);
        let lines_before = document
            .source()
            .bytes()
            .take(source.start)
            .filter(|&byte| byte == b'\n')
            .count();
        Place {
            view: self.view,
            characters: start..start + quoted.chars().count(),
            line: lines_before + 1,
            part: document.part(&source),
            cuts_word: cuts_word(before, quoted) || cuts_word(quoted, after),
        }
    }
}

/// Looks for the first match, exact ones before normalised ones.
fn search(
    document: &Document,
    quote: &TextQuote,
    regions: Option<&[Range<usize>]>,
) -> Option<Found> {
    let exact = document.views().iter().find_map(|&view| {
        let range = exact(document, view, quote, regions)?;
        Some(Found {
            view,
            exact: true,
            range,
        })
    });
    exact.or_else(|| {
        document.views().iter().find_map(|&view| {
            let range = normalised(document, view, quote, regions)?;
            Some(Found {
                view,
                exact: false,
                range,
            })
        })
    })
}

fn exact(
    document: &Document,
    view: View,
    quote: &TextQuote,
    regions: Option<&[Range<usize>]>,
) -> Option<Range<usize>> {
    let needle = Needle::new(quote.prefix(), quote.exact(), quote.suffix());
    needle
        .places(document.text(view))
        .find(|range| within(document, view, range, regions))
}

/// Tries both readings of line breaks for both texts, with and without a space between the parts of the quote.
fn normalised(
    document: &Document,
    view: View,
    quote: &TextQuote,
    regions: Option<&[Range<usize>]>,
) -> Option<Range<usize>> {
    let mut tried: Vec<Needle> = Vec::new();
    for reading in [Reading::Joined, Reading::Kept] {
        for needle in Needle::variants(quote, reading) {
            if !tried.contains(&needle) {
                tried.push(needle);
            }
        }
    }
    [Reading::Joined, Reading::Kept]
        .into_iter()
        .find_map(|reading| {
            let normal = document.normal(view, reading);
            tried.iter().find_map(|needle| {
                let mut places = needle
                    .places(normal.text())
                    .map(|range| normal.source(&range));
                places.find(|range| within(document, view, range, regions))
            })
        })
}

/// Whether a range of a view lies in one of the regions of the source.
fn within(
    document: &Document,
    view: View,
    range: &Range<usize>,
    regions: Option<&[Range<usize>]>,
) -> bool {
    let Some(regions) = regions else { return true };
    let source = document.source_range(view, range);
    let following = regions.partition_point(|region| region.start <= source.start);
    let region = following.checked_sub(1).and_then(|last| regions.get(last));
    region.is_some_and(|region| source.end <= region.end)
}

/// What is looked for: a quote between what stands around it.
#[derive(PartialEq, Eq)]
struct Needle {
    text: String,
    /// Where the quote itself stands in it.
    quote: Range<usize>,
}

impl Needle {
    fn new(prefix: &str, quote: &str, suffix: &str) -> Self {
        let text = [prefix, quote, suffix].concat();
        Self {
            text,
            quote: prefix.len()..prefix.len() + quote.len(),
        }
    }

    /// The normal form of a quote, with and without a space before and after it.
    fn variants(quote: &TextQuote, reading: Reading) -> impl Iterator<Item = Self> {
        let normal = |text: &str| normalise(text, reading).text().trim().to_owned();
        let (prefix, exact, suffix) = (
            normal(quote.prefix()),
            normal(quote.exact()),
            normal(quote.suffix()),
        );
        let spaces = |context: &str| {
            if context.is_empty() {
                &[""][..]
            } else {
                &["", " "][..]
            }
        };
        let (before, after) = (spaces(&prefix), spaces(&suffix));
        before.iter().flat_map(move |before| {
            let (prefix, exact, suffix) = (prefix.clone() + before, exact.clone(), suffix.clone());
            after
                .iter()
                .map(move |after| Self::new(&prefix, &exact, &format!("{after}{suffix}")))
        })
    }

    /// The places of the quote in a text; none that would part a letter from its marks, as `=` from its stroke in `≠`.
    fn places<'text>(&'text self, text: &'text str) -> impl Iterator<Item = Range<usize>> {
        text.match_indices(&self.text)
            .map(|(start, _)| start + self.quote.start..start + self.quote.end)
            .filter(|range| is_edge(text, range.start) && is_edge(text, range.end))
    }
}

/// Whether a text may be cut here.
fn is_edge(text: &str, place: usize) -> bool {
    place == 0
        || text
            .get(place..)
            .and_then(|rest| rest.chars().next())
            .is_none_or(starts_cluster)
}

/// Whether the cut between two texts goes through a word or a number of a script that parts words by spaces.
fn cuts_word(before: &str, after: &str) -> bool {
    let (Some(last), Some(first)) = (before.chars().next_back(), after.chars().next()) else {
        return false;
    };
    let is_letter = |character: char| character.is_alphabetic() && character < '\u{2e80}';
    let number_goes_on = |text: &str| {
        text.chars()
            .nth(1)
            .is_some_and(|digit| digit.is_ascii_digit())
    };
    (is_letter(last) && is_letter(first))
        || (last.is_ascii_digit() && first.is_ascii_digit())
        || (last.is_ascii_digit() && matches!(first, '.' | ',') && number_goes_on(after))
        || (matches!(last, '.' | ',')
            && first.is_ascii_digit()
            && before
                .chars()
                .rev()
                .nth(1)
                .is_some_and(|digit| digit.is_ascii_digit()))
}
