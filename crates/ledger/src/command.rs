//! What is asked of a board, parsed and with its words committed to.

use std::collections::BTreeMap;

use crate::{
    digest::{Commitment, Digest},
    event::{Citation, ModuleDeclaration, Rescan},
    finding::{FindingKind, Score},
    id::{
        AttributeName, ConflictId, FlagId, ModuleName, PhaseName, Position, PrincipalName,
        RefusalId, RevisionId, Timestamp,
    },
    module::SealMode,
    phase::Phase,
    quota::Quotas,
    reference::{FreshAnswer, ReferenceFinding},
    rule::{Day, ResolutionRules},
    status::{Kind, Level, Policy, Role, ValueType, WhenUnavailable},
};

/// Who asks, and when. The clock is read once, outside.
#[derive(Clone, Debug)]
pub struct Context {
    /// Who asks.
    pub principal: PrincipalName,
    /// May create boards and give the first roles on them.
    pub server_operator: bool,
    /// The server's clock; the board raises it where it would go back.
    pub now: Timestamp,
}

/// Anything but a submission.
#[derive(Clone, Debug)]
pub enum Command {
    /// Changes the settings that decide verdicts.
    SetPolicy(Policy),
    /// Gives a role.
    GrantRole(PrincipalName, Role),
    /// Takes a role back.
    RevokeRole(PrincipalName, Role),
    /// Sets the rules by which the board decides conflicts.
    SetResolutionRules {
        /// The rules from here on.
        rules: ResolutionRules,
        /// The registered sources whose address has a rank, by where they were registered.
        by_address: BTreeMap<Position, u32>,
        /// Which addresses and digests have which rank; none where nothing is ranked.
        authority: Option<Commitment>,
    },
    /// Decides by the board's rules what a challenger waits for.
    ApplyRules(RevisionId),
    /// Records contradictions among standing facts, and that all were compared.
    Rescan {
        /// Whose facts are compared; none: those of every module.
        module: Option<ModuleName>,
        /// What was found.
        found: Vec<StandingPair>,
        /// What is recorded at the end.
        done: Option<Rescan>,
    },
    /// Declares a module.
    DeclareModule(ModuleName, ModuleDeclaration),
    /// Declares an attribute.
    DeclareAttribute {
        /// Its name.
        attribute: AttributeName,
        /// The type of its values.
        value_type: ValueType,
        /// Several values may hold at once.
        multi_valued: bool,
        /// Unit, aliases, description.
        definition: Commitment,
    },
    /// Makes a document citable.
    RegisterSource {
        /// Its digest.
        source: Digest,
        /// Its length.
        size_bytes: u64,
        /// The server keeps the bytes.
        kept: bool,
        /// Media type, address, title.
        description: Commitment,
        /// The source that the same address had before.
        replaces: Option<Digest>,
        /// The rank of its address.
        rank: Option<u32>,
        /// The day it is dated.
        dated: Option<Day>,
    },
    /// Mounts a reference table, or a newer version of it.
    MountTable {
        /// Its name.
        table: ModuleName,
        /// The kept source.
        source: Digest,
        /// How many rows it has.
        rows: u32,
        /// The digest of the rows as they were understood.
        parsed: Digest,
        /// How it is read.
        definition: Commitment,
    },
    /// Takes a table out of what is given.
    UnmountTable {
        /// Its name.
        table: ModuleName,
        /// Why.
        reason: Commitment,
    },
    /// Declares an authority; one without attributes is removed.
    DeclareAuthority {
        /// Its name.
        authority: ModuleName,
        /// What it is asked about.
        attributes: Vec<AttributeName>,
        /// What becomes of a submission while it cannot be asked.
        when_unavailable: WhenUnavailable,
        /// How it is asked.
        definition: Commitment,
    },
    /// Confirms what another proposed.
    Validate {
        /// Which revision.
        revision: RevisionId,
        /// What the verifier read.
        evidence: Vec<Citation>,
    },
    /// Takes one's own back.
    Retract {
        /// Which revision.
        revision: RevisionId,
        /// Why.
        reason: Commitment,
    },
    /// Confirms a dependent on what its supports have become.
    Reaffirm {
        /// The dependent.
        revision: RevisionId,
        /// What it rests on from here on; empty: the successors of its supports.
        supports: Vec<RevisionId>,
        /// Why.
        reason: Commitment,
    },
    /// Doubts a locked revision.
    Flag {
        /// Which revision.
        revision: RevisionId,
        /// Why.
        reason: Commitment,
        /// What the doubt rests on.
        citations: Vec<Citation>,
    },
    /// Answers a doubt.
    CloseFlag {
        /// Which flag.
        flag: FlagId,
        /// The answer.
        reason: Commitment,
    },
    /// Decides a conflict.
    Resolve {
        /// Which conflict.
        conflict: ConflictId,
        /// Which side wins.
        winner: RevisionId,
        /// Why.
        reason: Commitment,
    },
    /// Finds a conflict to be none.
    Dismiss {
        /// Which conflict.
        conflict: ConflictId,
        /// Why.
        reason: Commitment,
    },
    /// Asks for another look at a refusal.
    Appeal {
        /// Which conflict.
        conflict: ConflictId,
        /// Why.
        reason: Commitment,
    },
    /// Seals a module or one revision.
    Seal {
        /// The module.
        module: ModuleName,
        /// The one revision.
        only: Option<RevisionId>,
        /// Hard or soft.
        mode: SealMode,
    },
    /// Replaces a locked revision.
    Amend {
        /// The locked revision.
        old: RevisionId,
        /// What takes its place.
        proposal: Box<Proposal>,
        /// Why.
        reason: Commitment,
        /// What it rests on.
        evidence: Vec<Citation>,
    },
    /// Takes a module back to an earlier snapshot of it.
    Rollback {
        /// The module.
        module: ModuleName,
        /// The snapshot.
        to: Digest,
        /// Why.
        reason: Commitment,
        /// What it rests on.
        evidence: Vec<Citation>,
        /// What the checker said of each revision that would be locked again.
        findings: Vec<(RevisionId, PairFinding)>,
    },
    /// Declares the phases.
    DeclarePhases(Vec<Phase>),
    /// Moves the board on to the next phase, or back to an earlier one.
    EnterPhase {
        /// Which phase.
        phase: PhaseName,
        /// Why; needed for going back.
        reason: Option<Commitment>,
    },
    /// Gives the board quotas of its own.
    SetQuotas(Quotas),
    /// Closes the board to writing.
    Archive {
        /// Why.
        reason: Commitment,
    },
    /// Opens the board to writing again.
    Reopen {
        /// Why.
        reason: Commitment,
    },
    /// Takes a source off the board.
    RemoveSource(Digest),
}

/// A submission of one assertion with what the checker said of it.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The module.
    pub module: ModuleName,
    /// Its level.
    pub level: Level,
    /// Its kind.
    pub kind: Kind,
    /// Its author's confidence.
    pub confidence: Score,
    /// The content.
    pub content: Commitment,
    /// Everything else it says.
    pub words: Option<Commitment>,
    /// Where it was read.
    pub citations: Vec<Citation>,
    /// What it rests on.
    pub supports: Vec<RevisionId>,
    /// The revision it takes the place of.
    pub replaces: Option<RevisionId>,
    /// The declared attribute of its claim.
    pub attribute: Option<AttributeName>,
    /// What its author had read up to; none: the present.
    pub base: Option<Position>,
    /// What decided the verdict.
    pub check: Commitment,
    /// What the checker said, up to the present.
    pub report: Report,
    /// The day from which it holds; none for always.
    pub valid_from: Option<Day>,
}

/// What the checker said of a proposal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The revision of the same module that says the same, word for word.
    pub same: Option<RevisionId>,
    /// What the proposal cannot stand beside, if the score is high enough.
    pub findings: Vec<PairFinding>,
    /// Current revisions with the same claim key.
    pub same_key: Vec<RevisionId>,
    /// Refusals of the same author whose content this repeats.
    pub repeats: Vec<Repeat>,
    /// The rows and answers that the proposal cannot stand beside, if the score is high enough.
    pub references: Vec<ReferenceFinding>,
    /// The answers it was checked against that the board has not recorded yet.
    pub answers: Vec<FreshAnswer>,
}

/// A finding of the checker, without its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairFinding {
    /// The revision that stands.
    pub standing: RevisionId,
    /// What the two disagree in.
    pub kind: FindingKind,
    /// How sure that is.
    pub score: Score,
}

/// Two standing facts that contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandingPair {
    /// The two, in either order.
    pub sides: (RevisionId, RevisionId),
    /// What they disagree in.
    pub kind: FindingKind,
    /// How sure that is.
    pub score: Score,
}

/// An earlier refusal whose content is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The refusal.
    pub refusal: RefusalId,
    /// Word for word.
    pub same_words: bool,
}
