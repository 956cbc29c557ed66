//! What must hold, worked out from scratch.

use std::collections::{BTreeMap, BTreeSet};

use pawl_ledger::{
    board::Board,
    digest::Digest,
    event::{Challenger, Event},
    id::RevisionId,
    status::{ConflictState, Status},
};

use crate::world::World;

/// What each source is cited by, worked out from the log.
pub(super) fn check_citations(world: &World) {
    let mut cited: BTreeMap<Digest, BTreeSet<RevisionId>> = BTreeMap::new();
    for (recorded, _) in &world.log {
        let (subject, citations) = match &recorded.event {
            Event::Submitted(it) => (it.revision, &it.citations),
            Event::Corroborated {
                revision,
                citations,
            }
            | Event::Flagged {
                revision,
                citations,
                ..
            } => (*revision, citations),
            Event::Validated { revision, evidence } => (*revision, evidence),
            Event::Amended { new, evidence, .. } => (*new, evidence),
            _ => continue,
        };
        for citation in citations {
            cited.entry(citation.source).or_default().insert(subject);
        }
    }
    for (source, state) in &world.board.sources {
        let expected = cited.remove(source).unwrap_or_default();
        assert_eq!(state.cited_by, expected, "what cites {source}");
    }
    assert!(cited.is_empty(), "cited and removed: {cited:?}");
}

/// The revision whose end took a support away, by the definition.
fn lost(board: &Board, id: RevisionId) -> Option<RevisionId> {
    let supports = &board.revision(id).unwrap().supports;
    supports.iter().find_map(|support| {
        if board.revision(*support).unwrap().status.stands() {
            lost(board, *support)
        } else {
            Some(*support)
        }
    })
}

pub(super) fn check_counts(board: &Board) {
    let mut counts: BTreeMap<Status, u32> = BTreeMap::new();
    let mut standing: BTreeMap<&str, BTreeSet<RevisionId>> = BTreeMap::new();
    let mut contested: BTreeMap<&str, BTreeSet<RevisionId>> = BTreeMap::new();
    for (id, state) in board.revisions() {
        *counts.entry(state.status).or_default() += 1;
        let module = state.module.as_str();
        if state.status.stands() {
            standing.entry(module).or_default().insert(id);
        }
        if state.status == Status::Contested {
            contested.entry(module).or_default().insert(id);
        }
        assert_eq!(state.support_lost, lost(board, id), "what {id} lost");
        let challenged = board.conflicts.iter().filter(|it| {
            let sides = [
                it.standing
                    .filter(|_| matches!(it.challenger, Challenger::Revision(_))),
                match it.challenger {
                    Challenger::Revision(challenger) if it.rescan => Some(challenger),
                    _ => None,
                },
            ];
            it.state == ConflictState::Open && sides.contains(&Some(id))
        });
        assert_eq!(
            state.challenged as usize,
            challenged.count(),
            "challenges of {id}"
        );
    }
    for status in Status::ALL {
        let expected = counts.get(status).copied().unwrap_or_default();
        assert_eq!(board.count(*status), expected, "{status}");
    }
    for (name, module) in &board.modules {
        let of = |all: &BTreeMap<&str, BTreeSet<RevisionId>>| {
            all.get(name.as_str()).cloned().unwrap_or_default()
        };
        assert_eq!(module.standing, of(&standing), "standing in {name}");
        assert_eq!(module.contested, of(&contested), "contested in {name}");
    }
}

pub(super) fn check_lives(board: &Board) {
    let mut standing: BTreeMap<u32, u32> = BTreeMap::new();
    for (id, state) in board.revisions() {
        if state.status.stands() {
            *standing.entry(id.assertion.0).or_default() += 1;
        }
        let open = board
            .open_conflicts()
            .filter(|(_, it)| it.challenger == Challenger::Revision(id) && !it.rescan);
        let waits = open.count() > 0;
        assert_eq!(
            state.status == Status::Contested,
            waits,
            "{id} is {}",
            state.status
        );
    }
    for (assertion, count) in standing {
        assert_eq!(count, 1, "{count} revisions of a{assertion} stand");
    }
    for (id, conflict) in board.open_conflicts() {
        let stands = conflict
            .standing
            .is_none_or(|it| board.revision(it).unwrap().status.stands());
        let refusal = matches!(conflict.challenger, Challenger::Refusal(_));
        let both = conflict
            .standing
            .is_some_and(|it| board.revision(it).unwrap().status == Status::Contested);
        assert!(stands || refusal || both, "what {id} is against has ended");
    }
}
