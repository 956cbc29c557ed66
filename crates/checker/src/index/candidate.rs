//! What the index answers with.

use std::cmp::Reverse;

/// How many candidates each index may give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// By the claim key: the newest ones.
    pub claim_key: usize,
    /// By shared terms: those whose shared terms weigh most.
    pub terms: usize,
    /// By meaning: the nearest ones.
    pub vector: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            claim_key: 64,
            terms: 32,
            vector: 32,
        }
    }
}

/// Which of the indexes gave a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FoundBy {
    /// It has the same claim key.
    pub claim_key: bool,
    /// It shares terms.
    pub terms: bool,
    /// It is near in meaning.
    pub vector: bool,
}

/// A statement to compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate<K> {
    /// Its key.
    pub key: K,
    /// Which indexes gave it.
    pub by: FoundBy,
    /// The weight of the terms it shares, rare ones weighing more; in 256ths of a bit of information.
    pub overlap: u32,
    /// How near it is in meaning, in ten-thousandths; none where one of the two has no vector.
    pub cosine: Option<i16>,
}

impl<K: Copy + Ord> Candidate<K> {
    /// The order of candidates: lower comes first.
    pub(super) fn rank(&self) -> impl Ord + use<K> {
        (
            Reverse(self.by.claim_key),
            Reverse(self.cosine),
            Reverse(self.overlap),
            self.key,
        )
    }
}
