//! Decimals as they are written, read digit by digit.

use rust_decimal::Decimal;

/// Whether a text is digits with an optional sign and fraction, as the schema asks.
pub(super) fn is_plain_decimal(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    match unsigned.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(unsigned),
    }
}

/// Reads digits with an optional exponent without rounding anything.
pub(super) fn exact_decimal(text: &str) -> Option<Decimal> {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let mut number = Decimal::from_str_exact(digits).ok()?;
    let exponent: i32 = exponent.parse().ok()?;
    if number.is_zero() {
        return Some(number);
    }
    let scale = i64::from(number.scale()) - i64::from(exponent);
    if scale >= 0 {
        number.set_scale(u32::try_from(scale).ok()?).ok()?;
        return Some(number);
    }
    number.set_scale(0).ok()?;
    (0..-scale).try_fold(number, |number, _| number.checked_mul(Decimal::TEN))
}
