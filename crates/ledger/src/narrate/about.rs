//! What an entry is about.

use crate::{
    board::Board,
    event::{Challenger, Event},
    id::{ModuleName, RevisionId},
};

/// What an entry is about: its module, and its revisions with the subject first.
pub(super) fn about(board: &Board, event: &Event) -> (Option<ModuleName>, Vec<RevisionId>) {
    let of = |revisions: Vec<RevisionId>| {
        let module = revisions.first().and_then(|id| board.revision(*id));
        (module.map(|state| state.module.clone()), revisions)
    };
    match event {
        Event::ModuleDeclared { module, .. }
        | Event::Refused { module, .. }
        | Event::RolledBack { module, .. } => (Some(module.clone()), Vec::new()),
        Event::TableMounted { table, .. } | Event::TableUnmounted { table, .. } => {
            (Some(table.clone()), Vec::new())
        }
        Event::Submitted(submitted) => {
            let revisions = std::iter::once(submitted.revision).chain(submitted.replaces);
            (Some(submitted.module.clone()), revisions.collect())
        }
        Event::SnapshotTaken { snapshot, .. } => (
            Some(snapshot.module.clone()),
            snapshot.only.into_iter().collect(),
        ),
        Event::Corroborated { revision, .. }
        | Event::Validated { revision, .. }
        | Event::Retracted { revision, .. }
        | Event::Reaffirmed { revision, .. }
        | Event::Flagged { revision, .. } => of(vec![*revision]),
        Event::FlagClosed { flag, .. } => of(board
            .flag(*flag)
            .map(|it| it.revision)
            .into_iter()
            .collect()),
        Event::Amended { old, new, .. } => of(vec![*old, *new]),
        Event::ConflictOpened {
            challenger,
            standing,
            ..
        } => conflict_about(board, *challenger, *standing),
        Event::ConflictAppealed { conflict, .. }
        | Event::ConflictResolved { conflict, .. }
        | Event::ConflictDismissed { conflict, .. } => match board.conflict(*conflict) {
            Some(state) => conflict_about(board, state.challenger, state.standing),
            None => (None, Vec::new()),
        },
        Event::Rescanned(rescan) => (rescan.module.clone(), Vec::new()),
        Event::BoardCreated { .. }
        | Event::PolicyChanged { .. }
        | Event::RoleGranted { .. }
        | Event::RoleRevoked { .. }
        | Event::AttributeDeclared { .. }
        | Event::AuthorityDeclared { .. }
        | Event::LookupRecorded { .. }
        | Event::SourceRegistered { .. }
        | Event::ResolutionRulesSet { .. }
        | Event::PhasesDeclared { .. }
        | Event::PhaseEntered { .. }
        | Event::QuotasSet { .. }
        | Event::BoardArchived { .. }
        | Event::BoardReopened { .. }
        | Event::SourceRemoved { .. } => (None, Vec::new()),
    }
}

fn conflict_about(
    board: &Board,
    challenger: Challenger,
    standing: Option<RevisionId>,
) -> (Option<ModuleName>, Vec<RevisionId>) {
    match challenger {
        Challenger::Revision(revision) => {
            let module = board.revision(revision).map(|it| it.module.clone());
            (module, std::iter::once(revision).chain(standing).collect())
        }
        Challenger::Refusal(refusal) => {
            let module = board.refusal(refusal).map(|it| it.module.clone());
            (module, standing.into_iter().collect())
        }
    }
}
