//! Digits and signs that a source raises, as the characters that say so: `10` with a raised `2` is `10²`, not `102`.

/// The superscript of a digit or sign.
pub(super) fn raised(character: char) -> Option<&'static str> {
    Some(match character {
        '0' => "⁰",
        '1' => "¹",
        '2' => "²",
        '3' => "³",
        '4' => "⁴",
        '5' => "⁵",
        '6' => "⁶",
        '7' => "⁷",
        '8' => "⁸",
        '9' => "⁹",
        '+' => "⁺",
        '-' | '−' => "⁻",
        '=' => "⁼",
        '(' => "⁽",
        ')' => "⁾",
        _ => return None,
    })
}
