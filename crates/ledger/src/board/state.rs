//! The state of each thing on a board.

use crate::{
    digest::{Commitment, Digest},
    event::{Challenger, ModuleDeclaration},
    finding::Score,
    id::{
        AttributeName, ConflictId, FlagId, ModuleName, Position, PrincipalName, RevisionId,
        Timestamp,
    },
    log::tree::NodeHash,
    reference::Reference,
    rule::{Day, ResolutionRules},
    status::{ConflictCause, ConflictState, Kind, Level, QuoteCheck, Status, ValueType, Verdict},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use thin_vec::ThinVec;

/// A revision's state.
///
/// A board holds all of them, so lists that are mostly empty take one word, and names are shared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revision {
    /// Where it stands.
    pub status: Status,
    /// The module it belongs to.
    pub module: ModuleName,
    /// Who submitted it.
    pub author: PrincipalName,
    /// Its level.
    pub level: Level,
    /// Its kind.
    pub kind: Kind,
    /// Its author's confidence.
    pub confidence: Score,
    /// The verdict it got when it came.
    pub verdict: Verdict,
    /// The position of its entry.
    pub position: Position,
    /// When it came.
    pub at: Timestamp,
    /// The leaf hash of its entry.
    pub leaf: NodeHash,
    /// What its author had read up to.
    pub base: Position,
    /// When it last came into force; meaningful while it stands.
    pub current_since: Position,
    /// When it last went out of force; none while it stands or if it never stood.
    pub ended: Option<Position>,
    /// The declared attribute of its claim.
    pub attribute: Option<AttributeName>,
    /// What it rests on.
    pub supports: ThinVec<RevisionId>,
    /// The revision it takes the place of.
    pub replaces: Option<RevisionId>,
    /// The revision that took its place.
    pub replaced_by: Option<RevisionId>,
    /// The distinct sources whose quotes were found, corroborations included, in order.
    pub verified_sources: ThinVec<Digest>,
    /// The distinct sources in which the quotes of its validation were found, in order.
    pub confirming_sources: ThinVec<Digest>,
    /// The day from which it holds; none for always.
    pub valid_from: Option<Day>,
    /// How often the same was submitted again.
    pub corroborations: u32,
    /// Who validated it, and where that is recorded.
    pub validated: Option<(PrincipalName, Position)>,
    /// The snapshot that locks it.
    pub snapshot: Option<Digest>,
    /// The revision whose end took a support away.
    pub support_lost: Option<RevisionId>,
    /// Conflicts it is a side of.
    pub conflicts: ThinVec<ConflictId>,
    /// Of these, open ones in which it is the side that stands, or either side of a rescan's.
    pub challenged: u32,
    /// Flags raised on it.
    pub flags: ThinVec<FlagId>,
}

/// A module's state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Module {
    /// What it is declared to be.
    pub declaration: ModuleDeclaration,
    /// Its current snapshot.
    pub current: Option<Digest>,
    /// The revisions that stand in it.
    pub standing: BTreeSet<RevisionId>,
    /// The contested revisions meant for it.
    pub contested: BTreeSet<RevisionId>,
    /// When what stands in it last changed.
    pub changed_at: Timestamp,
    /// The board's count of submissions then.
    pub changed_at_submission: u64,
    /// The position of its current snapshot.
    pub sealed: Option<Position>,
    /// The number of entries when a comparison of all its facts last began.
    pub compared: Position,
}

/// An attribute's state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attribute {
    /// The type of its values.
    pub value_type: ValueType,
    /// Several values may hold at once.
    pub multi_valued: bool,
    /// Its unit, aliases and description.
    pub definition: Commitment,
    /// The position of its declaration.
    pub position: Position,
}

/// A source's state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Its length; 0 where only its digest is known.
    pub size_bytes: u64,
    /// The server keeps the bytes.
    pub kept: bool,
    /// Its media type, address and title.
    pub description: Commitment,
    /// The position of its registration.
    pub position: Position,
    /// When it was registered.
    pub at: Timestamp,
    /// By whom.
    pub principal: PrincipalName,
    /// A later version of its address has other bytes.
    pub drifted: bool,
    /// The revisions whose entries cite it, or an entry about them: ever, not only those in force.
    pub cited_by: BTreeSet<RevisionId>,
    /// The rank of its address.
    pub rank: Option<u32>,
    /// The day it is dated.
    pub dated: Option<Day>,
    /// Who registered it was a verifier, arbiter or operator then. An address or a date that an
    /// agent gives is the agent's word, by which no rule decides.
    pub vouched: bool,
}

/// A conflict's state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// The challenger.
    pub challenger: Challenger,
    /// The other side; none where a module's owner has to agree, and where a reference stands.
    pub standing: Option<RevisionId>,
    /// The row or the answer that stands in the place of a revision.
    pub reference: Option<Reference>,
    /// What it is about.
    pub cause: ConflictCause,
    /// How sure that is.
    pub score: Score,
    /// Both sides stood, and neither went into quarantine.
    pub rescan: bool,
    /// Where it stands.
    pub state: ConflictState,
    /// The challenger won.
    pub challenger_won: bool,
    /// Where it was opened.
    pub position: Position,
    /// When.
    pub at: Timestamp,
    /// Who challenged.
    pub principal: PrincipalName,
    /// Where its challenger appealed.
    pub appealed: Option<Position>,
    /// Who decided it, and where; none while it is open and where it ended by itself.
    pub decided: Option<(PrincipalName, Position)>,
}

/// The rules by which a board decides conflicts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolution {
    /// The rules.
    pub rules: ResolutionRules,
    /// Where they were set.
    pub position: Position,
    /// Which addresses and digests have which rank, as they were written.
    pub authority: Option<Commitment>,
}

/// A refused submission's state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Who was refused.
    pub principal: PrincipalName,
    /// The module it was meant for.
    pub module: ModuleName,
    /// The position of its entry.
    pub position: Position,
    /// The conflicts it opened.
    pub conflicts: Vec<ConflictId>,
    /// How often its author was refused the same before.
    pub earlier_attempts: u32,
}

/// A flag's state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flag {
    /// The revision in doubt.
    pub revision: RevisionId,
    /// Who raised it.
    pub principal: PrincipalName,
    /// Where it was raised.
    pub position: Position,
    /// When.
    pub at: Timestamp,
    /// Where it was answered.
    pub closed: Option<Position>,
}

impl Revision {
    /// Says whether a quote check counts as verified.
    pub fn is_verified(check: QuoteCheck) -> bool {
        matches!(check, QuoteCheck::Exact | QuoteCheck::Normalised)
    }
}
