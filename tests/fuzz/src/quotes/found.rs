//! What looking a quote up promises.

use pawl_checker::quote::{Document, Locator, Miss, Place, QuoteMatch, TextQuote, View, find};

use super::header::Asked;
use crate::text::characters;

/// The most characters of a passage that is shown instead.
const MOST_SHOWN: usize = 400;
/// The most characters of a piece that is looked up.
const MOST_OF_A_PIECE: usize = 64;

/// Looks up what is asked for, as asked and without the locator.
pub(super) fn as_asked(document: &Document, asked: &Asked) {
    let found = find(document, &asked.quote, asked.locator.as_ref());
    told(document, &asked.quote, &found);
    let anywhere = find(document, &asked.quote, None);
    told(document, &asked.quote, &anywhere);
    // What stands in a part stands in the whole.
    if place(&found).is_some() {
        assert!(place(&anywhere).is_some(), "{:?}", asked.quote);
    }
}

/// A piece of what a reader sees is found as it is, also between what stands around it and where it stands. Which
/// piece, the bytes of `choice` say.
pub(super) fn every_piece(document: &Document, choice: &[u8]) {
    let text: Vec<char> = document.extracted().chars().collect();
    let digit = |at: usize| usize::from(choice.get(at).copied().unwrap_or_default());
    let chosen = digit(0) * 256 + digit(1);
    let (Some(start), length) = (
        chosen.checked_rem(text.len()),
        digit(2) % MOST_OF_A_PIECE + 1,
    ) else {
        return;
    };
    let end = (start + length).min(text.len());
    // A letter is not parted from its marks: pieces begin and end beside what is no mark.
    let is_edge = |place: usize| {
        let behind = text.get(place);
        behind.is_none_or(|it| it.is_ascii() || ('\u{4e00}'..='\u{9fff}').contains(it))
    };
    let (before, behind) = (start.saturating_sub(3), (end + 3).min(text.len()));
    if ![before, start, end, behind].into_iter().all(is_edge) {
        return;
    }
    let piece =
        |from: usize, to: usize| -> String { text.iter().skip(from).take(to - from).collect() };
    let quote = TextQuote::new(piece(start, end), piece(before, start), piece(end, behind));
    let Ok(quote) = quote else { return };
    let found = find(document, &quote, None);
    assert!(matches!(found, QuoteMatch::Exact(_)), "{quote:?} {found:?}");
    told(document, &quote, &found);
    let number = |count: usize| u32::try_from(count).expect("an input is small");
    let locator = Locator::Characters {
        start: number(start),
        end: number(end),
    };
    let found = find(document, &quote, Some(&locator));
    assert!(place(&found).is_some(), "{quote:?} {locator:?} {found:?}");
}

fn place(found: &QuoteMatch) -> Option<&Place> {
    match found {
        QuoteMatch::Exact(place) | QuoteMatch::Normalised(place) => Some(place),
        QuoteMatch::NotFound { .. } | QuoteMatch::Unverifiable(_) => None,
    }
}

fn told(document: &Document, quote: &TextQuote, found: &QuoteMatch) {
    match found {
        QuoteMatch::Exact(place) => {
            assert_eq!(inside(document, place), quote.exact());
        }
        QuoteMatch::Normalised(place) => {
            inside(document, place);
        }
        QuoteMatch::NotFound { miss, nearest } => {
            if let Miss::OtherContext(place) | Miss::Elsewhere(place) = miss {
                inside(document, place);
            }
            if let Some(passage) = nearest {
                let count = passage.text.chars().count();
                assert!((1..=MOST_SHOWN).contains(&count) && passage.similarity <= 10_000);
                let range = passage.start..passage.start + count;
                assert_eq!(characters(document.extracted(), &range), passage.text);
            }
        }
        QuoteMatch::Unverifiable(error) => unreachable!("of a source that was read: {error}"),
    }
}

/// The words at a place, which has to be one of the document.
fn inside(document: &Document, place: &Place) -> String {
    let text = match place.view {
        View::Extracted => document.extracted(),
        View::Source => document.source(),
    };
    let words = characters(text, &place.characters);
    assert!(!words.is_empty());
    let lines = document.source().matches('\n').count() + 1;
    assert!((1..=lines).contains(&place.line));
    if let Some(part) = &place.part {
        assert!(!part.to_string().is_empty());
    }
    words
}
