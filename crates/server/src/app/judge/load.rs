//! Building what the checker knows of a board from its log and the words beside it.

use std::{ops::ControlFlow, sync::Arc};

use pawl_checker::{
    embedder::{Embedder, EmbedderError},
    index::Indexed,
    vector::Vector,
    vocabulary::Vocabulary,
};
use pawl_ledger::{
    board::{Board, Revision},
    digest::{Commitment, Digest, Words},
    event::Event,
    id::{Position, RevisionId},
    ledger::{Ledger, OpenBoard},
    log::{DecodeError, decode},
    status::Status,
    store::{
        Batch, Store, StoreError,
        keys::{self, BoardNumber},
    },
};
use pawl_proto::v1 as proto;
use prost::Message;

use super::{Judge, Known, Parsed, Subject, rows::Row, texts::Texts, vocabulary};
use crate::app::claims;

/// Why the checker's knowledge could not be built.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An entry cannot be read.
    #[error("an entry cannot be read: {0}")]
    Entry(#[from] DecodeError),
    /// The model failed.
    #[error(transparent)]
    Embedder(#[from] EmbedderError),
}

/// Fewer texts than this part of a board's entries are looked up one by one.
const SPARSE_SHARE: u64 = 64;

/// How many texts are embedded together while a board is opened.
const EMBEDDED_TOGETHER: usize = 256;

/// The words of one submission.
pub(super) struct Text {
    pub(super) content: String,
    words: proto::SubmissionWords,
}

impl Judge {
    /// Reads what finds every text of a board that stands or waits. Where that is not in the store, the
    /// text is read, what finds it made and kept; texts that have no vector under this model are embedded.
    pub fn load(
        ledger: &Ledger,
        open: &OpenBoard,
        embedder: Option<&Embedder>,
        parsed: Arc<Parsed>,
    ) -> Result<Self, LoadError> {
        let (number, board) = (open.number, &*open.state.read());
        let vocabulary = Arc::new(vocabulary::of(ledger, number, board)?);
        let model = embedder.map(|it| Digest(it.model_digest()));
        let mut judge = Self::new(vocabulary, Texts::new(ledger, open, model, parsed));
        judge.model = model;
        let unfound = judge.load_rows(ledger.store(), board)?;
        for texts in unfound.chunks(EMBEDDED_TOGETHER) {
            judge.load_texts(ledger, board, embedder, texts)?;
        }
        judge.load_refusals(ledger, number, board, embedder)?;
        judge.load_tables(ledger, number, board)?;
        judge.load_authorities(ledger, number, board)?;
        Ok(judge)
    }

    /// Indexes what the store has rows of; gives the others.
    fn load_rows(
        &mut self,
        store: &dyn Store,
        board: &Board,
    ) -> Result<Vec<(RevisionId, Position)>, LoadError> {
        let (number, understanding) = (self.texts.board(), self.understanding());
        let known = |state: &Revision| state.status.stands() || state.status == Status::Contested;
        let mut wanted: Vec<(RevisionId, Position)> = board
            .revisions()
            .filter(|(_, state)| known(state))
            .map(|(id, state)| (id, state.position))
            .collect();
        wanted.sort_unstable_by_key(|(_, position)| *position);
        let mut unfound = Vec::new();
        let mut take = |(id, position), value: Option<&[u8]>| {
            let row = value.and_then(|value| Row::read(value, understanding));
            match row.zip(board.revision(id)) {
                Some((row, state)) => {
                    self.texts.place(id, position);
                    let indexed = Indexed {
                        claim_key: row.claim_key,
                        terms: &row.terms,
                        vector: row.vector.as_ref(),
                    };
                    self.index_as(id, state, row.same_text, &indexed);
                }
                None => unfound.push((id, position)),
            }
        };
        if is_sparse(wanted.len(), board) {
            for one in wanted {
                let row = store.get(&keys::found_by(number, one.1))?;
                take(one, row.as_deref());
            }
            return Ok(unfound);
        }
        let mut wanted = wanted.into_iter().peekable();
        let (from, to) = keys::all_found_by(number);
        store.scan(&from, &to, &mut |key, value| {
            let at = keys::read::position(key).map(|(position, _)| position);
            while let Some(without) = wanted.next_if(|(_, position)| Some(*position) < at) {
                take(without, None);
            }
            if let Some(one) = wanted.next_if(|(_, position)| Some(*position) == at) {
                take(one, Some(value));
            }
            ControlFlow::Continue(())
        })?;
        wanted.for_each(|without| take(without, None));
        Ok(unfound)
    }

    /// Reads texts, indexes them, and keeps what finds them for the next time.
    fn load_texts(
        &mut self,
        ledger: &Ledger,
        board: &Board,
        embedder: Option<&Embedder>,
        texts: &[(RevisionId, Position)],
    ) -> Result<(), LoadError> {
        let (number, understanding) = (self.texts.board(), self.understanding());
        let mut batch = Batch::default();
        for (id, known) in texts_at(ledger, number, embedder, &self.vocabulary, texts)? {
            if let Some(state) = board.revision(id) {
                self.texts.place(id, state.position);
                self.index_text(id, state, &known);
                let (key, row) = Row::of(&known, understanding).stored(number, state.position);
                batch.put(key, row);
            }
        }
        if let Err(error) = ledger.write_here(batch) {
            tracing::debug!(%error, "what finds texts was not kept; it is made again at the next opening");
        }
        Ok(())
    }

    fn load_refusals(
        &mut self,
        ledger: &Ledger,
        number: BoardNumber,
        board: &Board,
        embedder: Option<&Embedder>,
    ) -> Result<(), LoadError> {
        for (refusal, state) in (1..).zip(&board.refusals) {
            let Some(text) = read_text(ledger.store(), number, state.position)? else {
                continue;
            };
            let vector = vectors(ledger, embedder, &[&text.content])?.pop().flatten();
            let known = known_of(&text, vector, &self.vocabulary);
            let refusal = pawl_ledger::id::RefusalId(refusal);
            self.learn_refusal(&state.principal, refusal, Arc::new(known));
        }
        Ok(())
    }
}

/// Says whether most rows of a board would be read in vain.
fn is_sparse(wanted: usize, board: &Board) -> bool {
    let wanted = u64::try_from(wanted).unwrap_or(u64::MAX);
    wanted.saturating_mul(SPARSE_SHARE) < board.position().0
}

/// Reads the text of one submission, whatever became of it; none where its words are gone.
pub fn read_known(
    ledger: &Ledger,
    number: BoardNumber,
    position: Position,
    embedder: Option<&Embedder>,
    vocabulary: &Vocabulary,
) -> Result<Option<Known>, LoadError> {
    let Some(text) = read_text(ledger.store(), number, position)? else {
        return Ok(None);
    };
    let vector = vectors(ledger, embedder, &[&text.content])?.pop().flatten();
    Ok(Some(known_of(&text, vector, vocabulary)))
}

/// Reads the texts of revisions by the positions of their entries, whatever has become of them, and
/// parses them; those whose words are gone are left out.
pub fn texts_at(
    ledger: &Ledger,
    number: BoardNumber,
    embedder: Option<&Embedder>,
    vocabulary: &Vocabulary,
    positions: &[(RevisionId, Position)],
) -> Result<Vec<(RevisionId, Arc<Known>)>, LoadError> {
    let mut found = Vec::new();
    for (id, position) in positions {
        if let Some(text) = read_text(ledger.store(), number, *position)? {
            found.push((*id, text));
        }
    }
    let contents: Vec<&str> = found.iter().map(|(_, it)| it.content.as_str()).collect();
    let vectors = vectors(ledger, embedder, &contents)?;
    let known = found.iter().zip(vectors).map(|((id, text), vector)| {
        let known = known_of(text, vector, vocabulary);
        (*id, Arc::new(known))
    });
    Ok(known.collect())
}

/// Parses a text that was read.
pub(super) fn known_of(text: &Text, vector: Option<Vector>, vocabulary: &Vocabulary) -> Known {
    let claim = text
        .words
        .claim
        .as_ref()
        .and_then(|claim| claims::from_wire(claim).ok());
    let subject = Subject {
        content: &text.content,
        claim: claim.as_ref(),
        entities: &text.words.entities,
        valid_from: &text.words.valid_from,
        valid_to: &text.words.valid_to,
    };
    Known::new(subject, vector, vocabulary)
}

/// Reads what a submission says by the position of its entry; none where its words are gone.
pub fn content_at(
    ledger: &Ledger,
    number: BoardNumber,
    position: Position,
) -> Result<Option<String>, LoadError> {
    let text = read_text(ledger.store(), number, position)?;
    Ok(text.map(|text| text.content))
}

/// Reads the words of a submission, or of a refused one, by its entry.
pub(super) fn read_text(
    store: &dyn Store,
    number: BoardNumber,
    position: Position,
) -> Result<Option<Text>, LoadError> {
    let Some(bytes) = store.get(&keys::entry(number, position))? else {
        return Ok(None);
    };
    let (content, words) = match decode(&bytes)?.event {
        Event::Submitted(submitted) => (submitted.content, submitted.words),
        Event::Refused { content, .. } => (content, None),
        _ => return Ok(None),
    };
    let read = |commitment: Commitment| {
        let stored = store.get(&keys::words(number, position, commitment))?;
        Ok::<_, StoreError>(stored.as_deref().and_then(Words::from_stored))
    };
    let Some(content) = read(content)? else {
        return Ok(None);
    };
    let words = words.map(read).transpose()?.flatten();
    let words = words.and_then(|words| proto::SubmissionWords::decode(words.bytes()).ok());
    Ok(Some(Text {
        content: String::from_utf8_lossy(content.bytes()).into_owned(),
        words: words.unwrap_or_default(),
    }))
}

/// Finds the vectors of texts in the store, and makes those that are not there.
pub fn vectors(
    ledger: &Ledger,
    embedder: Option<&Embedder>,
    texts: &[&str],
) -> Result<Vec<Option<Vector>>, LoadError> {
    let Some(embedder) = embedder else {
        return Ok(vec![None; texts.len()]);
    };
    let mut found = Vec::with_capacity(texts.len());
    for text in texts {
        let stored = ledger.store().get(&vector_key(embedder, text))?;
        found.push(stored.and_then(|bytes| Vector::from_bytes(&bytes).ok()));
    }
    let missing: Vec<&str> = texts
        .iter()
        .zip(&found)
        .filter(|(_, vector)| vector.is_none())
        .map(|(text, _)| *text)
        .collect();
    let mut made = embedder.embed(&missing)?.into_iter();
    for vector in found.iter_mut().filter(|vector| vector.is_none()) {
        *vector = made.next();
    }
    Ok(found)
}

/// Where the vector of a text under a model is kept.
pub fn vector_key(embedder: &Embedder, text: &str) -> Vec<u8> {
    keys::vector(embedder.model_digest(), Digest::of(text.as_bytes()).0)
}
