//! Finds the rows that a statement could be about: by claim key, or by the words of a text.

use std::collections::HashMap;

use pawl_ledger::claim::Claim;

use super::{
    Judged, Row,
    judge::{Scoped, judge_claim, judge_row},
    sentence::words,
    value::understood,
};
use crate::{
    claims::{self, ClaimKey},
    statement::Statement,
    text::term::Term,
    vocabulary::Vocabulary,
};

/// The most rows of a table that a statement is told to agree or to disagree with.
const MAX_JUDGED: usize = 8;

/// The rows of a table with what is needed to find them.
#[derive(Debug, Default)]
pub struct TableIndex {
    rows: Vec<Row>,
    by_key: HashMap<ClaimKey, Vec<usize>>,
    subjects: Vec<Subject>,
    /// Subjects by one of their terms.
    by_term: HashMap<Term, Vec<usize>>,
}

/// What the texts about a subject say.
#[derive(Debug)]
struct Subject {
    terms: Vec<Term>,
    /// The rows about it, by the terms of their attribute's names.
    attributes: Vec<(Vec<Vec<Term>>, Vec<usize>)>,
}

impl TableIndex {
    /// Indexes rows under a vocabulary.
    pub fn new(rows: Vec<Row>, vocabulary: &Vocabulary) -> Self {
        let mut by_key: HashMap<ClaimKey, Vec<usize>> = HashMap::new();
        for (place, row) in rows.iter().enumerate() {
            let key = claims::key(&row.subject, &row.attribute, vocabulary);
            by_key.entry(key).or_default().push(place);
        }
        let mut index = Self {
            rows,
            by_key,
            ..Self::default()
        };
        index.add_subjects(vocabulary);
        index
    }

    /// Indexes the same rows under another vocabulary.
    pub fn under(&self, vocabulary: &Vocabulary) -> Self {
        Self::new(self.rows.clone(), vocabulary)
    }

    /// The rows, in the order of their lines.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// A row as a claim.
    pub fn claim(&self, row: &Row, vocabulary: &Vocabulary) -> Claim {
        understood(row, vocabulary)
    }

    /// The rows about an attribute of a subject, aliases resolved.
    pub fn about(&self, subject: &str, attribute: &str, vocabulary: &Vocabulary) -> Vec<&Row> {
        let key = claims::key(subject, attribute, vocabulary);
        let places = self.by_key.get(&key).into_iter().flatten();
        places.filter_map(|place| self.rows.get(*place)).collect()
    }

    /// Compares a statement with the rows it could be about, in the order of their lines. A claim
    /// that names no time is about the latest: it is compared with the rows that hold longest.
    pub fn judge(&self, new: &Statement, vocabulary: &Vocabulary) -> Vec<(&Row, Judged)> {
        let judged = match Scoped::of_statement(new) {
            Some(scoped) => self.judge_claim(new, &scoped, vocabulary),
            None => self.judge_text(new, vocabulary),
        };
        // What excludes comes before what agrees where not all can be told.
        let (excluding, agreeing): (Vec<_>, Vec<_>) = judged
            .into_iter()
            .partition(|(_, judged)| matches!(judged, Judged::Excludes(_)));
        excluding
            .into_iter()
            .chain(agreeing)
            .take(MAX_JUDGED)
            .collect()
    }

    fn judge_claim(
        &self,
        new: &Statement,
        scoped: &Scoped,
        vocabulary: &Vocabulary,
    ) -> Vec<(&Row, Judged)> {
        let places = self.by_key.get(&scoped.claim.key).into_iter().flatten();
        let mut meeting: Vec<(&Row, Scoped)> = places
            .filter_map(|place| self.rows.get(*place))
            .map(|row| (row, Scoped::of_row(row, vocabulary)))
            .filter(|(_, given)| scoped.meets(given))
            .collect();
        if scoped.is_timeless() {
            let ends = meeting.iter().map(|(_, given)| given.end());
            // No end is later than any.
            let latest = ends.max_by_key(|end| (end.is_none(), *end)).flatten();
            meeting.retain(|(_, given)| given.end() == latest);
        }
        let judged = meeting.iter().filter_map(|(row, given)| {
            Some((*row, judge_claim(new, scoped, row, given, vocabulary)?))
        });
        judged.collect()
    }

    fn judge_text(&self, new: &Statement, vocabulary: &Vocabulary) -> Vec<(&Row, Judged)> {
        if new.quantities().is_empty() {
            return Vec::new();
        }
        let has = |terms: &[Term]| {
            terms
                .iter()
                .all(|term| new.terms().binary_search(term).is_ok())
        };
        let subjects = new.terms().iter().filter_map(|term| self.by_term.get(term));
        let mut places: Vec<usize> = subjects
            .flatten()
            .filter_map(|place| self.subjects.get(*place))
            .filter(|subject| has(&subject.terms))
            .flat_map(|subject| &subject.attributes)
            .filter(|(names, _)| names.iter().any(|name| has(name)))
            .flat_map(|(_, rows)| rows.iter().copied())
            .collect();
        places.sort_unstable();
        places.dedup();
        let rows = places.into_iter().filter_map(|place| self.rows.get(place));
        rows.filter_map(|row| Some((row, judge_row(new, row, vocabulary)?)))
            .collect()
    }

    fn add_subjects(&mut self, vocabulary: &Vocabulary) {
        let mut subjects: HashMap<&str, HashMap<&str, Vec<usize>>> = HashMap::new();
        for (place, row) in self.rows.iter().enumerate() {
            let attributes = subjects.entry(&row.subject).or_default();
            attributes.entry(&row.attribute).or_default().push(place);
        }
        let mut names: HashMap<&str, Vec<Vec<Term>>> = HashMap::new();
        for (subject, attributes) in subjects {
            let terms = terms(subject, vocabulary);
            let Some(first) = terms.first().copied() else {
                continue;
            };
            let mut named = Vec::with_capacity(attributes.len());
            for (attribute, places) in attributes {
                let names = names
                    .entry(attribute)
                    .or_insert_with(|| names_of(attribute, vocabulary));
                named.push((names.clone(), places));
            }
            let place = self.subjects.len();
            self.by_term.entry(first).or_default().push(place);
            self.subjects.push(Subject {
                terms,
                attributes: named,
            });
        }
    }
}

/// The terms of every name that an attribute goes by.
fn names_of(attribute: &str, vocabulary: &Vocabulary) -> Vec<Vec<Term>> {
    let declared = vocabulary.declaration(&vocabulary.attribute(attribute));
    let aliases = declared.into_iter().flat_map(|it| {
        std::iter::once(it.name.as_str()).chain(it.aliases.iter().map(String::as_str))
    });
    let all = std::iter::once(attribute).chain(aliases);
    let all = all.map(|name| terms(&words(name), vocabulary));
    all.filter(|terms| !terms.is_empty()).collect()
}

fn terms(text: &str, vocabulary: &Vocabulary) -> Vec<Term> {
    Statement::of(text, vocabulary).terms().to_vec()
}
