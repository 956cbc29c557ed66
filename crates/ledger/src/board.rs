//! The state a board's log folds to: compact, without any words. Changed by `evolve` alone.

mod state;
mod tables;

pub use state::{Attribute, Conflict, Flag, Module, Refusal, Resolution, Revision, Source};
pub use tables::{Authority, Lookup, Table, TableVersion};

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};
use thin_vec::ThinVec;

use crate::{
    digest::Digest,
    graph::{SnapshotGraph, SupportGraph},
    id::{
        AssertionId, AttributeName, BoardName, ConflictId, FlagId, ModuleName, Position,
        PrincipalName, RefusalId, RevisionId, Timestamp,
    },
    log::tree::Frontier,
    phase::{Current, Phase},
    quota::Quotas,
    status::{ConflictState, Policy, Role, Status},
};

/// How many of the last changes of what stands a board remembers, for checks made before them.
pub const RECENT_CHANGES: usize = 65_536;

/// A board as of a log position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Board {
    /// Its name.
    pub name: BoardName,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its last entry was written.
    pub last_at: Timestamp,
    /// The settings that decide verdicts.
    pub policy: Policy,
    /// The rules by which conflicts are decided.
    pub resolution: Resolution,
    /// Who may do what.
    pub roles: BTreeMap<PrincipalName, BTreeSet<Role>>,
    /// The declared modules.
    pub modules: BTreeMap<ModuleName, Module>,
    /// The declared attributes.
    pub attributes: BTreeMap<AttributeName, Attribute>,
    /// The registered sources.
    pub sources: BTreeMap<Digest, Source>,
    /// The reference tables.
    pub tables: BTreeMap<ModuleName, Table>,
    /// The authorities that are asked over HTTP.
    pub authorities: BTreeMap<ModuleName, Authority>,
    /// The answers of authorities that were used, in order.
    pub lookups: Vec<Lookup>,
    /// The conflicts, in order.
    pub conflicts: Vec<Conflict>,
    /// The refused submissions, in order.
    pub refusals: Vec<Refusal>,
    /// The flags, in order.
    pub flags: Vec<Flag>,
    /// The snapshots.
    pub snapshots: SnapshotGraph,
    /// How many submissions were stored.
    pub submissions: u64,
    /// The declared phases, in order.
    pub phases: Vec<Phase>,
    /// The phase it is in; none where no phases are declared.
    pub phase: Option<Current>,
    /// Its own quotas.
    pub quotas: Quotas,
    /// Where and when it was archived; none while it may be written to.
    pub archived: Option<(Position, Timestamp)>,
    /// The last position that changed what verdicts depend on besides the revisions that stand.
    pub rules_changed: Position,
    /// The last position that changed how facts are compared; those before it were compared otherwise.
    pub comparing_changed: Position,
    pub(crate) tree: Frontier,
    pub(crate) assertions: Vec<ThinVec<Revision>>,
    pub(crate) recent: VecDeque<(Position, RevisionId)>,
    pub(crate) recent_from: Position,
    pub(crate) counts: BTreeMap<Status, u32>,
    #[serde(skip)]
    pub(crate) supports: SupportGraph,
}

impl Board {
    /// Makes the empty board that a log's first entry is applied to.
    pub fn new(name: BoardName, policy: Policy) -> Self {
        Self {
            name,
            created_at: Timestamp::default(),
            last_at: Timestamp::default(),
            policy,
            resolution: Resolution::default(),
            roles: BTreeMap::new(),
            modules: BTreeMap::new(),
            attributes: BTreeMap::new(),
            sources: BTreeMap::new(),
            tables: BTreeMap::new(),
            authorities: BTreeMap::new(),
            lookups: Vec::new(),
            conflicts: Vec::new(),
            refusals: Vec::new(),
            flags: Vec::new(),
            snapshots: SnapshotGraph::default(),
            submissions: 0,
            phases: Vec::new(),
            phase: None,
            quotas: Quotas::default(),
            archived: None,
            rules_changed: Position(0),
            comparing_changed: Position(0),
            tree: Frontier::default(),
            assertions: Vec::new(),
            recent: VecDeque::new(),
            recent_from: Position(0),
            counts: BTreeMap::new(),
            supports: SupportGraph::default(),
        }
    }

    /// The number of entries in the log; the position of the next one.
    pub fn position(&self) -> Position {
        Position(self.tree.size())
    }

    /// The tree over the log.
    pub fn tree(&self) -> &Frontier {
        &self.tree
    }

    /// The state of a revision.
    pub fn revision(&self, id: RevisionId) -> Option<&Revision> {
        let revisions = self.assertions.get(index(id.assertion.0)?)?;
        revisions.get(index(id.revision)?)
    }

    pub(crate) fn revision_mut(&mut self, id: RevisionId) -> Option<&mut Revision> {
        let revisions = self.assertions.get_mut(index(id.assertion.0)?)?;
        revisions.get_mut(index(id.revision)?)
    }

    /// The latest revision of an assertion.
    pub fn latest(&self, assertion: AssertionId) -> Option<RevisionId> {
        let revisions = self.assertions.get(index(assertion.0)?)?;
        Some(RevisionId {
            assertion,
            revision: number(revisions.len()),
        })
    }

    /// Every revision in the order of ids.
    pub fn revisions(&self) -> impl Iterator<Item = (RevisionId, &Revision)> {
        self.assertions
            .iter()
            .enumerate()
            .flat_map(|(assertion, revisions)| {
                revisions.iter().enumerate().map(move |(revision, state)| {
                    let id = RevisionId {
                        assertion: AssertionId(number(assertion + 1)),
                        revision: number(revision + 1),
                    };
                    (id, state)
                })
            })
    }

    /// The number of assertions; the next one gets this number plus one.
    pub fn assertion_count(&self) -> u32 {
        number(self.assertions.len())
    }

    /// A conflict's state.
    pub fn conflict(&self, id: ConflictId) -> Option<&Conflict> {
        self.conflicts.get(index(id.0)?)
    }

    /// A refusal's state.
    pub fn refusal(&self, id: RefusalId) -> Option<&Refusal> {
        self.refusals.get(index(id.0)?)
    }

    /// A flag's state.
    pub fn flag(&self, id: FlagId) -> Option<&Flag> {
        self.flags.get(index(id.0)?)
    }

    /// Says whether a principal has a role.
    pub fn has_role(&self, principal: &PrincipalName, role: Role) -> bool {
        self.roles
            .get(principal)
            .is_some_and(|roles| roles.contains(&role))
    }

    /// Says whether a principal has any role, and so may read.
    pub fn may_read(&self, principal: &PrincipalName) -> bool {
        self.roles
            .get(principal)
            .is_some_and(|roles| !roles.is_empty())
    }

    /// The phase the board is in, as it is declared.
    pub fn current_phase(&self) -> Option<&Phase> {
        let current = self.phase.as_ref()?;
        self.phases.iter().find(|phase| phase.name == current.name)
    }

    /// The revision in force that one which replaces `replaces` would put out of force: of an
    /// assertion at most one stands.
    pub fn in_place_of(&self, replaces: Option<RevisionId>) -> Option<RevisionId> {
        let assertion = replaces?.assertion;
        let revisions = self.assertions.get(index(assertion.0)?)?;
        let place = revisions.iter().position(|it| it.status.stands())?;
        Some(RevisionId {
            assertion,
            revision: number(place + 1),
        })
    }

    /// How many revisions have a status.
    pub fn count(&self, status: Status) -> u32 {
        self.counts.get(&status).copied().unwrap_or_default()
    }

    /// How many standing revisions lost a support.
    pub fn support_lost_count(&self) -> u32 {
        let lost = |(_, revision): &(RevisionId, &Revision)| {
            revision.status.stands() && revision.support_lost.is_some()
        };
        number(self.revisions().filter(lost).count())
    }

    /// The revisions that came into force or went out of it at or after `since`; none where that is
    /// too long ago to be remembered, so that the caller has to look at the whole board.
    pub fn changed_since(&self, since: Position) -> Option<BTreeSet<RevisionId>> {
        if since < self.recent_from {
            return None;
        }
        let recent = self.recent.iter().rev().take_while(|(at, _)| *at >= since);
        Some(recent.map(|(_, revision)| *revision).collect())
    }

    /// What rests directly on a revision.
    pub fn dependents(&self, revision: RevisionId) -> Vec<RevisionId> {
        self.supports.dependents(revision)
    }

    /// What rests on a revision, directly or not.
    pub fn all_dependents(&self, revision: RevisionId) -> BTreeSet<RevisionId> {
        self.supports.all_dependents(revision)
    }

    /// The open conflicts, by number.
    pub fn open_conflicts(&self) -> impl Iterator<Item = (ConflictId, &Conflict)> {
        self.conflicts
            .iter()
            .enumerate()
            .filter(|(_, conflict)| conflict.state == ConflictState::Open)
            .map(|(place, conflict)| (ConflictId(number(place + 1)), conflict))
    }

    /// The sources in which a revision's quotes were found: its author's, those of who said the same,
    /// and those of its validation.
    pub fn quoted_sources(&self, revision: RevisionId) -> BTreeSet<Digest> {
        let state = self.revision(revision).into_iter();
        state
            .flat_map(|it| it.verified_sources.iter().chain(&it.confirming_sources))
            .copied()
            .collect()
    }

    /// The rank of a source: that of its digest or of its address, whichever is higher.
    pub fn rank(&self, source: &Digest) -> Option<u32> {
        let listed = self.resolution.rules.listed.get(source).copied();
        let state = self.sources.get(source).filter(|it| it.vouched);
        listed.into_iter().chain(state.and_then(|it| it.rank)).min()
    }

    /// The modules named and all that they depend on, in the order of names.
    pub fn with_dependencies(&self, modules: &[ModuleName]) -> BTreeSet<ModuleName> {
        let mut waiting: Vec<&ModuleName> = modules.iter().collect();
        let mut all = BTreeSet::new();
        while let Some(name) = waiting.pop() {
            if let Some(module) = self.modules.get(name)
                && all.insert(name.clone())
            {
                waiting.extend(&module.declaration.depends_on);
            }
        }
        all
    }

    /// The name of a module as the board holds it, so that all who belong to it share one.
    pub(crate) fn shared_module(&self, name: &ModuleName) -> ModuleName {
        let held = self.modules.get_key_value(name);
        held.map_or(name, |(held, _)| held).clone()
    }

    /// The name of a principal as the board holds it.
    pub(crate) fn shared_principal(&self, name: &PrincipalName) -> PrincipalName {
        let held = self.roles.get_key_value(name);
        held.map_or(name, |(held, _)| held).clone()
    }

    /// Rebuilds what is not kept in an image of the state.
    pub(crate) fn rebuild(&mut self) {
        self.share_names();
        let mut supports = SupportGraph::default();
        for (id, revision) in self.revisions() {
            supports.set(id, &[], &revision.supports);
        }
        self.supports = supports;
        self.snapshots.rebuild();
    }

    /// Lets all revisions of a module or an author hold one name; read from an image, each has its own.
    fn share_names(&mut self) {
        let mut assertions = std::mem::take(&mut self.assertions);
        for revision in assertions.iter_mut().flatten() {
            revision.module = self.shared_module(&revision.module);
            revision.author = self.shared_principal(&revision.author);
        }
        self.assertions = assertions;
    }
}

/// The place of a number that counts from 1.
fn index(number: u32) -> Option<usize> {
    usize::try_from(number.checked_sub(1)?).ok()
}

/// The count as a number; `decide` refuses before a count leaves 32 bits.
pub(crate) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
