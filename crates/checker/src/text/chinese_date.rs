//! Reads Chinese dates: `2023年6月30日`, `二〇二三年第二季度`, `上半年`, `十月`, `19世纪`.

use super::calendar::{Dated, Reader, dated, yearless};
use super::days::{days, part_span, span_of};
use super::token::TokenClass;
use crate::lexicon::CalendarEntry;
use crate::quantity::Dimension;

/// Words that make a number a year; the end of a year is told to the year, as `at the end of 2023` is.
const YEARS: [&str; 5] = ["年", "年度", "年底", "年末", "年初"];

impl Reader<'_> {
    pub(super) fn chinese(&self, at: usize) -> Option<Dated> {
        if YEARS.into_iter().any(|word| self.is(at + 1, word)) {
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
        if let Some(CalendarEntry::Month(month)) = self.word(at, 1)
            && self.tokens.get(at)?.class == TokenClass::Han
        {
            return Some((month.into(), at + 1));
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
}
