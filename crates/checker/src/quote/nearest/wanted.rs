//! How often each feature of a quote is wanted in a window, and how often it is there.

use std::hash::{BuildHasher, RandomState};

/// The features of a quote: an open table that is at most a quarter full, since every word of a source is looked up.
pub(super) struct Wanted {
    slots: Vec<Option<Count>>,
    /// Spreads the features over the slots. Random, so that nobody can write a quote whose features share one.
    multiplier: u64,
    shift: u32,
}

#[derive(Clone, Copy)]
struct Count {
    feature: u64,
    wanted: usize,
    present: usize,
}

impl Wanted {
    pub(super) fn new(features: impl Iterator<Item = u64>) -> Self {
        let features: Vec<u64> = features.collect();
        let size = (features.len() * 4).next_power_of_two().max(4);
        let mut wanted = Self {
            slots: vec![None; size],
            multiplier: RandomState::new().hash_one(size) | 1,
            shift: u64::BITS - size.trailing_zeros(),
        };
        for feature in features {
            wanted.want(feature);
        }
        wanted
    }

    /// Counts a feature that enters the window; gives one if the quote has it as often.
    pub(super) fn enter(&mut self, feature: u64) -> usize {
        self.count(feature).map_or(0, |count| {
            count.present += 1;
            usize::from(count.present <= count.wanted)
        })
    }

    /// Counts a feature that leaves the window; gives one if it had counted.
    pub(super) fn leave(&mut self, feature: u64) -> usize {
        self.count(feature).map_or(0, |count| {
            let counted = count.present <= count.wanted;
            count.present -= 1;
            usize::from(counted)
        })
    }

    /// Whether the quote has a feature.
    pub(super) fn contains(&self, feature: u64) -> bool {
        self.slot(feature)
            .and_then(|place| self.slots.get(place))
            .is_some_and(Option::is_some)
    }

    fn want(&mut self, feature: u64) {
        let slot = self
            .slot(feature)
            .and_then(|place| self.slots.get_mut(place));
        if let Some(slot) = slot {
            let count = slot.get_or_insert(Count {
                feature,
                wanted: 0,
                present: 0,
            });
            count.wanted += 1;
        }
    }

    fn count(&mut self, feature: u64) -> Option<&mut Count> {
        let place = self.slot(feature)?;
        self.slots.get_mut(place)?.as_mut()
    }

    /// Where a feature stands, or would.
    fn slot(&self, feature: u64) -> Option<usize> {
        let first = usize::try_from(feature.wrapping_mul(self.multiplier) >> self.shift).ok()?;
        let from_there = (first..self.slots.len()).chain(0..first);
        from_there.into_iter().find(|&place| {
            let slot = self.slots.get(place).copied().flatten();
            slot.is_none_or(|count| count.feature == feature)
        })
    }
}
