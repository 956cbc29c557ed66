//! Intervals over exact decimals: what a written quantity can mean.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// One end of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// No end on this side.
    Unbounded,
    /// Ends before the value.
    Open(Decimal),
    /// Ends with the value.
    Closed(Decimal),
}

/// A set of decimals without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: Bound,
    /// The upper end.
    pub high: Bound,
}

impl Interval {
    /// Everything.
    pub const ALL: Self = Self {
        low: Bound::Unbounded,
        high: Bound::Unbounded,
    };

    /// A single value.
    pub fn exactly(value: Decimal) -> Self {
        Self {
            low: Bound::Closed(value),
            high: Bound::Closed(value),
        }
    }

    /// Both ends included; the order of the ends does not matter.
    pub fn closed(one: Decimal, other: Decimal) -> Self {
        Self {
            low: Bound::Closed(one.min(other)),
            high: Bound::Closed(one.max(other)),
        }
    }

    /// What `value` means when it is written to a precision of `unit`: half a unit either way, the upper end open.
    pub fn rounded(value: Decimal, unit: Decimal) -> Self {
        let half = unit.checked_div(Decimal::TWO).unwrap_or_default();
        let low = value
            .checked_sub(half)
            .map_or(Bound::Unbounded, Bound::Closed);
        let high = value
            .checked_add(half)
            .map_or(Bound::Unbounded, Bound::Open);
        if half.is_zero() {
            Self::exactly(value)
        } else {
            Self { low, high }
        }
    }

    /// Says whether no value lies in both.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        ends_before(self.high, other.low) || ends_before(other.high, self.low)
    }

    /// Says whether every value of `other` lies in this one.
    pub fn contains(&self, other: &Self) -> bool {
        covers_low(self.low, other.low) && covers_high(self.high, other.high)
    }

    /// Scales and shifts both ends by a positive factor; an end that overflows becomes unbounded.
    #[must_use]
    pub fn scaled(&self, factor: Decimal, offset: Decimal) -> Self {
        let map = |value: Decimal| value.checked_add(offset)?.checked_mul(factor);
        Self {
            low: self.low.map(map),
            high: self.high.map(map),
        }
    }
}

impl Bound {
    /// The value of the end, if there is one.
    pub fn value(self) -> Option<Decimal> {
        match self {
            Self::Unbounded => None,
            Self::Open(value) | Self::Closed(value) => Some(value),
        }
    }

    /// Applies a function to the value; none makes the end unbounded.
    #[must_use]
    pub fn map(self, function: impl Fn(Decimal) -> Option<Decimal>) -> Self {
        match self {
            Self::Unbounded => Self::Unbounded,
            Self::Open(value) => function(value).map_or(Self::Unbounded, Self::Open),
            Self::Closed(value) => function(value).map_or(Self::Unbounded, Self::Closed),
        }
    }
}

/// Says whether an upper end lies wholly before a lower end.
fn ends_before(high: Bound, low: Bound) -> bool {
    match (high, low) {
        (Bound::Unbounded, _) | (_, Bound::Unbounded) => false,
        (Bound::Closed(high), Bound::Closed(low)) => high < low,
        (Bound::Open(high) | Bound::Closed(high), Bound::Open(low) | Bound::Closed(low)) => {
            high <= low
        }
    }
}

fn covers_low(outer: Bound, inner: Bound) -> bool {
    match (outer, inner) {
        (Bound::Unbounded, _) => true,
        (_, Bound::Unbounded) => false,
        (Bound::Open(outer), Bound::Closed(inner)) => outer < inner,
        (Bound::Open(outer) | Bound::Closed(outer), Bound::Open(inner) | Bound::Closed(inner)) => {
            outer <= inner
        }
    }
}

fn covers_high(outer: Bound, inner: Bound) -> bool {
    match (outer, inner) {
        (Bound::Unbounded, _) => true,
        (_, Bound::Unbounded) => false,
        (Bound::Open(outer), Bound::Closed(inner)) => inner < outer,
        (Bound::Open(outer) | Bound::Closed(outer), Bound::Open(inner) | Bound::Closed(inner)) => {
            inner <= outer
        }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.low {
            Bound::Unbounded => formatter.write_str("(-inf, ")?,
            Bound::Open(value) => write!(formatter, "({}, ", value.normalize())?,
            Bound::Closed(value) => write!(formatter, "[{}, ", value.normalize())?,
        }
        match self.high {
            Bound::Unbounded => formatter.write_str("inf)"),
            Bound::Open(value) => write!(formatter, "{})", value.normalize()),
            Bound::Closed(value) => write!(formatter, "{}]", value.normalize()),
        }
    }
}

/// Why a text is no interval.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is no interval: write it like `[44.5, 45.5)`, with `-inf` or `inf` for an open side"
)]
pub struct IntervalError {
    /// The text.
    pub text: String,
}

impl FromStr for Interval {
    type Err = IntervalError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text.trim()).ok_or_else(|| IntervalError {
            text: text.to_owned(),
        })
    }
}

fn parse(text: &str) -> Option<Interval> {
    let (low, high) = text.split_once(',')?;
    let low = if low == "(-inf" {
        Bound::Unbounded
    } else if let Some(value) = low.strip_prefix('[') {
        Bound::Closed(value.trim().parse().ok()?)
    } else {
        Bound::Open(low.strip_prefix('(')?.trim().parse().ok()?)
    };
    let high = high.trim();
    let high = if high == "inf)" {
        Bound::Unbounded
    } else if let Some(value) = high.strip_suffix(']') {
        Bound::Closed(value.trim().parse().ok()?)
    } else {
        Bound::Open(high.strip_suffix(')')?.trim().parse().ok()?)
    };
    let ordered = match (low.value(), high.value()) {
        (Some(low), Some(high)) => low.cmp(&high) != Ordering::Greater,
        _ => true,
    };
    ordered.then_some(Interval { low, high })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(one: &str, other: &str, disjoint: bool, contains: bool) {
        let (one, other): (Interval, Interval) = (one.parse().unwrap(), other.parse().unwrap());
        assert_eq!(one.is_disjoint(&other), disjoint, "{one} {other}");
        assert_eq!(other.is_disjoint(&one), disjoint, "{other} {one}");
        assert_eq!(one.contains(&other), contains, "{one} {other}");
        assert_eq!(one, one.to_string().parse().unwrap());
    }

    #[test]
    fn ends_decide() {
        check("[1, 2)", "[2, 3]", true, false);
        check("[1, 2]", "[2, 3]", false, false);
        check("(5, inf)", "[5, 5]", true, false);
        check("(-inf, inf)", "[5, 5]", false, true);
        check("[1, 9]", "[1, 9)", false, true);
        check("[1, 9)", "[1, 9]", false, false);
    }

    #[test]
    fn what_is_no_interval_says_so() {
        assert!("[2, 1]".parse::<Interval>().is_err());
        assert!("5".parse::<Interval>().is_err());
    }
}
