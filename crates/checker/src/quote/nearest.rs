//! The passage of a text that is most like a quote, to show what the source says instead.
//!
//! One pass over the text with a window as long as the quote, counting the words and pairs of words they share; then
//! the best window is compared letter by letter. Case does not matter here, since nothing is decided by it.

mod wanted;

use std::collections::VecDeque;
use std::ops::Range;

use self::wanted::Wanted;
use super::outcome::Passage;

/// The most words of a quote that are looked for.
const MAX_WORDS: usize = 256;

/// The most characters of a passage that are shown.
const MAX_CHARACTERS: usize = 400;

/// Finds the most similar passage; the first among equals.
pub(super) fn nearest(text: &str, quote: &str) -> Option<Passage> {
    let quoted: Vec<Word> = words(quote).take(MAX_WORDS).collect();
    let window = best_window(text, &quoted)?;
    let passage: String = text
        .get(window.clone())?
        .chars()
        .take(MAX_CHARACTERS)
        .collect();
    let asked: String = quote.chars().take(MAX_CHARACTERS).collect();
    Some(Passage {
        similarity: similarity(&passage, &asked),
        start: text.get(..window.start)?.chars().count(),
        text: passage,
    })
}

/// A word, or a character of a script written without spaces.
struct Word {
    digest: u64,
    range: Range<usize>,
}

/// The stretch of as many words as the quote has that shares most with it; among equals one that starts with a word of
/// the quote, then the first.
fn best_window(text: &str, quoted: &[Word]) -> Option<Range<usize>> {
    let mut wanted = Wanted::new(features(quoted));
    let mut window: VecDeque<(Word, u64)> = VecDeque::with_capacity(quoted.len() + 1);
    let (mut shared, mut best) = (0_usize, ((0_usize, true), None));
    let mut previous = 0;
    for word in words(text) {
        let both = pair(previous, word.digest);
        previous = word.digest;
        shared += wanted.enter(word.digest) + wanted.enter(both);
        window.push_back((word, both));
        if window.len() > quoted.len()
            && let Some((word, both)) = window.pop_front()
        {
            shared -= wanted.leave(word.digest) + wanted.leave(both);
        }
        if shared >= best.0.0
            && let (Some((first, _)), Some((last, _))) = (window.front(), window.back())
        {
            let rank = (shared, wanted.contains(first.digest));
            if rank > best.0 {
                best = (rank, Some(first.range.start..last.range.end));
            }
        }
    }
    best.1
}

/// The words of a quote and the pairs that follow each other.
fn features(words: &[Word]) -> impl Iterator<Item = u64> {
    let pairs = words
        .iter()
        .zip(words.iter().skip(1))
        .map(|(left, right)| pair(left.digest, right.digest));
    words.iter().map(|word| word.digest).chain(pairs)
}

fn words(text: &str) -> impl Iterator<Item = Word> {
    let mut place = 0;
    std::iter::from_fn(move || {
        let (start, first) = next_letter(text, place)?;
        let mut word = Word {
            digest: digest(SEED, first),
            range: start..start + first.len_utf8(),
        };
        if first < '\u{2e80}' {
            while let Some(next) = character(text, word.range.end)
                .filter(|&next| next.is_alphanumeric() && next < '\u{2e80}')
            {
                word.digest = digest(word.digest, next);
                word.range.end += next.len_utf8();
            }
        }
        place = word.range.end;
        Some(word)
    })
}

fn next_letter(text: &str, mut place: usize) -> Option<(usize, char)> {
    loop {
        let next = character(text, place)?;
        if next.is_alphanumeric() {
            return Some((place, next));
        }
        place += next.len_utf8();
    }
}

/// The character that starts here; most texts are mostly ASCII, which needs no decoding.
fn character(text: &str, place: usize) -> Option<char> {
    match text.as_bytes().get(place)? {
        byte if byte.is_ascii() => Some(char::from(*byte)),
        _ => text.get(place..)?.chars().next(),
    }
}

/// The start of a 64-bit FNV-1a digest.
const SEED: u64 = 0xcbf2_9ce4_8422_2325;

/// Takes a letter into a digest, in lower case.
fn digest(digest: u64, character: char) -> u64 {
    let take = |digest: u64, lower: char| {
        (digest ^ u64::from(u32::from(lower))).wrapping_mul(0x0100_0000_01b3)
    };
    match character {
        _ if character.is_ascii() => take(digest, character.to_ascii_lowercase()),
        // Ideographs and syllables of Korean have no case.
        '\u{3400}'..='\u{d7a3}' if !('\u{a4d0}'..'\u{ac00}').contains(&character) => {
            take(digest, character)
        }
        _ => character.to_lowercase().fold(digest, take),
    }
}

fn pair(left: u64, right: u64) -> u64 {
    (left.rotate_left(17) ^ right).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Twice the pairs of letters two texts share over those they have (Dice), in ten-thousandths.
fn similarity(left: &str, right: &str) -> u16 {
    let (mut left, mut right) = (letter_pairs(left), letter_pairs(right));
    let all = left.len() + right.len();
    if all == 0 {
        return 0;
    }
    left.sort_unstable();
    right.sort_unstable();
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    let mut shared = 0;
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        match a.cmp(b) {
            std::cmp::Ordering::Less => drop(left.next()),
            std::cmp::Ordering::Greater => drop(right.next()),
            std::cmp::Ordering::Equal => {
                shared += 1;
                left.next();
                right.next();
            }
        }
    }
    u16::try_from(2 * shared * 10_000 / all).unwrap_or(10_000)
}

fn letter_pairs(text: &str) -> Vec<(char, char)> {
    let letters: Vec<char> = text
        .chars()
        .flat_map(char::to_lowercase)
        .filter(|it| !it.is_whitespace())
        .collect();
    letters
        .iter()
        .copied()
        .zip(letters.iter().copied().skip(1))
        .collect()
}
