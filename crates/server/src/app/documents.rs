//! Finished texts against a board and against themselves. Reads one moment, writes nothing.

mod against;
mod gather;

use std::{collections::BTreeSet, sync::Arc};

use pawl_checker::{
    compare::Thresholds,
    document::{Contradiction, Document, Read, ReadError, contradictions},
    quote::MediaType,
    vocabulary::Vocabulary,
};
use pawl_ledger::{
    board::Board,
    decide::{Denied, Reason},
    finding::Certainty,
    id::{ModuleName, Position, RevisionId},
    status::{Policy, Status},
};

use super::{
    App,
    boards::{LiveBoard, check_modules, require_reader},
    error::AppError,
    judge::{self, Known, Subject},
    stop::{Stop, stoppable},
    submission::ReportedFinding,
};
use crate::auth::Caller;

/// How many statements are embedded before it is looked whether somebody still waits.
const EMBEDDED_TOGETHER: usize = 64;

/// A text that was checked.
pub struct CheckedDocument {
    /// The number of entries the board had.
    pub position: Position,
    /// The text, read.
    pub document: Document,
    /// What is behind each of its passages, in their order.
    pub traced: Vec<TracedPassage>,
    /// Where the text contradicts itself.
    pub contradictions: Vec<Contradiction>,
    /// Meaning was compared too.
    pub with_model: bool,
}

/// How a statement stands to the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// It was laid beside no board.
    NotTraced,
    /// Each of its figures, or what it says, is borne out.
    Backed,
    /// Some of its figures are borne out.
    PartlyBacked,
    /// Nothing is behind it.
    #[default]
    Unbacked,
    /// It contradicts what stands.
    Contradicted,
    /// It says what a superseded revision said.
    Outdated,
    /// It says nothing that can be checked.
    NotAClaim,
}

/// What is behind one statement.
#[derive(Default)]
pub struct TracedPassage {
    /// How it stands to the board.
    pub standing: Standing,
    /// What bears it out, the strongest first.
    pub backing: Vec<BackedBy>,
    /// Figures that nothing bears out.
    pub bare_figures: Vec<String>,
    /// What it disagrees with, the surest first.
    pub findings: Vec<ReportedFinding>,
    /// The superseded revision it says, its content, and its successor.
    pub superseded: Option<(RevisionId, String, RevisionId)>,
    /// What its reader should know.
    pub notes: Vec<String>,
}

/// An assertion that bears a statement out.
pub struct BackedBy {
    /// Which.
    pub revision: RevisionId,
    /// Its content.
    pub content: String,
    /// Where it stands.
    pub status: Status,
    /// It says the same, word for word.
    pub is_same: bool,
    /// The share of the statement's words that are in it, in percent.
    pub coverage_percent: u8,
    /// How near the two are in meaning, if there is a model.
    pub cosine: Option<i16>,
    /// The figures it bears out, as written.
    pub figures: Vec<String>,
    /// An open conflict is about it.
    pub challenged: bool,
    /// Something it rests on no longer stands.
    pub support_lost: bool,
}

/// What of a board a text is laid beside, as of one position.
struct Moment {
    policy: Policy,
    modules: Option<BTreeSet<ModuleName>>,
    vocabulary: Arc<Vocabulary>,
}

impl App {
    /// Checks a text against a board and against itself.
    pub async fn check_document(
        self: &Arc<Self>,
        live: &Arc<LiveBoard>,
        caller: &Caller,
        (text, media_type): (String, MediaType),
        modules: &[ModuleName],
    ) -> Result<CheckedDocument, AppError> {
        let moment = {
            let board = live.open.state.read();
            require_reader(&board, caller)?;
            Moment {
                policy: board.policy,
                modules: asked_modules(&board, modules)?,
                vocabulary: live.judge.read().vocabulary.clone(),
            }
        };
        let _turn = self.turns.take(&caller.principal).await?;
        let (app, board) = (self.clone(), live.clone());
        let checked =
            stoppable(move |stop| check(&app, &board, (&text, &media_type), &moment, stop)).await?;
        live.open.settled(checked.position).await?;
        Ok(checked)
    }
}

fn asked_modules(
    board: &Board,
    modules: &[ModuleName],
) -> Result<Option<BTreeSet<ModuleName>>, AppError> {
    check_modules(board, modules)?;
    Ok((!modules.is_empty()).then(|| board.with_dependencies(modules)))
}

fn check(
    app: &App,
    live: &LiveBoard,
    (text, media_type): (&str, &MediaType),
    moment: &Moment,
    stop: &Stop,
) -> Result<CheckedDocument, AppError> {
    let vocabulary = &moment.vocabulary;
    let document = Document::read(text, media_type, vocabulary).map_err(|it| refused(&it))?;
    let known = known(app, &document, vocabulary, stop)?;
    let beside = gather::gather(live, &document, &known, moment.modules.as_ref(), stop)?;
    let tracer = against::Tracer {
        app,
        live,
        document: &document,
        beside: &beside,
        moment,
        stop,
    };
    let traced = tracer.trace_all(&known)?;
    let read: Vec<Read> = known
        .into_iter()
        .map(|it| Read {
            statement: it.statement,
            vector: it.vector,
        })
        .collect();
    let thresholds = Thresholds {
        conflict: moment.policy.conflict,
        note: moment.policy.note,
    };
    let mut contradictions = contradictions(&document, &read, thresholds, vocabulary, || {
        stop.check().is_err()
    });
    stop.check()?;
    contradictions.retain(|it| !is_held_by_board(it, &traced));
    Ok(CheckedDocument {
        position: beside.position,
        contradictions,
        document,
        traced,
        with_model: app.embedder.is_some(),
    })
}

/// Checks a text against itself only: without a board, its declarations and a model.
pub fn alone(text: &str, media_type: &str) -> Result<CheckedDocument, ReadError> {
    let vocabulary = Vocabulary::shipped();
    let document = Document::read(text, &MediaType::parse(media_type), &vocabulary)?;
    let read: Vec<Read> = document.parsed(&vocabulary);
    let traced = document.passages.iter().map(|passage| TracedPassage {
        standing: if passage.is_claim {
            Standing::NotTraced
        } else {
            Standing::NotAClaim
        },
        ..match passage.is_not_compared() {
            true => against::not_compared(passage),
            false => TracedPassage::default(),
        }
    });
    Ok(CheckedDocument {
        position: Position(0),
        traced: traced.collect(),
        contradictions: contradictions(
            &document,
            &read,
            Thresholds::default(),
            &vocabulary,
            || false,
        ),
        document,
        with_model: false,
    })
}

/// Whether the board bears out both sides of a scored contradiction: then the two can stand together.
fn is_held_by_board(found: &Contradiction, traced: &[TracedPassage]) -> bool {
    let backed = |place: usize| {
        traced
            .get(place)
            .is_some_and(|it| it.standing == Standing::Backed)
    };
    found.judgement.kind.certainty() == Certainty::Scored
        && backed(found.first)
        && backed(found.second)
}

/// Parses and embeds what is compared of each statement.
fn known(
    app: &App,
    document: &Document,
    vocabulary: &Vocabulary,
    stop: &Stop,
) -> Result<Vec<Known>, AppError> {
    let texts: Vec<&str> = document
        .passages
        .iter()
        .map(|passage| passage.compared.as_str())
        .collect();
    let mut vectors = Vec::with_capacity(texts.len());
    for some in texts.chunks(EMBEDDED_TOGETHER) {
        stop.check()?;
        vectors.extend(judge::vectors(&app.ledger, app.embedder.as_ref(), some)?);
    }
    let pairs = texts.into_iter().zip(vectors);
    Ok(pairs
        .map(|(content, vector)| {
            let subject = Subject {
                content,
                claim: None,
                entities: &[],
                valid_from: "",
                valid_to: "",
            };
            Known::new(subject, vector, vocabulary)
        })
        .collect())
}

fn refused(error: &ReadError) -> AppError {
    let denied = |reason, field| Denied::new(reason, error.to_string()).with("field", field);
    match error {
        ReadError::Unsupported(media_type) => {
            denied(Reason::FieldInvalid, "media_type").with("value", media_type)
        }
        ReadError::TooLong(bytes) => denied(Reason::FieldTooLong, "text")
            .with("bytes", bytes)
            .with("limit", pawl_checker::document::MAX_BYTES),
        ReadError::TooMany => denied(Reason::FieldTooLong, "text")
            .with("limit", pawl_checker::document::MAX_STATEMENTS),
    }
    .into()
}
