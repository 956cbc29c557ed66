//! An archived board is written to by nobody, quotas are within bounds, and what is cited stays.

use super::{Lawful, Wrong, holds, role};
use crate::{
    board::{Board, Table},
    event::{Event, Recorded},
    status::Role,
};

/// On an archived board nothing happens but its reopening.
pub(super) fn still_open(lawful: &Lawful, recorded: &Recorded, wrong: &mut Wrong) {
    let reopens = matches!(recorded.event, Event::BoardReopened { .. });
    holds(
        !lawful.archived || reopens,
        || "the board was archived then".into(),
        wrong,
    );
}

pub(super) fn check(lawful: &mut Lawful, board: &Board, recorded: &Recorded, wrong: &mut Wrong) {
    match &recorded.event {
        Event::QuotasSet { quotas } => {
            role(board, recorded, &[Role::Operator], wrong);
            for (name, value) in quotas.named() {
                holds(
                    value.is_none_or(|value| value > 0 && value <= 1 << 50),
                    || format!("no quota allows {value:?} for {name}"),
                    wrong,
                );
            }
        }
        Event::BoardArchived { .. } => {
            role(board, recorded, &[Role::Operator], wrong);
            lawful.archived = true;
        }
        Event::BoardReopened { .. } => {
            role(board, recorded, &[Role::Operator], wrong);
            holds(
                lawful.archived,
                || "the board was not archived".into(),
                wrong,
            );
            lawful.archived = false;
        }
        Event::SourceRemoved { source } => {
            holds(
                !lawful.cited.contains(source),
                || format!("`{source}` was cited"),
                wrong,
            );
            let read = |table: &Table| table.versions.iter().any(|it| it.source == *source);
            holds(
                !board.tables.values().any(read),
                || format!("a table was read from `{source}`"),
                wrong,
            );
            let registrar = board.sources.get(source).map(|it| &it.principal);
            let may: &[Role] = if registrar == Some(&recorded.principal) {
                &[Role::Agent, Role::Verifier, Role::Arbiter, Role::Operator]
            } else {
                &[Role::Operator]
            };
            role(board, recorded, may, wrong);
        }
        _ => {}
    }
}
