//! Mounting: every row read and checked outside the board's lock, then written in one entry.

use std::sync::Arc;

use pawl_checker::{
    table::{self, Format, Judged, TableError, TableIndex},
    vocabulary::Vocabulary,
};
use pawl_ledger::{
    command::Command,
    decide::{Denied, Reason, decide},
    digest::{Digest, Words},
    event::Event,
    id::{ModuleName, RevisionId},
    reference::MAX_ROWS,
    status::Role,
};
use pawl_proto::v1::{TableFormat, TableWords};
use prost::Message;

use super::columns;
use crate::{
    app::{
        App, LiveBoard,
        boards::{Repeat, apply},
        error::AppError,
        judge::{Known, MountedTable},
        message_words, settling,
        sources::{self, SourceRecord},
        submission::blocking,
    },
    auth::Caller,
};

/// The most standing revisions that are named as contradicted.
const MAX_CONTRADICTED: usize = 100;

/// A table that is to be mounted.
#[derive(Clone, Debug)]
pub struct Mount {
    /// Its name.
    pub table: ModuleName,
    /// The source, as it is named.
    pub source: String,
    /// How it is read; an unspecified format is taken from the source's media type.
    pub words: TableWords,
    /// Nothing is mounted.
    pub validate_only: bool,
}

/// What was mounted, or would be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mounted {
    /// How many rows there are.
    pub rows: u32,
    /// The standing revisions that the table contradicts.
    pub contradicted: Vec<RevisionId>,
}

/// A table that was read and found good.
struct Ready {
    index: TableIndex,
    vocabulary: Arc<Vocabulary>,
    parsed: Digest,
    rows: u32,
    contradicted: Vec<RevisionId>,
}

impl App {
    /// Mounts a table. `answer` makes what is kept for a repeated request.
    pub async fn mount_table<A: Message + Default>(
        self: &Arc<Self>,
        live: &Arc<LiveBoard>,
        caller: &Caller,
        repeat: Option<Repeat>,
        mount: Mount,
        answer: impl FnOnce(&Mounted) -> A,
    ) -> Result<A, AppError> {
        // Nobody has a table read who may not mount it.
        self.read(live, caller, |board| may_mount(board, caller))
            .await?;
        let source = self.source(live, caller, &mount.source).await?;
        let (words, format) = settled(mount.words, &source)?;
        let ready = self
            .table_ready(live, source.clone(), format, &words)
            .await?;
        let mounted = Mounted {
            rows: ready.rows,
            contradicted: ready.contradicted.clone(),
        };
        let definition = message_words(&words)?;
        let command = Command::MountTable {
            table: mount.table.clone(),
            source: source.digest,
            rows: ready.rows,
            parsed: ready.parsed,
            definition: definition.commitment(),
        };
        if mount.validate_only {
            self.read(live, caller, |board| {
                Ok(decide(board, &caller.context(), &command).map(|_| ())?)
            })
            .await?;
            return Ok(answer(&mounted));
        }
        let done = self.execute(live, caller, repeat, |transaction| {
            let mut judge = live.judge.write();
            let since = transaction.board().position();
            let events = apply(transaction, &command, [definition])?;
            if let Some(mounting) = events.iter().find(|it| is_mounting(&it.event)) {
                let index = if Arc::ptr_eq(&ready.vocabulary, &judge.vocabulary) {
                    ready.index
                } else {
                    table::check(ready.index.rows(), &judge.vocabulary)
                        .map_err(|error| invalid(&error))?;
                    ready.index.under(&judge.vocabulary)
                };
                let version = MountedTable {
                    version: mounting.position,
                    source: source.digest,
                    index: Arc::new(index),
                };
                Arc::make_mut(&mut judge.tables).mount(mount.table, version);
                settling::follow(transaction, &mut judge, since)?;
            }
            Ok(answer(&mounted))
        });
        Ok(done.await?.answer)
    }

    /// Takes a table out of what is given.
    pub async fn unmount_table<A: Message + Default>(
        &self,
        live: &LiveBoard,
        caller: &Caller,
        repeat: Option<Repeat>,
        (table, reason): (ModuleName, Words),
    ) -> Result<(), AppError> {
        let command = Command::UnmountTable {
            table: table.clone(),
            reason: reason.commitment(),
        };
        self.execute::<A>(live, caller, repeat, |transaction| {
            let mut judge = live.judge.write();
            let since = transaction.board().position();
            apply(transaction, &command, [reason])?;
            Arc::make_mut(&mut judge.tables).unmount(&table);
            settling::follow(transaction, &mut judge, since)?;
            Ok(A::default())
        })
        .await?;
        Ok(())
    }

    async fn table_ready(
        self: &Arc<Self>,
        live: &Arc<LiveBoard>,
        source: SourceRecord,
        format: Format,
        words: &TableWords,
    ) -> Result<Ready, AppError> {
        let columns = columns(&words.columns)?;
        let (app, live) = (self.clone(), live.clone());
        blocking(move || {
            let size = source.state.size_bytes;
            let bytes = sources::read_bytes(app.ledger.store(), source.digest, size)?;
            let rows =
                table::read(&bytes, format, &columns, MAX_ROWS).map_err(|error| invalid(&error))?;
            let vocabulary = live.judge.read().vocabulary.clone();
            table::check(&rows, &vocabulary).map_err(|error| invalid(&error))?;
            let parsed = Digest(table::digest(&rows));
            let count = u32::try_from(rows.len()).unwrap_or(u32::MAX);
            let index = TableIndex::new(rows, &vocabulary);
            Ok(Ready {
                contradicted: contradicted(&live, &index, &vocabulary)?,
                index,
                vocabulary,
                parsed,
                rows: count,
            })
        })
        .await
    }
}

/// What is taken as given is the operators' to say; asked before anything else is looked at.
pub(in crate::app) fn may_mount(
    board: &pawl_ledger::board::Board,
    caller: &Caller,
) -> Result<(), AppError> {
    if board.has_role(&caller.principal, Role::Operator) {
        return Ok(());
    }
    Err(Denied::new(
        Reason::RoleMissing,
        format!(
            "`{}` needs the role operator on board `{}`; ask an operator of the board to grant it",
            caller.principal, board.name
        ),
    )
    .with("principal", &caller.principal)
    .with("role", "operator")
    .with("board", &board.name)
    .into())
}

fn is_mounting(event: &Event) -> bool {
    matches!(event, Event::TableMounted { .. })
}

/// The words with their format said, and the format.
fn settled(mut words: TableWords, source: &SourceRecord) -> Result<(TableWords, Format), AppError> {
    if !source.state.kept {
        return Err(Denied::new(
            Reason::SourceUnknown,
            format!(
                "the bytes of source `{}` are not kept; upload it to mount it",
                source.digest
            ),
        )
        .with("source", source.digest)
        .into());
    }
    let media_type = source.description.media_type.as_str();
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    let format = match (words.format(), essence) {
        (TableFormat::Csv, _) | (TableFormat::Unspecified, "text/csv") => TableFormat::Csv,
        (TableFormat::Jsonl, _) => TableFormat::Jsonl,
        (
            TableFormat::Unspecified,
            "application/jsonl"
            | "application/x-ndjson"
            | "application/ndjson"
            | "application/x-jsonlines"
            | "application/json-lines",
        ) => TableFormat::Jsonl,
        (TableFormat::Unspecified, _) => {
            return Err(Denied::new(
                Reason::FieldMissing,
                format!(
                    "field `format` is empty, and `{media_type}` does not say one; give csv or \
                     jsonl"
                ),
            )
            .with("field", "format")
            .with("media_type", media_type)
            .into());
        }
    };
    words.set_format(format);
    let read = match format {
        TableFormat::Jsonl => Format::JsonLines,
        _ => Format::Csv,
    };
    Ok((words, read))
}

fn invalid(error: &TableError) -> AppError {
    let first = error.problems.first();
    Denied::new(
        Reason::TableInvalid,
        format!("the source is no table that can be mounted: {error}"),
    )
    .with("problems", error.count)
    .with("line", first.map_or(0, |it| it.line))
    .into()
}

/// The standing revisions that rows contradict for sure, by id.
fn contradicted(
    live: &LiveBoard,
    index: &TableIndex,
    vocabulary: &Vocabulary,
) -> Result<Vec<RevisionId>, AppError> {
    let standing: Vec<(RevisionId, Arc<Known>)> = {
        let (board, judge) = (live.open.state.read(), live.judge.read());
        let ids = board.revisions().filter(|(_, it)| it.status.stands());
        let mut standing = Vec::new();
        for (id, _) in ids {
            standing.extend(judge.known(id)?.map(|known| (id, known)));
        }
        standing
    };
    let excluded = |known: &Known| {
        let judged = index.judge(&known.statement, vocabulary);
        judged.iter().any(|(_, judged)| match judged {
            Judged::Excludes(judgement) => judgement.kind.refuses_against_reference(),
            Judged::Agrees => false,
        })
    };
    let excluded = standing.iter().filter(|(_, known)| excluded(known));
    Ok(excluded.map(|(id, _)| *id).take(MAX_CONTRADICTED).collect())
}
