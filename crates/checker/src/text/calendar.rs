//! Reads dates and periods of any precision and turns them into days.

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::chinese_number;
use super::days::{days, part_span, span_of};
use super::term::Term;
use super::token::{Token, TokenClass};
use crate::lexicon::{CalendarEntry, Lexicon};
use crate::quantity::Dimension;

/// A date as read: first and last day, or months and days without a year.
#[derive(Clone, Debug)]
pub(crate) struct Dated {
    pub(crate) dimension: Dimension,
    pub(crate) low: Decimal,
    pub(crate) high: Decimal,
    pub(crate) next: usize,
}

pub(super) fn dated((low, high): (i64, i64), next: usize) -> Dated {
    Dated {
        dimension: Dimension::Date,
        low: low.into(),
        high: high.into(),
        next,
    }
}

/// Reads a date at `at`.
pub(crate) fn read(tokens: &[Token], at: usize, lexicon: &Lexicon) -> Option<Dated> {
    let reader = Reader { tokens, lexicon };
    reader
        .chinese(at)
        .or_else(|| reader.iso(at))
        .or_else(|| reader.month_first(at))
        .or_else(|| reader.day_first(at))
        .or_else(|| reader.part_of_year(at))
        .or_else(|| reader.decade_or_century(at))
        .or_else(|| reader.year_then_part(at))
        .or_else(|| reader.bare_year(at))
}

pub(super) struct Reader<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) lexicon: &'a Lexicon,
}

impl Reader<'_> {
    pub(super) fn is(&self, at: usize, word: &str) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|token| token.folded == word)
    }

    pub(super) fn small(&self, at: usize, most: i64) -> Option<i64> {
        let token = self.tokens.get(at)?;
        let value = match token.class {
            TokenClass::Number => token.folded.parse().ok()?,
            TokenClass::Numeral => chinese_number::numerals(&token.folded)?.to_i64()?,
            _ => return None,
        };
        (1..=most).contains(&value).then_some(value)
    }

    pub(super) fn year(&self, at: usize) -> Option<i64> {
        let token = self.tokens.get(at)?;
        let digits = token.folded.chars().count() == 4;
        digits
            .then(|| self.small(at, 2_199))
            .flatten()
            .filter(|year| *year >= 1_000)
    }

    pub(super) fn word(&self, at: usize, length: usize) -> Option<CalendarEntry> {
        let phrase = self.tokens.get(at..at + length)?;
        let key = Term::joined(phrase.iter().map(|token| token.term))?;
        self.lexicon.calendar.get(&key).copied()
    }

    fn month(&self, at: usize) -> Option<i64> {
        let token = self.tokens.get(at)?;
        match self.word(at, 1)? {
            CalendarEntry::Month(month) if token.capital || token.folded.len() > 3 => {
                Some(month.into())
            }
            _ => None,
        }
    }

    fn iso(&self, at: usize) -> Option<Dated> {
        let year = self.year(at)?;
        let mark = self
            .tokens
            .get(at + 1)
            .filter(|token| token.glued)?
            .folded
            .as_str();
        if !matches!(mark, "-" | "/" | ".") {
            return None;
        }
        let month_token = self.tokens.get(at + 2).filter(|token| token.glued)?;
        let month = self.small(at + 2, 12)?;
        if self.is(at + 3, mark)
            && let Some(span) = self
                .small(at + 4, 31)
                .and_then(|day| span_of(year, Some(month), Some(day)))
        {
            return Some(dated(span, at + 5));
        }
        let plain = mark == "-" && month_token.folded.len() == 2;
        plain
            .then(|| span_of(year, Some(month), None))
            .flatten()
            .map(|span| dated(span, at + 3))
    }

    /// `June 5, 2024`, `June 2024`, `June 5`, `June`.
    fn month_first(&self, at: usize) -> Option<Dated> {
        let month = self.month(at)?;
        let mut next = at + 1;
        if self.is(next, ".") && self.tokens.get(at)?.folded.len() <= 4 {
            next += 1;
        }
        let day = self.small(next, 31).filter(|_| !self.is(next + 1, "%"));
        if let Some(day) = day {
            next += 1;
            if self.tokens.get(next).is_some_and(is_ordinal_suffix) {
                next += 1;
            }
            return self.with_year(month, day, next);
        }
        let comma = usize::from(self.is(next, ",") || self.is(next, "of"));
        if let Some(year) = self.year(next + comma) {
            return span_of(year, Some(month), None).map(|span| dated(span, next + comma + 1));
        }
        let before = at
            .checked_sub(1)
            .and_then(|before| self.tokens.get(before))?;
        let led = matches!(
            before.folded.as_str(),
            "in" | "since" | "until" | "by" | "of" | "before" | "after" | "during" | "for" | "from"
        );
        led.then(|| yearless(Dimension::MonthOfYear, month, at + 1))
    }

    /// `5 June 2024`, `5th of June`.
    fn day_first(&self, at: usize) -> Option<Dated> {
        let day = self.small(at, 31)?;
        let mut next = at + 1;
        if self.tokens.get(next).is_some_and(is_ordinal_suffix) {
            next += 1;
        }
        if self.is(next, "of") {
            next += 1;
        }
        let month = self
            .month(next)
            .filter(|_| self.tokens.get(next).is_some_and(|token| token.capital))?;
        self.with_year(month, day, next + 1)
    }

    fn with_year(&self, month: i64, day: i64, next: usize) -> Option<Dated> {
        let comma = usize::from(self.is(next, ","));
        match self
            .year(next + comma)
            .filter(|_| !self.is(next + comma + 1, "年"))
        {
            Some(year) => {
                span_of(year, Some(month), Some(day)).map(|span| dated(span, next + comma + 1))
            }
            None => Some(yearless(Dimension::DayOfYear, month * 100 + day, next)),
        }
    }

    /// `Q2 2023`, `second quarter of 2023`, `H1 2024`.
    fn part_of_year(&self, at: usize) -> Option<Dated> {
        let (part, length) = self
            .word(at, 2)
            .map(|part| (part, 2))
            .or_else(|| self.word(at, 1).map(|part| (part, 1)))?;
        let mut next = at + length;
        while self.is(next, "of")
            || self.is(next, "the")
            || self.is(next, "year")
            || self.is(next, "fiscal")
            || self.is(next, ",")
        {
            next += 1;
        }
        Some(dated(part_span(self.year(next)?, part)?, next + 1))
    }

    /// `2023 Q2`.
    fn year_then_part(&self, at: usize) -> Option<Dated> {
        let year = self.year(at)?;
        let part = self.word(at + 1, 1)?;
        Some(dated(part_span(year, part)?, at + 2))
    }

    fn decade_or_century(&self, at: usize) -> Option<Dated> {
        if let Some(year) = self.year(at) {
            let apostrophe = usize::from(self.is(at + 1, "'") || self.is(at + 1, "’"));
            let plural = self
                .tokens
                .get(at + 1 + apostrophe)
                .is_some_and(|token| token.glued && token.folded == "s");
            if plural && year % 10 == 0 {
                let last = if year % 100 == 0 && year < 2_000 {
                    year + 99
                } else {
                    year + 9
                };
                return Some(dated(
                    (days(year, 1, 1), days(last, 12, 31)),
                    at + 2 + apostrophe,
                ));
            }
        }
        let century = self.small(at, 30)?;
        (self.tokens.get(at + 1).is_some_and(is_ordinal_suffix) && self.is(at + 2, "century")).then(
            || {
                dated(
                    (days(century * 100 - 99, 1, 1), days(century * 100, 12, 31)),
                    at + 3,
                )
            },
        )
    }

    /// A number of four digits that stands where a year stands.
    fn bare_year(&self, at: usize) -> Option<Dated> {
        let year = self.year(at).filter(|_| {
            self.tokens
                .get(at)
                .is_some_and(|token| token.class == TokenClass::Number)
        })?;
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let after = self.tokens.get(at + 1);
        if before.is_some_and(|token| {
            self.lexicon.currencies.single(token.term).is_some()
                || token.folded == "." && token.glued
        }) {
            return None;
        }
        let counts = after.is_some_and(|token| {
            token.class == TokenClass::Word
                && (token.folded.ends_with('s') && !token.glued && token.folded.len() > 3
                    || self.lexicon.units.single(token.term).is_some())
                || matches!(token.class, TokenClass::Han | TokenClass::Numeral)
                || self.lexicon.numerals.contains_key(&Term::of(&token.folded))
                || token.folded == "%"
                || self.lexicon.currencies.single(token.term).is_some()
        });
        let led = before.is_some_and(|token| {
            matches!(
                token.folded.as_str(),
                "in" | "since"
                    | "before"
                    | "after"
                    | "until"
                    | "during"
                    | "early"
                    | "late"
                    | "mid"
                    | "fiscal"
                    | "fy"
                    | "year"
            )
        });
        let likely = led && !(counts && before.is_some_and(|token| token.folded != "in"))
            || !counts && (1_500..=2_100).contains(&year);
        let span = span_of(year, None, None)?;
        likely.then(|| dated(span, at + 1))
    }
}

fn is_ordinal_suffix(token: &Token) -> bool {
    token.glued && matches!(token.folded.as_str(), "st" | "nd" | "rd" | "th")
}

pub(super) fn yearless(dimension: Dimension, value: i64, next: usize) -> Dated {
    Dated {
        dimension,
        low: value.into(),
        high: value.into(),
        next,
    }
}
