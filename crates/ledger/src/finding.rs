//! What the checker says of a pair of statements, in the terms `decide` works with.

use serde::{Deserialize, Serialize};

/// What two statements disagree in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// The same claim key with values that exclude each other under equal qualifiers.
    ClaimKey,
    /// The same quantity with disjoint intervals under equal qualifiers.
    Quantity,
    /// Two members of a set that was declared exclusive.
    ExclusiveSet,
    /// A locked invariant is broken.
    Invariant,
    /// Words of opposite meaning or direction.
    Opposite,
    /// One says what the other denies.
    Negation,
    /// Quantifiers that exclude each other: all, some, none.
    Quantifier,
    /// Modalities that exclude each other: must, may, must not.
    Modality,
    /// Numbers in the text that look like the same quantity and differ, not surely aligned.
    Number,
    /// A name or category where the other has another.
    Category,
}

/// Whether a kind of finding is sure by its nature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// Follows from declared or aligned values; may refuse.
    Exact,
    /// A judgement with a score; may only contest.
    Scored,
}

impl FindingKind {
    /// Says whether findings of this kind may refuse or only contest.
    pub fn certainty(self) -> Certainty {
        match self {
            Self::ClaimKey | Self::Quantity | Self::ExclusiveSet | Self::Invariant => {
                Certainty::Exact
            }
            Self::Opposite
            | Self::Negation
            | Self::Quantifier
            | Self::Modality
            | Self::Number
            | Self::Category => Certainty::Scored,
        }
    }
}

/// A score from 0 to 10,000, in ten-thousandths: integers keep it the same on every machine.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Score(u16);

impl Score {
    /// The highest score.
    pub const MAX: Self = Self(10_000);

    /// Makes a score; none over 10,000.
    pub fn new(ten_thousandths: u16) -> Option<Self> {
        (ten_thousandths <= Self::MAX.0).then_some(Self(ten_thousandths))
    }

    /// Makes a score; whatever is over 10,000 counts as 10,000.
    pub const fn clamped(ten_thousandths: u16) -> Self {
        if ten_thousandths > Self::MAX.0 {
            Self::MAX
        } else {
            Self(ten_thousandths)
        }
    }

    /// The score in ten-thousandths.
    pub fn ten_thousandths(self) -> u16 {
        self.0
    }

    /// The score as a number from 0 to 1, for people and wire messages.
    pub fn ratio(self) -> f64 {
        f64::from(self.0) / 10_000.0
    }
}
