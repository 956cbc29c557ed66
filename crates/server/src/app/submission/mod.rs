//! Submissions, from drafts to verdicts:
//! `draft ─▶ prepare (quotes, parse, embed) ─▶ check at position n ─▶ decide under the lock, with
//! what changed since n ─▶ commit ─▶ answer`.

mod amend;
mod check;
mod decide;
mod draft;
mod outcome;
mod prepare;
mod record;
mod references;
mod remedies;
mod rewording;

pub use amend::{Amended, Amendment};
pub(super) use check::compare;
pub use check::explain;
pub use draft::{Draft, SupportDraft};
pub use outcome::{ItemOutcome, Judged, ReportedFinding, Standing};
pub(super) use outcome::{contradicts, is_conflict};
pub use record::finding_to_wire;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use pawl_checker::vocabulary::Vocabulary;
use pawl_ledger::{
    board::Board,
    decide::{Decision, Denied, may_submit},
    digest::Commitment,
    event::Event,
    id::{Position, RevisionId},
    ledger::Transaction,
    status::{Status, Verdict},
};
use prost::Message;

use self::{
    check::{Checked, check},
    decide::{Asked, DecidedItem, decide_batch},
    prepare::{Prepared, cite_all, prepare},
    references::ask_authorities,
};
use super::{
    App,
    authorities::Answer,
    boards::{LiveBoard, Repeat},
    error::AppError,
    judge::{Judge, LoadError},
    settling,
};
use crate::auth::Caller;

/// How often a check is made anew because too much changed while it ran.
const MAX_CHECKS: usize = 3;
/// How many changes of the board are checked under its lock; with more the check is made anew.
const MAX_LATE_CHANGES: usize = 256;

/// A batch as it was asked for.
#[derive(Debug)]
pub struct Batch {
    /// The drafts; those that could not be read are errors already.
    pub items: Vec<Result<Draft, Denied>>,
    /// What its author had read up to; none: the present.
    pub base: Option<Position>,
    /// Write nothing unless every item is accepted.
    pub all_or_none: bool,
}

/// What became of a batch.
#[derive(Debug)]
pub struct BatchOutcome {
    /// One for each item.
    pub items: Vec<Result<ItemOutcome, Denied>>,
    /// The number of entries of the board after it.
    pub position: Position,
    /// Something was written.
    pub committed: bool,
}

/// Items on their way, those that failed with why.
type Items = Vec<Result<Prepared, Denied>>;

impl App {
    /// Checks a batch and writes what passes. `answer` makes what the caller is told, which is also
    /// what is kept for a repeated request.
    pub async fn submit<A: Message + Default + 'static>(
        self: &Arc<Self>,
        live: &Arc<LiveBoard>,
        caller: &Caller,
        repeat: Option<Repeat>,
        batch: Batch,
        answer: impl FnOnce(&BatchOutcome) -> A + Send + 'static,
    ) -> Result<A, AppError> {
        may_submit(&live.open.state.read(), &caller.context())?;
        if repeat.is_none() {
            self.may_write_now(live, &caller.principal)?;
        }
        let turn = self.turns.take(&caller.principal).await?;
        let (app, board, caller) = (self.clone(), live.clone(), caller.clone());
        // All of it on one thread: each change of threads costs more than parsing a text does.
        let (answer, receipt) = blocking(move || {
            let (mut prepared, checked) = app.prepare_and_check(&board, batch.items)?;
            let asked = Asked {
                base: batch.base,
                asking: false,
                refusals_left: None,
            };
            let (answer, mut receipt) = app.transact(&board, &caller, repeat, |transaction| {
                let (prepared, all_or_none) = (&mut prepared, batch.all_or_none);
                let outcome =
                    app.write(transaction, &board, prepared, &checked, &asked, all_or_none)?;
                app.metrics.judged(&outcome);
                Ok(answer(&outcome))
            })?;
            receipt.write_here();
            Ok((answer, receipt))
        })
        .await?;
        drop(turn);
        receipt.durable().await?;
        Ok(answer)
    }

    /// Gives the verdicts a batch would get, and writes nothing.
    pub async fn check(
        self: &Arc<Self>,
        live: &Arc<LiveBoard>,
        caller: &Caller,
        batch: Batch,
    ) -> Result<BatchOutcome, AppError> {
        let _turn = self.turns.take(&caller.principal).await?;
        let (app, board) = (self.clone(), live.clone());
        let (prepared, checked) =
            blocking(move || app.prepare_and_check(&board, batch.items)).await?;
        let context = caller.context();
        let asked = Asked {
            base: batch.base,
            asking: true,
            refusals_left: None,
        };
        self.read(live, caller, |board| {
            let judge = live.judge.read();
            let decided = decide_batch(board, &judge, &context, &prepared, &checked, &asked, self)?;
            Ok(BatchOutcome {
                items: outcome::outcomes(board, &judge, &decided, &prepared, false),
                position: board.position(),
                committed: false,
            })
        })
        .await
    }

    /// Prepares and checks a batch outside the board's lock; again where too much changed meanwhile.
    fn prepare_and_check(
        &self,
        live: &LiveBoard,
        items: Vec<Result<Draft, Denied>>,
    ) -> Result<(Items, Checked), AppError> {
        let cited = cite_all(self, live, items)?;
        let vocabulary = live.judge.read().vocabulary.clone();
        let mut prepared = prepare(self, live, cited, &vocabulary)?;
        ask_authorities(self, live, &vocabulary, &mut prepared);
        let mut checked = check(live, &prepared, vocabulary)?;
        for _ in 1..MAX_CHECKS {
            if !is_overtaken(live, &checked) {
                break;
            }
            let vocabulary = live.judge.read().vocabulary.clone();
            let board = live.open.state.read();
            understand(&mut prepared, &checked, &board, &vocabulary);
            drop(board);
            checked = check(live, &prepared, vocabulary)?;
        }
        Ok((prepared, checked))
    }

    fn write(
        &self,
        transaction: &mut Transaction<'_>,
        live: &LiveBoard,
        prepared: &mut [Result<Prepared, Denied>],
        checked: &Checked,
        asked: &Asked,
        all_or_none: bool,
    ) -> Result<BatchOutcome, AppError> {
        let mut judge = live.judge.write();
        let context = transaction.context().clone();
        let since = transaction.board().position();
        understand(prepared, checked, transaction.board(), &judge.vocabulary);
        let repeated = repeated_challengers(transaction.board(), &judge, prepared)?;
        settling::meet(transaction, &mut judge, &repeated)?;
        let board = transaction.board();
        let asked = Asked {
            refusals_left: Some(self.refusals_left(live, board, &context.principal)),
            ..*asked
        };
        let decided = decide_batch(board, &judge, &context, prepared, checked, &asked, self)?;
        let abandoned = all_or_none && !decided.iter().all(DecidedItem::is_accepted);
        let committed = !abandoned
            && decided
                .iter()
                .any(|item| item.decision.as_ref().is_ok_and(writes));
        if committed {
            self.write_batch(transaction, &decided, prepared)?;
            learn(transaction, &mut judge, &decided, prepared);
            settling::follow(transaction, &mut judge, since)?;
        }
        let board = transaction.board();
        Ok(BatchOutcome {
            items: outcome::outcomes(board, &judge, &decided, prepared, committed),
            position: board.position(),
            committed,
        })
    }

    fn write_batch(
        &self,
        transaction: &mut Transaction<'_>,
        decided: &[DecidedItem],
        prepared: &[Result<Prepared, Denied>],
    ) -> Result<(), AppError> {
        let mut events: Vec<Event> = Vec::new();
        let mut words = BTreeMap::new();
        for (item, prepared) in decided.iter().zip(prepared) {
            let (Ok(decision), Ok(prepared)) = (&item.decision, prepared) else {
                continue;
            };
            events.extend(decision.events.iter().cloned());
            words.extend(
                prepared
                    .words
                    .iter()
                    .map(|(key, words)| (*key, words.clone())),
            );
            words.extend(
                item.check
                    .iter()
                    .map(|words| (words.commitment(), words.clone())),
            );
            words.extend(
                prepared
                    .answers
                    .iter()
                    .map(|answer| (answer.words.commitment(), answer.words.clone())),
            );
            self.keep_vector(transaction, prepared);
        }
        transaction.apply(events, &words)?;
        Ok(())
    }

    /// Keeps the vector of a text in the same commit as the text.
    fn keep_vector(&self, transaction: &mut Transaction<'_>, prepared: &Prepared) {
        if let (Some(embedder), Some(vector)) = (&self.embedder, &prepared.known.vector) {
            let key = super::judge::vector_key(embedder, prepared.content());
            transaction.put(key, vector.as_bytes().to_vec());
        }
    }
}

/// Runs work that computes for long outside the threads that answer.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, AppError> + Send + 'static,
) -> Result<T, AppError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| AppError::Internal(format!("a check did not finish: {error}")))?
}

/// The revisions in quarantine that items of a batch say again: more sources may take them out of it.
fn repeated_challengers(
    board: &Board,
    judge: &Judge,
    prepared: &[Result<Prepared, Denied>],
) -> Result<BTreeSet<RevisionId>, LoadError> {
    let mut same = Vec::new();
    for item in prepared.iter().flatten() {
        same.extend(judge.same(&item.draft.module, &item.known)?);
    }
    let contested = |id: &RevisionId| {
        board
            .revision(*id)
            .is_some_and(|state| state.status == Status::Contested)
    };
    Ok(same.into_iter().filter(contested).collect())
}

/// Understands texts anew where an attribute was declared since they were checked.
fn understand(
    prepared: &mut [Result<Prepared, Denied>],
    checked: &Checked,
    board: &Board,
    vocabulary: &Arc<Vocabulary>,
) {
    if !Arc::ptr_eq(&checked.vocabulary, vocabulary) {
        for item in prepared.iter_mut().flatten() {
            item.understand(board, vocabulary);
        }
    }
}

/// Says whether more changed since a check than should be looked at under the lock.
fn is_overtaken(live: &LiveBoard, checked: &Checked) -> bool {
    let board = live.open.state.read();
    board.rules_changed >= checked.position
        || board
            .changed_since(checked.position)
            .is_none_or(|changed| changed.len() > MAX_LATE_CHANGES)
}

fn writes(decision: &Decision) -> bool {
    !decision.events.is_empty()
}

/// Remembers the texts that were stored or refused.
fn learn(
    transaction: &mut Transaction<'_>,
    judge: &mut Judge,
    decided: &[DecidedItem],
    prepared: &[Result<Prepared, Denied>],
) {
    for (item, prepared) in decided.iter().zip(prepared) {
        let (Ok(decision), Ok(prepared)) = (&item.decision, prepared) else {
            continue;
        };
        for event in &decision.events {
            if let Event::LookupRecorded { lookup, answer, .. } = event
                && let Some(used) = used(prepared, *answer)
            {
                judge.learn_answer(used, *lookup);
            }
        }
        match (decision.verdict, decision.revision) {
            (Verdict::Refused, _) => {
                let refusal = decision.events.iter().find_map(|event| match event {
                    Event::Refused { refusal, .. } => Some(*refusal),
                    _ => None,
                });
                if let Some(refusal) = refusal {
                    judge.learn_refusal(
                        &transaction.context().principal,
                        refusal,
                        prepared.known.clone(),
                    );
                }
            }
            (_, Some(revision)) if !decision.corroborated => {
                judge.learn(transaction, revision, prepared.known.clone());
            }
            _ => {}
        }
    }
}

/// The answer that is committed to.
fn used(prepared: &Prepared, answer: Commitment) -> Option<&Answer> {
    let mut answers = prepared.answers.iter();
    answers.find(|it| it.words.commitment() == answer)
}

/// A revision by an item's place in the batch.
type Stored = Vec<Option<RevisionId>>;
