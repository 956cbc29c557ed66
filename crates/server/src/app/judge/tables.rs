//! The mounted tables of a board, ready to be compared with.

use std::{collections::BTreeMap, sync::Arc};

use pawl_checker::{
    compare::Judgement,
    statement::Statement,
    table::{Judged, Row, TableIndex},
    vocabulary::Vocabulary,
};
use pawl_ledger::{
    board::Board,
    digest::Digest,
    finding::{FindingKind, Score},
    id::{ModuleName, Position, RevisionId},
    ledger::Ledger,
    reference::{Reference, RowRef},
    store::keys::BoardNumber,
};

use super::{Judge, LoadError};
use crate::app::{submission::is_conflict, tables};

/// The mounted tables, by name.
#[derive(Clone, Debug, Default)]
pub struct Tables(BTreeMap<ModuleName, MountedTable>);

/// A mounted version of a table.
#[derive(Clone, Debug)]
pub struct MountedTable {
    /// Where it was mounted.
    pub version: Position,
    /// The source its rows stand in.
    pub source: Digest,
    /// Its rows.
    pub index: Arc<TableIndex>,
}

/// A row as a side of a finding, or as what agrees.
#[derive(Clone, Debug)]
pub struct GivenRow {
    /// The table.
    pub table: ModuleName,
    /// The version.
    pub version: Position,
    /// The source it stands in.
    pub source: Digest,
    /// What it says.
    pub row: Row,
}

impl GivenRow {
    /// The row as a log names it.
    pub fn reference(&self) -> Reference {
        Reference::Row(RowRef {
            mounted: self.version,
            line: self.row.line,
        })
    }
}

impl Tables {
    /// A mounted table.
    pub fn get(&self, table: &ModuleName) -> Option<&MountedTable> {
        self.0.get(table)
    }

    /// Puts a version in the place of the one before.
    pub fn mount(&mut self, table: ModuleName, mounted: MountedTable) {
        self.0.insert(table, mounted);
    }

    /// Takes a table out.
    pub fn unmount(&mut self, table: &ModuleName) {
        self.0.remove(table);
    }

    /// The row that a log names, if its version is mounted.
    pub fn row(&self, reference: RowRef) -> Option<GivenRow> {
        let mut tables = self.0.iter();
        let (table, mounted) = tables.find(|(_, it)| it.version == reference.mounted)?;
        let rows = mounted.index.rows();
        let place = rows.binary_search_by_key(&reference.line, |row| row.line);
        Some(given(table, mounted, rows.get(place.ok()?)?))
    }

    /// The rows about an attribute of a subject.
    pub fn about(
        &self,
        subject: &str,
        attribute: &str,
        vocabulary: &Vocabulary,
    ) -> impl Iterator<Item = GivenRow> {
        self.0.iter().flat_map(move |(table, mounted)| {
            let rows = mounted.index.about(subject, attribute, vocabulary);
            rows.into_iter().map(move |row| given(table, mounted, row))
        })
    }

    /// Compares a statement with every table.
    pub fn judge(&self, new: &Statement, vocabulary: &Vocabulary) -> Vec<(GivenRow, Judged)> {
        let tables = self.0.iter().flat_map(|(table, mounted)| {
            let judged = mounted.index.judge(new, vocabulary).into_iter();
            judged.map(move |(row, judged)| (given(table, mounted, row), judged))
        });
        tables.collect()
    }

    /// The same tables under another vocabulary.
    pub(super) fn under(&self, vocabulary: &Vocabulary) -> Self {
        let anew = |(table, mounted): (&ModuleName, &MountedTable)| {
            let index = Arc::new(mounted.index.under(vocabulary));
            (
                table.clone(),
                MountedTable {
                    index,
                    ..mounted.clone()
                },
            )
        };
        Self(self.0.iter().map(anew).collect())
    }
}

fn given(table: &ModuleName, mounted: &MountedTable, row: &Row) -> GivenRow {
    GivenRow {
        table: table.clone(),
        version: mounted.version,
        source: mounted.source,
        row: row.clone(),
    }
}

impl Judge {
    /// The strongest contradiction of a revision with each row of a mounted table that it never met
    /// before, whatever became of that.
    pub fn given_contradictions(
        &self,
        board: &Board,
        id: RevisionId,
    ) -> Result<Vec<(Reference, FindingKind, Score)>, LoadError> {
        let Some((state, text)) = board.revision(id).zip(self.known(id)?) else {
            return Ok(Vec::new());
        };
        let met = |reference: Reference| {
            let conflicts = state.conflicts.iter();
            let mut conflicts = conflicts.filter_map(|id| board.conflict(*id));
            conflicts.any(|it| it.reference == Some(reference))
        };
        let judged = self.tables.judge(&text.statement, &self.vocabulary);
        Ok(judged
            .into_iter()
            .filter_map(|(row, judged)| Some((row.reference(), excluding(judged)?)))
            .filter(|(reference, it)| is_conflict(it, board.policy.conflict) && !met(*reference))
            .map(|(reference, it)| (reference, it.kind, it.score))
            .collect())
    }

    /// Reads the mounted tables from their sources.
    pub(super) fn load_tables(
        &mut self,
        ledger: &Ledger,
        number: BoardNumber,
        board: &Board,
    ) -> Result<(), LoadError> {
        let mut loaded = Tables::default();
        for (name, table) in &board.tables {
            let Some(version) = table.current() else {
                continue;
            };
            let rows = tables::rows_of(ledger, number, board, version)?;
            let index = Arc::new(TableIndex::new(rows, &self.vocabulary));
            let mounted = MountedTable {
                version: version.position,
                source: version.source,
                index,
            };
            loaded.mount(name.clone(), mounted);
        }
        self.tables = Arc::new(loaded);
        Ok(())
    }
}

fn excluding(judged: Judged) -> Option<Judgement> {
    match judged {
        Judged::Excludes(judgement) => Some(*judgement),
        Judged::Agrees => None,
    }
}
