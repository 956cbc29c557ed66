//! A draft of an assertion, its fields valid by themselves.

use pawl_ledger::{
    claim::Claim,
    finding::Score,
    id::{ModuleName, RevisionId},
    status::{Kind, Level},
};

use crate::app::sources::CitationDraft;

/// What a submission holds.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The module.
    pub module: ModuleName,
    /// One proposition.
    pub content: String,
    /// Why its author holds it to be so.
    pub rationale: String,
    /// Where it was read.
    pub citations: Vec<CitationDraft>,
    /// Its level.
    pub level: Level,
    /// Its kind.
    pub kind: Kind,
    /// Its author's confidence.
    pub confidence: Score,
    /// What it is about.
    pub entities: Vec<String>,
    /// Free labels.
    pub tags: Vec<String>,
    /// The structured part.
    pub claim: Option<Claim>,
    /// From when it holds; empty for always.
    pub valid_from: String,
    /// Until when it holds; empty for always.
    pub valid_to: String,
    /// What it rests on.
    pub supports: Vec<SupportDraft>,
    /// The revision it takes the place of.
    pub replaces: Option<RevisionId>,
    /// What was set right in it already.
    pub warnings: Vec<String>,
}

/// What a draft rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SupportDraft {
    /// A revision of the board.
    Revision(RevisionId),
    /// An item of the same batch, by its place from 0.
    Item(usize),
}

impl SupportDraft {
    /// The place, where it is an item.
    pub(super) fn item(&self) -> Option<usize> {
        match self {
            Self::Revision(_) => None,
            Self::Item(place) => Some(*place),
        }
    }
}
