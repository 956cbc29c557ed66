//! Taking in a document: its bytes are gathered and checked, and kept only when they are complete.

use std::sync::Arc;

use pawl_checker::quote::{Document, DocumentError, MediaType};
use pawl_ledger::{
    command::Command,
    decide::{Denied, Reason, decide},
    digest::Digest,
    rule::Day,
};
use pawl_proto::v1::SourceWords;

use super::{Registration, SourceRecord, adds_to, bytes};
use crate::{
    app::{
        App, LiveBoard, Place, What,
        error::{AppError, missing},
        message_words,
    },
    auth::Caller,
};

/// The longest chunk of an upload.
pub const MAX_CHUNK_BYTES: usize = 1 << 20;

/// The media type of bytes of which nothing is known (RFC 2046, 4.5.1).
const UNKNOWN_TYPE: &str = "application/octet-stream";

/// An upload on its way; nothing is stored before [`App::finish_upload`].
pub struct Upload {
    live: Arc<LiveBoard>,
    caller: Caller,
    description: SourceWords,
    dated: Option<Day>,
    expected: Option<Digest>,
    bytes: Vec<u8>,
    limit: usize,
    // Held until the bytes are gone from memory.
    _place: Place,
}

impl App {
    /// Begins an upload, if the caller may register sources and there is room for one more.
    pub fn begin_upload(
        &self,
        live: Arc<LiveBoard>,
        caller: &Caller,
        (description, dated): (SourceWords, Option<Day>),
        expected: Option<Digest>,
    ) -> Result<Upload, AppError> {
        let trial = Registration {
            digest: Digest([0; 32]),
            size_bytes: 0,
            kept: true,
            description: description.clone(),
            dated,
        };
        let commitment = message_words(&description)?.commitment();
        let command: Command = trial.command(commitment, None, None);
        decide(&live.open.state.read(), &caller.context(), &command)?;
        self.may_write_now(&live, &caller.principal)?;
        let known = expected.is_some_and(|it| live.open.state.read().sources.contains_key(&it));
        if !known {
            self.has_room(&live.open.state.read(), &caller.principal, 0)?;
        }
        let limits = self.limits();
        let place = self
            .places
            .take_both(What::Upload, &caller.principal, &limits)?;
        Ok(Upload {
            live,
            caller: caller.clone(),
            description,
            dated,
            expected,
            bytes: Vec::new(),
            limit: limits.source_bytes,
            _place: place,
        })
    }

    /// How many more uploads there is room for.
    pub fn free_uploads(&self) -> usize {
        let most = self.limits().uploads;
        most.saturating_sub(self.places.used(What::Upload))
    }

    /// Keeps a complete upload and registers it on its board.
    pub async fn finish_upload(
        self: &Arc<Self>,
        mut upload: Upload,
    ) -> Result<SourceRecord, AppError> {
        if upload.bytes.is_empty() {
            return Err(missing("chunk", "the bytes of the document"));
        }
        let bytes = std::mem::take(&mut upload.bytes);
        let mut description = upload.description.clone();
        if description.media_type.eq_ignore_ascii_case(UNKNOWN_TYPE)
            && let Some(found) = MediaType::sniff(&bytes)
        {
            description.media_type = found.to_owned();
        }
        let media_type = MediaType::parse(&description.media_type);
        let (digest, bytes) = tokio::task::spawn_blocking(move || inspect(&media_type, bytes))
            .await
            .map_err(|error| AppError::Internal(format!("reading an upload: {error}")))??;
        if let Some(expected) = upload.expected.filter(|expected| *expected != digest) {
            return Err(Denied::new(
                Reason::DigestMismatch,
                format!("the bytes have digest `{digest}`, not `{expected}`; upload them again"),
            )
            .with("expected", expected)
            .with("found", digest)
            .into());
        }
        let registration = Registration {
            digest,
            size_bytes: bytes.len() as u64,
            kept: true,
            description,
            dated: upload.dated,
        };
        self.fits(&upload, &registration)?;
        // Until the entry is there, nobody takes the bytes for bytes that no board keeps.
        let _keeping = self.keeping.read().await;
        bytes::write(self, digest, &bytes).await?;
        self.register(&upload.live, &upload.caller, registration)
            .await
    }
}

impl App {
    fn fits(&self, upload: &Upload, registration: &Registration) -> Result<(), Denied> {
        let board = upload.live.open.state.read();
        if adds_to(&board, registration) {
            self.has_room(&board, &upload.caller.principal, registration.size_bytes)?;
        }
        Ok(())
    }
}

impl Upload {
    /// Takes the next chunk.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), AppError> {
        if chunk.len() > MAX_CHUNK_BYTES {
            return Err(Denied::new(
                Reason::FieldTooLong,
                format!(
                    "a chunk has {} bytes, at most {MAX_CHUNK_BYTES}; send smaller ones",
                    chunk.len()
                ),
            )
            .with("field", "chunk")
            .with("limit", MAX_CHUNK_BYTES)
            .into());
        }
        if self.bytes.len().saturating_add(chunk.len()) > self.limit {
            return Err(Denied::new(
                Reason::SourceTooLarge,
                format!(
                    "the source is longer than {} bytes; upload the part of it that matters",
                    self.limit
                ),
            )
            .with("limit", self.limit)
            .into());
        }
        self.bytes.extend_from_slice(chunk);
        Ok(())
    }
}

/// Takes the digest, and refuses bytes that are not what their media type says: quotes from them
/// could never be checked. A PDF is kept however it is: whether it can be read says nothing of its
/// being what its author published.
fn inspect(media_type: &MediaType, bytes: Vec<u8>) -> Result<(Digest, Vec<u8>), AppError> {
    let parsed = match media_type {
        MediaType::Pdf | MediaType::Other(_) => Ok(()),
        _ => Document::parse(media_type.clone(), &bytes).map(|_| ()),
    };
    match parsed {
        Err(error @ DocumentError::Encoding { byte, .. }) => {
            return Err(Denied::new(Reason::TextInvalid, error.to_string())
                .with("field", "chunk")
                .with("byte", byte)
                .into());
        }
        Err(error @ DocumentError::UnknownCharset(_)) => {
            return Err(Denied::new(Reason::FieldInvalid, error.to_string())
                .with("field", "media_type")
                .with("value", media_type)
                .into());
        }
        Err(error @ DocumentError::Malformed { .. }) => {
            return Err(Denied::new(Reason::FieldInvalid, error.to_string())
                .with("field", "media_type")
                .with("value", media_type)
                .into());
        }
        Ok(())
        | Err(
            DocumentError::Unsupported(_)
            | DocumentError::TooLarge(_)
            | DocumentError::NotKept
            | DocumentError::Pdf(_),
        ) => {}
    }
    Ok((Digest::of(&bytes), bytes))
}
