//! Finds the words that bound a number and makes the interval of what it can mean.

use rust_decimal::Decimal;

use super::token::Token;
use crate::interval::{Bound, Interval};
use crate::lexicon::{Comparator, ComparatorEntry, Lexicon};

/// The longest comparator looked for before a number, in tokens.
const LONGEST_COMPARATOR: usize = 5;

/// Words that may stand between a comparator and its number.
const FILLERS: [&str; 8] = ["the", "a", "an", "of", "year", "age", "了", "于"];

/// Finds a comparator before `at`; gives it and its first token.
pub(crate) fn before(
    tokens: &[Token],
    at: usize,
    lexicon: &Lexicon,
    dates: bool,
) -> Option<(Comparator, usize)> {
    find_before(tokens, at, lexicon, dates).or_else(|| {
        let filler = at.checked_sub(1)?;
        let word = tokens.get(filler)?.folded.as_str();
        FILLERS
            .contains(&word)
            .then(|| find_before(tokens, filler, lexicon, dates))
            .flatten()
    })
}

fn find_before(
    tokens: &[Token],
    at: usize,
    lexicon: &Lexicon,
    dates: bool,
) -> Option<(Comparator, usize)> {
    (1..=LONGEST_COMPARATOR).rev().find_map(|length| {
        let start = at.checked_sub(length)?;
        let entry = lexicon.before.exact(tokens.get(start..at)?)?;
        fits(*entry, dates).then_some((entry.comparator, start))
    })
}

/// Finds a comparator after a number, a Chinese measure word between them allowed; gives it and the next token.
pub(crate) fn after(
    tokens: &[Token],
    at: usize,
    lexicon: &Lexicon,
    dates: bool,
) -> Option<(Comparator, usize)> {
    let find = |at: usize| {
        let (length, entry) = lexicon.after.longest(tokens.get(at..)?)?;
        fits(*entry, dates).then_some((entry.comparator, at + length))
    };
    find(at).or_else(|| {
        let counter = tokens.get(at)?;
        matches!(
            counter.folded.as_str(),
            "个" | "人" | "名" | "次" | "位" | "家" | "件" | "座" | "所" | "种"
        )
        .then(|| find(at + 1))
        .flatten()
    })
}

fn fits(entry: ComparatorEntry, dates: bool) -> bool {
    if dates { entry.dates } else { entry.numbers }
}

/// What `comparator value` means by the letter.
pub(crate) fn interval(comparator: Comparator, value: Decimal, precision: Decimal) -> Interval {
    let tenth = value.abs().checked_div(Decimal::TEN).unwrap_or_default();
    let slack = tenth.max(precision);
    match comparator {
        Comparator::Exactly => Interval::rounded(value, precision),
        Comparator::Over
        | Comparator::Past
        | Comparator::AtLeast
        | Comparator::Under
        | Comparator::AtMost => span(comparator, value, value),
        Comparator::About => {
            Interval::closed(value.saturating_sub(slack), value.saturating_add(slack))
        }
        Comparator::Nearly => Interval {
            low: Bound::Closed(value.saturating_sub(slack)),
            high: Bound::Closed(value.saturating_add(precision)),
        },
    }
}

/// What a writer of `comparator value` most likely means: nobody writes `over 13.8 bn` of 20 bn.
///
/// Only figures written with three digits or more are read so; `over 2000` is left to the letter.
pub(crate) fn meant(
    comparator: Comparator,
    value: Decimal,
    precision: Decimal,
    letter: Interval,
) -> Interval {
    let digits = value.checked_div(precision).unwrap_or_default();
    if comparator != Comparator::Past || digits < Decimal::ONE_HUNDRED {
        return letter;
    }
    let fifth = value.checked_div(Decimal::from(5)).unwrap_or_default();
    let half = precision.checked_div(Decimal::TWO).unwrap_or_default();
    Interval {
        low: Bound::Closed(value.saturating_sub(half)),
        high: Bound::Closed(value.saturating_add(fifth.max(precision))),
    }
}

/// Bounds a span of days, months or versions.
pub(crate) fn span(comparator: Comparator, low: Decimal, high: Decimal) -> Interval {
    let year = Decimal::from(366);
    match comparator {
        Comparator::Exactly => Interval::closed(low, high),
        Comparator::Over | Comparator::Past => Interval {
            low: Bound::Open(high),
            high: Bound::Unbounded,
        },
        Comparator::AtLeast => Interval {
            low: Bound::Closed(low),
            high: Bound::Unbounded,
        },
        Comparator::Under => Interval {
            low: Bound::Unbounded,
            high: Bound::Open(low),
        },
        Comparator::AtMost => Interval {
            low: Bound::Unbounded,
            high: Bound::Closed(high),
        },
        Comparator::About | Comparator::Nearly => {
            Interval::closed(low.saturating_sub(year), high.saturating_add(year))
        }
    }
}
