//! Building what the checker knows of a board from its log and the words beside it.

use std::sync::Arc;

use pawl_checker::{
    embedder::{Embedder, EmbedderError},
    vector::Vector,
    vocabulary::Vocabulary,
};
use pawl_ledger::{
    board::Board,
    digest::{Commitment, Digest, Words},
    event::Event,
    id::{Position, RevisionId},
    ledger::{Ledger, OpenBoard},
    log::{DecodeError, decode},
    status::Status,
    store::{
        Store, StoreError,
        keys::{self, BoardNumber},
    },
};
use pawl_proto::v1 as proto;
use prost::Message;

use super::{Judge, Known, Parsed, Subject, texts::Texts, vocabulary};
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

/// How many texts are embedded together while a board is opened.
const EMBEDDED_TOGETHER: usize = 256;

/// The words of one submission.
pub(super) struct Text {
    pub(super) content: String,
    words: proto::SubmissionWords,
}

impl Judge {
    /// Reads every text of a board that stands or waits, and keeps what finds it again. Vectors come
    /// from the store; texts that have none there under this model are embedded.
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
        let wanted: Vec<RevisionId> = board
            .revisions()
            .filter(|(_, state)| state.status.stands() || state.status == Status::Contested)
            .map(|(id, _)| id)
            .collect();
        for ids in wanted.chunks(EMBEDDED_TOGETHER) {
            judge.load_some(ledger, number, board, embedder, ids)?;
        }
        judge.load_refusals(ledger, number, board, embedder)?;
        judge.load_tables(ledger, number, board)?;
        judge.load_authorities(ledger, number, board)?;
        Ok(judge)
    }

    fn load_some(
        &mut self,
        ledger: &Ledger,
        number: BoardNumber,
        board: &Board,
        embedder: Option<&Embedder>,
        ids: &[RevisionId],
    ) -> Result<(), LoadError> {
        let positions: Vec<(RevisionId, Position)> = ids
            .iter()
            .filter_map(|id| Some((*id, board.revision(*id)?.position)))
            .collect();
        for (id, known) in texts_at(ledger, number, embedder, &self.vocabulary, &positions)? {
            if let Some(state) = board.revision(id) {
                self.texts.place(id, state.position);
                self.index_text(id, state, &known);
            }
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
