//! Whether an entry is one that the rules allow, judged from the log alone and without `decide`:
//! two readings of the same rules that check each other.
//!
//! A grant of a role is not judged: a server's operator may grant without a role on the board, and
//! who that is does not stand in the log.

mod conflicts;
mod declarations;
mod life;
mod phases;
mod rescans;
mod reviews;
mod rollbacks;
mod rules;
mod seals;
mod submissions;
mod tables;

use std::collections::{BTreeSet, VecDeque};

use crate::{
    board::{Board, Revision},
    digest::Digest,
    event::{Citation, Event, Recorded},
    id::{ModuleName, Position, PrincipalName, RefusalId, RevisionId, Timestamp},
    snapshot::SnapshotCause,
    status::{Role, Status},
};

/// What has to come next, because what came before is only half of it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Due {
    /// A contested revision has a conflict.
    ConflictOf(RevisionId),
    /// A refusal names what refused it.
    ConflictOfRefusal(RefusalId),
    /// A locked revision's end is an amendment.
    Amendment { old: RevisionId, new: RevisionId },
    /// An amendment makes a snapshot of the module.
    Snapshot(ModuleName),
    /// What was turned against an earlier revision of the module is followed by its rollback.
    Rollback(ModuleName),
    /// A rollback makes a snapshot that holds what the one holds that was gone back to.
    SnapshotOf {
        module: ModuleName,
        to: Digest,
        challengers: u32,
    },
}

/// What judging an entry needs to know besides the board before it.
#[derive(Debug, Default)]
pub(super) struct Lawful {
    due: VecDeque<Due>,
    /// What was due and came with this entry.
    met: Option<Due>,
    /// Who wrote the last entries, when, and where these begin.
    run: Option<(PrincipalName, Timestamp, Position)>,
    /// What is locked, by this module's own account.
    locked: BTreeSet<RevisionId>,
    /// What has been cited, by this module's own account.
    cited: BTreeSet<Digest>,
    /// The board is archived, by this module's own account.
    archived: bool,
    /// The phases and the one the board is in, by this module's own account.
    course: phases::Course,
}

/// What is wrong with an entry, one sentence each.
type Wrong = Vec<String>;

impl Lawful {
    /// Judges an entry against the board before it.
    pub(super) fn before(&mut self, board: &Board, recorded: &Recorded) -> Wrong {
        self.begin_run(recorded);
        let mut wrong = Wrong::new();
        self.meet_due(recorded, &mut wrong);
        life::still_open(self, recorded, &mut wrong);
        match &recorded.event {
            Event::BoardCreated { .. }
            | Event::PolicyChanged { .. }
            | Event::RoleGranted { .. }
            | Event::RoleRevoked { .. }
            | Event::ModuleDeclared { .. }
            | Event::AttributeDeclared { .. }
            | Event::SourceRegistered { .. } => {
                declarations::check(board, recorded, &mut wrong);
            }
            Event::TableMounted { .. }
            | Event::TableUnmounted { .. }
            | Event::AuthorityDeclared { .. }
            | Event::LookupRecorded { .. } => tables::check(board, recorded, &mut wrong),
            Event::Submitted(_) | Event::Corroborated { .. } | Event::Refused { .. } => {
                submissions::check(self, board, recorded, &mut wrong);
            }
            Event::ConflictOpened { .. }
            | Event::ConflictAppealed { .. }
            | Event::ConflictResolved { .. }
            | Event::ConflictDismissed { .. } => {
                conflicts::check(self, board, recorded, &mut wrong);
            }
            Event::Validated { .. }
            | Event::Retracted { .. }
            | Event::Reaffirmed { .. }
            | Event::Flagged { .. }
            | Event::FlagClosed { .. } => reviews::check(board, recorded, &mut wrong),
            Event::RolledBack { .. } => rollbacks::check(self, board, recorded, &mut wrong),
            Event::Rescanned(rescan) => rescans::ended(board, recorded, rescan, &mut wrong),
            Event::ResolutionRulesSet { .. } => rules::set(board, recorded, &mut wrong),
            Event::Amended { .. } | Event::SnapshotTaken { .. } => {
                seals::check(self, board, recorded, &mut wrong);
            }
            Event::PhasesDeclared { .. } | Event::PhaseEntered { .. } => {
                phases::check(self, board, recorded, &mut wrong);
            }
            Event::QuotasSet { .. }
            | Event::BoardArchived { .. }
            | Event::BoardReopened { .. }
            | Event::SourceRemoved { .. } => life::check(self, board, recorded, &mut wrong),
        }
        let cited = recorded.event.citations().iter().map(|it| it.source);
        self.cited.extend(cited);
        wrong
    }

    /// Judges what an entry made of the board: locks end by an amendment or a rollback only, so their
    /// number falls by nothing else.
    pub(super) fn after(&mut self, board: &Board, recorded: &Recorded) -> Option<String> {
        match &recorded.event {
            Event::Amended { old, new, .. } => {
                self.locked.remove(old);
                self.locked.insert(*new);
            }
            Event::RolledBack { module, to, .. } => {
                let is_elsewhere = |id: &RevisionId| {
                    let of = board.revision(*id).map(|state| &state.module);
                    of != Some(module)
                };
                self.locked.retain(is_elsewhere);
                let members = board.snapshots.get(to).map(|node| node.members.as_slice());
                self.locked.extend(members.unwrap_or_default());
            }
            Event::SnapshotTaken { id, .. } => {
                let members = board.snapshots.get(id).map(|node| node.members.as_slice());
                self.locked.extend(members.unwrap_or_default());
            }
            _ => {}
        }
        let (counted, known) = (board.count(Status::Locked), self.locked.len());
        (usize::try_from(counted) != Ok(known)).then(|| {
            format!(
                "{known} revisions are locked by seals, amendments and rollbacks, it leaves {counted}"
            )
        })
    }

    /// What was begun and not ended by the last entry, and what is locked without a seal.
    pub(super) fn end(&self, board: &Board) -> Wrong {
        let mut wrong: Wrong = self.due.iter().map(ToString::to_string).collect();
        for (id, state) in board.revisions() {
            let locked = state.status == Status::Locked;
            if locked != self.locked.contains(&id) {
                wrong.push(format!(
                    "`{id}` is {}, against its seals, amendments and rollbacks",
                    state.status
                ));
            }
        }
        wrong
    }

    fn begin_run(&mut self, recorded: &Recorded) {
        let same = self
            .run
            .as_ref()
            .is_some_and(|(who, at, _)| *who == recorded.principal && *at == recorded.at);
        if !same {
            self.run = Some((recorded.principal.clone(), recorded.at, recorded.position));
        }
    }

    /// Says whether a revision could still be named: it is in force or in quarantine, or was when
    /// the entries began that were written together with this one.
    fn is_there(&self, state: &Revision) -> bool {
        let ended_with_it = state.ended.is_some_and(|ended| {
            let run = self.run.as_ref();
            run.is_some_and(|(_, _, from)| ended >= *from)
        });
        state.status.stands() || state.status == Status::Contested || ended_with_it
    }

    fn meet_due(&mut self, recorded: &Recorded, wrong: &mut Wrong) {
        self.met = None;
        let Some(due) = self.due.pop_front() else {
            return;
        };
        if !due.is_met_by(&recorded.event) {
            wrong.push(due.to_string());
            self.due.clear();
        } else if due.is_exchange() && matches!(recorded.event, Event::ConflictOpened { .. }) {
            // What else challenged the old revision is turned against the new one first.
            self.due.push_front(due);
        } else {
            self.met = Some(due);
        }
    }
}

impl Due {
    fn is_exchange(&self) -> bool {
        matches!(self, Self::Amendment { .. } | Self::Rollback(_))
    }

    fn is_met_by(&self, event: &Event) -> bool {
        use crate::event::Challenger;
        match (self, event) {
            (Self::ConflictOf(due), Event::ConflictOpened { challenger, .. }) => {
                *challenger == Challenger::Revision(*due)
            }
            (Self::ConflictOfRefusal(due), Event::ConflictOpened { challenger, .. }) => {
                *challenger == Challenger::Refusal(*due)
            }
            (
                Self::Amendment { old, new },
                Event::Amended {
                    old: is, new: by, ..
                },
            ) => old == is && new == by,
            (Self::Amendment { new, .. }, Event::ConflictOpened { standing, .. }) => {
                *standing == Some(*new)
            }
            (Self::Snapshot(module), Event::SnapshotTaken { snapshot, .. }) => {
                snapshot.module == *module && snapshot.cause == SnapshotCause::Amendment
            }
            (Self::Rollback(due), Event::RolledBack { module, .. }) => module == due,
            (Self::Rollback(_), Event::ConflictOpened { standing, .. }) => standing.is_some(),
            (Self::SnapshotOf { module, .. }, Event::SnapshotTaken { snapshot, .. }) => {
                snapshot.module == *module && snapshot.cause == SnapshotCause::Rollback
            }
            _ => false,
        }
    }
}

impl std::fmt::Display for Due {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::ConflictOf(revision) => {
                write!(formatter, "`{revision}` is contested without a conflict")
            }
            Self::ConflictOfRefusal(refusal) => {
                write!(formatter, "`{refusal}` names nothing that refused it")
            }
            Self::Amendment { old, new } => {
                write!(
                    formatter,
                    "`{new}` takes the place of the locked `{old}` without an amendment"
                )
            }
            Self::Snapshot(module) => {
                write!(
                    formatter,
                    "the amendment of module `{module}` made no snapshot"
                )
            }
            Self::Rollback(module) => {
                write!(
                    formatter,
                    "what challenges module `{module}` is turned against the past without a rollback"
                )
            }
            Self::SnapshotOf { module, .. } => {
                write!(
                    formatter,
                    "the rollback of module `{module}` made no snapshot"
                )
            }
        }
    }
}

/// The actor has one of the roles.
fn role(board: &Board, recorded: &Recorded, roles: &[Role], wrong: &mut Wrong) {
    let who = &recorded.principal;
    if !roles.iter().any(|role| board.has_role(who, *role)) {
        let roles: Vec<&str> = roles.iter().map(|role| role.as_str()).collect();
        wrong.push(format!("`{who}` was no {} then", roles.join(" or ")));
    }
}

/// A condition holds; else `what` is wrong.
fn holds(condition: bool, what: impl FnOnce() -> String, wrong: &mut Wrong) {
    if !condition {
        wrong.push(what());
    }
}

/// Every cited source was registered before.
fn sources(board: &Board, citations: &[Citation], wrong: &mut Wrong) {
    for citation in citations {
        holds(
            board.sources.contains_key(&citation.source),
            || format!("it cites `{}`, which was not registered", citation.source),
            wrong,
        );
    }
}

fn revision<'a>(board: &'a Board, id: RevisionId, wrong: &mut Wrong) -> Option<&'a Revision> {
    let state = board.revision(id);
    holds(state.is_some(), || format!("there was no `{id}`"), wrong);
    state
}

/// Says whether a module is another's to write to.
fn is_foreign(board: &Board, module: &ModuleName, principal: &PrincipalName) -> bool {
    let owners = board.modules.get(module).map(|it| &it.declaration.owners);
    owners.is_some_and(|owners| !owners.is_empty() && !owners.contains(principal))
}

/// The next number of things that are counted from 1.
fn is_next(number: u32, count: usize) -> bool {
    usize::try_from(number) == Ok(count + 1)
}
