//! Looks a quote up in a document.

use std::ops::Range;

use super::document::Document;
use super::locator::Locator;
use super::nearest::nearest;
use super::needle::Needle;
use super::normalise::{Normal, Reading};
use super::outcome::{Miss, Place, QuoteMatch, View};
use super::{MediaType, TextQuote};

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
    let seen = |text: &str, most: usize| {
        let letters = text.chars().filter(|character| !character.is_whitespace());
        letters.take(most).count()
    };
    let length = seen(quote.exact(), usize::MAX);
    [document.source(), document.extracted()]
        .iter()
        .all(|text| seen(text, length) < length)
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
    let look = |normal: &Normal| {
        tried.iter().find_map(|needle| {
            let mut places = needle
                .places(normal.text())
                .map(|range| normal.derived.source(&range));
            places.find(|range| within(document, view, range, regions))
        })
    };
    let joined = document.normal(view, Reading::Joined);
    let kept = || {
        joined
            .ambiguous
            .then(|| document.normal(view, Reading::Kept))
    };
    look(joined).or_else(|| look(kept()?))
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
