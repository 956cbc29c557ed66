//! A row as a sentence, for people and for comparing it with texts.

use super::Row;
use crate::{
    interval::{Bound, Interval},
    text::days::parse_iso,
};

/// What a row says: `The solar capacity of Norway was 45 GW in 2024.`
pub fn sentence(row: &Row) -> String {
    let attribute = words(&row.attribute);
    let value = match row.unit.as_str() {
        "" => row.value.clone(),
        unit => format!("{} {unit}", row.value),
    };
    let named = |name: &str| row.qualifiers.get(name).map(String::as_str);
    let time = period(row).map_or_else(|| validity(row), |period| format!(" in {period}"));
    let qualifiers: Vec<String> = row
        .qualifiers
        .iter()
        .filter(|(name, _)| *name != "period" || named("period") != period(row))
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    let qualifiers = match qualifiers.as_slice() {
        [] => String::new(),
        some => format!(" ({})", some.join("; ")),
    };
    format!(
        "The {attribute} of {} was {value}{time}{qualifiers}.",
        row.subject
    )
}

/// An attribute's name as words of a sentence.
pub(super) fn words(attribute: &str) -> String {
    attribute.replace(['_', '-'], " ")
}

/// The year, month or day that a row is about, if it is about one.
pub(super) fn period(row: &Row) -> Option<&str> {
    let named = row.qualifiers.get("period").map(String::as_str);
    let (from, to) = (row.valid_from.as_str(), row.valid_to.as_str());
    match named {
        Some(period) if date(period).is_some() && from.is_empty() && to.is_empty() => Some(period),
        Some(_) => None,
        None if from == to && !from.is_empty() => Some(from),
        None => {
            let whole = (date(from)?.0, date(to)?.1);
            let year = from.get(..4)?;
            let month = from.get(..7).unwrap_or(from);
            [year, month].into_iter().find(|it| date(it) == Some(whole))
        }
    }
}

fn validity(row: &Row) -> String {
    match (row.valid_from.as_str(), row.valid_to.as_str()) {
        ("", "") => String::new(),
        (from, "") => format!(" from {from} on"),
        ("", to) => format!(" until {to}"),
        (from, to) => format!(" from {from} to {to}"),
    }
}

/// The first and the last day of `2024`, `2024-06` or `2024-06-30`; none for any other text.
pub(super) fn date(text: &str) -> Option<(i64, i64)> {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths = parts.iter().map(|part| part.len());
    let formed = lengths.eq([4, 2, 2].into_iter().take(parts.len()))
        && parts
            .iter()
            .all(|part| part.bytes().all(|it| it.is_ascii_digit()));
    formed.then(|| parse_iso(text)).flatten()
}

/// The days between two dates, open where one is missing.
pub(super) fn days(from: &str, to: &str) -> Interval {
    let low = date(from).map_or(Bound::Unbounded, |(low, _)| Bound::Closed(low.into()));
    let high = date(to).map_or(Bound::Unbounded, |(_, high)| Bound::Closed(high.into()));
    Interval { low, high }
}
