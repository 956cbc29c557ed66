//! A board's history as data: every entry as written, with the words it commits to.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

use pawl_ledger::{
    decide::{Denied, Reason},
    digest::{Commitment, Digest},
    event::{Citation, Event},
    id::Position,
    log::{
        decode,
        tree::{Frontier, NodeHash},
    },
};

use super::{
    App,
    boards::{LiveBoard, require_reader},
    error::AppError,
    sources::Reader,
};
use crate::auth::Caller;

/// A part of an export.
#[derive(Debug)]
pub enum Part {
    /// An entry with its words.
    Entry {
        /// Its position.
        position: Position,
        /// Its bytes as written.
        bytes: Vec<u8>,
        /// Its words.
        words: Vec<ExportedWords>,
    },
    /// A piece of a kept source.
    Source {
        /// Which.
        digest: Digest,
        /// Where it begins.
        offset: u64,
        /// Its bytes.
        chunk: Vec<u8>,
    },
    /// The end.
    End {
        /// How many entries there were.
        entries: u64,
        /// The tree hash over them.
        root: NodeHash,
    },
}

/// Words with what is known of their form.
#[derive(Debug)]
pub struct ExportedWords {
    /// What the entry holds of them.
    pub commitment: Commitment,
    /// Salt and bytes; none where they are gone.
    pub stored: Option<(Vec<u8>, Vec<u8>)>,
    /// The message that the bytes are; empty for text.
    pub message: &'static str,
}

/// An export under way: read part by part at its reader's pace, nothing waits in memory.
pub struct Export {
    app: Arc<App>,
    live: Arc<LiveBoard>,
    caller: Caller,
    /// How many entries it has.
    pub until: Position,
    with_sources: bool,
    next: Position,
    tree: Frontier,
    sources: BTreeSet<Digest>,
    waiting: VecDeque<(Digest, u64)>,
    source: Option<(Digest, u64, Reader)>,
    ended: bool,
}

impl App {
    /// Begins an export of a board's first `until` entries.
    pub async fn export(
        self: &Arc<Self>,
        caller: &Caller,
        live: Arc<LiveBoard>,
        until: Option<u64>,
        with_sources: bool,
    ) -> Result<Export, AppError> {
        self.read(&live, caller, |_| Ok(())).await?;
        let durable = live.open.line().durable();
        let until = until.map_or(durable, Position);
        if until > durable {
            return Err(Denied::new(
                Reason::BaseInFuture,
                format!("position {until} is ahead of the log, which has {durable} entries"),
            )
            .with("until", until)
            .with("position", durable)
            .into());
        }
        Ok(Export {
            app: self.clone(),
            live,
            caller: caller.clone(),
            until,
            with_sources,
            next: Position(0),
            tree: Frontier::default(),
            sources: BTreeSet::new(),
            waiting: VecDeque::new(),
            source: None,
            ended: false,
        })
    }
}

impl Export {
    /// The next part; none after the end. Whoever may read no more gets no more.
    pub fn next_part(&mut self) -> Result<Option<Part>, AppError> {
        if self.ended {
            return Ok(None);
        }
        self.app.identity.still_good(&self.caller)?;
        require_reader(&self.live.open.state.read(), &self.caller)?;
        if let Some(part) = self.source_part()? {
            return Ok(Some(part));
        }
        if self.next < self.until {
            return self.entry_part().map(Some);
        }
        self.ended = true;
        Ok(Some(Part::End {
            entries: self.until.0,
            root: self.tree.root(),
        }))
    }

    fn entry_part(&mut self) -> Result<Part, AppError> {
        let (number, position) = (self.live.open.number, self.next);
        let bytes = self.app.ledger.entry(number, position)?;
        let bytes =
            bytes.ok_or_else(|| AppError::Internal(format!("entry {position} is missing")))?;
        let recorded = decode(&bytes)
            .map_err(|error| AppError::Internal(format!("an entry cannot be read: {error}")))?;
        self.tree.push(recorded.leaf);
        self.next = Position(position.0 + 1);
        let forms = forms(&recorded.event);
        let mut words = Vec::new();
        for commitment in recorded.event.commitments() {
            let found = self.app.ledger.words(number, position, commitment)?;
            let split = |stored: Vec<u8>| {
                let (salt, bytes) = stored.split_at_checked(32)?;
                Some((salt.to_vec(), bytes.to_vec()))
            };
            words.push(ExportedWords {
                commitment,
                stored: found.and_then(|words| split(words.to_stored())),
                message: forms.get(&commitment).copied().unwrap_or_default(),
            });
        }
        if let Event::SourceRegistered {
            source,
            size_bytes,
            kept: true,
            ..
        } = recorded.event
            && self.with_sources
            && self.sources.insert(source)
        {
            self.waiting.push_back((source, size_bytes));
        }
        Ok(Part::Entry {
            position,
            bytes,
            words,
        })
    }

    fn source_part(&mut self) -> Result<Option<Part>, AppError> {
        loop {
            if self.source.is_none() {
                let Some((digest, size_bytes)) = self.waiting.pop_front() else {
                    return Ok(None);
                };
                self.source = Some((digest, 0, Reader::new(digest, size_bytes)));
            }
            if let Some((digest, offset, reader)) = &mut self.source
                && let Some(chunk) = reader.next(self.app.ledger.store())?
            {
                let begin = *offset;
                *offset += u64::try_from(chunk.len()).unwrap_or(u64::MAX);
                return Ok(Some(Part::Source {
                    digest: *digest,
                    offset: begin,
                    chunk,
                }));
            }
            self.source = None;
        }
    }
}

/// The commitments whose words are a message and no text.
fn forms(event: &Event) -> BTreeMap<Commitment, &'static str> {
    let mut forms = BTreeMap::new();
    let mut quotes: &[Citation] = &[];
    match event {
        Event::AttributeDeclared { definition, .. } => {
            forms.insert(*definition, "AttributeWords");
        }
        Event::SourceRegistered { description, .. } => {
            forms.insert(*description, "SourceWords");
        }
        Event::Submitted(submitted) => {
            forms.insert(submitted.check, "CheckRecord");
            forms.extend(submitted.words.map(|words| (words, "SubmissionWords")));
            quotes = &submitted.citations;
        }
        Event::Refused { check, .. } => {
            forms.insert(*check, "CheckRecord");
        }
        Event::Corroborated { citations, .. } | Event::Flagged { citations, .. } => {
            quotes = citations;
        }
        Event::Validated { evidence, .. } | Event::Amended { evidence, .. } => quotes = evidence,
        _ => {}
    }
    forms.extend(quotes.iter().map(|citation| (citation.quote, "QuoteWords")));
    forms
}
