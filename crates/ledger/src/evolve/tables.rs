//! Tables and authorities come and go; conflicts with what is no longer given end by themselves.

use super::{EvolveError, conflicts};
use crate::{
    board::{Authority, Board, Lookup, TableVersion, number},
    event::{Event, Recorded},
};

pub(super) fn apply(board: &mut Board, recorded: &Recorded) -> Result<(), EvolveError> {
    match &recorded.event {
        Event::TableMounted {
            table,
            source,
            rows,
            parsed,
            definition,
        } => {
            let state = board.tables.entry(table.clone()).or_default();
            state.mounted = true;
            state.versions.push(TableVersion {
                position: recorded.position,
                source: *source,
                rows: *rows,
                parsed: *parsed,
                definition: *definition,
                at: recorded.at,
                principal: recorded.principal.clone(),
            });
        }
        Event::TableUnmounted { table, .. } => match board.tables.get_mut(table) {
            Some(state) if state.mounted => state.mounted = false,
            _ => {
                let what = format!("table `{table}` is not mounted");
                return Err(EvolveError::new(recorded, what));
            }
        },
        Event::AuthorityDeclared {
            authority,
            attributes,
            when_unavailable,
            definition,
        } => {
            let state = Authority {
                attributes: attributes.iter().cloned().collect(),
                when_unavailable: *when_unavailable,
                definition: *definition,
                position: recorded.position,
            };
            board.authorities.insert(authority.clone(), state);
        }
        Event::LookupRecorded {
            lookup,
            authority,
            answer,
        } => {
            let declared = board.authorities.get(authority).map(|it| it.position);
            let next = lookup.0 == number(board.lookups.len() + 1);
            let Some(declared) = declared.filter(|_| next) else {
                let what = format!("`{lookup}` of `{authority}` is not the next answer");
                return Err(EvolveError::new(recorded, what));
            };
            board.lookups.push(Lookup {
                authority: authority.clone(),
                declared,
                answer: *answer,
                position: recorded.position,
            });
            return Ok(());
        }
        _ => return Ok(()),
    }
    board.rules_changed = recorded.position;
    let ended = board.open_without_reference();
    conflicts::close_without_reference(board, recorded, &ended)
}
