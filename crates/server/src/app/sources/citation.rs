//! Whether what is cited stands there.

use std::sync::Arc;

use pawl_checker::quote::{
    Column, Document, DocumentError, Locator, MediaType, Miss, Passage, Place, QuoteMatch,
    TextQuote, find,
};
use pawl_ledger::{
    decide::{Denied, Reason},
    digest::Words,
    event::Citation,
    status::QuoteCheck,
};
use pawl_proto::v1::QuoteWords;

use super::{SourceRecord, bytes, describe, documents::Read, locator, resolve};
use crate::app::{
    App, LiveBoard,
    error::{AppError, missing},
    message_words,
    submission::blocking,
    text,
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

/// A citation that was looked up.
#[derive(Debug)]
pub struct Checked {
    /// What its entry holds.
    pub citation: Citation,
    /// The words beside it.
    pub words: Words,
    /// Why the quote could not be looked for, if it could not.
    pub unchecked: Option<String>,
}

impl App {
    /// Checks a citation against the source's bytes, and gives what its entry holds with the words
    /// beside it. A quote that the server could look for and did not find is refused; one that it
    /// could not look for is marked unverified.
    pub async fn check_citation(
        self: &Arc<Self>,
        live: &Arc<LiveBoard>,
        draft: &CitationDraft,
    ) -> Result<Checked, AppError> {
        let (app, live, draft) = (self.clone(), live.clone(), draft.clone());
        blocking(move || app.check_citation_here(&live, &draft)).await
    }

    /// Checks a citation on this thread, which may take as long as reading a long document does.
    pub(in crate::app) fn check_citation_here(
        &self,
        live: &LiveBoard,
        draft: &CitationDraft,
    ) -> Result<Checked, AppError> {
        let quote = accept_quote(draft)?;
        let (digest, state) = {
            let board = live.open.state.read();
            let digest = resolve(&board, &live.addresses.read(), &draft.source)?;
            (digest, board.sources.get(&digest).cloned())
        };
        let state = state.ok_or_else(|| super::unknown(live, &draft.source))?;
        let record = describe(&self.ledger, &live.open, digest, state)?;
        self.check_quote(&record, &quote, draft.locator.as_ref())
    }

    fn check_quote(
        &self,
        source: &SourceRecord,
        quote: &TextQuote,
        locator: Option<&Locator>,
    ) -> Result<Checked, AppError> {
        let found = match self.document(source)? {
            Ok(document) => find(&document, quote, locator),
            Err(error) => QuoteMatch::Unverifiable(error),
        };
        let mut unchecked = None;
        let check = match found {
            QuoteMatch::Unverifiable(error) => {
                unchecked = Some(error.to_string());
                QuoteCheck::Unverified
            }
            QuoteMatch::Exact(_) => QuoteCheck::Exact,
            QuoteMatch::Normalised(_) => QuoteCheck::Normalised,
            QuoteMatch::NotFound { miss, nearest } => {
                return Err(not_found(source, quote, &miss, nearest).into());
            }
        };
        let words = message_words(&QuoteWords {
            exact: quote.exact().to_owned(),
            prefix: quote.prefix().to_owned(),
            suffix: quote.suffix().to_owned(),
            locator: locator.map(locator::to_wire),
        })?;
        let citation = Citation {
            source: source.digest,
            quote: words.commitment(),
            check,
        };
        Ok(Checked {
            citation,
            words,
            unchecked,
        })
    }

    /// Why quotes from a source cannot be checked; none where they are.
    pub async fn unchecked_reason(
        self: &Arc<Self>,
        source: &SourceRecord,
    ) -> Result<Option<String>, AppError> {
        let (app, source) = (self.clone(), source.clone());
        tokio::task::spawn_blocking(move || {
            let document = app.document(&source)?;
            Ok(document.err().map(|error| error.to_string()))
        })
        .await
        .map_err(|error| AppError::Internal(format!("reading a source: {error}")))?
    }

    /// The parsed document of a source, or why its quotes cannot be checked.
    fn document(&self, source: &SourceRecord) -> Result<Read, AppError> {
        let media_type = MediaType::parse(&source.description.media_type);
        if !source.state.kept {
            return Ok(Err(DocumentError::NotKept));
        }
        if !media_type.is_read() {
            return Ok(Err(DocumentError::Unsupported(media_type)));
        }
        let size_bytes = source.state.size_bytes;
        let key = (source.digest, media_type);
        let parse = || {
            let bytes = bytes::read(self.ledger.store(), source.digest, size_bytes)?;
            Ok(Document::parse(key.1.clone(), &bytes))
        };
        self.documents.get(&key, size_bytes, parse)
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

fn not_found(
    source: &SourceRecord,
    quote: &TextQuote,
    miss: &Miss,
    nearest: Option<Passage>,
) -> Denied {
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
            source.digest.short()
        ),
    )
    .with("source", source.digest)
    .with("media_type", &source.description.media_type)
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
