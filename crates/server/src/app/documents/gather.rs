//! What of a board each statement of a text is compared with, all as of one position.

use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    sync::Arc,
};

use pawl_checker::document::Document;
use pawl_ledger::{
    board::{Board, Revision},
    id::{ModuleName, Position, RevisionId},
    status::Status,
};

use crate::app::{
    boards::LiveBoard,
    error::AppError,
    judge::{Judge, Known, LoadError},
    stop::Stop,
};

/// How often candidates are looked up anew because the board changed meanwhile; after that no writer
/// is let in until they are found.
const MAX_TRIES: usize = 3;
/// How many superseded revisions before a standing one are looked at.
const MAX_PREDECESSORS: usize = 8;

/// What a text is laid beside.
pub(super) struct Beside {
    /// The number of entries the board had.
    pub(super) position: Position,
    /// For each statement the revisions to compare it with, the likeliest first.
    pub(super) candidates: Vec<Vec<RevisionId>>,
    /// The standing revisions among them.
    pub(super) facts: BTreeMap<RevisionId, Fact>,
}

/// A standing revision as it was at the position.
pub(super) struct Fact {
    pub(super) known: Arc<Known>,
    pub(super) status: Status,
    pub(super) challenged: bool,
    pub(super) support_lost: bool,
    /// The superseded revisions it took the place of, the latest first, with the positions of their entries.
    pub(super) predecessors: Vec<(RevisionId, Position)>,
}

/// Looks up candidates. The locks are let go after each statement, so that writers get in; where one
/// changed what stands, everything is looked up anew.
pub(super) fn gather(
    live: &LiveBoard,
    document: &Document,
    known: &[Known],
    modules: Option<&BTreeSet<ModuleName>>,
    stop: &Stop,
) -> Result<Beside, AppError> {
    let asked: Vec<Option<&Known>> = document
        .passages
        .iter()
        .zip(known)
        .map(|(passage, known)| (passage.is_claim && !passage.is_not_compared()).then_some(known))
        .collect();
    for _ in 0..MAX_TRIES {
        let mut beside = Beside::at(live.open.state.read().position());
        for text in &asked {
            stop.check()?;
            let board = live.open.state.read();
            beside.look_up(&board, &live.judge.read(), *text, modules)?;
        }
        let board = live.open.state.read();
        let changed = board.changed_since(beside.position);
        if changed.is_some_and(|changed| changed.is_empty()) {
            beside.position = board.position();
            return Ok(beside);
        }
    }
    let board = live.open.state.read();
    let judge = live.judge.read();
    let mut beside = Beside::at(board.position());
    for text in &asked {
        stop.check()?;
        beside.look_up(&board, &judge, *text, modules)?;
    }
    Ok(beside)
}

impl Beside {
    fn at(position: Position) -> Self {
        Self {
            position,
            candidates: Vec::new(),
            facts: BTreeMap::new(),
        }
    }

    fn look_up(
        &mut self,
        board: &Board,
        judge: &Judge,
        text: Option<&Known>,
        modules: Option<&BTreeSet<ModuleName>>,
    ) -> Result<(), LoadError> {
        let found = text.map(|text| judge.candidates(text)).unwrap_or_default();
        let mut kept = Vec::with_capacity(found.len());
        for candidate in found {
            let id = candidate.key;
            if let Entry::Vacant(place) = self.facts.entry(id) {
                let Some(fact) = fact(board, judge, id, modules)? else {
                    continue;
                };
                place.insert(fact);
            }
            kept.push(id);
        }
        self.candidates.push(kept);
        Ok(())
    }
}

fn fact(
    board: &Board,
    judge: &Judge,
    id: RevisionId,
    modules: Option<&BTreeSet<ModuleName>>,
) -> Result<Option<Fact>, LoadError> {
    let standing = board.revision(id).filter(|state| state.status.stands());
    let wanted = |state: &&Revision| modules.is_none_or(|it| it.contains(&state.module));
    let (Some(state), Some(known)) = (standing.filter(wanted), judge.known(id)?) else {
        return Ok(None);
    };
    let before = std::iter::successors(state.replaces, |id| board.revision(*id)?.replaces);
    let predecessors = before
        .take(MAX_PREDECESSORS)
        .filter_map(|id| Some((id, board.revision(id)?)))
        .filter(|(_, state)| state.status == Status::Superseded)
        .map(|(id, state)| (id, state.position));
    Ok(Some(Fact {
        known,
        status: state.status,
        challenged: state.challenged > 0,
        support_lost: state.support_lost.is_some(),
        predecessors: predecessors.collect(),
    }))
}
