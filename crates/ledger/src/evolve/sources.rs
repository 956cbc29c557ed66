//! Documents come, are cited, and go while nothing cites them.

use super::{EvolveError, rules};
use crate::{
    board::{Board, Source},
    digest::Digest,
    event::{Event, Recorded},
    id::RevisionId,
};

pub(super) fn registered(board: &mut Board, recorded: &Recorded) {
    let Event::SourceRegistered {
        source,
        size_bytes,
        kept,
        description,
        replaces,
        rank,
        dated,
    } = &recorded.event
    else {
        return;
    };
    if let Some(old) = replaces.as_ref().and_then(|old| board.sources.get_mut(old)) {
        old.drifted = true;
    }
    let before = board.sources.remove(source);
    let state = Source {
        size_bytes: *size_bytes,
        kept: *kept,
        description: *description,
        position: recorded.position,
        at: recorded.at,
        principal: recorded.principal.clone(),
        drifted: before.as_ref().is_some_and(|it| it.drifted),
        rank: *rank,
        dated: *dated,
        vouched: rules::vouches(board, &recorded.principal),
        cited_by: before.map(|it| it.cited_by).unwrap_or_default(),
    };
    board.sources.insert(*source, state);
}

pub(super) fn removed(
    board: &mut Board,
    recorded: &Recorded,
    source: Digest,
) -> Result<(), EvolveError> {
    match board.sources.remove(&source) {
        Some(_) => Ok(()),
        None => Err(EvolveError::new(
            recorded,
            format!("there is no source `{source}`"),
        )),
    }
}

/// Notes what the entry cites.
pub(super) fn cited(board: &mut Board, recorded: &Recorded) {
    let Some(by) = subject(&recorded.event) else {
        return;
    };
    for citation in recorded.event.citations() {
        if let Some(source) = board.sources.get_mut(&citation.source) {
            source.cited_by.insert(by);
        }
    }
}

fn subject(event: &Event) -> Option<RevisionId> {
    match event {
        Event::Submitted(submitted) => Some(submitted.revision),
        Event::Corroborated { revision, .. }
        | Event::Validated { revision, .. }
        | Event::Flagged { revision, .. }
        | Event::Amended { new: revision, .. } => Some(*revision),
        _ => None,
    }
}
