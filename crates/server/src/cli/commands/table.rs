//! `pawl table`

use std::collections::BTreeMap;

use clap::{Args, Subcommand, ValueEnum};
use pawl_proto::v1::{
    ListRowsRequest, ListRowsResponse, ListTablesRequest, MountTableRequest, TableFormat,
    UnmountTableRequest,
};

use super::{
    paging::Paging,
    reason::{Reason, Repeat},
};
use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Mounts reference tables, which are taken as given.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Mounts a kept source as a table, or as a newer version of one.
    Mount(Mount),
    /// Takes a table out of what is given.
    Unmount(Unmount),
    /// Lists tables with their versions.
    List,
    /// Lists the rows of a table.
    Rows(Rows),
}

/// Mounts a table.
#[derive(Args, Debug)]
pub(crate) struct Mount {
    /// The table: 1–63 of `a–z 0–9 - _`, a letter first; no module has the name.
    name: String,
    /// The source: the first 8 digits of its digest or more, or its address.
    source: String,
    /// Its format; by the media type of the source unless given.
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// The column of a meaning that has another name, such as `subject=country`; may be repeated.
    #[arg(long = "column", value_name = "MEANING=COLUMN")]
    columns: Vec<String>,
    /// For people.
    #[arg(long, default_value = "", hide_default_value = true)]
    description: String,
    /// Read and check the rows, and mount nothing.
    #[arg(long)]
    validate_only: bool,
    #[command(flatten)]
    repeat: Repeat,
}

/// The format of a table.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum Format {
    /// Comma-separated values with a header line.
    Csv,
    /// One JSON object a line.
    Jsonl,
}

/// Unmounts a table.
#[derive(Args, Debug)]
pub(crate) struct Unmount {
    /// The table.
    name: String,
    #[command(flatten)]
    reason: Reason,
}

/// Lists rows.
#[derive(Args, Debug)]
pub(crate) struct Rows {
    /// The table.
    name: String,
    /// An earlier version, by the position it was mounted at.
    #[arg(long, value_name = "POSITION")]
    version: Option<u64>,
    #[command(flatten)]
    paging: Paging,
}

impl Command {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        match self {
            Self::Mount(command) => command.run(session).await,
            Self::Unmount(command) => command.run(session).await,
            Self::List => list(session).await,
            Self::Rows(command) => command.run(session).await,
        }
    }
}

impl Mount {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let format = match self.format {
            None => TableFormat::Unspecified,
            Some(Format::Csv) => TableFormat::Csv,
            Some(Format::Jsonl) => TableFormat::Jsonl,
        };
        let request = MountTableRequest {
            board: session.board()?,
            table: self.name,
            source: self.source,
            format: format.into(),
            columns: columns(&self.columns)?,
            description: self.description,
            validate_only: self.validate_only,
            request_id: self.repeat.request_id,
        };
        let mounted = session
            .tables()
            .await?
            .mount_table(request)
            .await?
            .into_inner();
        session.answer(&mounted, render::reference::mounted)
    }
}

fn columns(given: &[String]) -> Result<BTreeMap<String, String>, Failure> {
    let mut columns = BTreeMap::new();
    for pair in given {
        let named = pair.split_once('=').ok_or_else(|| {
            Failure::Usage(format!("`{pair}` names no column: write `MEANING=COLUMN`"))
        })?;
        if columns
            .insert(named.0.to_owned(), named.1.to_owned())
            .is_some()
        {
            return Err(Failure::Usage(format!(
                "the column of `{}` is given twice",
                named.0
            )));
        }
    }
    Ok(columns)
}

impl Unmount {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = UnmountTableRequest {
            board: session.board()?,
            table: self.name,
            reason: self.reason.reason,
            request_id: self.reason.repeat.request_id,
        };
        let table = session
            .tables()
            .await?
            .unmount_table(request)
            .await?
            .into_inner();
        session.answer(&table, render::reference::table)
    }
}

async fn list(session: &mut Session) -> Result<Answer, Failure> {
    let request = ListTablesRequest {
        board: session.board()?,
    };
    let tables = session
        .tables()
        .await?
        .list_tables(request)
        .await?
        .into_inner();
    session.answer(&tables, render::reference::tables)
}

impl Rows {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let board = session.board()?;
        let mut client = session.tables().await?;
        let mut list = ListRowsResponse::default();
        let mut next = Some(self.paging.first());
        while let Some(page_token) = next {
            let request = ListRowsRequest {
                board: board.clone(),
                table: self.name.clone(),
                version: self.version,
                page_size: self.paging.size(),
                page_token,
            };
            let page = client.list_rows(request).await?.into_inner();
            list.rows.extend(page.rows);
            next = self.paging.after(&page.next_page_token);
            list.next_page_token = page.next_page_token;
        }
        session.answer(&list, render::reference::rows)
    }
}
