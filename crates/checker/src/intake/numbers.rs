//! Numbers as they are written, read digit by digit and never through a binary float.

use rust_decimal::Decimal;

use super::reader::{Node, Reader};
use crate::raw_json::{Opened, open};

impl Reader {
    /// Reads a JSON number, exactly.
    pub(super) fn number(&mut self, node: &Node<'_>) -> Option<Decimal> {
        let Opened::Number(text) = self.open(node, "number")? else {
            return None;
        };
        self.exact(node, text)
    }

    /// Reads a decimal: a JSON number, or a string of digits.
    pub(super) fn decimal(&mut self, node: &Node<'_>) -> Option<Decimal> {
        match open(node.value) {
            Ok(Opened::Number(text)) => self.exact(node, text),
            Ok(Opened::Text(text)) if is_plain_decimal(&text) => self.exact(node, &text),
            _ => {
                let message =
                    "this is no decimal; write its digits without thousands marks and units";
                self.note(
                    &node.pointer,
                    message,
                    "a number such as `45.5`, or a string such as `\"45.5\"`",
                    node.value.get(),
                );
                None
            }
        }
    }

    fn exact(&mut self, node: &Node<'_>, text: &str) -> Option<Decimal> {
        let number = exact_decimal(text);
        if number.is_none() {
            let message = "the number has more digits than can be kept exactly";
            self.note(&node.pointer, message, "at most 28 digits", text);
        }
        number
    }

    /// Reads `true` or `false`.
    pub(super) fn boolean(&mut self, node: &Node<'_>) -> Option<bool> {
        let Opened::Boolean(value) = self.open(node, "boolean")? else {
            return None;
        };
        Some(value)
    }

    /// Reads a whole number from one range.
    pub(super) fn whole(&mut self, node: &Node<'_>, least: u32, most: u32) -> Option<u32> {
        let number = self.number(node)?;
        let whole = number
            .is_integer()
            .then(|| u32::try_from(number).ok())
            .flatten();
        let whole = whole.filter(|whole| (least..=most).contains(whole));
        if whole.is_none() {
            let expected = format!("a whole number from {least} to {most}");
            self.note(
                &node.pointer,
                "the number is not one of those allowed",
                expected,
                node.value.get(),
            );
        }
        whole
    }
}

/// Whether a text is digits with an optional sign and fraction, as the schema asks.
fn is_plain_decimal(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    match unsigned.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(unsigned),
    }
}

/// Reads digits with an optional exponent without rounding anything.
fn exact_decimal(text: &str) -> Option<Decimal> {
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
