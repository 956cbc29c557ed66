//! Whether the rows of a table are what their attributes say, and stand beside each other.

use std::collections::BTreeMap;

use super::{Problem, Row, TableError, judge::Scoped, value::typed};
use crate::{
    claims::{self, Relation},
    vocabulary::Vocabulary,
};

/// The most rows about one thing that may hold at the same time.
const MAX_AT_ONCE: usize = 1_000;

/// Refuses rows of the wrong type, and rows about the same that exclude each other.
pub fn check(rows: &[Row], vocabulary: &Vocabulary) -> Result<(), TableError> {
    let mut problems = TableError::default();
    for row in rows {
        if let Err(problem) = typed(row, vocabulary) {
            problems.add(problem);
        }
    }
    if problems.is_empty() {
        for group in groups(rows, vocabulary) {
            sweep(rows, group, vocabulary, &mut problems);
        }
    }
    if problems.is_empty() {
        Ok(())
    } else {
        problems.problems.sort_by_key(|it| it.line);
        Err(problems)
    }
}

type Group = Vec<(usize, Scoped)>;

/// Rows about the same, each group in the order in which they begin to hold.
fn groups(rows: &[Row], vocabulary: &Vocabulary) -> Vec<Group> {
    let mut groups: BTreeMap<_, Group> = BTreeMap::new();
    for (place, row) in rows.iter().enumerate() {
        let scoped = Scoped::of_row(row, vocabulary);
        let key = (scoped.claim.key.clone(), scoped.claim.qualifiers.clone());
        groups.entry(key).or_default().push((place, scoped));
    }
    let mut groups: Vec<Group> = groups.into_values().collect();
    for group in &mut groups {
        group.sort_by_key(|(place, scoped)| (scoped.start(), *place));
    }
    groups
}

/// Compares each row with those that still hold when it begins.
fn sweep(rows: &[Row], group: Group, vocabulary: &Vocabulary, problems: &mut TableError) {
    let mut holding: Group = Vec::new();
    for (place, scoped) in group {
        holding.retain(|(_, other)| !other.time.is_disjoint(&scoped.time));
        let line = |place: usize| rows.get(place).map_or(0, |row| row.line);
        let clash = holding.iter().find(|(_, other)| {
            claims::relate(&scoped.claim, &other.claim, vocabulary) == Relation::Exclusive
        });
        let whole = |what: &str| {
            let line = usize::try_from(line(place)).unwrap_or(usize::MAX);
            Problem::new(line, "value", &scoped.claim.said, what)
        };
        if let Some((other, said)) = clash {
            let what = format!(
                "line {} gives {} to the same at the same time; leave one out, or tell them apart \
                 by a valid time or a qualifier",
                line(*other),
                said.claim.said
            );
            problems.add(whole(&what));
        } else if holding.len() >= MAX_AT_ONCE {
            let what = format!("more than {MAX_AT_ONCE} rows say this of the same time");
            problems.add(whole(&what));
            return;
        }
        // A row that another one says already, for longer, has nothing to add.
        let told = holding.iter().any(|(_, other)| {
            other.claim.value == scoped.claim.value && other.holds_as_long_as(&scoped)
        });
        if !told {
            holding.push((place, scoped));
        }
    }
}
