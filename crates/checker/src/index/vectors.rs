//! The vectors of a board in one block of memory.
//!
//! In integers, so two machines give the same neighbours. A small board is read from end to end. On a larger one the
//! signs of the components are, 64 bytes of each row: two directions are the nearer, the more of their signs agree
//! (Charikar, Similarity Estimation Techniques from Rounding Algorithms, STOC 2002, section 3). Those that agree most
//! are measured exactly.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pulp::Arch;

use super::{Slot, holders::wide};
use crate::vector::{DIMENSIONS, Vector, cosine, dot};

/// How many rows are measured exactly; where signs agree equally with the last of them, more.
const SHORTLIST: usize = 1_024;

/// The signs of a vector's components: a bit is set where one is negative.
type Signs = [u64; DIMENSIONS / 64];

/// Rows of vectors by the slots of their statements.
#[derive(Debug, Default)]
pub(super) struct VectorTable {
    rows: Vec<[u8; DIMENSIONS]>,
    signs: Vec<Signs>,
    /// Zero where there is no row.
    squared_lengths: Vec<u32>,
    filled: usize,
}

impl VectorTable {
    /// Fills a row.
    pub(super) fn set(&mut self, slot: Slot, vector: &Vector) {
        let place = wide(slot);
        if self.rows.len() <= place {
            self.rows.resize(place + 1, [0; DIMENSIONS]);
            self.signs.resize(place + 1, Signs::default());
            self.squared_lengths.resize(place + 1, 0);
        }
        self.clear(slot);
        if let (Some(row), Some(signs), Some(squared_length)) = (
            self.rows.get_mut(place),
            self.signs.get_mut(place),
            self.squared_lengths.get_mut(place),
        ) {
            *row = *vector.as_bytes();
            *signs = signs_of(vector);
            *squared_length = vector.squared_length();
            self.filled += 1;
        }
    }

    /// Empties a row.
    pub(super) fn clear(&mut self, slot: Slot) {
        if let Some(squared_length) = self.squared_lengths.get_mut(wide(slot)) {
            self.filled -= usize::from(*squared_length > 0);
            *squared_length = 0;
        }
    }

    /// The number of rows that are filled.
    pub(super) fn len(&self) -> usize {
        self.filled
    }

    /// The vector of a row.
    pub(super) fn get(&self, slot: Slot) -> Option<Vector> {
        self.row(slot)
            .and_then(|(row, _)| Vector::from_bytes(row).ok())
    }

    fn row(&self, slot: Slot) -> Option<(&[u8; DIMENSIONS], u32)> {
        let squared_length = *self.squared_lengths.get(wide(slot))?;
        let row = self.rows.get(wide(slot))?;
        (squared_length > 0).then_some((row, squared_length))
    }

    /// The cosine to one row, in ten-thousandths.
    pub(super) fn cosine(&self, vector: &Vector, slot: Slot) -> Option<i16> {
        let (row, squared_length) = self.row(slot)?;
        let product = dot(&vector.widened(), row);
        Some(cosine(product, vector.squared_length(), squared_length))
    }

    /// The nearest rows, the nearest first; among equals those of the highest keys.
    pub(super) fn nearest<K: Ord>(
        &self,
        vector: &Vector,
        limit: usize,
        key: impl Fn(Slot) -> K,
    ) -> Vec<Slot> {
        Arch::new().dispatch(
            #[inline(always)]
            || {
                let mut nearest = Nearest::new(vector, limit, key);
                if self.filled <= SHORTLIST {
                    for slot in 0..u32::try_from(self.rows.len()).unwrap_or(u32::MAX) {
                        nearest.measure(self, slot);
                    }
                } else {
                    for slot in self.agreeing(&signs_of(vector)) {
                        nearest.measure(self, slot);
                    }
                }
                nearest.slots()
            },
        )
    }

    /// The rows in whose signs the most agree.
    #[inline(always)]
    fn agreeing(&self, signs: &Signs) -> Vec<Slot> {
        let filled = self.squared_lengths.iter();
        let distances: Vec<u16> = self
            .signs
            .iter()
            .zip(filled)
            .map(
                #[inline(always)]
                |(row, length)| {
                    if *length > 0 {
                        distance(signs, row)
                    } else {
                        u16::MAX
                    }
                },
            )
            .collect();
        let mut rows_at = [0_usize; DIMENSIONS + 1];
        for distance in &distances {
            if let Some(rows) = rows_at.get_mut(usize::from(*distance)) {
                *rows += 1;
            }
        }
        let mut listed = 0;
        let enough = rows_at.iter().position(|rows| {
            listed += rows;
            listed >= SHORTLIST
        });
        let enough = enough.unwrap_or(DIMENSIONS);
        let mut slots = Vec::with_capacity(listed);
        slots.extend(
            (0..)
                .zip(&distances)
                .filter(|(_, distance)| usize::from(**distance) <= enough)
                .map(|(slot, _)| slot),
        );
        slots
    }
}

/// How many signs differ.
#[inline(always)]
fn distance(left: &Signs, right: &Signs) -> u16 {
    let differing = left.iter().zip(right).map(
        #[inline(always)]
        |(left, right)| (left ^ right).count_ones(),
    );
    #[expect(clippy::cast_possible_truncation, reason = "at most 512")]
    let distance = differing.sum::<u32>() as u16;
    distance
}

fn signs_of(vector: &Vector) -> Signs {
    let mut signs = Signs::default();
    for (word, components) in signs.iter_mut().zip(vector.as_bytes().chunks(64)) {
        *word = components.iter().fold(0, |word, component| {
            word << 1 | u64::from(component.cast_signed() < 0)
        });
    }
    signs
}

/// The nearest rows seen so far.
struct Nearest<K, F> {
    widened: [i16; DIMENSIONS],
    squared_length: u32,
    limit: usize,
    key: F,
    best: BinaryHeap<Reverse<(i16, K, Slot)>>,
}

impl<K: Ord, F: Fn(Slot) -> K> Nearest<K, F> {
    fn new(vector: &Vector, limit: usize, key: F) -> Self {
        Self {
            widened: vector.widened(),
            squared_length: vector.squared_length(),
            limit,
            key,
            best: BinaryHeap::with_capacity(limit + 1),
        }
    }

    #[inline(always)]
    fn measure(&mut self, table: &VectorTable, slot: Slot) {
        let Some((row, squared_length)) = table.row(slot) else {
            return;
        };
        let near = cosine(dot(&self.widened, row), self.squared_length, squared_length);
        let full = self.best.len() == self.limit;
        let worst = self.best.peek().map_or(i16::MIN, |Reverse(it)| it.0);
        if full && near < worst {
            return;
        }
        self.best.push(Reverse((near, (self.key)(slot), slot)));
        if full {
            self.best.pop();
        }
    }

    fn slots(self) -> Vec<Slot> {
        let best = self.best.into_sorted_vec().into_iter();
        best.map(|Reverse((_, _, slot))| slot).collect()
    }
}

#[cfg(test)]
mod tests;
