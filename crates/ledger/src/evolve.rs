//! The fold: applies what happened to the state. Pure; decides nothing.

mod conflicts;
mod life;
mod revisions;
mod rollbacks;
mod rules;
mod seals;
mod sources;
mod statuses;
mod tables;

pub(crate) use conflicts::open_conflicts_of;
pub use rollbacks::{Exchange, exchange};
pub use seals::{lock_mode, locked, member_root, members};
use statuses::{set_status, settle, take_place};

use crate::{
    board::{Attribute, Board, Flag, Module, Refusal, number},
    event::{Event, ModuleDeclaration, Recorded},
    id::{ModuleName, Position, RevisionId},
};

/// An entry that does not follow from the entries before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("entry {position} does not follow from the log before it: {what}")]
pub struct EvolveError {
    /// The entry.
    pub position: Position,
    /// What is wrong with it.
    pub what: String,
}

impl EvolveError {
    fn new(recorded: &Recorded, what: impl Into<String>) -> Self {
        Self {
            position: recorded.position,
            what: what.into(),
        }
    }
}

/// Makes the board that a log begins with.
pub fn begin(first: &Recorded) -> Result<Board, EvolveError> {
    let Event::BoardCreated { policy } = &first.event else {
        return Err(EvolveError::new(
            first,
            "a log begins with the creation of its board",
        ));
    };
    let mut board = Board::new(first.board.clone(), *policy);
    board.created_at = first.at;
    evolve(&mut board, first)?;
    Ok(board)
}

/// Applies an entry. On an error the board is half changed and has to be dropped.
pub fn evolve(board: &mut Board, recorded: &Recorded) -> Result<(), EvolveError> {
    if recorded.position != board.position() {
        return Err(EvolveError::new(
            recorded,
            format!("position {} was expected", board.position()),
        ));
    }
    if recorded.board != board.name {
        return Err(EvolveError::new(
            recorded,
            format!("it belongs to board `{}`", recorded.board),
        ));
    }
    if recorded.at < board.last_at {
        return Err(EvolveError::new(
            recorded,
            "its time is before the entry before it",
        ));
    }
    board.tree.push(recorded.leaf);
    board.last_at = recorded.at;
    apply(board, recorded)?;
    sources::cited(board, recorded);
    Ok(())
}

fn apply(board: &mut Board, recorded: &Recorded) -> Result<(), EvolveError> {
    match &recorded.event {
        Event::BoardCreated { .. } if recorded.position == Position(0) => Ok(()),
        Event::BoardCreated { .. } => Err(EvolveError::new(recorded, "a board is created once")),
        Event::PolicyChanged { policy } => {
            board.policy = *policy;
            board.rules_changed = recorded.position;
            board.comparing_changed = recorded.position;
            Ok(())
        }
        Event::RoleGranted { principal, role } => {
            board
                .roles
                .entry(principal.clone())
                .or_default()
                .insert(*role);
            Ok(())
        }
        Event::RoleRevoked { principal, role } => {
            let roles = board.roles.get_mut(principal);
            if roles.is_some_and(|roles| roles.remove(role)) {
                Ok(())
            } else {
                Err(EvolveError::new(
                    recorded,
                    format!("`{principal}` is no {role}"),
                ))
            }
        }
        Event::ModuleDeclared {
            module,
            declaration,
        } => {
            declare_module(board, recorded, module, declaration);
            Ok(())
        }
        Event::AttributeDeclared { .. } => {
            declare_attribute(board, recorded);
            Ok(())
        }
        Event::SourceRegistered { .. } => {
            sources::registered(board, recorded);
            Ok(())
        }
        Event::SourceRemoved { source } => sources::removed(board, recorded, *source),
        Event::TableMounted { .. }
        | Event::TableUnmounted { .. }
        | Event::AuthorityDeclared { .. }
        | Event::LookupRecorded { .. } => tables::apply(board, recorded),
        Event::Submitted(submitted) => revisions::submitted(board, recorded, submitted),
        Event::Corroborated {
            revision,
            citations,
        } => revisions::corroborated(board, recorded, *revision, citations),
        Event::Validated { revision, evidence } => {
            revisions::validated(board, recorded, *revision, evidence)
        }
        Event::Retracted { revision, .. } => revisions::retracted(board, recorded, *revision),
        Event::Reaffirmed {
            revision, supports, ..
        } => revisions::reaffirmed(board, recorded, *revision, supports),
        Event::Refused {
            module,
            earlier_attempts,
            ..
        } => {
            board.refusals.push(Refusal {
                principal: recorded.principal.clone(),
                module: module.clone(),
                position: recorded.position,
                conflicts: Vec::new(),
                earlier_attempts: *earlier_attempts,
            });
            Ok(())
        }
        Event::ConflictOpened { .. }
        | Event::ConflictAppealed { .. }
        | Event::ConflictResolved { .. }
        | Event::ConflictDismissed { .. } => conflicts::apply(board, recorded),
        Event::Flagged { revision, .. } => flagged(board, recorded, *revision),
        Event::FlagClosed { flag, .. } => {
            let place = usize::try_from(flag.0)
                .unwrap_or(usize::MAX)
                .wrapping_sub(1);
            let state = board.flags.get_mut(place);
            state
                .ok_or_else(|| EvolveError::new(recorded, format!("there is no flag `{flag}`")))?
                .closed = Some(recorded.position);
            Ok(())
        }
        Event::Amended { old, new, .. } => seals::amended(board, recorded, *old, *new),
        Event::RolledBack { module, to, .. } => rollbacks::rolled_back(board, recorded, module, to),
        Event::SnapshotTaken { id, snapshot } => seals::taken(board, recorded, *id, snapshot),
        Event::PhasesDeclared { .. }
        | Event::PhaseEntered { .. }
        | Event::QuotasSet { .. }
        | Event::BoardArchived { .. }
        | Event::BoardReopened { .. } => life::apply(board, recorded),
        Event::Rescanned(rescan) => {
            rules::rescanned(board, rescan);
            Ok(())
        }
        Event::ResolutionRulesSet { .. } => {
            rules::set(board, recorded);
            Ok(())
        }
    }
}

fn declare_module(
    board: &mut Board,
    recorded: &Recorded,
    name: &ModuleName,
    declaration: &ModuleDeclaration,
) {
    let submissions = board.submissions;
    let module = board.modules.entry(name.clone()).or_insert_with(|| Module {
        declaration: ModuleDeclaration::default(),
        current: None,
        standing: Default::default(),
        contested: Default::default(),
        changed_at: recorded.at,
        changed_at_submission: submissions,
        sealed: None,
        compared: Position(0),
    });
    module.declaration = declaration.clone();
}

fn declare_attribute(board: &mut Board, recorded: &Recorded) {
    if let Event::AttributeDeclared {
        attribute,
        value_type,
        multi_valued,
        definition,
    } = &recorded.event
    {
        let state = Attribute {
            value_type: *value_type,
            multi_valued: *multi_valued,
            definition: *definition,
            position: recorded.position,
        };
        board.attributes.insert(attribute.clone(), state);
        board.rules_changed = recorded.position;
        board.comparing_changed = recorded.position;
    }
}

fn flagged(
    board: &mut Board,
    recorded: &Recorded,
    revision: RevisionId,
) -> Result<(), EvolveError> {
    board.flags.push(Flag {
        revision,
        principal: recorded.principal.clone(),
        position: recorded.position,
        at: recorded.at,
        closed: None,
    });
    let flag = crate::id::FlagId(number(board.flags.len()));
    let state = board.revision_mut(revision);
    state
        .ok_or_else(|| unknown(recorded, revision))?
        .flags
        .push(flag);
    Ok(())
}

fn unknown(recorded: &Recorded, revision: RevisionId) -> EvolveError {
    EvolveError::new(recorded, format!("there is no revision `{revision}`"))
}
