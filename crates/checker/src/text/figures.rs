//! Reads figures of several numbers: versions, scores of two sides, parts out of a whole.

use rust_decimal::Decimal;

use super::quantities::{Reading, Scanner};
use super::token::TokenClass;
use super::{comparator, measure};
use crate::interval::{Bound, Interval};
use crate::lexicon::Comparator;
use crate::quantity::{Dimension, VERSION_PARTS};

impl Scanner<'_> {
    /// `version 1.2.3`, `v2.0`: all that begins like this.
    pub(super) fn version(&self, at: usize) -> Option<Reading> {
        let led = matches!(self.word(at), "v" | "version" | "release" | "版本");
        let number = if led { at + 1 } else { at };
        let token = self.tokens.get(number)?;
        let fits = match token.class {
            TokenClass::Dotted => true,
            TokenClass::Number => {
                led && !token.folded.contains(',') && (self.word(at) != "v" || token.glued)
            }
            _ => false,
        };
        if !fits {
            return None;
        }
        let million = Decimal::from(1_000_000);
        let (mut value, mut weight) = (Decimal::ZERO, Decimal::ONE);
        let parts: Vec<&str> = token.folded.split('.').collect();
        for index in 0..usize::try_from(VERSION_PARTS).ok()? {
            let part: Decimal = parts
                .get(index)
                .map_or(Ok(Decimal::ZERO), |part| part.parse())
                .ok()?;
            value = value.checked_mul(million)?.checked_add(part)?;
            if part >= million {
                return None;
            }
            if index >= parts.len() {
                weight = weight.checked_mul(million)?;
            }
        }
        let given = Interval {
            low: Bound::Closed(value),
            high: Bound::Open(value.checked_add(weight)?),
        };
        let (bound, start) = comparator::before(self.tokens, at, self.lexicon, false)
            .unwrap_or((Comparator::Exactly, at));
        let interval = if bound == Comparator::Exactly {
            given
        } else {
            comparator::span(bound, value, value)
        };
        Some(Reading {
            dimension: Dimension::Version,
            comparator: bound,
            interval,
            meant: interval,
            point: None,
            tokens: start..number + 1,
        })
    }

    /// `3-2`, `84/100`, `4 out of 5`.
    pub(super) fn pair(&self, at: usize) -> Option<Reading> {
        let value = |at: usize| -> Option<Decimal> {
            self.tokens
                .get(at)
                .filter(|token| token.class == TokenClass::Number)?
                .folded
                .parse()
                .ok()
        };
        let first = value(at)?;
        let reading = |dimension: Dimension, value: Decimal, next| {
            let bounded = matches!(dimension, Dimension::OutOf(_));
            let (bound, start) = comparator::before(self.tokens, at, self.lexicon, false)
                .filter(|_| bounded)
                .unwrap_or((Comparator::Exactly, at));
            let interval = match (bounded, bound) {
                (true, _) => comparator::interval(bound, value, Decimal::new(1, value.scale())),
                (false, _) => Interval::exactly(value),
            };
            Some(Reading {
                dimension,
                comparator: bound,
                interval,
                meant: interval,
                point: None,
                tokens: start..next,
            })
        };
        if self.word(at + 1) == "out" && self.word(at + 2) == "of" {
            let whole = value(at + 3)?;
            return reading(
                Dimension::OutOf(whole.normalize().to_string()),
                first,
                at + 4,
            );
        }
        if !self.glued(at + 1) || !self.glued(at + 2) {
            return None;
        }
        let second = value(at + 2)?;
        match self.word(at + 1) {
            "/" => reading(
                Dimension::OutOf(second.normalize().to_string()),
                first,
                at + 3,
            ),
            "-" | "–" | ":" | "：" => {
                let small = first.scale() == 0
                    && second.scale() == 0
                    && first.max(second) < Decimal::from(200);
                let colon = matches!(self.word(at + 1), ":" | "：");
                let unit = measure::after(self.tokens, at + 3, self.lexicon).is_some();
                let falling = first > second;
                let bare = colon || !unit && (falling || !self.is_content_word(at + 3));
                (small && bare)
                    .then(|| {
                        reading(
                            Dimension::Score,
                            first
                                .saturating_mul(Decimal::ONE_THOUSAND)
                                .saturating_add(second),
                            at + 3,
                        )
                    })
                    .flatten()
            }
            _ => None,
        }
    }
}
