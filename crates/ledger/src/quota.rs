//! What a principal may take of a board, as far as the board says so itself.

use serde::{Deserialize, Serialize};

/// A board's own quotas for each principal; what is none is the server's setting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quotas {
    /// Entries a second, on average.
    pub entries_per_second: Option<u64>,
    /// Entries at once, after a pause.
    pub entries_burst: Option<u64>,
    /// Bytes of words.
    pub word_bytes: Option<u64>,
    /// Sources.
    pub sources: Option<u64>,
    /// Bytes of kept sources.
    pub source_bytes: Option<u64>,
    /// Refused submissions that are recorded in an hour.
    pub refusals_per_hour: Option<u64>,
}

impl Quotas {
    /// The most any of them may be; it stands for no limit.
    pub const MOST: u64 = 1 << 50;

    /// Each with its name.
    pub fn named(&self) -> [(&'static str, Option<u64>); 6] {
        [
            ("entries_per_second", self.entries_per_second),
            ("entries_burst", self.entries_burst),
            ("word_bytes", self.word_bytes),
            ("sources", self.sources),
            ("source_bytes", self.source_bytes),
            ("refusals_per_hour", self.refusals_per_hour),
        ]
    }

    /// The name and the value of one that is out of bounds: each is 1 to [`Quotas::MOST`].
    pub fn out_of_bounds(&self) -> Option<(&'static str, u64)> {
        let set = self.named().into_iter();
        let mut set = set.filter_map(|(name, value)| Some((name, value?)));
        set.find(|(_, value)| !(1..=Self::MOST).contains(value))
    }
}
