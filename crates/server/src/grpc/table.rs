//! `TableService`: reference tables, authorities, and what they say.

mod authorities;

use std::sync::Arc;

use pawl_ledger::{
    id::{BoardName, ModuleName, Position},
    log::wire::invalid,
};
use pawl_proto::v1::{self as proto, table_service_server::TableService};
use tonic::{Request, Response, Status};

use super::{
    assertion::reason,
    live,
    names::full,
    page::{self, Page},
    parse,
};
use crate::{
    app::{
        App, LiveBoard,
        authorities::row_to_wire,
        boards::Repeat,
        error::AppError,
        tables::{MAX_DESCRIPTION_BYTES, Mount, Mounted, TableRecord},
        text,
    },
    auth::Caller,
};

type Answer<T> = Result<Response<T>, Status>;

/// The most characters of the name of a column.
const MAX_COLUMN_BYTES: usize = 512;

/// The service.
pub(super) struct Tables(pub(super) Arc<App>);

impl Tables {
    async fn told(
        &self,
        caller: &Caller,
        live: &LiveBoard,
        table: &ModuleName,
    ) -> Result<proto::Table, AppError> {
        let table = self.0.table(live, caller, table).await?;
        Ok(table_to_wire(&live.name, table))
    }
}

#[tonic::async_trait]
impl TableService for Tables {
    async fn mount_table(
        &self,
        request: Request<proto::MountTableRequest>,
    ) -> Answer<proto::MountTableResponse> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let table = name(&live.name, &asked.table)?;
        let repeat = Repeat::new(&caller, "MountTable", &asked.request_id, &asked)?;
        let mount = mounting(&live.name, table.clone(), asked)?;
        let validate_only = mount.validate_only;
        let mut answer = self
            .0
            .mount_table(&live, &caller, repeat, mount, |mounted| {
                mounted_to_wire(&live.name, mounted)
            })
            .await?;
        if !validate_only {
            answer.table = Some(self.told(&caller, &live, &table).await?);
        }
        Ok(Response::new(answer))
    }

    async fn unmount_table(
        &self,
        request: Request<proto::UnmountTableRequest>,
    ) -> Answer<proto::Table> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let table = name(&live.name, &asked.table)?;
        let reason = reason(&asked.reason)?;
        let repeat = Repeat::new(&caller, "UnmountTable", &asked.request_id, &asked)?;
        self.0
            .unmount_table::<proto::Table>(&live, &caller, repeat, (table.clone(), reason))
            .await?;
        Ok(Response::new(self.told(&caller, &live, &table).await?))
    }

    async fn list_tables(
        &self,
        request: Request<proto::ListTablesRequest>,
    ) -> Answer<proto::ListTablesResponse> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let tables = self.0.tables(&live, &caller).await?.into_iter();
        Ok(Response::new(proto::ListTablesResponse {
            tables: tables.map(|it| table_to_wire(&live.name, it)).collect(),
        }))
    }

    async fn list_rows(
        &self,
        request: Request<proto::ListRowsRequest>,
    ) -> Answer<proto::ListRowsResponse> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let table = name(&live.name, &asked.table)?;
        let size = parse::page_items(asked.page_size);
        let list = format!("rows {} {table} {:?}", live.name, asked.version);
        let page = page::parse(&list, &asked.page_token)?;
        // A newer version that is mounted between two pages does not mix in.
        let version = page.map_or(asked.version, |page| Some(page.view));
        let after = page.map_or(0, |page| u32::try_from(page.after).unwrap_or(u32::MAX));
        let which = (&table, version.map(Position));
        let (rows, more) = self.0.rows(&live, &caller, which, (after, size)).await?;
        let next = rows.last().filter(|_| more).map(|last| {
            let page = Page {
                view: last.version.0,
                after: u64::from(last.row.line),
            };
            page::token(&list, page)
        });
        let vocabulary = live.judge.read().vocabulary.clone();
        let rows = rows.iter().map(|given| proto::Row {
            id: format!("{}#{}", given.table, given.row.line),
            reference: Some(row_to_wire(&live.name, given, &vocabulary)),
        });
        Ok(Response::new(proto::ListRowsResponse {
            rows: rows.collect(),
            next_page_token: next.unwrap_or_default(),
        }))
    }

    async fn declare_authority(
        &self,
        request: Request<proto::DeclareAuthorityRequest>,
    ) -> Answer<proto::Authority> {
        authorities::declare(self, request).await
    }

    async fn remove_authority(
        &self,
        request: Request<proto::RemoveAuthorityRequest>,
    ) -> Answer<proto::RemoveAuthorityResponse> {
        authorities::remove(self, request).await
    }

    async fn list_authorities(
        &self,
        request: Request<proto::ListAuthoritiesRequest>,
    ) -> Answer<proto::ListAuthoritiesResponse> {
        authorities::list(self, request).await
    }

    async fn look_up(
        &self,
        request: Request<proto::LookUpRequest>,
    ) -> Answer<proto::LookUpResponse> {
        authorities::look_up(self, request).await
    }
}

/// Reads the name of a table, bare or in full.
fn name(board: &BoardName, text: &str) -> Result<ModuleName, AppError> {
    parse::id("table", parse::on_board(board, "tables", text)?)
}

fn mounting(
    board: &BoardName,
    table: ModuleName,
    asked: proto::MountTableRequest,
) -> Result<Mount, AppError> {
    let words = proto::TableWords {
        format: asked.format,
        columns: asked.columns,
        description: text::accept("description", &asked.description, MAX_DESCRIPTION_BYTES)?.text,
    };
    if proto::TableFormat::try_from(words.format).is_err() {
        return Err(invalid("format").into());
    }
    for column in words.columns.values() {
        text::accept("columns", column, MAX_COLUMN_BYTES)?;
    }
    Ok(Mount {
        table,
        source: parse::on_board(board, "sources", &asked.source)?.to_owned(),
        words,
        validate_only: asked.validate_only,
    })
}

fn mounted_to_wire(board: &BoardName, mounted: &Mounted) -> proto::MountTableResponse {
    let contradicted = mounted.contradicted.iter();
    proto::MountTableResponse {
        table: None,
        contradicted: contradicted
            .map(|it| full(board, "assertions", it))
            .collect(),
        rows: mounted.rows,
    }
}

fn table_to_wire(board: &BoardName, table: TableRecord) -> proto::Table {
    let versions = table.state.versions.into_iter().zip(table.words);
    let versions = versions.map(|(version, words)| proto::TableVersion {
        version: version.position.0,
        source: version.source.to_string(),
        rows: version.rows,
        parsed: version.parsed.to_string(),
        format: words.format,
        columns: words.columns,
        description: words.description,
        principal: version.principal.to_string(),
        create_time: Some(parse::time(version.at)),
    });
    proto::Table {
        name: full(board, "tables", table.name),
        mounted: table.state.mounted,
        versions: versions.rev().collect(),
    }
}
