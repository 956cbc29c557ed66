//! A table of phrases of one or more tokens, found longest first.

use crate::text::term::{Term, TermMap};
use crate::text::token::Token;

/// The longest phrase looked for, in tokens.
pub(crate) const LONGEST_PHRASE: usize = 5;

/// A table from phrases to what is known of them.
#[derive(Clone, Debug)]
pub(crate) struct Phrases<V> {
    known: TermMap<V>,
    longest_from: TermMap<usize>,
}

impl<V> Default for Phrases<V> {
    fn default() -> Self {
        Self {
            known: TermMap::default(),
            longest_from: TermMap::default(),
        }
    }
}

impl<V> Phrases<V> {
    /// Finds the longest known phrase at the start of `tokens` and its length.
    pub(crate) fn longest(&self, tokens: &[Token]) -> Option<(usize, &V)> {
        let longest = *self.longest_from.get(&tokens.first()?.term)?;
        (1..=longest.min(tokens.len()))
            .rev()
            .find_map(|length| Some((length, self.exact(tokens.get(..length)?)?)))
    }

    /// Finds a phrase that is exactly `tokens`.
    pub(crate) fn exact(&self, tokens: &[Token]) -> Option<&V> {
        self.known
            .get(&Term::joined(tokens.iter().map(|token| token.term))?)
    }

    /// Finds a phrase of one token.
    pub(crate) fn single(&self, term: Term) -> Option<&V> {
        self.known.get(&term)
    }
}

impl<V: Default> Phrases<V> {
    /// The value of a phrase, made if absent; none for an empty or overlong phrase.
    pub(crate) fn entry(&mut self, phrase: &[Token]) -> Option<&mut V> {
        let first = phrase.first()?.term;
        if phrase.len() > LONGEST_PHRASE {
            return None;
        }
        let key = Term::joined(phrase.iter().map(|token| token.term))?;
        let longest = self.longest_from.entry(first).or_default();
        *longest = (*longest).max(phrase.len());
        Some(self.known.entry(key).or_default())
    }
}

impl<V> Phrases<V> {
    /// Puts a phrase; the first entry of a phrase stays. False for an empty or overlong phrase.
    pub(crate) fn put(&mut self, phrase: &[Token], value: V) -> bool {
        let Some(first) = phrase.first().map(|token| token.term) else {
            return false;
        };
        let Some(key) = Term::joined(phrase.iter().map(|token| token.term)) else {
            return false;
        };
        if phrase.len() > LONGEST_PHRASE {
            return false;
        }
        let longest = self.longest_from.entry(first).or_default();
        *longest = (*longest).max(phrase.len());
        self.known.entry(key).or_insert(value);
        true
    }
}
