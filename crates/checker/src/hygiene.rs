//! Which text is accepted, and the form in which two texts are the same.
//!
//! Text is stored as it was given, short of invisible characters that could make it read differently from what it
//! says: those are refused where they reorder text, and taken out, saying so, where they only hide.

use thiserror::Error;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The most findings listed of one text.
const MOST_LISTED: usize = 16;

/// A text that was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The text without what was taken out.
    pub text: String,
    /// The characters taken out, in their order; at most the first 16.
    pub stripped: Vec<Oddity>,
}

/// A character that has no place where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Oddity {
    /// The character.
    pub character: char,
    /// Its place, counted in characters from zero.
    pub position: usize,
}

impl std::fmt::Display for Oddity {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "U+{:04X} at character `{}`",
            u32::from(self.character),
            self.position
        )
    }
}

/// Says why a text is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HygieneError {
    /// The bytes are no text.
    #[error("the text is not valid utf-8 from byte `{0}` on; send it as utf-8")]
    Encoding(usize),
    /// There are more characters than allowed.
    #[error("the text has `{characters}` characters, at most `{most}` are allowed; shorten it")]
    TooLong {
        /// How many there are.
        characters: usize,
        /// How many may be.
        most: usize,
    },
    /// Control characters other than line feed and tab.
    #[error("the text has control characters: {}; leave them out", list(.0))]
    Control(Vec<Oddity>),
    /// Controls that change the order in which text is shown.
    #[error("the text has controls that reorder what is shown: {}; leave them out", list(.0))]
    Bidirectional(Vec<Oddity>),
}

/// Reads bytes as text, refusing what is not UTF-8.
pub fn decode(bytes: &[u8]) -> Result<&str, HygieneError> {
    std::str::from_utf8(bytes).map_err(|error| HygieneError::Encoding(error.valid_up_to()))
}

/// Accepts a text of at most so many characters, taking out zero-width characters.
///
/// The zero-width joiner and non-joiner stay where writing needs them: next to letters of a script that joins, and in
/// emoji sequences. Carriage returns before line feeds are taken out with the rest.
pub fn accept(text: &str, most_characters: usize) -> Result<Accepted, HygieneError> {
    let characters = text.chars().count();
    if characters > most_characters {
        return Err(HygieneError::TooLong {
            characters,
            most: most_characters,
        });
    }
    let characters: Vec<char> = text.chars().collect();
    refuse(
        &characters,
        is_bidirectional_control,
        HygieneError::Bidirectional,
    )?;
    let mut accepted = Accepted {
        text: String::with_capacity(text.len()),
        stripped: Vec::new(),
    };
    let mut refused = Vec::new();
    for (position, &character) in characters.iter().enumerate() {
        let before = position
            .checked_sub(1)
            .and_then(|position| characters.get(position))
            .copied();
        let after = characters.get(position + 1).copied();
        match class(character, before, after) {
            Class::Kept => accepted.text.push(character),
            Class::Stripped => accepted.stripped.push(Oddity {
                character,
                position,
            }),
            Class::Refused => refused.push(Oddity {
                character,
                position,
            }),
        }
    }
    accepted.stripped.truncate(MOST_LISTED);
    refused.truncate(MOST_LISTED);
    if refused.is_empty() {
        Ok(accepted)
    } else {
        Err(HygieneError::Control(refused))
    }
}

/// The form in which two texts that say the same in the same words are equal: composed (NFC), each run of white space
/// one space, none at the ends.
pub fn comparison_form(text: &str) -> String {
    let composed: String = text.nfc().collect();
    let mut form = String::with_capacity(composed.len());
    for word in composed.split_whitespace() {
        if !form.is_empty() {
            form.push(' ');
        }
        form.push_str(word);
    }
    form
}

/// What becomes of a character.
enum Class {
    Kept,
    Stripped,
    Refused,
}

fn class(character: char, before: Option<char>, after: Option<char>) -> Class {
    match character {
        '\n' | '\t' => Class::Kept,
        '\r' if after == Some('\n') => Class::Stripped,
        '\u{200c}' | '\u{200d}' if joins(before, after) => Class::Kept,
        _ if is_zero_width(character) => Class::Stripped,
        _ if character.is_control() => Class::Refused,
        _ => Class::Kept,
    }
}

/// Refuses a text in which some characters stand.
fn refuse(
    characters: &[char],
    unwanted: fn(char) -> bool,
    error: fn(Vec<Oddity>) -> HygieneError,
) -> Result<(), HygieneError> {
    let places = characters
        .iter()
        .enumerate()
        .filter(|&(_, &character)| unwanted(character));
    let found: Vec<_> = places
        .take(MOST_LISTED)
        .map(|(position, &character)| Oddity {
            character,
            position,
        })
        .collect();
    if found.is_empty() {
        Ok(())
    } else {
        Err(error(found))
    }
}

/// Embeddings, overrides, isolates and the marks of direction (UAX 9, section 2).
fn is_bidirectional_control(character: char) -> bool {
    matches!(character, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Characters that show nothing and take no room, and the tag characters, which can hide a whole message.
fn is_zero_width(character: char) -> bool {
    matches!(
        character,
        '\u{00ad}'
            | '\u{034f}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200d}'
            | '\u{2060}'..='\u{2065}'
            | '\u{206a}'..='\u{206f}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Whether a joiner or non-joiner changes how its neighbours are written.
fn joins(before: Option<char>, after: Option<char>) -> bool {
    let (Some(before), Some(after)) = (before, after) else {
        return before.is_some_and(is_joining_script);
    };
    is_joining_script(before) || (is_pictograph(before) && is_pictograph(after))
}

/// Scripts whose letters change with their neighbours: Arabic, Syriac and kin, the Indic ones and those like them.
fn is_joining_script(character: char) -> bool {
    matches!(
        character,
        '\u{0600}'..='\u{08ff}'
            | '\u{0900}'..='\u{0dff}'
            | '\u{0f00}'..='\u{109f}'
            | '\u{1780}'..='\u{18af}'
            | '\u{1a20}'..='\u{1bff}'
            | '\u{a840}'..='\u{a87f}'
            | '\u{fb50}'..='\u{fdff}'
            | '\u{fe70}'..='\u{fefe}'
            | '\u{11000}'..='\u{11fff}'
    ) && (character.is_alphabetic() || is_combining_mark(character))
}

/// Signs that emoji sequences are made of, their modifiers and variation selector included.
fn is_pictograph(character: char) -> bool {
    matches!(
        character,
        '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{20e3}' | '\u{1f000}'..='\u{1faff}'
    )
}

/// Lists characters by code point and place.
fn list(oddities: &[Oddity]) -> String {
    oddities
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check_kept(text: &str) {
        assert_eq!(
            accept(text, 1000),
            Ok(Accepted {
                text: text.to_owned(),
                stripped: Vec::new()
            })
        );
    }

    #[track_caller]
    fn check_stripped(text: &str, kept: &str, stripped: &[(char, usize)]) {
        let accepted = accept(text, 1000).unwrap();
        let found: Vec<_> = accepted
            .stripped
            .iter()
            .map(|it| (it.character, it.position))
            .collect();
        assert_eq!((accepted.text.as_str(), found.as_slice()), (kept, stripped));
    }

    #[track_caller]
    fn check_refused(text: &str, message: &str) {
        assert_eq!(accept(text, 20).unwrap_err().to_string(), message);
    }

    #[test]
    fn writing_is_kept_as_it_is() {
        check_kept("Revenue grew 45%.\n\t— e\u{301}, 10², ﬁ, 营收");
        check_kept("می\u{200c}خواهم"); // a Persian verb needs the non-joiner
        check_kept("क्\u{200d}ष"); // so does a Hindi conjunct the joiner
        check_kept("👩\u{200d}👩\u{200d}👧"); // and a family
        check_kept("🏳\u{fe0f}\u{200d}🌈");
    }

    #[test]
    fn what_hides_is_taken_out_and_listed() {
        check_stripped(
            "4\u{200b}5\u{feff}",
            "45",
            &[('\u{200b}', 1), ('\u{feff}', 3)],
        );
        check_stripped("pass\u{200d}word", "password", &[('\u{200d}', 4)]);
        check_stripped("a\r\nb", "a\nb", &[('\r', 1)]);
        check_stripped("tag\u{e0041}", "tag", &[('\u{e0041}', 3)]);
    }

    #[test]
    fn what_reorders_or_controls_is_refused() {
        check_refused(
            "a\u{202e}b",
            "the text has controls that reorder what is shown: U+202E at character `1`; leave them out",
        );
        check_refused(
            "a\0\u{7f}",
            "the text has control characters: U+0000 at character `1`, U+007F at character `2`; leave them out",
        );
        check_refused(
            "lone\r",
            "the text has control characters: U+000D at character `4`; leave them out",
        );
        check_refused(
            &"长".repeat(21),
            "the text has `21` characters, at most `20` are allowed; shorten it",
        );
        assert_eq!(decode(b"ok \xff"), Err(HygieneError::Encoding(3)));
    }

    #[test]
    fn the_comparison_form_forgets_layout_alone() {
        assert_eq!(comparison_form("  e\u{301}t\u{e9}\n\n 10² "), "été 10²");
        assert_ne!(comparison_form("Ab"), comparison_form("ab"));
        assert_ne!(comparison_form("10²"), comparison_form("102"));
    }

    proptest! {
        #[test]
        fn what_is_accepted_is_accepted_again_unchanged(text in any::<String>()) {
            if let Ok(accepted) = accept(&text, usize::MAX) {
                // Taking a sign out can bring two others together, so a second pass may take out more, never refuse.
                let again = accept(&accepted.text, usize::MAX);
                prop_assert!(again.is_ok());
                prop_assert!(!accepted.text.chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
            }
        }

        #[test]
        fn the_comparison_form_is_a_fixed_point(text in any::<String>()) {
            let form = comparison_form(&text);
            prop_assert_eq!(comparison_form(&form), form);
        }

        #[test]
        fn any_bytes_decode_or_say_where_not(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            match decode(&bytes) {
                Ok(text) => prop_assert_eq!(text.as_bytes(), &bytes),
                Err(HygieneError::Encoding(at)) => prop_assert!(at < bytes.len()),
                Err(other) => prop_assert!(false, "{}", other),
            }
        }
    }
}
