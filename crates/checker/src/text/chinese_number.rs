//! Reads a number in Chinese numerals: `三千二百万`, `二〇二三`, `三点二万`, `三分之二`.

use rust_decimal::Decimal;

use super::number::{Form, Number, part_of_whole, written_precision};
use super::token::{Token, TokenClass};

/// Reads numerals at `at`.
pub(super) fn read(tokens: &[Token], at: usize) -> Option<Number> {
    let token = tokens.get(at)?;
    let value = numerals(&token.folded)?;
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
        scale: Decimal::ONE,
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
        scale: Decimal::ONE,
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
pub(crate) fn numerals(digits: &str) -> Option<Decimal> {
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

/// The product of the units a run consists of.
pub(super) fn magnitude(digits: &str) -> Option<Decimal> {
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
