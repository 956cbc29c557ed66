//! Days of the Gregorian calendar as numbers, so that dates are intervals.

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use crate::lexicon::CalendarEntry;

/// The latest year that is one, and the earliest before year 0: beyond them days would not fit their numbers.
const MAX_YEAR: i64 = 1_000_000;

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
pub(crate) fn span_of(year: i64, month: Option<i64>, day: Option<i64>) -> Option<(i64, i64)> {
    if !(-MAX_YEAR..=MAX_YEAR).contains(&year) {
        return None;
    }
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

/// First and last day of a part of a year.
pub(crate) fn part_span(year: i64, part: CalendarEntry) -> Option<(i64, i64)> {
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
        assert_eq!(parse_iso("9223372036854775807-01-01"), None);
        assert_eq!(
            parse_iso("2024-02"),
            Some((days(2024, 2, 1), days(2024, 2, 29)))
        );
    }
}
