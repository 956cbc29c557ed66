//! `SourceService`: documents that can be cited.

use std::{pin::Pin, sync::Arc, time::Duration};

use async_stream::try_stream;
use pawl_ledger::{
    decide::{Denied, Reason},
    id::Position,
};
use pawl_proto::v1::{
    self as proto, source_service_server::SourceService, upload_source_request::Part,
};
use tokio_stream::Stream;
use tonic::{Request, Response, Status, Streaming};

use super::{
    error::explained,
    live,
    page::{self, Page},
    parse,
};
use crate::{
    app::{
        App,
        error::{AppError, missing},
        sources::{Registration, SourceRecord, Upload, accept_date, accept_description},
    },
    auth::Caller,
};

/// The service.
pub(super) struct Sources(pub(super) Arc<App>);

impl Sources {
    async fn begin(
        &self,
        caller: &Caller,
        header: proto::SourceHeader,
    ) -> Result<Upload, AppError> {
        let live = live(&self.0, caller, &header.board).await?;
        let expected = match header.digest.as_str() {
            "" => None,
            digest => Some(parse::digest("digest", digest)?),
        };
        let description = accept_description(&header.media_type, &header.uri, &header.title)?;
        let described = (description, accept_date(&header.date)?);
        self.0.begin_upload(live, caller, described, expected)
    }

    /// A source with whether its quotes are checked.
    async fn described(&self, source: SourceRecord) -> Result<Response<proto::Source>, Status> {
        let unchecked_reason = self.0.unchecked_reason(&source).await?;
        Ok(Response::new(proto::Source {
            unchecked_reason: unchecked_reason.unwrap_or_default(),
            ..source_to_wire(source)
        }))
    }
}

#[tonic::async_trait]
impl SourceService for Sources {
    async fn upload_source(
        &self,
        request: Request<Streaming<proto::UploadSourceRequest>>,
    ) -> Result<Response<proto::Source>, Status> {
        let (caller, mut parts) = parse::open(request)?;
        let idle = Duration::from_secs(self.0.limits().upload_idle_seconds);
        let Some(Part::Header(header)) = next(&mut parts, idle).await? else {
            return Err(missing("header", "what is uploaded, before its bytes").into());
        };
        let mut upload = self.begin(&caller, header).await?;
        loop {
            match next(&mut parts, idle).await? {
                Some(Part::Chunk(chunk)) => upload.push(&chunk)?,
                Some(Part::End(_)) => break,
                Some(Part::Header(_)) => {
                    let message =
                        "an upload has one header; send the next document in a call of its own";
                    return Err(AppError::denied(Reason::FieldInvalid, message).into());
                }
                // A call that its client gave up ends like this too.
                None => return Err(missing("end", "the mark that the document is complete").into()),
            }
        }
        let source = self.0.finish_upload(upload).await?;
        self.described(source).await
    }

    async fn register_source(
        &self,
        request: Request<proto::RegisterSourceRequest>,
    ) -> Result<Response<proto::Source>, Status> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        if asked.uri.is_empty() {
            return Err(missing("uri", "the address of the document").into());
        }
        let registration = Registration {
            digest: parse::digest("digest", &asked.digest)?,
            size_bytes: 0,
            kept: false,
            description: accept_description(&asked.media_type, &asked.uri, &asked.title)?,
            dated: accept_date(&asked.date)?,
        };
        let source = self.0.register(&live, &caller, registration).await?;
        self.described(source).await
    }

    async fn get_source(
        &self,
        request: Request<proto::GetSourceRequest>,
    ) -> Result<Response<proto::Source>, Status> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let named = parse::on_board(&live.name, "sources", &asked.source)?;
        let source = self.0.source(&live, &caller, named).await?;
        self.described(source).await
    }

    type ReadSourceStream =
        Pin<Box<dyn Stream<Item = Result<proto::ReadSourceResponse, Status>> + Send>>;

    async fn read_source(
        &self,
        request: Request<proto::ReadSourceRequest>,
    ) -> Result<Response<Self::ReadSourceStream>, Status> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let named = parse::on_board(&live.name, "sources", &asked.source)?;
        let mut reader = self.0.source_reader(&live, &caller, named).await?;
        let app = self.0.clone();
        // The transport asks for a chunk when it has room for one, so a slow reader holds only one.
        let chunks = try_stream! {
            while let Some(chunk) = reader.next(app.ledger.store()).map_err(AppError::from)? {
                yield proto::ReadSourceResponse { chunk };
            }
        };
        Ok(Response::new(Box::pin(chunks)))
    }

    async fn list_sources(
        &self,
        request: Request<proto::ListSourcesRequest>,
    ) -> Result<Response<proto::ListSourcesResponse>, Status> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let which = if asked.uncited {
            "uncited sources"
        } else {
            "sources"
        };
        let list = format!("{which} of {}", live.name);
        let from = page::parse(&list, &asked.page_token)?;
        let after = from.map(|page| Position(page.after));
        let most = parse::page_items(asked.page_size);
        let (sources, more) = self
            .0
            .sources(&live, &caller, after, most, asked.uncited)
            .await?;
        let last = sources.last().filter(|_| more);
        let next_page_token = last.map(|last| {
            let after = last.state.position.0;
            page::token(&list, Page { view: 0, after })
        });
        Ok(Response::new(proto::ListSourcesResponse {
            sources: sources.into_iter().map(source_to_wire).collect(),
            next_page_token: next_page_token.unwrap_or_default(),
        }))
    }

    async fn remove_source(
        &self,
        request: Request<proto::RemoveSourceRequest>,
    ) -> Result<Response<proto::RemoveSourceResponse>, Status> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let named = parse::on_board(&live.name, "sources", &asked.source)?;
        let gone = self.0.remove_source(&live, &caller, named).await?;
        let bytes_removed = gone && caller.server_operator;
        Ok(Response::new(proto::RemoveSourceResponse { bytes_removed }))
    }
}

/// Reads the next part of an upload; an error where the stream broke off, or stood still for longer than `idle`.
async fn next(
    parts: &mut Streaming<proto::UploadSourceRequest>,
    idle: Duration,
) -> Result<Option<Part>, Status> {
    let message = tokio::time::timeout(idle, parts.message())
        .await
        .map_err(|_| stood_still(idle))?;
    match message.map_err(explained)? {
        None => Ok(None),
        Some(request) => {
            let part = request.part;
            Ok(Some(
                part.ok_or_else(|| missing("part", "a header or a chunk"))?,
            ))
        }
    }
}

fn stood_still(idle: Duration) -> AppError {
    let milliseconds = idle.as_millis();
    Denied::new(
        Reason::Deadline,
        format!(
            "no part of the upload came for {milliseconds} ms; nothing of it is kept: send it again"
        ),
    )
    .with("limit_ms", milliseconds)
    .into()
}

fn source_to_wire(source: SourceRecord) -> proto::Source {
    proto::Source {
        unchecked_reason: String::new(),
        name: format!("boards/{}/sources/{}", source.board, source.digest),
        media_type: source.description.media_type,
        uri: source.description.uri,
        title: source.description.title,
        size_bytes: source.state.size_bytes,
        kept: source.state.kept,
        drifted: source.state.drifted,
        create_time: Some(parse::time(source.state.at)),
        principal: source.state.principal.to_string(),
        date: source
            .state
            .dated
            .map(|day| day.to_string())
            .unwrap_or_default(),
        rank: source.rank.unwrap_or_default(),
    }
}
