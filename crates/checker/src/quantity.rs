//! A quantity of a text: its dimension, what it can mean, and whether it is a level or a change.

use std::fmt;
use std::ops::Range;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::interval::{Bound, Interval};
use crate::lexicon::Comparator;
use crate::text::days;
use crate::text::term::Term;

/// What a quantity measures; only quantities of one dimension are compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dimension {
    /// A bare number or a number of things.
    Count,
    /// A place in an order.
    Ordinal,
    /// Money, by currency code.
    Money(String),
    /// A measure in the base unit of the named dimension.
    Measure(String),
    /// Days since 1 January 1970.
    Date,
    /// A month without a year, 1 to 12.
    MonthOfYear,
    /// A day of the year without a year: month times 100 plus day.
    DayOfYear,
    /// A version, its parts weighed by powers of a million.
    Version,
    /// A score of two sides, the first weighed by a thousand.
    Score,
    /// A part out of the given whole.
    OutOf(String),
}

/// A quantity found in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quantity {
    /// What it measures.
    pub dimension: Dimension,
    /// What it can mean, by the letter.
    pub interval: Interval,
    /// What its writer most likely means: `over 13.8 bn` is a little more than 13.8 bn.
    pub meant: Interval,
    /// The value as written, in base units, where one value is written.
    pub point: Option<Decimal>,
    /// How the words around it bound it.
    pub comparator: Comparator,
    /// A change (`grew 45%`), not a level (`reached 45%`).
    pub is_delta: bool,
    /// A date that says when something holds, not what is said.
    pub is_period: bool,
    /// A number that names something (`ticket 42`) and measures nothing.
    pub is_label: bool,
    /// Where it stands in the text, in bytes, comparator included.
    pub span: Range<usize>,
    /// The tokens it covers.
    #[serde(skip)]
    pub(crate) tokens: Range<usize>,
    /// The things counted, as terms.
    pub(crate) nouns: Vec<Term>,
}

impl Dimension {
    /// Says whether quantities are days on one line of time.
    pub fn is_calendar(&self) -> bool {
        matches!(self, Self::Date | Self::MonthOfYear | Self::DayOfYear)
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count => formatter.write_str("count"),
            Self::Ordinal => formatter.write_str("ordinal"),
            Self::Money(code) => write!(formatter, "money:{code}"),
            Self::Measure(name) => formatter.write_str(name),
            Self::Date => formatter.write_str("date"),
            Self::MonthOfYear => formatter.write_str("month_of_year"),
            Self::DayOfYear => formatter.write_str("day_of_year"),
            Self::Version => formatter.write_str("version"),
            Self::Score => formatter.write_str("score"),
            Self::OutOf(whole) => write!(formatter, "out_of:{whole}"),
        }
    }
}

impl fmt::Display for Quantity {
    /// The dimension and the interval: `money:USD [5150000000, 5250000000)`; dates in ISO form; changes marked `delta`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{}{} ",
            if self.is_delta { "delta " } else { "" },
            self.dimension
        )?;
        formatter.write_str(&written(&self.dimension, &self.interval))
    }
}

/// An interval as people read it: dates in ISO form, versions with points.
pub(crate) fn written(dimension: &Dimension, interval: &Interval) -> String {
    let value = |value: Decimal| match dimension {
        Dimension::Date => days::iso(value),
        Dimension::Version => dotted(value),
        _ => value.normalize().to_string(),
    };
    let low = match interval.low {
        Bound::Unbounded => "(-inf".to_owned(),
        Bound::Open(low) => format!("({}", value(low)),
        Bound::Closed(low) => format!("[{}", value(low)),
    };
    match interval.high {
        Bound::Unbounded => format!("{low}, inf)"),
        Bound::Open(high) => format!("{low}, {})", value(high)),
        Bound::Closed(high) => format!("{low}, {}]", value(high)),
    }
}

/// How many parts of a version are weighed.
pub(crate) const VERSION_PARTS: u32 = 4;

fn dotted(value: Decimal) -> String {
    let million = Decimal::from(1_000_000);
    let mut rest = value;
    let mut parts = Vec::new();
    for _ in 0..VERSION_PARTS {
        parts.push((rest % million).normalize().to_string());
        rest = (rest / million).trunc();
    }
    parts.reverse();
    parts.join(".")
}
