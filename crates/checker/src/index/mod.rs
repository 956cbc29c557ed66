//! Finds what a new statement should be compared with: candidates from three indexes of one board.
//!
//! The answer depends on what is in the index alone, never on the order it came in or on threads. The claim keys and
//! the terms cost nearly the same however large the board is; the vectors are read from end to end, exactly.

mod candidate;
mod claim_keys;
mod postings;
mod vectors;

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

pub use candidate::{Candidate, FoundBy, Limits};
use claim_keys::ClaimKeys;
use postings::{BUDGET, Postings};
use vectors::VectorTable;

use crate::vector::Vector;

/// What of a statement is indexed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Indexed<'statement> {
    /// The digest of subject and attribute, if the statement has a claim.
    pub claim_key: Option<u64>,
    /// The digests of its entities and terms; order and repetition do not matter.
    pub terms: &'statement [u64],
    /// What it means, if there is a model.
    pub vector: Option<&'statement Vector>,
}

/// The three indexes of a board, over keys such as revision ids.
#[derive(Debug)]
pub struct Index<K> {
    statements: HashMap<K, Statement>,
    claim_keys: ClaimKeys<K>,
    postings: Postings<K>,
    vectors: VectorTable<K>,
}

/// What must be known of a statement to score it and to take it out again.
#[derive(Debug)]
struct Statement {
    claim_key: Option<u64>,
    /// Sorted, each once.
    terms: Box<[u64]>,
}

impl<K> Default for Index<K> {
    fn default() -> Self {
        Self {
            statements: HashMap::new(),
            claim_keys: ClaimKeys::default(),
            postings: Postings::default(),
            vectors: VectorTable::default(),
        }
    }
}

impl<K: Copy + Ord + Hash> Index<K> {
    /// Makes an empty index.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of statements in it.
    pub fn len(&self) -> usize {
        self.statements.len()
    }

    /// The number of vectors in it.
    pub fn vectors(&self) -> usize {
        self.vectors.len()
    }

    /// The number of terms in it, each counted for every statement that has it.
    pub fn terms(&self) -> usize {
        self.postings.len()
    }

    /// The vector of a statement.
    pub fn vector(&self, key: K) -> Option<Vector> {
        self.vectors.get(key)
    }

    /// The statements of a claim key, the newest first.
    pub fn of_claim_key(&self, claim_key: u64) -> impl Iterator<Item = K> {
        self.claim_keys.newest(Some(claim_key), usize::MAX)
    }

    /// How many terms a statement shares with another, and how near it is in meaning; none where it is not here.
    pub fn likeness(&self, indexed: &Indexed<'_>, key: K) -> Option<(usize, Option<i16>)> {
        let statement = self.statements.get(&key)?;
        let terms = sorted(indexed.terms);
        let shared = terms
            .iter()
            .filter(|term| statement.terms.binary_search(term).is_ok());
        let cosine = indexed
            .vector
            .and_then(|vector| self.vectors.cosine(vector, key));
        Some((shared.count(), cosine))
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }

    /// Puts a statement in; one that stands under the same key is replaced.
    pub fn insert(&mut self, key: K, indexed: &Indexed<'_>) {
        self.remove(key);
        let terms = sorted(indexed.terms);
        if let Some(claim_key) = indexed.claim_key {
            self.claim_keys.insert(claim_key, key);
        }
        self.postings.insert(&terms, key);
        if let Some(vector) = indexed.vector {
            self.vectors.insert(key, vector);
        }
        self.statements.insert(
            key,
            Statement {
                claim_key: indexed.claim_key,
                terms,
            },
        );
    }

    /// Takes a statement out; says whether it was there.
    pub fn remove(&mut self, key: K) -> bool {
        let Some(statement) = self.statements.remove(&key) else {
            return false;
        };
        if let Some(claim_key) = statement.claim_key {
            self.claim_keys.remove(claim_key, key);
        }
        self.postings.remove(&statement.terms, key);
        self.vectors.remove(key);
        true
    }

    /// The statements to compare this one with, the likeliest first: those of the same claim key, then by nearness,
    /// then by shared terms, then by key.
    pub fn candidates(&self, indexed: &Indexed<'_>, limits: &Limits) -> Vec<Candidate<K>> {
        let terms = sorted(indexed.terms);
        let mut found: BTreeMap<K, FoundBy> = BTreeMap::new();
        for key in self.claim_keys.newest(indexed.claim_key, limits.claim_key) {
            found.entry(key).or_default().claim_key = true;
        }
        for key in self.postings.most_shared(&terms, limits.terms, BUDGET) {
            found.entry(key).or_default().terms = true;
        }
        let nearest = indexed
            .vector
            .map(|vector| self.vectors.nearest(vector, limits.vector));
        for key in nearest.into_iter().flatten() {
            found.entry(key).or_default().vector = true;
        }
        let mut candidates: Vec<_> = found
            .into_iter()
            .map(|(key, by)| Candidate {
                key,
                by,
                overlap: self.overlap(&terms, key),
                cosine: indexed
                    .vector
                    .and_then(|vector| self.vectors.cosine(vector, key)),
            })
            .collect();
        candidates.sort_by_key(Candidate::rank);
        candidates
    }

    /// The weight of the terms a statement shares.
    fn overlap(&self, terms: &[u64], key: K) -> u32 {
        self.statements.get(&key).map_or(0, |statement| {
            let shared = terms
                .iter()
                .filter(|term| statement.terms.binary_search(term).is_ok());
            shared
                .map(|&term| self.postings.weight(term))
                .fold(0, u32::saturating_add)
        })
    }
}

/// Terms in order, each once.
fn sorted(terms: &[u64]) -> Box<[u64]> {
    let mut terms = terms.to_vec();
    terms.sort_unstable();
    terms.dedup();
    terms.into()
}

#[cfg(test)]
mod tests;
