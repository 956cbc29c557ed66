//! What stands outside a board's assertions and is taken as given: rows of reference tables, and
//! the recorded answers of authorities.

use serde::{Deserialize, Serialize};

use crate::{
    digest::Commitment,
    finding::{FindingKind, Score},
    id::{LookupId, ModuleName, Position},
};

/// The most rows of a table.
pub const MAX_ROWS: u32 = 100_000;

/// One side of a conflict where no revision stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Reference {
    /// A row of a table.
    Row(RowRef),
    /// An authority's answer, as recorded.
    Answer(LookupId),
}

/// A row of one version of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RowRef {
    /// Where the version was mounted.
    pub mounted: Position,
    /// The line of its source that the row begins on, from 1.
    pub line: u32,
}

/// What a proposal is found to stand against, before its answers have numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// Something that has a number already.
    Known(Reference),
    /// One of the answers that came with the proposal, by its place.
    Fresh(usize),
}

/// A finding of the checker against a row or an answer, without its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReferenceFinding {
    /// What stands.
    pub against: Against,
    /// What the two disagree in.
    pub kind: FindingKind,
    /// How sure that is.
    pub score: Score,
}

/// An answer that was used in a check and is not on the board yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreshAnswer {
    /// Who answered.
    pub authority: ModuleName,
    /// The declaration it was asked under.
    pub declared: Position,
    /// Commits to the answer.
    pub answer: Commitment,
}

impl FindingKind {
    /// Says whether a finding of this kind against a row or an answer refuses: only where the
    /// structured parts exclude each other. What is read out of a text contests at most.
    pub fn refuses_against_reference(self) -> bool {
        self == Self::ClaimKey
    }
}
