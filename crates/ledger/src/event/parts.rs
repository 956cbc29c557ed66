//! What events are made of.

use serde::{Deserialize, Serialize};

use crate::{
    digest::{Commitment, Digest},
    finding::Score,
    id::{AttributeName, ModuleName, Position, PrincipalName, RefusalId, RevisionId},
    module::SealPolicy,
    rule::{Day, Figures},
    status::{Kind, Level, QuoteCheck, Verdict},
};

/// Why a conflict was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grounds {
    /// Somebody said why, or what turned a soft lock's scale.
    Reason(Commitment),
    /// A resolution rule compared these.
    Rule(Figures),
}

/// A comparison of the facts that stand with all that stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rescan {
    /// Whose facts were compared; none: those of every module.
    pub module: Option<ModuleName>,
    /// The number of entries when it began.
    pub from: Position,
    /// The version of the checker.
    pub checker: String,
    /// The digest of the lexicons and the board's own declarations.
    pub vocabulary: Digest,
    /// The digest of the embedding model.
    pub model: Option<Digest>,
    /// The pairs that were compared.
    pub compared: u64,
    /// The conflicts that were opened.
    pub opened: u32,
}

/// What a module is declared to be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleDeclaration {
    /// Who may write to it without asking; empty: every agent.
    pub owners: Vec<PrincipalName>,
    /// The modules it builds on.
    pub depends_on: Vec<ModuleName>,
    /// The attributes it is expected to hold.
    pub expected: Vec<AttributeName>,
    /// When it may be sealed.
    pub policy: SealPolicy,
}

/// A new revision, as its entry holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submitted {
    /// Which one.
    pub revision: RevisionId,
    /// The module it belongs to.
    pub module: ModuleName,
    /// Its level.
    pub level: Level,
    /// Its kind.
    pub kind: Kind,
    /// Its author's confidence.
    pub confidence: Score,
    /// The content.
    pub content: Commitment,
    /// Everything else it says, where there is anything.
    pub words: Option<Commitment>,
    /// Where it was read.
    pub citations: Vec<Citation>,
    /// What it rests on.
    pub supports: Vec<RevisionId>,
    /// The revision it takes the place of.
    pub replaces: Option<RevisionId>,
    /// What its author had read up to.
    pub base: Position,
    /// The declared attribute of its claim.
    pub attribute: Option<AttributeName>,
    /// Accepted or contested.
    pub verdict: Verdict,
    /// What decided that.
    pub check: Commitment,
    /// The day from which it holds; none for always.
    pub valid_from: Option<Day>,
}

/// A pointer into a source, as an entry holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// The source.
    pub source: Digest,
    /// The quote and its place.
    pub quote: Commitment,
    /// How the quote was found.
    pub check: QuoteCheck,
}

/// Who challenges what stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Challenger {
    /// A contested revision.
    Revision(RevisionId),
    /// A refused submission.
    Refusal(RefusalId),
}
