//! Finds what a new statement should be compared with: candidates from three indexes of one board.
//!
//! The answer depends on what is in the index alone, never on the order it came in or on threads. It costs nearly the
//! same however large the board is, but for a pass over 64 bytes of each vector.

mod candidate;
mod claim_keys;
mod holders;
mod postings;
mod vectors;

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

pub use candidate::{Candidate, FoundBy, Limits};
use claim_keys::ClaimKeys;
use holders::wide;
use postings::{Asked, BUDGET, Postings, TermId, shared};
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

/// A statement's place in the tables.
type Slot = u32;

/// The three indexes of a board, over keys such as revision ids.
#[derive(Debug)]
pub struct Index<K> {
    slots: HashMap<K, Slot>,
    table: Vec<Statement<K>>,
    /// Places in the table that no statement has.
    vacant: Vec<Slot>,
    claim_keys: ClaimKeys,
    postings: Postings,
    vectors: VectorTable,
}

/// What must be known of a statement to score it and to take it out again.
#[derive(Debug)]
struct Statement<K> {
    key: K,
    claim_key: Option<u64>,
    /// In order, each once.
    terms: Box<[TermId]>,
}

impl<K> Default for Index<K> {
    fn default() -> Self {
        Self {
            slots: HashMap::new(),
            table: Vec::new(),
            vacant: Vec::new(),
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
        self.slots.len()
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
        self.vectors.get(*self.slots.get(&key)?)
    }

    /// The statements of a claim key, the newest first.
    pub fn of_claim_key(&self, claim_key: u64) -> impl Iterator<Item = K> {
        let slots = self.claim_keys.newest(Some(claim_key), usize::MAX);
        slots.filter_map(|slot| self.key(slot))
    }

    /// How many terms a statement shares with another, and how near it is in meaning; none where it is not here.
    pub fn likeness(&self, indexed: &Indexed<'_>, key: K) -> Option<(usize, Option<i16>)> {
        let slot = *self.slots.get(&key)?;
        let asked = self.postings.asked(&distinct(indexed.terms));
        let cosine = indexed
            .vector
            .and_then(|vector| self.vectors.cosine(vector, slot));
        Some((self.shared(&asked, slot).0, cosine))
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Puts a statement in; one that stands under the same key is replaced.
    pub fn insert(&mut self, key: K, indexed: &Indexed<'_>) {
        self.remove(key);
        let statement = Statement {
            key,
            claim_key: indexed.claim_key,
            terms: self.postings.places(&distinct(indexed.terms)),
        };
        let slot = self.take(statement);
        self.slots.insert(key, slot);
        if let Some(claim_key) = indexed.claim_key {
            self.claim_keys.insert(claim_key, slot, &self.table);
        }
        self.postings.insert(slot, &self.table);
        if let Some(vector) = indexed.vector {
            self.vectors.set(slot, vector);
        }
    }

    fn take(&mut self, statement: Statement<K>) -> Slot {
        let vacant = self.vacant.pop();
        if let Some((slot, place)) = vacant.and_then(|it| Some((it, self.table.get_mut(wide(it))?)))
        {
            *place = statement;
            return slot;
        }
        self.table.push(statement);
        Slot::try_from(self.table.len() - 1).unwrap_or(Slot::MAX)
    }

    /// Takes a statement out; says whether it was there.
    pub fn remove(&mut self, key: K) -> bool {
        let Some(slot) = self.slots.remove(&key) else {
            return false;
        };
        let claim_key = self.table.get(wide(slot)).and_then(|it| it.claim_key);
        if let Some(claim_key) = claim_key {
            self.claim_keys.remove(claim_key, slot, &self.table);
        }
        self.postings.remove(slot, &self.table);
        self.vectors.clear(slot);
        if let Some(statement) = self.table.get_mut(wide(slot)) {
            statement.terms = Box::default();
        }
        self.vacant.push(slot);
        true
    }

    /// The statements to compare this one with, the likeliest first: those of the same claim key, then by nearness,
    /// then by shared terms, then by key.
    pub fn candidates(&self, indexed: &Indexed<'_>, limits: &Limits) -> Vec<Candidate<K>> {
        let asked = self.postings.asked(&distinct(indexed.terms));
        let mut found: BTreeMap<Slot, FoundBy> = BTreeMap::new();
        for slot in self.claim_keys.newest(indexed.claim_key, limits.claim_key) {
            found.entry(slot).or_default().claim_key = true;
        }
        let sharing = self
            .postings
            .most_shared(&asked, limits.terms, BUDGET, &self.table);
        for slot in sharing {
            found.entry(slot).or_default().terms = true;
        }
        let nearest = indexed.vector.map(|vector| {
            self.vectors
                .nearest(vector, limits.vector, |it| self.key(it))
        });
        for slot in nearest.into_iter().flatten() {
            found.entry(slot).or_default().vector = true;
        }
        let candidates = found.into_iter().filter_map(|(slot, by)| {
            Some(Candidate {
                key: self.key(slot)?,
                by,
                overlap: self.shared(&asked, slot).1,
                cosine: indexed
                    .vector
                    .and_then(|vector| self.vectors.cosine(vector, slot)),
            })
        });
        let mut candidates: Vec<_> = candidates.collect();
        candidates.sort_by_key(Candidate::rank);
        candidates
    }

    fn key(&self, slot: Slot) -> Option<K> {
        self.table.get(wide(slot)).map(|it| it.key)
    }

    /// How many of the terms asked for a statement has, and what they weigh.
    fn shared(&self, asked: &[Asked], slot: Slot) -> (usize, u32) {
        let statement = self.table.get(wide(slot));
        statement.map_or((0, 0), |it| shared(asked, &it.terms))
    }
}

/// Terms in order, each once.
fn distinct(terms: &[u64]) -> Vec<u64> {
    let mut terms = terms.to_vec();
    terms.sort_unstable();
    terms.dedup();
    terms
}

#[cfg(test)]
mod tests;
