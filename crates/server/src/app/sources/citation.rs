//! Whether what is cited stands there.

use std::sync::Arc;

use pawl_checker::quote::{
    Column, Document, Locator, MediaType, Miss, Passage, Place, QuoteMatch, TextQuote, find,
};
use pawl_ledger::{
    decide::{Denied, Reason},
    digest::{Digest, Words},
    event::Citation,
    status::QuoteCheck,
};
use pawl_proto::v1::QuoteWords;

use super::{SourceRecord, bytes, describe, is_read, locator, resolve};
use crate::app::{
    App, LiveBoard,
    error::{AppError, missing},
    message_words, text,
};

/// The longest quote, in bytes: 8,000 characters of any script.
pub const MAX_QUOTE_BYTES: usize = 32_000;
/// The longest text before or after a quote, in bytes.
pub const MAX_CONTEXT_BYTES: usize = 4_096;

/// A pointer into a source, not checked yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitationDraft {
    /// The source's digest, at least its first 8 digits, or its address.
    pub source: String,
    /// The exact text.
    pub quote: String,
    /// The text right before it.
    pub prefix: String,
    /// The text right after it.
    pub suffix: String,
    /// Where it stands.
    pub locator: Option<Locator>,
}

impl App {
    /// Checks a citation against the source's bytes, and gives what its entry holds with the words
    /// beside it. A quote that the server could look for and did not find is refused; one that it
    /// could not look for is marked unverified.
    pub async fn check_citation(
        self: &Arc<Self>,
        live: &Arc<LiveBoard>,
        draft: &CitationDraft,
    ) -> Result<(Citation, Words), AppError> {
        let quote = accept_quote(draft)?;
        let (digest, state) = {
            let board = live.open.state.read();
            let digest = resolve(&board, &live.addresses.read(), &draft.source)?;
            (digest, board.sources.get(&digest).cloned())
        };
        let state = state.ok_or_else(|| super::unknown(live, &draft.source))?;
        let (app, live, locator) = (self.clone(), live.clone(), draft.locator.clone());
        tokio::task::spawn_blocking(move || {
            let record = describe(&app.ledger, &live.open, digest, state)?;
            app.check_quote(&record, &quote, locator)
        })
        .await
        .map_err(|error| AppError::Internal(format!("checking a quote: {error}")))?
    }

    fn check_quote(
        &self,
        source: &SourceRecord,
        quote: &TextQuote,
        locator: Option<Locator>,
    ) -> Result<(Citation, Words), AppError> {
        let document = self.document(source)?;
        let found = document.map(|document| find(&document, quote, locator.as_ref()));
        let check = match found {
            None | Some(QuoteMatch::Unverifiable(_)) => QuoteCheck::Unverified,
            Some(QuoteMatch::Exact(_)) => QuoteCheck::Exact,
            Some(QuoteMatch::Normalised(_)) => QuoteCheck::Normalised,
            Some(QuoteMatch::NotFound { miss, nearest }) => {
                return Err(not_found(source.digest, quote, &miss, nearest).into());
            }
        };
        let words = message_words(&QuoteWords {
            exact: quote.exact().to_owned(),
            prefix: quote.prefix().to_owned(),
            suffix: quote.suffix().to_owned(),
            locator: locator.as_ref().map(locator::to_wire),
        })?;
        let citation = Citation {
            source: source.digest,
            quote: words.commitment(),
            check,
        };
        Ok((citation, words))
    }

    /// The parsed document of a source; none where its bytes are not kept or not read.
    fn document(&self, source: &SourceRecord) -> Result<Option<Arc<Document>>, AppError> {
        let media_type = MediaType::parse(&source.description.media_type);
        if !source.state.kept || !is_read(&media_type) {
            return Ok(None);
        }
        let size_bytes = source.state.size_bytes;
        let key = (source.digest, media_type);
        let parse = || {
            let bytes = bytes::read(self.ledger.store(), source.digest, size_bytes)?;
            Document::parse(key.1.clone(), &bytes)
                .map_err(|error| AppError::Internal(format!("source `{}`: {error}", source.digest)))
        };
        self.documents.get(&key, size_bytes, parse).map(Some)
    }
}

fn accept_quote(draft: &CitationDraft) -> Result<TextQuote, AppError> {
    if draft.quote.trim().is_empty() {
        return Err(missing("quote", "the words of the source that show it"));
    }
    let exact = text::accept_verbatim("quote", &draft.quote, MAX_QUOTE_BYTES)?;
    let prefix = text::accept_verbatim("prefix", &draft.prefix, MAX_CONTEXT_BYTES)?;
    let suffix = text::accept_verbatim("suffix", &draft.suffix, MAX_CONTEXT_BYTES)?;
    TextQuote::new(exact, prefix, suffix)
        .map_err(|_| missing("quote", "the words of the source that show it"))
}

fn not_found(source: Digest, quote: &TextQuote, miss: &Miss, nearest: Option<Passage>) -> Denied {
    let (kind, why) = match miss {
        Miss::Absent => ("absent", "does not stand in it".to_owned()),
        Miss::LongerThanSource => ("longer_than_source", "is longer than it".to_owned()),
        Miss::OtherContext(place) => ("other_context", elsewhere(place, "between other words")),
        Miss::Elsewhere(place) => ("elsewhere", elsewhere(place, "in another place")),
        Miss::NoSuchPart => (
            "no_such_part",
            "is said to stand in a part that it does not have".to_owned(),
        ),
    };
    let shown: String = quote.exact().chars().take(80).collect();
    let denied = Denied::new(
        Reason::QuoteNotFound,
        format!(
            "the quote `{shown}` from source `{}` {why}; quote it word for word, or leave the \
             statement out",
            source.short()
        ),
    )
    .with("source", source)
    .with("quote", &shown)
    .with("miss", kind);
    match nearest {
        None => denied,
        Some(nearest) => denied
            .with("nearest", nearest.text)
            .with("nearest_start", nearest.start)
            .with("nearest_similarity", nearest.similarity),
    }
}

fn elsewhere(place: &Place, how: &str) -> String {
    let part = match &place.part {
        None => String::new(),
        Some(Locator::Cell {
            row,
            column: Column::Number(column),
        }) => format!(", row {row}, column {column}"),
        Some(part) => format!(", {part}"),
    };
    format!("stands {how} (line {}{part})", place.line)
}
