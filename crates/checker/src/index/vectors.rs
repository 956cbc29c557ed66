//! The vectors of a board in one block of memory, searched from end to end.
//!
//! Exact and in integers, so two machines give the same neighbours. Rows have no order: the last row fills the place
//! of one that is taken out, and equals are told apart by key.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::hash::Hash;

use crate::vector::{DIMENSIONS, Vector, cosine, dot};

/// Rows of vectors with the key of each.
#[derive(Debug)]
pub(super) struct VectorTable<K> {
    rows: Vec<[u8; DIMENSIONS]>,
    labels: Vec<Label<K>>,
    places: HashMap<K, usize>,
}

#[derive(Clone, Copy, Debug)]
struct Label<K> {
    key: K,
    squared_length: u32,
    /// One over its length, for passing over rows that are far away without a root each.
    inverse_length: f32,
}

/// What an estimate of a cosine in ten-thousandths may be off by; single precision stays far below.
const ESTIMATE_OFF: f32 = 4.0;

impl<K> Default for VectorTable<K> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            labels: Vec::new(),
            places: HashMap::new(),
        }
    }
}

impl<K: Copy + Ord + Hash> VectorTable<K> {
    /// Adds a row under a key that has none.
    pub(super) fn insert(&mut self, key: K, vector: &Vector) {
        self.places.insert(key, self.rows.len());
        self.rows.push(*vector.as_bytes());
        let squared_length = vector.squared_length();
        self.labels.push(Label {
            key,
            squared_length,
            inverse_length: inverse_length(squared_length),
        });
    }

    /// Takes a row out, if there is one.
    pub(super) fn remove(&mut self, key: K) {
        let Some(place) = self.places.remove(&key) else {
            return;
        };
        self.rows.swap_remove(place);
        self.labels.swap_remove(place);
        if let Some(moved) = self.labels.get(place) {
            self.places.insert(moved.key, place);
        }
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The vector of a row.
    pub(super) fn get(&self, key: K) -> Option<Vector> {
        let row = self.rows.get(*self.places.get(&key)?)?;
        Vector::from_bytes(row).ok()
    }

    /// The cosine to one row, in ten-thousandths.
    pub(super) fn cosine(&self, vector: &Vector, key: K) -> Option<i16> {
        let place = *self.places.get(&key)?;
        let (row, label) = (self.rows.get(place)?, self.labels.get(place)?);
        Some(cosine(
            dot(&vector.widened(), row),
            vector.squared_length(),
            label.squared_length,
        ))
    }

    /// The nearest rows, the nearest first; among equals the newest.
    pub(super) fn nearest(&self, vector: &Vector, limit: usize) -> Vec<K> {
        let (widened, squared_length) = (vector.widened(), vector.squared_length());
        let scale = inverse_length(squared_length) * 10_000.0;
        let mut best: BinaryHeap<Reverse<(i16, K)>> = BinaryHeap::with_capacity(limit + 1);
        for (row, label) in self.rows.iter().zip(&self.labels) {
            let product = dot(&widened, row);
            if let Some(Reverse((worst, _))) = best.peek().filter(|_| best.len() == limit)
                && product as f32 * label.inverse_length * scale + ESTIMATE_OFF < f32::from(*worst)
            {
                continue;
            }
            let near = cosine(product, squared_length, label.squared_length);
            let entry = Reverse((near, label.key));
            if best.len() < limit {
                best.push(entry);
            } else if let Some(mut worst) = best.peek_mut()
                && entry < *worst
            {
                *worst = entry;
            }
        }
        best.into_sorted_vec()
            .into_iter()
            .map(|Reverse((_, key))| key)
            .collect()
    }
}

fn inverse_length(squared_length: u32) -> f32 {
    (squared_length.max(1) as f32).sqrt().recip()
}
