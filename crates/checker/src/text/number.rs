//! Reads one number, in digits or words, with the precision it is written to.

use rust_decimal::Decimal;

use super::term::Term;
use super::token::{Token, TokenClass};
use super::{chinese_number, number_words};
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
    /// The magnitude words after its digits, multiplied.
    pub(crate) scale: Decimal,
    /// The first token after it.
    pub(crate) next: usize,
}

/// Reads a number at `at`.
pub(crate) fn read(tokens: &[Token], at: usize, lexicon: &Lexicon) -> Option<Number> {
    let token = tokens.get(at)?;
    match token.class {
        TokenClass::Number => read_digits(tokens, at, lexicon),
        TokenClass::Numeral => chinese_number::read(tokens, at),
        TokenClass::Word => number_words::read(tokens, at, lexicon),
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
        scale: Decimal::ONE,
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
        scale: Decimal::ONE,
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
    let is_hyphened = suffix.folded == "-" && suffix.glued;
    if is_hyphened && tokens.get(at + 2).is_some_and(|it| it.glued) {
        // `a 5-million-euro plan`
        next += usize::from(scale(tokens, at + 2, lexicon).is_some());
    }
    while let Some(factor) = scale(tokens, next, lexicon) {
        number.scale = number.scale.checked_mul(factor)?;
        next += 1;
    }
    if next > at + 1 {
        number.value = value.checked_mul(number.scale)?;
        number.precision = place(value).checked_mul(number.scale)?;
    }
    Some(Number {
        next,
        is_plain: next == at + 1 && value.scale() == 0,
        ..number
    })
}

/// `三分之二` and `3分之2`: the second number over the first.
pub(super) fn part_of_whole(tokens: &[Token], at: usize, whole: Decimal) -> Option<Number> {
    if tokens.get(at)?.folded != "分之" {
        return None;
    }
    let part = tokens.get(at + 1)?;
    let part = match part.class {
        TokenClass::Numeral => chinese_number::numerals(&part.folded)?,
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
pub(super) fn written_precision(value: Decimal) -> Decimal {
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
        .then(|| chinese_number::magnitude(&token.folded))
        .flatten();
    }
    match lexicon.numerals.get(&Term::of(&token.folded))? {
        NumeralEntry::Scale {
            factor,
            glued_only: false,
        } => Some(*factor),
        NumeralEntry::Scale {
            factor,
            glued_only: true,
        } if token.glued && (token.folded != "m" || follows_money(tokens, at)) => Some(*factor),
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
