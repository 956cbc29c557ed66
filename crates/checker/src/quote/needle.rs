//! A quote as it is searched for, its context on both sides.

use std::ops::Range;

use super::TextQuote;
use super::normalise::{Reading, normalise, starts_cluster};
use super::occurrences::occurrences;

/// What is looked for: a quote between what stands around it.
#[derive(PartialEq, Eq)]
pub(super) struct Needle {
    text: String,
    /// Where the quote itself stands in it.
    quote: Range<usize>,
}

impl Needle {
    pub(super) fn new(prefix: &str, quote: &str, suffix: &str) -> Self {
        let text = [prefix, quote, suffix].concat();
        Self {
            text,
            quote: prefix.len()..prefix.len() + quote.len(),
        }
    }

    /// The normal form of a quote, with and without a space before and after it.
    pub(super) fn variants(quote: &TextQuote, reading: Reading) -> impl Iterator<Item = Self> {
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
    pub(super) fn places<'text>(
        &'text self,
        text: &'text str,
    ) -> impl Iterator<Item = Range<usize>> {
        occurrences(text, &self.text)
            .map(|start| start + self.quote.start..start + self.quote.end)
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
