//! Reads a number in English words: `two hundred and five million`, `twenty-first`, `three quarters`.

use rust_decimal::Decimal;

use super::number::{Form, Number};
use super::term::Term;
use super::token::Token;
use crate::lexicon::{Lexicon, NumeralEntry};

/// Reads number words at `at`.
pub(super) fn read(tokens: &[Token], at: usize, lexicon: &Lexicon) -> Option<Number> {
    let entry = |index: usize| {
        let token = tokens.get(index)?;
        lexicon.numerals.get(&Term::of(&token.folded)).copied()
    };
    let mut words = Words::default();
    let mut next = at;
    while let Some(found) = entry(next) {
        if !words.take(found)? {
            break;
        }
        next += 1;
        let joint = tokens
            .get(next)
            .is_some_and(|token| token.folded == "-" || token.folded == "and");
        let follows = matches!(
            entry(next + 1),
            Some(NumeralEntry::Small(_) | NumeralEntry::Ordinal(_))
        );
        let hyphen = tokens.get(next).is_some_and(|token| token.folded == "-");
        if words.ended || (joint && !follows) {
            break;
        }
        if joint && (hyphen || words.scaled) {
            next += 1;
        }
    }
    if words.form == Some(Form::Fraction) {
        let article = tokens
            .get(next)
            .is_some_and(|token| token.folded == "a" || token.folded == "an");
        let scale = next + usize::from(article);
        if let Some(NumeralEntry::Scale {
            factor,
            glued_only: false,
        }) = entry(scale)
        {
            return words.of(factor, scale + 1);
        }
    }
    (next > at).then(|| words.number(next)).flatten()
}

/// A number in words as it grows.
#[derive(Default)]
struct Words {
    total: Decimal,
    current: Option<Decimal>,
    form: Option<Form>,
    scaled: bool,
    ended: bool,
    smallest_scale: Option<Decimal>,
}

impl Words {
    /// Takes the next word; false if it does not belong to this number.
    fn take(&mut self, entry: NumeralEntry) -> Option<bool> {
        match entry {
            NumeralEntry::Small(value) => {
                let fits = self.current.is_none_or(|current| {
                    current % Decimal::ONE_HUNDRED == Decimal::ZERO
                        || (value < Decimal::TEN
                            && current % Decimal::TEN == Decimal::ZERO
                            && current % Decimal::ONE_HUNDRED >= Decimal::from(20))
                });
                if !fits || value.is_zero() && self.current.is_some() {
                    return Some(false);
                }
                self.current = Some(self.current.unwrap_or_default().checked_add(value)?);
                self.smallest_scale = None;
            }
            NumeralEntry::Scale {
                factor,
                glued_only: false,
            } => {
                let times = self.current.take().unwrap_or(Decimal::ONE);
                let value = times.checked_mul(factor)?;
                if factor > Decimal::ONE_HUNDRED {
                    self.total = self.total.checked_add(value)?;
                } else {
                    self.current = Some(value);
                }
                self.scaled = true;
                self.smallest_scale = Some(factor);
            }
            NumeralEntry::Scale { .. } => return Some(false),
            NumeralEntry::Ordinal(value) => {
                self.current = Some(self.current.unwrap_or_default().checked_add(value)?);
                self.form = Some(Form::Ordinal);
                self.ended = true;
            }
            NumeralEntry::Fraction(value) => {
                if self.scaled {
                    return Some(false);
                }
                self.current = Some(self.current.unwrap_or(Decimal::ONE).checked_mul(value)?);
                self.form = Some(Form::Fraction);
                self.ended = true;
            }
        }
        Some(true)
    }

    /// `half a million`: the part of a magnitude.
    fn of(&self, factor: Decimal, next: usize) -> Option<Number> {
        Some(Number {
            value: self.current?.checked_mul(factor)?,
            precision: Decimal::new(1, 1).checked_mul(factor)?,
            form: Form::Cardinal,
            is_plain: false,
            scale: Decimal::ONE,
            next,
        })
    }

    fn number(&self, next: usize) -> Option<Number> {
        let value = self.total.checked_add(self.current.unwrap_or_default())?;
        let precision = match self.form {
            Some(Form::Ordinal) => Decimal::ZERO,
            Some(Form::Fraction) => Decimal::new(1, 1),
            _ => self
                .smallest_scale
                .filter(|scale| *scale > Decimal::ONE_HUNDRED)
                .unwrap_or(Decimal::ONE),
        };
        Some(Number {
            value,
            precision,
            form: self.form.unwrap_or(Form::Cardinal),
            is_plain: !self.scaled,
            scale: Decimal::ONE,
            next,
        })
    }
}
