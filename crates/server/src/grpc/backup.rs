//! Backups and exports: streams at their reader's pace.

use std::{pin::Pin, sync::Arc};

use async_stream::try_stream;
use pawl_ledger::backup::{Ending, Origin, VERSION};
use pawl_proto::v1::{
    self as proto, backup_response, backup_service_server::BackupService, export_response,
};
use tokio_stream::Stream;
use tonic::{Request, Response, Status};

use super::{live, parse};
use crate::app::{
    App,
    backup::Part,
    error::AppError,
    export::{self, Export},
};

/// The backup service.
pub(super) struct Backups(pub(super) Arc<App>);

type Streamed<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

#[tonic::async_trait]
impl BackupService for Backups {
    type BackupStream = Streamed<proto::BackupResponse>;
    type ExportStream = Streamed<proto::ExportResponse>;

    async fn backup(
        &self,
        request: Request<proto::BackupRequest>,
    ) -> Result<Response<Self::BackupStream>, Status> {
        let (caller, _) = parse::open(request)?;
        let (origin, mut parts) = self.0.backup(&caller)?;
        let stream = try_stream! {
            yield backed_up(backup_response::Part::Header(header(origin)));
            while let Some(part) = parts.next().await {
                yield backed_up(match part? {
                    Part::Records(records) => backup_response::Part::Records(records),
                    Part::End(ending) => backup_response::Part::End(end(ending)),
                });
            }
        };
        Ok(Response::new(Box::pin(stream)))
    }

    async fn export(
        &self,
        request: Request<proto::ExportRequest>,
    ) -> Result<Response<Self::ExportStream>, Status> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let board = live.name.to_string();
        let mut export = self
            .0
            .export(&caller, live, asked.until, asked.with_sources)
            .await?;
        let stream = try_stream! {
            let entries = export.until.0;
            yield exported(export_response::Part::Header(proto::ExportHeader { board, entries }));
            loop {
                let (again, part) = next(export).await?;
                export = again;
                match part {
                    Some(part) => yield exported(part),
                    None => break,
                }
            }
        };
        Ok(Response::new(Box::pin(stream)))
    }
}

/// Reads the next part on a thread that may block.
async fn next(mut export: Export) -> Result<(Export, Option<export_response::Part>), AppError> {
    let read = tokio::task::spawn_blocking(move || {
        let part = export.next_part()?;
        Ok::<_, AppError>((export, part))
    });
    let (export, part) = read
        .await
        .map_err(|error| AppError::Internal(format!("an export was not read: {error}")))??;
    Ok((export, part.map(to_wire)))
}

fn to_wire(part: export::Part) -> export_response::Part {
    match part {
        export::Part::Entry {
            position,
            bytes,
            words,
        } => export_response::Part::Entry(proto::ExportedEntry {
            position: position.0,
            entry: bytes,
            words: words.into_iter().map(words_to_wire).collect(),
        }),
        export::Part::Source {
            digest,
            offset,
            chunk,
        } => export_response::Part::Source(proto::ExportedSource {
            digest: digest.to_string(),
            offset,
            chunk,
        }),
        export::Part::End { entries, root } => export_response::Part::End(proto::ExportEnd {
            entries,
            tree_root: root.0.iter().map(|byte| format!("{byte:02x}")).collect(),
        }),
    }
}

fn words_to_wire(exported: export::ExportedWords) -> proto::ExportedWords {
    let (salt, words) = exported.stored.unwrap_or_default();
    proto::ExportedWords {
        commitment: exported.commitment.0.0.to_vec(),
        salt,
        words,
        message: exported.message.to_owned(),
    }
}

fn header(origin: Origin) -> proto::BackupHeader {
    proto::BackupHeader {
        form: VERSION,
        layout: origin.layout,
        at_ms: origin.at_ms,
        server: origin.server,
    }
}

fn end(ending: Ending) -> proto::BackupEnd {
    let boards = ending.boards.into_iter();
    proto::BackupEnd {
        records: ending.records,
        bytes: ending.bytes,
        digest: ending.digest,
        boards: boards
            .map(|board| proto::BackupBoard {
                name: board.name,
                entries: board.entries,
                tree_root: board.tree_root,
            })
            .collect(),
    }
}

fn backed_up(part: backup_response::Part) -> proto::BackupResponse {
    proto::BackupResponse { part: Some(part) }
}

fn exported(part: export_response::Part) -> proto::ExportResponse {
    proto::ExportResponse { part: Some(part) }
}
