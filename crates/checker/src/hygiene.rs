//! Which text is accepted, and the form in which two texts are the same.
//!
//! Text is stored as it was given, short of invisible characters that could make it read differently from what it
//! says: those are refused where they reorder text, and taken out, saying so, where they only hide.

mod invisible;

use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

use invisible::{is_bidirectional_control, is_zero_width, joins};

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

/// Lists characters by code point and place.
fn list(oddities: &[Oddity]) -> String {
    oddities
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests;
