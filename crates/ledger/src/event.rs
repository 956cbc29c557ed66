//! What happened: one event an entry.

mod parts;
mod words;

use std::collections::BTreeMap;

pub use self::parts::{Challenger, Citation, Grounds, ModuleDeclaration, Rescan, Submitted};
use crate::{
    digest::{Commitment, Digest},
    finding::Score,
    id::{
        AttributeName, BoardName, ConflictId, FlagId, LookupId, ModuleName, PhaseName, Position,
        PrincipalName, RefusalId, RevisionId, Timestamp,
    },
    log::tree::NodeHash,
    phase::Phase,
    quota::Quotas,
    reference::Reference,
    rule::{Day, ResolutionRules},
    snapshot::Snapshot,
    status::{ConflictCause, Policy, Role, ValueType, WhenUnavailable},
};

/// An event with what its entry says around it.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The board.
    pub board: BoardName,
    /// The place in the log.
    pub position: Position,
    /// The server's clock, never smaller than in the entry before.
    pub at: Timestamp,
    /// Who acted.
    pub principal: PrincipalName,
    /// What happened.
    pub event: Event,
    /// The RFC 6962 leaf hash of the entry's bytes as written.
    pub leaf: NodeHash,
}

/// What happened on a board.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The board began.
    BoardCreated {
        /// Its first settings.
        policy: Policy,
    },
    /// The settings that decide verdicts changed.
    PolicyChanged {
        /// The settings from here on.
        policy: Policy,
    },
    /// A principal got a role.
    RoleGranted {
        /// Who got it.
        principal: PrincipalName,
        /// Which role.
        role: Role,
    },
    /// A principal lost a role.
    RoleRevoked {
        /// Who lost it.
        principal: PrincipalName,
        /// Which role.
        role: Role,
    },
    /// A module was declared, or declared anew.
    ModuleDeclared {
        /// Its name.
        module: ModuleName,
        /// What it is from here on.
        declaration: ModuleDeclaration,
    },
    /// An attribute was declared, or declared anew.
    AttributeDeclared {
        /// Its name.
        attribute: AttributeName,
        /// The type of its values.
        value_type: ValueType,
        /// Several values may hold at once.
        multi_valued: bool,
        /// Its unit, aliases and description.
        definition: Commitment,
    },
    /// A document that can be cited.
    SourceRegistered {
        /// The digest of its bytes.
        source: Digest,
        /// Its length in bytes; 0 where only its digest is known.
        size_bytes: u64,
        /// The server keeps its bytes.
        kept: bool,
        /// Its media type, address and title.
        description: Commitment,
        /// The source that the same address had before, whose citations have drifted.
        replaces: Option<Digest>,
        /// The rank that the board's resolution rules gave its address then.
        rank: Option<u32>,
        /// The day it is dated.
        dated: Option<Day>,
    },
    /// A reference table was mounted, or a newer version of it.
    TableMounted {
        /// Its name.
        table: ModuleName,
        /// The bytes its rows were read from.
        source: Digest,
        /// How many rows it has.
        rows: u32,
        /// The digest of the rows as they were understood.
        parsed: Digest,
        /// How it is read.
        definition: Commitment,
    },
    /// A reference table is no longer taken as given.
    TableUnmounted {
        /// Its name.
        table: ModuleName,
        /// Why.
        reason: Commitment,
    },
    /// An authority was declared, declared anew, or removed.
    AuthorityDeclared {
        /// Its name.
        authority: ModuleName,
        /// What it is asked about; empty: it is removed.
        attributes: Vec<AttributeName>,
        /// What becomes of a submission while it cannot be asked.
        when_unavailable: WhenUnavailable,
        /// How it is asked.
        definition: Commitment,
    },
    /// What an authority answered was used in a check.
    LookupRecorded {
        /// Its number, the next one of the board.
        lookup: LookupId,
        /// Who answered.
        authority: ModuleName,
        /// Commits to the answer.
        answer: Commitment,
    },
    /// A new revision was stored.
    Submitted(Box<Submitted>),
    /// The same content was submitted again to the same module.
    Corroborated {
        /// The revision that says the same.
        revision: RevisionId,
        /// Where it was read this time.
        citations: Vec<Citation>,
    },
    /// A submission was refused.
    Refused {
        /// Its number, the next one of the board.
        refusal: RefusalId,
        /// The module it was meant for.
        module: ModuleName,
        /// What was submitted.
        content: Commitment,
        /// What decided that.
        check: Commitment,
        /// How often its author was refused the same before.
        earlier_attempts: u32,
    },
    /// Two things were found not to stand together.
    ConflictOpened {
        /// Its number, the next one of the board.
        conflict: ConflictId,
        /// The side that came later.
        challenger: Challenger,
        /// The side that stands; none where a module's owner has to agree.
        standing: Option<RevisionId>,
        /// The row or the answer that stands in the place of a revision.
        reference: Option<Reference>,
        /// What they disagree in.
        cause: ConflictCause,
        /// How sure that is.
        score: Score,
        /// Both sides stand, and neither goes into quarantine.
        rescan: bool,
    },
    /// The author of a refused submission appealed.
    ConflictAppealed {
        /// Which conflict.
        conflict: ConflictId,
        /// Why.
        reason: Commitment,
    },
    /// A conflict was decided.
    ConflictResolved {
        /// Which conflict.
        conflict: ConflictId,
        /// For the challenger, else for what stands.
        challenger_wins: bool,
        /// Why.
        grounds: Grounds,
    },
    /// A conflict was found to be none.
    ConflictDismissed {
        /// Which conflict.
        conflict: ConflictId,
        /// Why.
        reason: Commitment,
    },
    /// A verifier confirmed a revision.
    Validated {
        /// Which revision.
        revision: RevisionId,
        /// What the verifier read.
        evidence: Vec<Citation>,
    },
    /// An author took a revision back.
    Retracted {
        /// Which revision.
        revision: RevisionId,
        /// Why.
        reason: Commitment,
    },
    /// Somebody else confirmed a dependent on what its supports have become.
    Reaffirmed {
        /// The dependent.
        revision: RevisionId,
        /// What it rests on from here on.
        supports: Vec<RevisionId>,
        /// Why.
        reason: Commitment,
    },
    /// A doubt about a locked revision.
    Flagged {
        /// Its number, the next one of the board.
        flag: FlagId,
        /// The revision in doubt.
        revision: RevisionId,
        /// Why.
        reason: Commitment,
        /// What the doubt rests on.
        citations: Vec<Citation>,
    },
    /// A flag was answered.
    FlagClosed {
        /// Which flag.
        flag: FlagId,
        /// The answer.
        reason: Commitment,
    },
    /// A locked revision was replaced by another.
    Amended {
        /// The revision whose lock ends.
        old: RevisionId,
        /// The revision that is locked in its place.
        new: RevisionId,
        /// Why.
        reason: Commitment,
        /// What that rests on.
        evidence: Vec<Citation>,
    },
    /// A module went back to an earlier snapshot of it.
    RolledBack {
        /// Which module.
        module: ModuleName,
        /// The snapshot, whose members are locked again.
        to: Digest,
        /// Why.
        reason: Commitment,
        /// What that rests on.
        evidence: Vec<Citation>,
    },
    /// A node was added to the snapshot graph.
    SnapshotTaken {
        /// The digest of the snapshot's bytes as written.
        id: Digest,
        /// The snapshot.
        snapshot: Box<Snapshot>,
    },
    /// The phases were declared, or declared anew.
    PhasesDeclared {
        /// The phases, in order; none: everything may be submitted.
        phases: Vec<Phase>,
    },
    /// The board was moved on to another phase, or back to one.
    PhaseEntered {
        /// The phase it is in from here on.
        phase: PhaseName,
        /// Why; moving on needs no reason.
        reason: Option<Commitment>,
    },
    /// The board got quotas of its own.
    QuotasSet {
        /// The quotas from here on.
        quotas: Quotas,
    },
    /// The board was closed to writing.
    BoardArchived {
        /// Why.
        reason: Commitment,
    },
    /// The board was opened to writing again.
    BoardReopened {
        /// Why.
        reason: Commitment,
    },
    /// A source that nothing cites was taken off the board.
    SourceRemoved {
        /// The source.
        source: Digest,
    },
    /// Standing facts were compared anew.
    Rescanned(Rescan),
    /// The rules by which the board decides conflicts changed.
    ResolutionRulesSet {
        /// The rules from here on.
        rules: ResolutionRules,
        /// The registered sources whose address has a rank, by where they were registered.
        by_address: BTreeMap<Position, u32>,
        /// Which addresses and digests have which rank, as they were written; none where nothing is
        /// ranked.
        authority: Option<Commitment>,
    },
}
