//! The words beside a log: each commitment's are there and are what was committed to, and there
//! are no others.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
};

use super::{Problem, ProblemKind, Report};
use crate::{
    digest::{Commitment, Words},
    id::{BoardName, Position},
    store::{
        Store, StoreError,
        keys::{self, BoardNumber, read},
    },
};

/// What the entries of a range of positions commit to.
#[derive(Default)]
pub(super) struct Committed {
    expected: BTreeSet<(Position, Commitment)>,
    /// Positions whose entry cannot be read: nobody knows what it commits to.
    unknown: BTreeSet<Position>,
}

impl Committed {
    pub(super) fn add(&mut self, position: Position, commitments: Vec<Commitment>) {
        let placed = commitments.into_iter().map(|it| (position, it));
        self.expected.extend(placed);
    }

    pub(super) fn add_unknown(&mut self, position: Position) {
        self.unknown.insert(position);
    }
}

/// Compares the words of a half-open range of positions.
pub(super) fn check(
    store: &dyn Store,
    board: (&BoardName, BoardNumber),
    range: (Position, Position),
    committed: &Committed,
    report: &mut Report,
) -> Result<(), StoreError> {
    let (name, number) = board;
    report.words += u64::try_from(committed.expected.len()).unwrap_or(u64::MAX);
    let found = read_words(store, number, range, name, report)?;
    for (position, commitment) in &committed.expected {
        let (kind, what) = match found.get(&(*position, *commitment)) {
            Some(true) => continue,
            Some(false) => (ProblemKind::WordsChanged, "are not what was committed to"),
            None => (ProblemKind::WordsMissing, "are not there"),
        };
        let what = format!("the words of commitment `{}` {what}", commitment.0);
        report.find(Problem::new(kind, what).on(name).at(*position));
    }
    for place in found.keys() {
        if !committed.expected.contains(place) && !committed.unknown.contains(&place.0) {
            let what = format!("no entry commits to the words `{}`", place.1.0);
            report.find(
                Problem::new(ProblemKind::WordsStray, what)
                    .on(name)
                    .at(place.0),
            );
        }
    }
    Ok(())
}

/// The words that are there, and whether they are what their key says.
fn read_words(
    store: &dyn Store,
    number: BoardNumber,
    range: (Position, Position),
    name: &BoardName,
    report: &mut Report,
) -> Result<BTreeMap<(Position, Commitment), bool>, StoreError> {
    let (from, to) = keys::words_of(number, range.0, range.1);
    let mut found = BTreeMap::new();
    store.scan(&from, &to, &mut |key, stored| {
        match read::words(key) {
            Some((position, commitment)) => {
                let good = Words::from_stored(stored)
                    .is_some_and(|words| words.commitment() == commitment);
                found.insert((position, commitment), good);
            }
            None => report.find(
                Problem::new(
                    ProblemKind::WordsStray,
                    format!("`{}` is no key of words", key.escape_ascii()),
                )
                .on(name),
            ),
        }
        ControlFlow::Continue(())
    })?;
    Ok(found)
}
