//! Rollbacks: checked like an amendment, each revision that is locked again against all that stands
//! elsewhere by then.

use std::{collections::BTreeMap, sync::Arc};

use pawl_checker::vocabulary::Vocabulary;
use pawl_ledger::{
    board::Board,
    command::{Command, PairFinding},
    decide::{RollbackPlan, decide, rollback_plan},
    digest::{Commitment, Digest, Words},
    event::{Citation, Event},
    id::{ModuleName, RevisionId},
    ledger::Transaction,
    status::{Role, Status},
};
use prost::Message;

use super::{
    App,
    boards::{LiveBoard, Repeat},
    error::AppError,
    judge::{self, Judge, Known, LoadError},
    settling,
    submission::{blocking, compare},
};
use crate::auth::Caller;

/// What is asked for.
#[derive(Debug)]
pub struct Rollback {
    /// The module.
    pub module: ModuleName,
    /// The snapshot of it.
    pub to: Digest,
    /// Why.
    pub reason: Commitment,
    /// What that rests on.
    pub evidence: Vec<Citation>,
    /// The words of both.
    pub words: BTreeMap<Commitment, Words>,
}

/// What a rollback changed, or would change.
#[derive(Debug)]
pub struct RolledBack {
    /// The snapshot it made; none where nothing was written.
    pub snapshot: Option<Digest>,
    /// What leaves force, what is locked again, what that means for what rests on them.
    pub plan: RollbackPlan,
    /// What stood unlocked and waits in quarantine now.
    pub contested: Vec<RevisionId>,
}

/// The texts of what may be locked again, and what they were understood by.
struct Texts {
    known: BTreeMap<RevisionId, Arc<Known>>,
    vocabulary: Arc<Vocabulary>,
}

impl App {
    /// Takes a module back to an earlier snapshot.
    pub async fn rollback<A: Message + Default>(
        self: &Arc<Self>,
        live: &Arc<LiveBoard>,
        caller: &Caller,
        repeat: Option<Repeat>,
        rollback: Rollback,
        answer: impl FnOnce(&Board, &RolledBack) -> Result<A, AppError>,
    ) -> Result<A, AppError> {
        let texts = self.texts_of(live, caller, &rollback.to).await?;
        let done = self.execute(live, caller, repeat, |transaction| {
            let done = self.write_rollback(transaction, live, texts, &rollback)?;
            answer(transaction.board(), &done)
        });
        Ok(done.await?.answer)
    }

    /// Says what a rollback would change, and writes nothing.
    pub async fn plan_rollback(
        self: &Arc<Self>,
        live: &Arc<LiveBoard>,
        caller: &Caller,
        rollback: Rollback,
    ) -> Result<RolledBack, AppError> {
        let mut texts = self.texts_of(live, caller, &rollback.to).await?;
        let context = caller.context();
        self.read(live, caller, |board| {
            let judge = live.judge.read();
            let plan = rollback_plan(board, &context, &rollback.module, &rollback.to)?;
            self.complete(live, board, &judge, &plan, &mut texts)?;
            decide(board, &context, &rollback.command(&judge, &plan, &texts)?)?;
            let mut contested: Vec<RevisionId> = Vec::new();
            for (id, text) in &texts.known {
                let found = settling::would_displace(board, &judge, *id, text)?;
                contested.extend(found.into_iter().map(|(challenger, ..)| challenger));
            }
            contested.sort_unstable();
            contested.dedup();
            Ok(RolledBack {
                snapshot: None,
                plan,
                contested,
            })
        })
        .await
    }

    /// Reads what a snapshot holds and the judge has forgotten, before the board is held.
    async fn texts_of(
        self: &Arc<Self>,
        live: &Arc<LiveBoard>,
        caller: &Caller,
        to: &Digest,
    ) -> Result<Texts, AppError> {
        let (positions, vocabulary) = {
            let board = live.open.state.read();
            let judge = live.judge.read();
            let vocabulary = judge.vocabulary.clone();
            // Nobody else is let through later.
            let may = board.has_role(&caller.principal, Role::Arbiter);
            let node = board.snapshots.get(to).filter(|_| may);
            let members = node.map(|it| it.members.as_slice()).unwrap_or_default();
            let gone = members.iter().filter(|id| !judge.holds(**id));
            let positions = gone.filter_map(|id| Some((*id, board.revision(*id)?.position)));
            (positions.collect::<Vec<_>>(), vocabulary)
        };
        let (app, number) = (self.clone(), live.open.number);
        blocking(move || {
            let embedder = app.embedder.as_ref();
            let known = judge::texts_at(&app.ledger, number, embedder, &vocabulary, &positions)?;
            Ok(Texts {
                known: known.into_iter().collect(),
                vocabulary,
            })
        })
        .await
    }

    /// Keeps the texts of what a rollback locks again, and reads what is missing because the board
    /// changed since they were read.
    fn complete(
        &self,
        live: &LiveBoard,
        board: &Board,
        judge: &Judge,
        plan: &RollbackPlan,
        texts: &mut Texts,
    ) -> Result<(), AppError> {
        let back = &plan.exchange.reinstated;
        texts.known.retain(|id, _| back.binary_search(id).is_ok());
        if !Arc::ptr_eq(&texts.vocabulary, &judge.vocabulary) {
            texts.known.clear();
        }
        let missing = back.iter().filter(|id| !texts.known.contains_key(id));
        let missing = missing.filter_map(|id| Some((*id, board.revision(*id)?.position)));
        texts.known.extend(judge::texts_at(
            &self.ledger,
            live.open.number,
            self.embedder.as_ref(),
            &judge.vocabulary,
            &missing.collect::<Vec<_>>(),
        )?);
        Ok(())
    }

    fn write_rollback(
        &self,
        transaction: &mut Transaction<'_>,
        live: &LiveBoard,
        mut texts: Texts,
        rollback: &Rollback,
    ) -> Result<RolledBack, AppError> {
        let mut judge = live.judge.write();
        let board = transaction.board();
        let since = board.position();
        let plan = rollback_plan(board, transaction.context(), &rollback.module, &rollback.to)?;
        self.complete(live, board, &judge, &plan, &mut texts)?;
        let command = rollback.command(&judge, &plan, &texts)?;
        let events = decide(board, transaction.context(), &command)?;
        let applied = transaction.apply(events, &rollback.words)?;
        let snapshot = applied.iter().find_map(|recorded| match &recorded.event {
            Event::SnapshotTaken { id, .. } => Some(*id),
            _ => None,
        });
        for (id, text) in texts.known {
            judge.learn(transaction, id, text);
        }
        settling::follow(transaction, &mut judge, since)?;
        let board = transaction.board();
        let waits = |id: &RevisionId| {
            let state = board.revision(*id);
            state.is_some_and(|it| it.status == Status::Contested && it.current_since < since)
        };
        let changed = board.changed_since(since).unwrap_or_default();
        Ok(RolledBack {
            snapshot,
            plan,
            contested: changed.into_iter().filter(waits).collect(),
        })
    }
}

impl Rollback {
    /// The command, with what the checker says of what would be locked again.
    fn command(
        &self,
        judge: &Judge,
        plan: &RollbackPlan,
        texts: &Texts,
    ) -> Result<Command, LoadError> {
        let ends = |id: &RevisionId| plan.exchange.ended.binary_search(id).is_ok();
        let mut findings = Vec::new();
        for (id, text) in &texts.known {
            for (other, standing) in judge.likely(text)? {
                if ends(&other) {
                    continue;
                }
                let compared = compare(&judge.vocabulary, text, &standing);
                findings.extend(compared.findings.iter().map(|(kind, score)| {
                    let finding = PairFinding {
                        standing: other,
                        kind: *kind,
                        score: *score,
                    };
                    (*id, finding)
                }));
            }
        }
        Ok(Command::Rollback {
            module: self.module.clone(),
            to: self.to,
            reason: self.reason,
            evidence: self.evidence.clone(),
            findings,
        })
    }
}
