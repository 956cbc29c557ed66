//! What can be done before a board is looked at: quotes, parsing, embedding, commitments.

use std::{collections::BTreeMap, sync::Arc};

use pawl_checker::vocabulary::Vocabulary;
use pawl_ledger::{
    board::Board,
    claim::Claim,
    decide::{Denied, Reason},
    digest::{Commitment, Words},
    event::Citation,
    id::AttributeName,
};
use pawl_proto::v1 as proto;

use super::draft::Draft;
use crate::app::{
    self, App,
    authorities::Answer,
    boards::LiveBoard,
    claims,
    error::AppError,
    judge::{self, Known, Subject},
    sources::{Checked, CitationDraft},
};

/// A draft that is ready to be checked and decided.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) draft: Draft,
    pub(super) known: Arc<Known>,
    pub(super) content: Commitment,
    pub(super) submission_words: Option<Commitment>,
    pub(super) citations: Vec<Citation>,
    pub(super) attribute: Option<AttributeName>,
    pub(super) words: BTreeMap<Commitment, Words>,
    pub(super) warnings: Vec<String>,
    /// What authorities answered about its claim.
    pub(super) answers: Vec<Answer>,
}

impl Prepared {
    pub(super) fn content(&self) -> &str {
        &self.draft.content
    }

    /// Understands it under what a board has declared since.
    pub(super) fn understand(&mut self, board: &Board, vocabulary: &Vocabulary) {
        self.known = Arc::new(self.known.under(vocabulary));
        self.attribute = declared_attribute(board, vocabulary, self.draft.claim.as_ref());
    }
}

/// A draft with its citations looked up.
pub(super) type CitedDraft = (Draft, Cited);

/// Looks up the citations of every item; an item whose quotes do not stand is an error of its own.
pub(super) fn cite_all(
    app: &App,
    live: &LiveBoard,
    items: Vec<Result<Draft, Denied>>,
) -> Result<Vec<Result<CitedDraft, Denied>>, AppError> {
    let mut cited = Vec::with_capacity(items.len());
    for draft in items {
        cited.push(match draft {
            Err(denied) => Err(denied),
            Ok(draft) => match cite(app, live, &draft.citations) {
                Ok(found) => Ok((draft, found)),
                Err(AppError::Denied(denied)) => Err(denied),
                Err(failure) => return Err(failure),
            },
        });
    }
    Ok(cited)
}

/// Prepares every item.
pub(super) fn prepare(
    app: &App,
    live: &LiveBoard,
    cited: Vec<Result<CitedDraft, Denied>>,
    vocabulary: &Vocabulary,
) -> Result<Vec<Result<Prepared, Denied>>, AppError> {
    let texts: Vec<&str> = cited
        .iter()
        .flatten()
        .map(|(draft, _)| draft.content.as_str())
        .collect();
    let mut vectors = judge::vectors(&app.ledger, app.embedder.as_ref(), &texts)?.into_iter();
    let mut prepared = Vec::with_capacity(cited.len());
    for item in cited {
        let (draft, cited) = match item {
            Ok(item) => item,
            Err(denied) => {
                prepared.push(Err(denied));
                continue;
            }
        };
        let vector = vectors.next().flatten();
        let subject = Subject {
            content: &draft.content,
            claim: draft.claim.as_ref(),
            entities: &draft.entities,
            valid_from: &draft.valid_from,
            valid_to: &draft.valid_to,
        };
        let known = Arc::new(Known::new(subject, vector, vocabulary));
        prepared.push(Ok(commit(draft, known, cited, live, vocabulary)?));
    }
    Ok(prepared)
}

/// Citations, looked up.
#[derive(Debug, Default)]
pub(super) struct Cited {
    pub(super) citations: Vec<Citation>,
    pub(super) words: Vec<Words>,
    /// Why quotes could not be checked, and how many for this reason.
    unchecked: BTreeMap<String, usize>,
}

/// Looks citations up.
pub(super) fn cite(
    app: &App,
    live: &LiveBoard,
    drafts: &[CitationDraft],
) -> Result<Cited, AppError> {
    let mut cited = Cited::default();
    for (place, draft) in drafts.iter().enumerate() {
        let Checked {
            citation,
            words,
            unchecked,
        } = app.check_citation_here(live, draft)?;
        if let Some(reason) = unchecked {
            *cited.unchecked.entry(reason).or_default() += 1;
        }
        let twice = cited
            .words
            .iter()
            .zip(&cited.citations)
            .any(|(other, known)| {
                other.bytes() == words.bytes() && known.source == citation.source
            });
        if twice {
            return Err(Denied::new(
                Reason::FieldInvalid,
                format!("citation {place} is given twice; leave one out"),
            )
            .with("field", "citations")
            .into());
        }
        cited.citations.push(citation);
        cited.words.push(words);
    }
    Ok(cited)
}

fn commit(
    draft: Draft,
    known: Arc<Known>,
    cited: Cited,
    live: &LiveBoard,
    vocabulary: &Vocabulary,
) -> Result<Prepared, AppError> {
    let mut words = BTreeMap::new();
    for quote in cited.words {
        words.insert(quote.commitment(), quote);
    }
    let content = keep(&mut words, app::words(draft.content.as_bytes().to_vec())?);
    let submission = proto::SubmissionWords {
        rationale: draft.rationale.clone(),
        entities: draft.entities.clone(),
        tags: draft.tags.clone(),
        claim: draft.claim.as_ref().map(claims::to_wire),
        valid_from: draft.valid_from.clone(),
        valid_to: draft.valid_to.clone(),
    };
    let submission_words = if submission == proto::SubmissionWords::default() {
        None
    } else {
        Some(keep(&mut words, app::message_words(&submission)?))
    };
    let mut warnings = draft.warnings.clone();
    warnings.extend(cited.unchecked.iter().map(|(reason, count)| {
        format!("{count} quote(s) could not be checked and are marked unverified: {reason}")
    }));
    let attribute = {
        let board = live.open.state.read();
        declared_attribute(&board, vocabulary, draft.claim.as_ref())
    };
    Ok(Prepared {
        draft,
        known,
        content,
        submission_words,
        citations: cited.citations,
        attribute,
        words,
        warnings,
        answers: Vec::new(),
    })
}

/// The attribute of the board that a claim means, by its name or an alias.
fn declared_attribute(
    board: &Board,
    vocabulary: &Vocabulary,
    claim: Option<&Claim>,
) -> Option<AttributeName> {
    let name = vocabulary.declared_attribute(&claim?.attribute)?;
    let name: AttributeName = name.parse().ok()?;
    board.attributes.contains_key(&name).then_some(name)
}

/// Keeps words by their commitment.
pub(super) fn keep(kept: &mut BTreeMap<Commitment, Words>, words: Words) -> Commitment {
    let commitment = words.commitment();
    kept.insert(commitment, words);
    commitment
}
