//! Reads dates and periods of any precision and turns them into days.

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::number;
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

/// Days since 1 January 1970 of a day of the Gregorian calendar (H. Hinnant's civil-days formula).
pub(crate) fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// A day in ISO form.
pub(crate) fn iso(value: Decimal) -> String {
    let Some(day) = value.to_i64().filter(|day| day.abs() < 4_000_000) else {
        return value.to_string();
    };
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Reads an ISO date of any precision: `2024`, `2024-06`, `2024-06-30`; gives its first and last day.
pub(crate) fn parse_iso(text: &str) -> Option<(i64, i64)> {
    let mut parts = text.trim().splitn(3, '-');
    let year: i64 = parts.next()?.parse().ok()?;
    let month = parts.next().map(str::parse::<i64>).transpose().ok()?;
    let day = parts
        .next()
        .map(|day| day.get(..2).unwrap_or(day).parse::<i64>())
        .transpose()
        .ok()?;
    span_of(year, month, day)
}

/// First and last day of a year, a month or a day that exists.
fn span_of(year: i64, month: Option<i64>, day: Option<i64>) -> Option<(i64, i64)> {
    let Some(month) = month else {
        return Some((days(year, 1, 1), days(year, 12, 31)));
    };
    if !(1..=12).contains(&month) {
        return None;
    }
    let first = days(year, month, 1);
    let last = if month == 12 {
        days(year, 12, 31)
    } else {
        days(year, month + 1, 1) - 1
    };
    match day {
        None => Some((first, last)),
        Some(day) => {
            let at = first + day - 1;
            (day >= 1 && at <= last).then_some((at, at))
        }
    }
}

fn dated((low, high): (i64, i64), next: usize) -> Dated {
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

struct Reader<'a> {
    tokens: &'a [Token],
    lexicon: &'a Lexicon,
}

impl Reader<'_> {
    fn is(&self, at: usize, word: &str) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|token| token.folded == word)
    }

    fn small(&self, at: usize, most: i64) -> Option<i64> {
        let token = self.tokens.get(at)?;
        let value = match token.class {
            TokenClass::Number => token.folded.parse().ok()?,
            TokenClass::Numeral => number::chinese(&token.folded)?.to_i64()?,
            _ => return None,
        };
        (1..=most).contains(&value).then_some(value)
    }

    fn year(&self, at: usize) -> Option<i64> {
        let token = self.tokens.get(at)?;
        let digits = token.folded.chars().count() == 4;
        digits
            .then(|| self.small(at, 2_199))
            .flatten()
            .filter(|year| *year >= 1_000)
    }

    fn word(&self, at: usize, length: usize) -> Option<CalendarEntry> {
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

    fn chinese(&self, at: usize) -> Option<Dated> {
        if self.is(at + 1, "年") || self.is(at + 1, "年度") {
            let year = self.year(at)?;
            if self.is(at + 1, "年") {
                if let Some((month, next)) = self.chinese_month(at + 2) {
                    let day = self.chinese_day(next);
                    let next = if day.is_some() { next + 2 } else { next };
                    return span_of(year, Some(month), day).map(|span| dated(span, next));
                }
                if let Some((part, next)) = self.chinese_part(at + 2) {
                    return Some(dated(part_span(year, part)?, next));
                }
            }
            return span_of(year, None, None).map(|span| dated(span, at + 2));
        }
        if self.is(at + 1, "世纪") {
            let century = self.small(at, 30)?;
            return Some(dated(
                (days(century * 100 - 99, 1, 1), days(century * 100, 12, 31)),
                at + 2,
            ));
        }
        let (month, next) = self.chinese_month(at)?;
        Some(match self.chinese_day(next) {
            Some(day) => yearless(Dimension::DayOfYear, month * 100 + day, next + 2),
            None => yearless(Dimension::MonthOfYear, month, next),
        })
    }

    fn chinese_month(&self, at: usize) -> Option<(i64, usize)> {
        if let Some(CalendarEntry::Month(month)) = self.word(at, 1) {
            if self.tokens.get(at)?.class == TokenClass::Han {
                return Some((month.into(), at + 1));
            }
        }
        let month = self.small(at, 12)?;
        (self.is(at + 1, "月") || self.is(at + 1, "月份")).then_some((month, at + 2))
    }

    fn chinese_day(&self, at: usize) -> Option<i64> {
        let day = self.small(at, 31)?;
        (self.is(at + 1, "日") || self.is(at + 1, "号")).then_some(day)
    }

    /// `第二季度`, `二季度`, `上半年` after a year.
    fn chinese_part(&self, at: usize) -> Option<(CalendarEntry, usize)> {
        if let Some(entry @ CalendarEntry::Half(_)) = self.word(at, 1) {
            return Some((entry, at + 1));
        }
        let at = if self.is(at, "第") { at + 1 } else { at };
        let quarter = self.small(at, 4)?;
        let quarter = i8::try_from(quarter).ok()?;
        self.is(at + 1, "季度")
            .then_some((CalendarEntry::Quarter(quarter), at + 2))
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
        if self.is(at + 3, mark) {
            if let Some(span) = self
                .small(at + 4, 31)
                .and_then(|day| span_of(year, Some(month), Some(day)))
            {
                return Some(dated(span, at + 5));
            }
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

fn yearless(dimension: Dimension, value: i64, next: usize) -> Dated {
    Dated {
        dimension,
        low: value.into(),
        high: value.into(),
        next,
    }
}

fn part_span(year: i64, part: CalendarEntry) -> Option<(i64, i64)> {
    let (first, months) = match part {
        CalendarEntry::Quarter(quarter) => (i64::from(quarter) * 3 - 2, 3),
        CalendarEntry::Half(half) => (i64::from(half) * 6 - 5, 6),
        CalendarEntry::Month(month) => (i64::from(month), 1),
    };
    let (low, _) = span_of(year, Some(first), None)?;
    let (_, high) = span_of(year, Some(first + months - 1), None)?;
    Some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_iso_are_inverse() {
        assert_eq!(days(1970, 1, 1), 0);
        assert_eq!(days(2000, 3, 1), 11_017);
        for day in (-700_000..100_000).step_by(97) {
            let text = iso(Decimal::from(day));
            assert_eq!(parse_iso(&text), Some((day, day)), "{text}");
        }
        assert_eq!(parse_iso("2023-02-30"), None);
        assert_eq!(
            parse_iso("2024-02"),
            Some((days(2024, 2, 1), days(2024, 2, 29)))
        );
    }
}
