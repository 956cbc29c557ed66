//! Reads one number, in digits or words, with the precision it is written to.

use rust_decimal::Decimal;

use super::token::{Token, TokenClass};
use crate::lexicon::{Lexicon, NumeralEntry};

/// What form a number is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Cardinal,
    Ordinal,
    /// A part of a whole.
    Fraction,
}

/// A number as read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    pub(crate) value: Decimal,
    /// The place value of the last digit that is meant.
    pub(crate) precision: Decimal,
    pub(crate) form: Form,
    /// Written out to the last digit, without a magnitude word that rounds it.
    pub(crate) is_plain: bool,
    /// The first token after it.
    pub(crate) next: usize,
}

/// Reads a number at `at`.
pub(crate) fn read(tokens: &[Token], at: usize, lexicon: &Lexicon) -> Option<Number> {
    let token = tokens.get(at)?;
    match token.class {
        TokenClass::Number => read_digits(tokens, at, lexicon),
        TokenClass::Numeral => read_numeral(tokens, at),
        TokenClass::Word => read_words(tokens, at, lexicon),
        TokenClass::Han if token.folded == "一半" || token.folded == "半数" => {
            Some(fraction(Decimal::new(5, 1), at + 1))
        }
        _ => None,
    }
}

fn fraction(value: Decimal, next: usize) -> Number {
    Number {
        value,
        precision: Decimal::new(1, 1),
        form: Form::Fraction,
        is_plain: false,
        next,
    }
}

fn read_digits(tokens: &[Token], at: usize, lexicon: &Lexicon) -> Option<Number> {
    let token = tokens.get(at)?;
    let value: Decimal = token.folded.replace(',', "").parse().ok()?;
    let mut number = Number {
        value,
        precision: written_precision(value),
        form: Form::Cardinal,
        is_plain: true,
        next: at + 1,
    };
    let Some(suffix) = tokens.get(at + 1) else {
        return Some(number);
    };
    if suffix.glued && matches!(suffix.folded.as_str(), "st" | "nd" | "rd" | "th") {
        return Some(Number {
            form: Form::Ordinal,
            precision: Decimal::ZERO,
            next: at + 2,
            ..number
        });
    }
    if let Some(parts) = part_of_whole(tokens, at + 1, value) {
        return Some(parts);
    }
    let mut next = at + 1;
    while let Some(factor) = scale(tokens, next, lexicon) {
        number.precision = place(value)
            .checked_mul(factor)?
            .checked_mul(number.value.checked_div(value).unwrap_or(Decimal::ONE))?;
        number.value = number.value.checked_mul(factor)?;
        next += 1;
    }
    Some(Number {
        next,
        is_plain: next == at + 1 && value.scale() == 0,
        ..number
    })
}

/// `三分之二` and `3分之2`: the second number over the first.
fn part_of_whole(tokens: &[Token], at: usize, whole: Decimal) -> Option<Number> {
    if tokens.get(at)?.folded != "分之" {
        return None;
    }
    let part = tokens.get(at + 1)?;
    let part = match part.class {
        TokenClass::Numeral => chinese(&part.folded)?,
        TokenClass::Number => part.folded.parse().ok()?,
        _ => return None,
    };
    Some(fraction(part.checked_div(whole)?, at + 2))
}

/// The place value of the last digit.
fn place(value: Decimal) -> Decimal {
    Decimal::new(1, value.scale())
}

/// The place value of the last digit that is meant: of three or more zeros at the end, all but one are rounding.
fn written_precision(value: Decimal) -> Decimal {
    if value.scale() > 0 || value.is_zero() {
        return place(value);
    }
    let zeros = value
        .to_string()
        .bytes()
        .rev()
        .take_while(|digit| *digit == b'0')
        .count();
    let mut precision = Decimal::ONE;
    for _ in 1..if zeros < 3 { 1 } else { zeros } {
        precision = precision.checked_mul(Decimal::TEN).unwrap_or(precision);
    }
    precision
}

fn scale(tokens: &[Token], at: usize, lexicon: &Lexicon) -> Option<Decimal> {
    let token = tokens.get(at)?;
    if token.class == TokenClass::Numeral {
        return (token.glued
            && token
                .folded
                .chars()
                .all(|digit| "十百千万亿".contains(digit)))
        .then(|| magnitude(&token.folded))
        .flatten();
    }
    match lexicon
        .numerals
        .get(&super::term::Term::of(&token.folded))?
    {
        NumeralEntry::Scale {
            factor,
            glued_only: false,
        } => Some(*factor),
        NumeralEntry::Scale {
            factor,
            glued_only: true,
        } if token.glued && token.folded != "m" || token.glued && follows_money(tokens, at) => {
            Some(*factor)
        }
        _ => None,
    }
}

/// `m` is a million after money and a metre elsewhere.
fn follows_money(tokens: &[Token], at: usize) -> bool {
    at.checked_sub(2)
        .and_then(|before| tokens.get(before))
        .is_some_and(|token| {
            matches!(
                token.folded.as_str(),
                "$" | "€" | "£" | "¥" | "₹" | "usd" | "eur" | "gbp"
            )
        })
}

fn magnitude(digits: &str) -> Option<Decimal> {
    digits.chars().try_fold(Decimal::ONE, |product, digit| {
        product.checked_mul(unit_of(digit)?)
    })
}

fn unit_of(digit: char) -> Option<Decimal> {
    Some(Decimal::from(match digit {
        '十' => 10_u32,
        '百' => 100,
        '千' => 1_000,
        '万' => 10_000,
        '亿' => 100_000_000,
        _ => return None,
    }))
}

fn read_numeral(tokens: &[Token], at: usize) -> Option<Number> {
    let token = tokens.get(at)?;
    let value = chinese(&token.folded)?;
    if let Some(parts) = part_of_whole(tokens, at + 1, value) {
        return Some(parts);
    }
    let half = tokens
        .get(at + 1)
        .is_some_and(|next| next.folded == "点")
        .then(|| {
            tokens
                .get(at + 2)
                .filter(|next| next.class == TokenClass::Numeral)
        })
        .flatten();
    if let Some(decimals) = half {
        return with_decimals(value, &decimals.folded, at + 3);
    }
    Some(Number {
        value,
        precision: written_precision(value),
        form: Form::Cardinal,
        is_plain: true,
        next: at + 1,
    })
}

fn with_decimals(whole: Decimal, digits: &str, next: usize) -> Option<Number> {
    let end = digits.find(['万', '亿']).unwrap_or(digits.len());
    let (digits, scale) = (digits.get(..end)?, digits.get(end..)?);
    let (mut value, mut precision) = (whole, Decimal::ONE);
    for digit in digits.chars() {
        precision = precision.checked_div(Decimal::TEN)?;
        value = value.checked_add(precision.checked_mul(digit_of(digit)?)?)?;
    }
    let factor = magnitude(scale)?;
    Some(Number {
        value: value.checked_mul(factor)?,
        precision: precision.checked_mul(factor)?,
        form: Form::Cardinal,
        is_plain: false,
        next,
    })
}

fn digit_of(digit: char) -> Option<Decimal> {
    "零一二三四五六七八九"
        .chars()
        .position(|known| known == digit)
        .or(match digit {
            '〇' => Some(0),
            '两' => Some(2),
            _ => None,
        })
        .and_then(|value| u32::try_from(value).ok())
        .map(Decimal::from)
}

/// Reads a run of Chinese numerals: `二〇二三` digit by digit, `三千二百万` by units.
pub(crate) fn chinese(digits: &str) -> Option<Decimal> {
    if digits.chars().all(|digit| digit_of(digit).is_some()) {
        return digits.chars().try_fold(Decimal::ZERO, |value, digit| {
            value
                .checked_mul(Decimal::TEN)?
                .checked_add(digit_of(digit)?)
        });
    }
    let (mut high, mut middle, mut low, mut digit_before) =
        (Decimal::ZERO, Decimal::ZERO, Decimal::ZERO, None);
    for digit in digits.chars() {
        if let Some(value) = digit_of(digit) {
            digit_before = Some(value);
            continue;
        }
        let unit = unit_of(digit)?;
        if unit < Decimal::from(10_000) {
            let times = digit_before.take().unwrap_or(Decimal::ONE);
            low = low.checked_add(times.checked_mul(unit)?)?;
            continue;
        }
        low = low.checked_add(digit_before.take().unwrap_or_default())?;
        if digit == '万' {
            middle = middle.checked_add(low.checked_mul(unit)?)?;
        } else {
            high = high
                .checked_add(middle)?
                .checked_add(low)?
                .checked_mul(unit)?;
            middle = Decimal::ZERO;
        }
        low = Decimal::ZERO;
    }
    let rest = middle
        .checked_add(low)?
        .checked_add(digit_before.unwrap_or_default())?;
    high.checked_add(rest).filter(|value| !value.is_zero())
}

fn read_words(tokens: &[Token], at: usize, lexicon: &Lexicon) -> Option<Number> {
    let entry = |index: usize| {
        let token = tokens.get(index)?;
        lexicon
            .numerals
            .get(&super::term::Term::of(&token.folded))
            .copied()
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
            next,
        })
    }
}
