//! What is taken as given is the operators' to declare; answers are recorded by who used them.

use super::{Wrong, holds, is_next, role};
use crate::{
    board::Board,
    event::{Event, Recorded},
    id::ModuleName,
    reference::{MAX_ROWS, Reference},
    status::Role,
};

pub(super) fn check(board: &Board, recorded: &Recorded, wrong: &mut Wrong) {
    match &recorded.event {
        Event::TableMounted {
            table,
            source,
            rows,
            ..
        } => {
            role(board, recorded, &[Role::Operator], wrong);
            holds(
                board.sources.get(source).is_some_and(|it| it.kept),
                || format!("table `{table}` was read from `{source}`, which was not kept"),
                wrong,
            );
            holds(
                !board.modules.contains_key(table),
                || format!("table `{table}` has the name of a module"),
                wrong,
            );
            holds(
                *rows <= MAX_ROWS,
                || format!("table `{table}` has {rows} rows"),
                wrong,
            );
        }
        Event::TableUnmounted { table, .. } => {
            role(board, recorded, &[Role::Operator], wrong);
            let mounted = board.tables.get(table).is_some_and(|it| it.mounted);
            holds(
                mounted,
                || format!("table `{table}` was not mounted"),
                wrong,
            );
        }
        Event::AuthorityDeclared { attributes, .. } => {
            role(board, recorded, &[Role::Operator], wrong);
            for attribute in attributes {
                holds(
                    board.attributes.contains_key(attribute),
                    || format!("it is asked about `{attribute}`, which was not declared"),
                    wrong,
                );
            }
        }
        Event::LookupRecorded {
            lookup, authority, ..
        } => {
            role(board, recorded, &[Role::Agent, Role::Arbiter], wrong);
            answered(board, authority, wrong);
            holds(
                is_next(lookup.0, board.lookups.len()),
                || format!("`{lookup}` is not the next answer"),
                wrong,
            );
        }
        _ => {}
    }
}

fn answered(board: &Board, authority: &ModuleName, wrong: &mut Wrong) {
    let state = board.authorities.get(authority);
    holds(
        state.is_some_and(|it| !it.attributes.is_empty()),
        || format!("`{authority}` was no authority"),
        wrong,
    );
}

/// Says whether a row or an answer was taken as given: by this module's own reading, a row of the
/// last version of a table that is mounted, or an answer given since its authority was declared.
pub(super) fn stood(board: &Board, reference: Reference) -> bool {
    match reference {
        Reference::Row(row) => board.tables.values().any(|table| {
            let last = table.versions.last();
            table.mounted && row.line > 0 && last.is_some_and(|it| it.position == row.mounted)
        }),
        Reference::Answer(id) => {
            let place = usize::try_from(id.0).ok().and_then(|it| it.checked_sub(1));
            let lookup = place.and_then(|place| board.lookups.get(place));
            lookup.is_some_and(|lookup| {
                let authority = board.authorities.get(&lookup.authority);
                authority.is_some_and(|it| {
                    it.position <= lookup.position
                        && it.position == lookup.declared
                        && !it.attributes.is_empty()
                })
            })
        }
    }
}
