//! The form two texts are compared in: without invisible characters, composed (NFC), lower case, single spaces.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Normalises for comparison; compatibility forms (`①`, `ﬁ`, full-width letters) stay apart on purpose.
pub fn normalise(text: &str) -> String {
    let lowered = if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        let visible: String = text.chars().filter(|it| !is_ignorable(*it)).collect();
        compose(&visible).to_lowercase()
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

/// Whether a character shows nothing by itself: the default ignorable code points of the Unicode Character Database
/// (`DerivedCoreProperties.txt`, version 16.0).
///
/// Two names that look the same must not be two names. Joiners go too, though they change how some scripts are
/// written: spelling that differs in them alone is no other name either.
pub fn is_ignorable(character: char) -> bool {
    matches!(
        character,
        '\u{00ad}'
            | '\u{034f}'
            | '\u{061c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
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

    #[test]
    fn what_cannot_be_seen_is_forgotten_before_marks_are_composed() {
        assert_eq!(
            normalise("Cafe\u{200b}\u{301} \u{fe0f}\u{2060} Ope\u{ad}n"),
            "café open"
        );
        assert_eq!(normalise("\u{3164}\u{e0041}"), "");
    }
}
