//! Cuts a text into words, numbers, Han words and symbols, with their byte ranges.
//!
//! Han text is cut by the longest word the lexicon knows and falls back to single characters: enough to align two
//! texts, no segmenter is pretended.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use super::language::is_han;
use super::stem::stem;
use super::term::{Rolling, Term};
use crate::lexicon::Lexicon;

/// What a token is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenClass {
    /// Letters of an alphabet, digits after the first letter included (`q2`, `v1`).
    Word,
    /// Digits with thousands marks and at most one decimal point.
    Number,
    /// Digits with two points or more, as in `1.2.3`.
    Dotted,
    /// A run of Chinese numerals.
    Numeral,
    /// A Han word or character.
    Han,
    /// Anything else that is not white space.
    Symbol,
}

/// One token of a text.
#[derive(Clone, Debug)]
pub struct Token {
    /// Where it stands in the text, in bytes.
    pub span: Range<usize>,
    /// What it is made of.
    pub class: TokenClass,
    /// Lower case and composed.
    pub folded: String,
    /// The term of its stem.
    pub term: Term,
    /// Whether no white space stands before it.
    pub glued: bool,
    /// Whether it was written with a capital first letter.
    pub capital: bool,
}

/// The characters Chinese numbers are written with.
pub(crate) const NUMERALS: &str = "零〇一二两三四五六七八九十百千万亿";

/// The longest Han word looked up, in characters.
const LONGEST_HAN_WORD: usize = 6;

/// Cuts a text into tokens.
pub fn tokenise(text: &str, lexicon: &Lexicon) -> Vec<Token> {
    let mut cutter = Cutter {
        text,
        at: 0,
        tokens: Vec::with_capacity(text.len() / 4),
        lexicon,
    };
    let mut glued = false;
    while let Some(next) = cutter.peek() {
        if next.is_whitespace() {
            cutter.at += next.len_utf8();
            glued = false;
            continue;
        }
        cutter.cut(next, glued);
        glued = true;
    }
    cutter.tokens
}

struct Cutter<'a> {
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
    lexicon: &'a Lexicon,
}

impl Cutter<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn cut(&mut self, next: char, glued: bool) {
        if next.is_ascii_digit() {
            let (length, class) = digits(self.rest());
            self.push(length, class, glued);
        } else if is_han(next) {
            let (length, class) = self.han();
            self.push(length, class, glued);
        } else if next.is_alphabetic() {
            self.word(glued);
        } else {
            self.push(next.len_utf8(), TokenClass::Symbol, glued);
        }
    }

    /// A word; `don't` gives `do` and `n't`, other apostrophes separate.
    fn word(&mut self, glued: bool) {
        let rest = self.rest();
        if rest.starts_with(['v', 'V'])
            && rest
                .get(1..2)
                .is_some_and(|next| next.bytes().all(|digit| digit.is_ascii_digit()))
        {
            return self.push(1, TokenClass::Word, glued);
        }
        let length = rest
            .find(|letter: char| !letter.is_alphanumeric() || is_han(letter))
            .unwrap_or(rest.len());
        let after = rest.get(length..).unwrap_or_default();
        let mut tail = after.chars();
        let apostrophe = tail.next().filter(|mark| matches!(mark, '\'' | '’'));
        let contracted = apostrophe.is_some()
            && matches!(tail.next(), Some('t' | 'T'))
            && !tail.next().is_some_and(char::is_alphanumeric);
        let ends_in_n = rest
            .get(..length)
            .is_some_and(|word| word.ends_with(['n', 'N']));
        if contracted && ends_in_n {
            let mark = apostrophe.map_or(1, char::len_utf8);
            if length > 1 {
                self.push(length - 1, TokenClass::Word, glued);
            }
            self.push_negation(1 + mark + 1);
        } else {
            self.push(length, TokenClass::Word, glued);
        }
    }

    fn push_negation(&mut self, length: usize) {
        self.tokens.push(Token {
            span: self.at..self.at + length,
            class: TokenClass::Word,
            folded: "n't".to_owned(),
            term: Term::of("n't"),
            glued: true,
            capital: false,
        });
        self.at += length;
    }

    /// The longest known Han word here, a run of numerals, or one character.
    fn han(&self) -> (usize, TokenClass) {
        let rest = self.rest();
        let numerals = rest
            .find(|letter: char| !NUMERALS.contains(letter))
            .unwrap_or(rest.len());
        let mut longest = 0;
        let mut hash = Rolling::default();
        for (start, letter) in rest.char_indices().take(LONGEST_HAN_WORD) {
            if !is_han(letter) {
                break;
            }
            let end = start + letter.len_utf8();
            hash.push(rest.get(start..end).unwrap_or_default());
            if start > 0 && self.lexicon.is_han_word(hash.term()) {
                longest = end;
            }
        }
        if numerals > 0 && numerals >= longest {
            (numerals, TokenClass::Numeral)
        } else if longest > 0 {
            (longest, TokenClass::Han)
        } else {
            (
                rest.chars().next().map_or(1, char::len_utf8),
                TokenClass::Han,
            )
        }
    }

    fn push(&mut self, length: usize, class: TokenClass, glued: bool) {
        let span = self.at..self.at + length;
        let written = self.text.get(span.clone()).unwrap_or_default();
        let folded = fold(written);
        let term = match class {
            TokenClass::Word => self
                .lexicon
                .base_of(&folded)
                .unwrap_or_else(|| Term::of(&stem(&folded))),
            _ => Term::of(&folded),
        };
        let capital = written.chars().next().is_some_and(char::is_uppercase);
        self.tokens.push(Token {
            span,
            class,
            folded,
            term,
            glued,
            capital,
        });
        self.at += length;
    }
}

fn fold(written: &str) -> String {
    if written.is_ascii() {
        written.to_ascii_lowercase()
    } else {
        written.to_lowercase().nfc().collect()
    }
}

/// Measures digits with thousands marks and points at the start of `rest`.
fn digits(rest: &str) -> (usize, TokenClass) {
    let bytes = rest.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let (mut at, mut points) = (0, 0);
    loop {
        while digit(at) {
            at += 1;
        }
        let group =
            points == 0 && digit(at + 1) && digit(at + 2) && digit(at + 3) && !digit(at + 4);
        match bytes.get(at) {
            Some(b',') if group => at += 1,
            Some(b'.') if digit(at + 1) => {
                at += 1;
                points += 1;
            }
            _ => break,
        }
    }
    (
        at,
        if points > 1 {
            TokenClass::Dotted
        } else {
            TokenClass::Number
        },
    )
}
