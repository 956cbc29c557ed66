//! Reads one amount: sign, money, number or range, unit, and the words that bound it.

use std::ops::Range;

use rust_decimal::Decimal;

use super::number::{self, Form, Number};
use super::quantities::{Reading, Scanner};
use super::{comparator, measure};
use crate::interval::Interval;
use crate::lexicon::Comparator;
use crate::quantity::Dimension;

impl Scanner<'_> {
    pub(super) fn number(&self, at: usize, floor: usize) -> Option<Reading> {
        let first = number::read(self.tokens, at, self.lexicon)
            .filter(|number| !self.is_magnitude_alone(at, number))?;
        let mut start = at;
        let led = self.tokens.get(at.wrapping_sub(1)).filter(|_| at > floor);
        if led.is_some_and(|token| token.folded == "第") {
            start = at - 1;
            return Some(self.ordinal(first.value, start, first.next));
        }
        if first.form == Form::Ordinal {
            return Some(self.ordinal(first.value, start, first.next));
        }
        let negative = self.is_negative(at);
        if negative {
            start = at - 1;
        }
        let money =
            measure::before(self.tokens, start, self.lexicon).filter(|found| found.edge >= floor);
        if let Some(found) = &money {
            start = found.edge;
        }
        let second = self.range_end(at, start, &first);
        let last = second.unwrap_or(first);
        self.measured(
            &Written {
                first,
                last,
                start,
                negative,
            },
            money,
            floor,
        )
    }

    fn is_negative(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        let sign = matches!(self.word(before), "-" | "−") && self.glued(at) && !self.glued(before);
        sign || matches!(self.word(before), "minus" | "负" | "零下")
    }

    fn ordinal(&self, value: Decimal, start: usize, next: usize) -> Reading {
        let (bound, start) = comparator::before(self.tokens, start, self.lexicon, false)
            .unwrap_or((Comparator::Exactly, start));
        let interval = comparator::span(bound, value, value);
        Reading {
            dimension: Dimension::Ordinal,
            comparator: bound,
            interval,
            meant: interval,
            point: None,
            tokens: start..next,
        }
    }

    /// The second number of a range that starts with `first`; `from 5 to 10` is a change and none.
    fn range_end(&self, at: usize, start: usize, first: &Number) -> Option<Number> {
        let unit = measure::after(self.tokens, first.next, self.lexicon)
            .map_or(first.next, |found| found.edge);
        [first.next, unit].into_iter().find_map(|mark_at| {
            let mark = self.word(mark_at);
            let before = start.checked_sub(1).map_or("", |before| self.word(before));
            let between = before == "between" && mark == "and";
            if !(between || is_range_mark(mark) && !matches!(before, "from" | "从" | "由")) {
                return None;
            }
            let after = (mark_at + 1..mark_at + 3).find_map(|from| {
                number::read(self.tokens, from, self.lexicon).filter(|_| {
                    from == mark_at + 1
                        || measure::before(self.tokens, from, self.lexicon).is_some()
                })
            })?;
            let ordered = after.value >= first.value && after.form == first.form;
            (ordered && at < mark_at).then_some(after)
        })
    }

    /// Puts number, unit and bounds together.
    fn measured(
        &self,
        written: &Written,
        money: Option<measure::Found>,
        floor: usize,
    ) -> Option<Reading> {
        let mut next = written.last.next;
        let mut bound = comparator::before(self.tokens, written.start, self.lexicon, false)
            .filter(|(_, start)| *start >= floor);
        let mut look_after = |next: &mut usize| {
            if bound.is_none()
                && let Some((after, end)) =
                    comparator::after(self.tokens, *next, self.lexicon, false)
            {
                bound = Some((after, written.start));
                *next = end;
            }
        };
        look_after(&mut next);
        let found = money.or_else(|| {
            measure::after(self.tokens, next, self.lexicon).inspect(|found| next = found.edge)
        });
        look_after(&mut next);
        let (bound, start) = bound.unwrap_or((Comparator::Exactly, written.start));
        let bare = found.is_none() && bound == Comparator::Exactly;
        if bare && self.is_article(&written.first, start, next) {
            return None;
        }
        Some(written.reading(bound, found, start..next))
    }

    /// A lone `one` or `一` is a pronoun or an article unless a noun follows an English one.
    fn is_article(&self, number: &Number, start: usize, next: usize) -> bool {
        let word = self.word(start);
        number.value == Decimal::ONE
            && match word {
                "一" => true,
                "one" => self.nouns(next).is_empty(),
                _ => false,
            }
            || matches!(word, "十" | "百" | "千" | "万" | "亿" | "百万" | "千万")
                && next == start + 1
                && word != "十"
    }
}

/// One number or the two ends of a range, as written.
pub(super) struct Written {
    first: Number,
    last: Number,
    start: usize,
    negative: bool,
}

impl Written {
    fn signed(&self, value: Decimal) -> Decimal {
        if self.negative {
            value.saturating_mul(-Decimal::ONE)
        } else {
            value
        }
    }

    /// The lower end; `5 to 10 million` starts at five million.
    fn low(&self) -> Decimal {
        let shared = self.first.scale == Decimal::ONE && self.last.scale > Decimal::ONE;
        let scale = if shared {
            self.last.scale
        } else {
            Decimal::ONE
        };
        self.signed(self.first.value.saturating_mul(scale))
    }

    fn reading(
        &self,
        bound: Comparator,
        found: Option<measure::Found>,
        tokens: Range<usize>,
    ) -> Reading {
        let is_range = self.last.next != self.first.next;
        let value = self.low();
        let plain = if is_range {
            Interval::closed(value, self.signed(self.last.value))
        } else {
            comparator::interval(bound, value, self.first.precision)
        };
        let meant = comparator::meant(bound, value, self.first.precision, plain);
        let is_point = !is_range && self.first.is_plain && self.first.form == Form::Cardinal;
        let (dimension, factor, offset) = match found {
            Some(found) => (found.dimension, found.factor, found.offset),
            None if self.first.form == Form::Fraction => (
                Dimension::Measure("ratio".to_owned()),
                Decimal::ONE,
                Decimal::ZERO,
            ),
            None => (Dimension::Count, Decimal::ONE, Decimal::ZERO),
        };
        Reading {
            dimension,
            comparator: bound,
            interval: plain.scaled(factor, offset),
            meant: meant.scaled(factor, offset),
            point: Some(value)
                .filter(|_| is_point)
                .and_then(|point| point.checked_add(offset)?.checked_mul(factor)),
            tokens,
        }
    }
}

/// Whether a mark or word between two numbers makes them a range.
pub(super) fn is_range_mark(mark: &str) -> bool {
    matches!(
        mark,
        "-" | "–" | "—" | "~" | "～" | "to" | "至" | "到" | "through"
    )
}
