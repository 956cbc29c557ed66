//! Reference tables of a board: mounted from kept sources, listed, read.

mod mount;

use std::collections::BTreeMap;

use pawl_checker::table::{self, Columns, Format, Row};
use pawl_ledger::{
    board::{Board, Table, TableVersion},
    decide::{Denied, Reason, unknown_table},
    id::{ModuleName, Position},
    ledger::Ledger,
    reference::MAX_ROWS,
    store::{StoreError, keys::BoardNumber},
};
use pawl_proto::v1::{self as proto, TableWords};
use prost::Message;

pub(super) use mount::may_mount;
pub use mount::{Mount, Mounted};

use super::{App, LiveBoard, error::AppError, judge::GivenRow, sources, submission::blocking};
use crate::auth::Caller;

/// The longest description of a table or an authority, in bytes.
pub const MAX_DESCRIPTION_BYTES: usize = 1_024;

/// A table with the words beside its entries.
#[derive(Clone, Debug)]
pub struct TableRecord {
    /// Its name.
    pub name: ModuleName,
    /// Its state.
    pub state: Table,
    /// The words of each version, in their order.
    pub words: Vec<TableWords>,
}

impl App {
    /// The tables by name, unmounted ones too.
    pub async fn tables(
        &self,
        live: &LiveBoard,
        caller: &Caller,
    ) -> Result<Vec<TableRecord>, AppError> {
        let tables = self
            .read(live, caller, |board| Ok(board.tables.clone()))
            .await?;
        let tables = tables.into_iter();
        tables
            .map(|(name, state)| self.table_record(live, name, state))
            .collect()
    }

    /// A table by its name.
    pub async fn table(
        &self,
        live: &LiveBoard,
        caller: &Caller,
        name: &ModuleName,
    ) -> Result<TableRecord, AppError> {
        let state = self
            .read(live, caller, |board| {
                let state = board.tables.get(name).cloned();
                Ok(state.ok_or_else(|| unknown_table(board, name))?)
            })
            .await?;
        self.table_record(live, name.clone(), state)
    }

    /// At most `most` rows of a version of a table, after a line, and whether there are more. The
    /// latest version unless one is named.
    pub async fn rows(
        self: &std::sync::Arc<Self>,
        live: &std::sync::Arc<LiveBoard>,
        caller: &Caller,
        (table, version): (&ModuleName, Option<Position>),
        (after, most): (u32, usize),
    ) -> Result<(Vec<GivenRow>, bool), AppError> {
        let (version, mounted) = self
            .read(live, caller, |board| {
                let version = version_of(board, table, version)?;
                let mounted = live.judge.read().tables.get(table).cloned();
                Ok((version, mounted))
            })
            .await?;
        let given = |row: &Row| GivenRow {
            table: table.clone(),
            version: version.position,
            source: version.source,
            row: row.clone(),
        };
        let page = |rows: &[Row]| {
            let first = rows.partition_point(|row| row.line <= after);
            let later = rows.get(first..).unwrap_or_default();
            let page = later.iter().take(most).map(given).collect::<Vec<_>>();
            (page, later.len() > most)
        };
        match mounted.filter(|it| it.version == version.position) {
            Some(mounted) => Ok(page(mounted.index.rows())),
            None => {
                let (app, live, version) = (self.clone(), live.clone(), version.clone());
                let rows = blocking(move || {
                    let sizes = source_size(&live.open.state.read(), &version)?;
                    let number = live.open.number;
                    Ok(read_version(&app.ledger, number, &version, sizes)?)
                });
                Ok(page(&rows.await?))
            }
        }
    }

    fn table_record(
        &self,
        live: &LiveBoard,
        name: ModuleName,
        state: Table,
    ) -> Result<TableRecord, AppError> {
        let versions = state.versions.iter();
        let words = versions.map(|it| words_of(&self.ledger, live.open.number, it));
        let words = words.collect::<Result<_, StoreError>>()?;
        Ok(TableRecord { name, state, words })
    }
}

/// The rows of a mounted version, as its source and its words say.
pub(super) fn rows_of(
    ledger: &Ledger,
    number: BoardNumber,
    board: &Board,
    version: &TableVersion,
) -> Result<Vec<Row>, StoreError> {
    let damaged = |_| StoreError::Damaged(format!("the source of a table, `{}`", version.source));
    let size = source_size(board, version).map_err(damaged)?;
    read_version(ledger, number, version, size)
}

fn source_size(board: &Board, version: &TableVersion) -> Result<u64, Denied> {
    let source = board.sources.get(&version.source).filter(|it| it.kept);
    source.map(|it| it.size_bytes).ok_or_else(|| {
        Denied::new(
            Reason::SourceUnknown,
            format!("the source `{}` is no longer kept", version.source),
        )
        .with("source", version.source)
    })
}

fn read_version(
    ledger: &Ledger,
    number: BoardNumber,
    version: &TableVersion,
    size_bytes: u64,
) -> Result<Vec<Row>, StoreError> {
    let words = words_of(ledger, number, version)?;
    let bytes = sources::read_bytes(ledger.store(), version.source, size_bytes)?;
    let damaged = |what: String| {
        let position = version.position;
        StoreError::Damaged(format!("the table mounted at {position}: {what}"))
    };
    let columns = Columns::new(&words.columns).map_err(damaged)?;
    let format = match words.format() {
        proto::TableFormat::Jsonl => Format::JsonLines,
        _ => Format::Csv,
    };
    table::read(&bytes, format, &columns, MAX_ROWS).map_err(|error| damaged(error.to_string()))
}

fn words_of(
    ledger: &Ledger,
    number: BoardNumber,
    version: &TableVersion,
) -> Result<TableWords, StoreError> {
    let words = ledger.words(number, version.position, version.definition)?;
    words.map_or(Ok(TableWords::default()), |words| {
        TableWords::decode(words.bytes()).map_err(|_| {
            StoreError::Damaged(format!("the words of the table at {}", version.position))
        })
    })
}

fn version_of(
    board: &Board,
    table: &ModuleName,
    version: Option<Position>,
) -> Result<TableVersion, AppError> {
    let state = board.tables.get(table);
    let versions = state.map(|it| it.versions.as_slice()).unwrap_or_default();
    let found = match version {
        None => versions.last(),
        Some(position) => versions.iter().find(|it| it.position == position),
    };
    match (found, version) {
        (Some(found), _) => Ok(found.clone()),
        (None, None) => Err(unknown_table(board, table).into()),
        (None, Some(position)) => Err(Denied::new(
            Reason::TableUnknown,
            format!("table `{table}` has no version {position}; list the tables"),
        )
        .with("table", table)
        .with("version", position)
        .into()),
    }
}

/// Reads a mapping of columns.
fn columns(columns: &BTreeMap<String, String>) -> Result<Columns, AppError> {
    Columns::new(columns).map_err(|what| {
        Denied::new(Reason::FieldInvalid, format!("field `columns`: {what}"))
            .with("field", "columns")
            .into()
    })
}
