//! The form two texts are compared in: composed (NFC), lower case, single spaces.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Normalises for comparison; compatibility forms (`①`, `ﬁ`, full-width letters) stay apart on purpose.
pub fn normalise(text: &str) -> String {
    let lowered = if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        compose(text).to_lowercase()
    };
    let mut out = String::with_capacity(lowered.len());
    for word in lowered.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    if lowered.is_ascii() {
        out
    } else {
        compose(&out)
    }
}

fn compose(text: &str) -> String {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => text.to_owned(),
        _ => text.nfc().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_space_and_composition_are_folded_and_nothing_else() {
        assert_eq!(normalise("  Cafe\u{301}\n IS  Open "), "café is open");
        assert_ne!(normalise("①"), "1");
    }
}
