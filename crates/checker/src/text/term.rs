//! A term as a number: equal on every machine, cheap to compare and to post in an index.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use serde::{Deserialize, Serialize};

/// A folded word or phrase as a 64-bit FNV-1a hash with a final mix; stable across machines and versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Term(u64);

/// A map keyed by terms, which are hashes already.
pub type TermMap<V> = HashMap<Term, V, BuildHasherDefault<Ready>>;

impl Term {
    /// Hashes a folded word or phrase.
    pub fn of(folded: &str) -> Self {
        let mut hash = Rolling::default();
        hash.push(folded);
        hash.term()
    }

    /// Joins the terms of a phrase; a phrase of one word is that word.
    pub(crate) fn joined(terms: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut terms = terms.into_iter();
        let first = terms.next()?;
        Some(terms.fold(first, |joined, next| {
            Rolling(joined.0.rotate_left(17) ^ next.0.wrapping_mul(0x0000_0100_0000_01b3)).term()
        }))
    }

    /// The number itself, for index keys.
    pub fn value(self) -> u64 {
        self.0
    }
}

/// An FNV-1a hash that grows: every prefix of a phrase is hashed in one pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rolling(u64);

impl Default for Rolling {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Rolling {
    /// Appends text.
    pub(crate) fn push(&mut self, text: &str) {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// The term of what was pushed so far.
    pub(crate) fn term(self) -> Term {
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        Term(mixed ^ (mixed >> 33))
    }
}

/// Passes a term through as its own hash.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ready(u64);

impl Hasher for Ready {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_keeps_its_value() {
        assert_eq!(Term::of("rise").value(), Term::of("rise").value());
        assert_ne!(Term::of("rise"), Term::of("ris"));
        let mut rolling = Rolling::default();
        rolling.push("no");
        rolling.push(" longer");
        assert_eq!(rolling.term(), Term::of("no longer"));
    }
}
