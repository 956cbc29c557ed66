//! The boards of a store, and what belongs to no board of it.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
};

use super::{Problem, ProblemKind, Report};
use crate::{
    id::BoardName,
    ledger::deletion,
    store::{
        Store, StoreError,
        keys::{self, BoardNumber, read},
    },
};

/// Lists the boards whose records can be read, each number once.
pub(super) fn check(
    store: &dyn Store,
    report: &mut Report,
) -> Result<Vec<(BoardName, BoardNumber)>, StoreError> {
    let mut boards: BTreeMap<BoardNumber, BoardName> = BTreeMap::new();
    let (from, to) = keys::boards();
    store.scan(&from, &to, &mut |key, value| {
        let number = value.try_into().ok().map(u32::from_be_bytes);
        match (read::board_name(key), number.map(BoardNumber)) {
            (Some(name), Some(number)) => match boards.get(&number) {
                None => {
                    boards.insert(number, name);
                }
                Some(other) => report.find(
                    Problem::new(
                        ProblemKind::Board,
                        format!("it has the number of board `{other}`"),
                    )
                    .on(&name),
                ),
            },
            _ => report.find(Problem::new(
                ProblemKind::Board,
                format!("`{}` is no board's record", key.escape_ascii()),
            )),
        }
        ControlFlow::Continue(())
    })?;
    let deleted = deleted(store, report)?;
    for first in read::OF_ONE_BOARD {
        for number in numbers(store, first)? {
            if deleted.get(&number) == Some(&false) {
                continue;
            }
            if !boards.contains_key(&number) {
                report.find(Problem::new(
                    ProblemKind::Board,
                    format!(
                        "there is something under `{}` of board number {}, which no record names",
                        char::from(first),
                        number.0
                    ),
                ));
            }
        }
    }
    Ok(boards
        .into_iter()
        .map(|(number, name)| (name, number))
        .collect())
}

/// The boards that were deleted, and whether nothing of them is left; a deletion that is under way is
/// no damage.
fn deleted(
    store: &dyn Store,
    report: &mut Report,
) -> Result<BTreeMap<BoardNumber, bool>, StoreError> {
    let mut deleted = BTreeMap::new();
    for (number, marker) in deletion::all(store)? {
        match marker {
            None => report.find(Problem::new(
                ProblemKind::Board,
                format!(
                    "the marker of deleted board number {} cannot be read",
                    number.0
                ),
            )),
            Some(marker) => {
                if !marker.done {
                    let what = "it is being deleted; the next start of the server goes on with it";
                    report
                        .notes
                        .push(Problem::new(ProblemKind::Board, what).on(&marker.name));
                }
                deleted.insert(number, marker.done);
            }
        }
    }
    Ok(deleted)
}

/// The board numbers that occur after a first byte, found by leaping from one to the next.
fn numbers(store: &dyn Store, first: u8) -> Result<BTreeSet<BoardNumber>, StoreError> {
    let mut found = BTreeSet::new();
    let mut next = Some(BoardNumber(0));
    while let Some(from) = next {
        let (from, to) = read::from_board(first, from);
        next = None;
        store.scan(&from, &to, &mut |key, _| {
            if let Some(number) = read::number(key) {
                found.insert(number);
                next = number.0.checked_add(1).map(BoardNumber);
            }
            ControlFlow::Break(())
        })?;
    }
    Ok(found)
}
