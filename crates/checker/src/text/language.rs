//! Which language a text is in, as far as judging needs it.

use serde::{Deserialize, Serialize};

/// The language a text is judged and explained in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// Latin letters prevail; English rules are used.
    English,
    /// Han characters prevail.
    Chinese,
    /// Another script prevails; only numbers and claims are judged.
    Other,
}

impl Language {
    /// Guesses the language from the scripts: a Han character weighs as two letters.
    pub fn of(text: &str) -> Self {
        let (mut latin, mut han, mut other) = (0_usize, 0_usize, 0_usize);
        for letter in text.chars() {
            if letter.is_ascii_alphabetic() {
                latin += 1;
            } else if is_han(letter) {
                han += 2;
            } else if letter.is_alphabetic() {
                if ('\u{c0}'..='\u{24f}').contains(&letter) {
                    latin += 1;
                } else {
                    other += 1;
                }
            }
        }
        if other > latin && other > han {
            Self::Other
        } else if han >= latin && han > 0 {
            Self::Chinese
        } else {
            Self::English
        }
    }
}

/// Tells Han characters, extension A and the compatibility block included.
pub fn is_han(letter: char) -> bool {
    matches!(letter, '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{f900}'..='\u{faff}' | '〇')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_decide() {
        assert_eq!(Language::of("Sales rose 5%"), Language::English);
        assert_eq!(Language::of("2023年销售额增长5%"), Language::Chinese);
        assert_eq!(Language::of("Apple 公司的收入增长了"), Language::Chinese);
        assert_eq!(Language::of("выручка выросла"), Language::Other);
        assert_eq!(Language::of("45"), Language::English);
    }
}
