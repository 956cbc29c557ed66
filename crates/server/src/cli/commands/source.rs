//! `pawl source`

use std::path::Path;

use clap::{Args, Subcommand};
use pawl_proto::v1::{
    GetSourceRequest, ListSourcesRequest, ListSourcesResponse, ReadSourceRequest,
    RegisterSourceRequest, RemoveSourceRequest, SourceEnd, SourceHeader, UploadSourceRequest,
    upload_source_request::Part,
};

use super::{paging::Paging, resource::Resource};
use crate::cli::{
    exit_code::Answer,
    failure::Failure,
    input::{self, SOURCE_LIMIT_BYTES},
    render,
    session::Session,
};

/// The bytes of one part of an upload; the API takes up to 1 MiB.
const CHUNK_BYTES: usize = 256 << 10;

/// Uploads and reads the documents that are cited.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Uploads a document, so that quotes from it can be checked.
    Add(Add),
    /// Registers a document by address and digest; quotes from it stay unverified.
    Register(Register),
    /// Shows what is known of a source.
    Show(Show),
    /// Prints a kept source's bytes.
    Read(Show),
    /// Lists sources.
    List(List),
    /// Takes a source that nothing cites off the board.
    Remove(Show),
}

/// What is said of a document.
#[derive(Args, Debug)]
struct About {
    /// `text/plain`, `text/markdown`, `text/csv`, `application/json`, `text/html`, `application/pdf` or another; by the
    /// file's name unless given.
    #[arg(long, value_name = "TYPE")]
    media_type: Option<String>,
    /// A title for people.
    #[arg(long)]
    title: Option<String>,
    /// The day it is dated, `2026-03-31`; for the rule of recency.
    #[arg(
        long,
        value_name = "DAY",
        default_value = "",
        hide_default_value = true
    )]
    date: String,
}

/// Uploads a document.
#[derive(Args, Debug)]
pub(crate) struct Add {
    /// The file, or `-` for standard input.
    file: String,
    /// Its address, where it has one.
    #[arg(long, default_value = "", hide_default_value = true)]
    uri: String,
    #[command(flatten)]
    about: About,
}

/// Registers a document.
#[derive(Args, Debug)]
pub(crate) struct Register {
    /// Its address.
    uri: String,
    /// BLAKE3 of its bytes, 64 hexadecimal digits.
    digest: String,
    #[command(flatten)]
    about: About,
}

/// Names a source.
#[derive(Args, Debug)]
pub(crate) struct Show {
    /// Its digest, or the first 8 digits or more of it.
    source: Resource,
}

/// Lists sources.
#[derive(Args, Debug)]
pub(crate) struct List {
    /// Only those that nothing cites.
    #[arg(long)]
    uncited: bool,
    #[command(flatten)]
    paging: Paging,
}

impl Command {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        match self {
            Self::Add(add) => add.run(session).await,
            Self::Register(register) => register.run(session).await,
            Self::Show(show) => show.run(session).await,
            Self::Read(show) => show.read(session).await,
            Self::List(list) => list.run(session).await,
            Self::Remove(show) => show.remove(session).await,
        }
    }
}

impl Add {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let board = session.board()?;
        let bytes = input::read(&self.file, SOURCE_LIMIT_BYTES)?;
        let header = SourceHeader {
            board,
            media_type: self
                .about
                .media_type
                .unwrap_or_else(|| media_type(&self.file).to_owned()),
            uri: self.uri,
            title: self.about.title.unwrap_or_else(|| title(&self.file)),
            // Known here, so that bytes which change on the way are noticed.
            digest: blake3::hash(&bytes).to_hex().to_string(),
            date: self.about.date,
        };
        let parts = async_stream::stream! {
            yield UploadSourceRequest { part: Some(Part::Header(header)) };
            for chunk in bytes.chunks(CHUNK_BYTES) {
                yield UploadSourceRequest { part: Some(Part::Chunk(chunk.to_vec())) };
            }
            yield UploadSourceRequest { part: Some(Part::End(SourceEnd {})) };
        };
        let source = session
            .source_streams()
            .await?
            .upload_source(parts)
            .await?
            .into_inner();
        session.answer(&source, render::source::source)
    }
}

impl Register {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = RegisterSourceRequest {
            board: session.board()?,
            media_type: self
                .about
                .media_type
                .unwrap_or_else(|| media_type(&self.uri).to_owned()),
            uri: self.uri,
            digest: self.digest,
            title: self.about.title.unwrap_or_default(),
            date: self.about.date,
        };
        let source = session
            .sources()
            .await?
            .register_source(request)
            .await?
            .into_inner();
        session.answer(&source, render::source::source)
    }
}

impl Show {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = GetSourceRequest {
            board: self.source.board(session)?,
            source: self.source.id,
        };
        let source = session
            .sources()
            .await?
            .get_source(request)
            .await?
            .into_inner();
        session.answer(&source, render::source::source)
    }

    async fn remove(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = RemoveSourceRequest {
            board: self.source.board(session)?,
            source: self.source.id,
        };
        let mut client = session.sources().await?;
        let removed = client.remove_source(request).await?.into_inner();
        session.answer(&removed, render::source::removed)
    }

    async fn read(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = ReadSourceRequest {
            board: self.source.board(session)?,
            source: self.source.id,
        };
        let mut parts = session
            .source_streams()
            .await?
            .read_source(request)
            .await?
            .into_inner();
        let mut held = Vec::new();
        while let Some(part) = parts.message().await? {
            held.extend_from_slice(&part.chunk);
            // A terminal gets whole characters; a chunk may end inside of one.
            if !session.output.is_terminal() {
                session.output.bytes(&std::mem::take(&mut held))?;
            }
        }
        session.output.bytes(&held)?;
        Ok(Answer::Yes)
    }
}

impl List {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let board = session.board()?;
        let mut client = session.sources().await?;
        let mut list = ListSourcesResponse::default();
        let mut next = Some(self.paging.first());
        while let Some(page_token) = next {
            let page_size = self.paging.size();
            let request = ListSourcesRequest {
                board: board.clone(),
                page_size,
                page_token,
                uncited: self.uncited,
            };
            let page = client.list_sources(request).await?.into_inner();
            list.sources.extend(page.sources);
            list.next_page_token = page.next_page_token;
            next = self.paging.after(&list.next_page_token);
        }
        session.answer(&list, render::source::sources)
    }
}

/// Guesses the media type by the end of a name; standard input is plain text.
pub(super) fn media_type(name: &str) -> &'static str {
    let extension = Path::new(name)
        .extension()
        .and_then(|extension| extension.to_str());
    match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("md" | "markdown") => "text/markdown",
        Some("csv") => "text/csv",
        Some("jsonl" | "ndjson") => "application/jsonl",
        Some("json") => "application/json",
        Some("html" | "htm") => "text/html",
        Some("xhtml") => "application/xhtml+xml",
        Some("pdf") => "application/pdf",
        Some("txt" | "text") => "text/plain",
        _ if name == "-" => "text/plain",
        _ => "application/octet-stream",
    }
}

fn title(file: &str) -> String {
    let name = Path::new(file).file_name().filter(|_| file != "-");
    name.map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
