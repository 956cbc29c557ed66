//! Words and lists as they are told.

use super::ReadWords;
use crate::{digest::Commitment, finding::Score};

/// The most characters of content or reason that are told.
const MAX_DETAIL: usize = 2_000;

/// The words as text that is safe to print on a terminal, cut where they are long.
pub(super) fn told(commitment: Commitment, words: &ReadWords<'_>) -> String {
    let Some(bytes) = words(commitment) else {
        return "(the words are no longer kept)".into();
    };
    let text = String::from_utf8_lossy(&bytes);
    let mut told = String::new();
    for (count, character) in text.chars().enumerate() {
        if count == MAX_DETAIL {
            told.push('…');
            break;
        }
        if is_unsafe(character) {
            told.extend(character.escape_default());
        } else {
            told.push(character);
        }
    }
    told
}

/// Control characters, and the invisible ones that reorder or hide text.
fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
        )
}

pub(super) fn listed<T: ToString>(things: &[T]) -> String {
    let things: Vec<String> = things.iter().map(ToString::to_string).collect();
    things.join(", ")
}

pub(super) fn clause(before: &str, list: &str) -> String {
    if list.is_empty() {
        String::new()
    } else {
        format!("{before}{list}")
    }
}

pub(super) fn counted(count: impl TryInto<u64>, what: &str) -> String {
    match count.try_into().unwrap_or(u64::MAX) {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

pub(super) fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    }
}

pub(super) fn ratio(score: Score) -> String {
    format!("{:.2}", score.ratio())
}
