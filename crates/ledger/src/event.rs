//! What happened: one event an entry.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    digest::{Commitment, Digest},
    finding::Score,
    id::{
        AttributeName, BoardName, ConflictId, FlagId, LookupId, ModuleName, PhaseName, Position,
        PrincipalName, RefusalId, RevisionId, Timestamp,
    },
    log::tree::NodeHash,
    module::SealPolicy,
    phase::Phase,
    quota::Quotas,
    reference::Reference,
    rule::{Day, Figures, ResolutionRules},
    snapshot::Snapshot,
    status::{
        ConflictCause, Kind, Level, Policy, QuoteCheck, Role, ValueType, Verdict, WhenUnavailable,
    },
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

impl Event {
    /// The pointers into sources that the event's entry holds.
    pub fn citations(&self) -> &[Citation] {
        match self {
            Self::Submitted(submitted) => &submitted.citations,
            Self::Corroborated { citations, .. }
            | Self::Validated {
                evidence: citations,
                ..
            }
            | Self::Flagged { citations, .. }
            | Self::Amended {
                evidence: citations,
                ..
            } => citations,
            _ => &[],
        }
    }

    /// The commitments of the event, whose words lie beside its entry.
    pub fn commitments(&self) -> Vec<Commitment> {
        let quotes = |citations: &[Citation]| -> Vec<Commitment> {
            citations.iter().map(|citation| citation.quote).collect()
        };
        match self {
            Self::BoardCreated { .. }
            | Self::PolicyChanged { .. }
            | Self::RoleGranted { .. }
            | Self::RoleRevoked { .. }
            | Self::ModuleDeclared { .. }
            | Self::ConflictOpened { .. }
            | Self::Rescanned(_)
            | Self::SnapshotTaken { .. }
            | Self::PhasesDeclared { .. }
            | Self::QuotasSet { .. }
            | Self::SourceRemoved { .. } => Vec::new(),
            Self::PhaseEntered { reason, .. } => reason.iter().copied().collect(),
            Self::ResolutionRulesSet { authority, .. } => authority.iter().copied().collect(),
            Self::ConflictResolved { grounds, .. } => match grounds {
                Grounds::Reason(reason) => vec![*reason],
                Grounds::Rule(_) => Vec::new(),
            },
            Self::AttributeDeclared { definition, .. } => vec![*definition],
            Self::SourceRegistered { description, .. } => vec![*description],
            Self::TableMounted { definition, .. } | Self::AuthorityDeclared { definition, .. } => {
                vec![*definition]
            }
            Self::LookupRecorded { answer, .. } => vec![*answer],
            Self::Submitted(submitted) => {
                let mut all = vec![submitted.content, submitted.check];
                all.extend(submitted.words);
                all.extend(quotes(&submitted.citations));
                all
            }
            Self::Corroborated { citations, .. } => quotes(citations),
            Self::Refused { content, check, .. } => vec![*content, *check],
            Self::Validated { evidence, .. } => quotes(evidence),
            Self::ConflictAppealed { reason, .. }
            | Self::ConflictDismissed { reason, .. }
            | Self::Retracted { reason, .. }
            | Self::TableUnmounted { reason, .. }
            | Self::Reaffirmed { reason, .. }
            | Self::FlagClosed { reason, .. }
            | Self::BoardArchived { reason }
            | Self::BoardReopened { reason } => vec![*reason],
            Self::Flagged {
                reason, citations, ..
            }
            | Self::Amended {
                reason,
                evidence: citations,
                ..
            }
            | Self::RolledBack {
                reason,
                evidence: citations,
                ..
            } => {
                let mut all = vec![*reason];
                all.extend(quotes(citations));
                all
            }
        }
    }
}
