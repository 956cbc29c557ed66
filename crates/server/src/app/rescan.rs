//! Standing facts compared with all that stands, anew: after attributes, thresholds or the checker
//! changed. Facts are taken some at a time; they are compared outside the board's lock, and what was
//! found is looked at again under it.

mod pairs;

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

use pawl_checker::compare::{Judgement, VERSION};
use pawl_ledger::{
    board::Board,
    command::Command,
    decide::{decide, seal_report},
    digest::Digest,
    event::{Challenger, Event, Recorded, Rescan},
    id::{ConflictId, ModuleName, Position, RevisionId},
    ledger::Transaction,
};

use self::pairs::{Found, contradiction, distinct, find, pairs_of, still};
use super::{
    App, LiveBoard,
    boards::{apply, require_reader},
    error::AppError,
    judge::Judge,
    submission::blocking,
};
use crate::auth::Caller;

/// How many facts are compared before what was found is written.
const FACTS_TOGETHER: usize = 64;
/// How many facts of a module are compared under the lock, before it seals itself.
const MOST_BEFORE_AUTOMATIC: usize = 1_000;

/// A comparison on its way.
pub struct Scan {
    module: Option<ModuleName>,
    validate_only: bool,
    from: Position,
    waiting: VecDeque<RevisionId>,
    /// The facts there are to compare.
    pub total: usize,
    /// The facts that were compared.
    pub facts: usize,
    /// The comparisons made.
    pub compared: u64,
    /// The conflicts that were opened, or would be.
    pub opened: u32,
    /// Every fact was compared.
    pub done: bool,
    told: BTreeSet<(RevisionId, RevisionId)>,
}

/// Two standing facts that contradict each other.
#[derive(Debug)]
pub struct Contradiction {
    /// The conflict that was opened; none where nothing is written.
    pub conflict: Option<ConflictId>,
    /// The later fact, or the one that is not locked.
    pub challenger: RevisionId,
    /// What it says.
    pub challenger_content: String,
    /// The other.
    pub standing: RevisionId,
    /// What it says.
    pub standing_content: String,
    /// What was found.
    pub judgement: Judgement,
}

impl App {
    /// Begins a comparison of the facts of a module, or of all.
    pub fn begin_rescan(
        &self,
        live: &LiveBoard,
        caller: &Caller,
        module: Option<ModuleName>,
        validate_only: bool,
    ) -> Result<Scan, AppError> {
        let board = live.open.state.read();
        require_reader(&board, caller)?;
        let trial = Command::Rescan {
            module: module.clone(),
            found: Vec::new(),
            done: None,
        };
        decide(&board, &caller.context(), &trial)?;
        let waiting = facts(&board, module.as_ref());
        Ok(Scan {
            module,
            validate_only,
            from: board.position(),
            total: waiting.len(),
            waiting,
            facts: 0,
            compared: 0,
            opened: 0,
            done: false,
            told: BTreeSet::new(),
        })
    }

    /// Compares the next facts, and opens what conflicts are new. After the last ones the comparison
    /// is recorded.
    pub async fn rescan_some(
        &self,
        live: &Arc<LiveBoard>,
        caller: &Caller,
        scan: &mut Scan,
    ) -> Result<Vec<Contradiction>, AppError> {
        let count = FACTS_TOGETHER.min(scan.waiting.len());
        let some: Vec<RevisionId> = scan.waiting.drain(..count).collect();
        scan.facts += some.len();
        let board = live.clone();
        let (found, compared) = blocking(move || Ok(find(&board, &some)?)).await?;
        scan.compared += compared;
        let contradictions = match scan.validate_only {
            true => scan.only_told(found),
            false => self.open_found(live, caller, scan, found).await?,
        };
        scan.opened += u32::try_from(contradictions.len()).unwrap_or(u32::MAX);
        if scan.waiting.is_empty() {
            self.end_rescan(live, caller, scan).await?;
            scan.done = true;
        }
        Ok(contradictions)
    }

    /// Compares a module to the end, before it is sealed.
    pub async fn rescan_module(
        &self,
        live: &Arc<LiveBoard>,
        caller: &Caller,
        module: &ModuleName,
    ) -> Result<(), AppError> {
        let mut scan = self.begin_rescan(live, caller, Some(module.clone()), false)?;
        while !scan.done {
            self.rescan_some(live, caller, &mut scan).await?;
        }
        Ok(())
    }

    async fn open_found(
        &self,
        live: &Arc<LiveBoard>,
        caller: &Caller,
        scan: &Scan,
        found: Vec<Found>,
    ) -> Result<Vec<Contradiction>, AppError> {
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let module = scan.module.clone();
        let mut kept = Vec::new();
        let done = self.execute::<()>(live, caller, None, |transaction| {
            let judge = live.judge.read();
            kept = still(&judge, transaction.board(), found)?;
            open(transaction, module, &kept, None).map(|_| ())
        });
        let events = done.await?.events;
        Ok(opened(&events, kept))
    }

    async fn end_rescan(
        &self,
        live: &Arc<LiveBoard>,
        caller: &Caller,
        scan: &Scan,
    ) -> Result<(), AppError> {
        if scan.validate_only {
            return Ok(());
        }
        self.execute::<()>(live, caller, None, |transaction| {
            let judge = live.judge.read();
            let end = record(
                &judge,
                scan.module.clone(),
                scan.from,
                scan.compared,
                scan.opened,
            );
            open(transaction, scan.module.clone(), &[], Some(end)).map(|_| ())
        })
        .await?;
        Ok(())
    }
}

impl Scan {
    fn only_told(&mut self, found: Vec<Found>) -> Vec<Contradiction> {
        let new = found
            .into_iter()
            .filter(|it| self.told.insert(it.pair.sides));
        new.map(|it| told(it, None)).collect()
    }
}

/// Compares the facts of modules that would seal themselves, were they compared by the rules in
/// force. Under the lock, so that the seal follows at once; a large module waits for a rescan.
pub fn before_automatic_seals(
    transaction: &mut Transaction<'_>,
    judge: &Judge,
) -> Result<(), AppError> {
    let due: Vec<ModuleName> = {
        let (board, now) = (transaction.board(), transaction.context().now);
        let stale = board.modules.iter().filter(|(_, module)| {
            module.declaration.policy.automatic.is_some()
                && module.compared <= board.comparing_changed
                && board.comparing_changed > Position(0)
                && module.standing.len() <= MOST_BEFORE_AUTOMATIC
        });
        stale
            .filter(|(name, _)| {
                let report = seal_report(board, name, None, now);
                report.is_some_and(|it| {
                    matches!(it.failed.as_slice(), [(condition, _)] if *condition == "not_compared")
                })
            })
            .map(|(name, _)| name.clone())
            .collect()
    };
    for module in due {
        let board = transaction.board();
        let (mut found, mut compared) = (Vec::new(), 0);
        for id in facts(board, Some(&module)) {
            for pair in pairs_of(board, judge, id)? {
                compared += 1;
                found.extend(contradiction(
                    &judge.vocabulary,
                    pair,
                    board.policy.conflict,
                ));
            }
        }
        let found = distinct(found);
        let count = u32::try_from(found.len()).unwrap_or(u32::MAX);
        let end = record(
            judge,
            Some(module.clone()),
            board.position(),
            compared,
            count,
        );
        open(transaction, Some(module), &found, Some(end))?;
    }
    Ok(())
}

fn facts(board: &Board, module: Option<&ModuleName>) -> VecDeque<RevisionId> {
    let modules = board.modules.iter();
    let modules = modules.filter(|(name, _)| module.is_none_or(|only| only == *name));
    modules
        .flat_map(|(_, state)| state.standing.iter().copied())
        .collect()
}

fn record(
    judge: &Judge,
    module: Option<ModuleName>,
    from: Position,
    compared: u64,
    opened: u32,
) -> Rescan {
    Rescan {
        module,
        from,
        checker: VERSION.to_owned(),
        vocabulary: Digest(judge.vocabulary.digest()),
        model: judge.model,
        compared,
        opened,
    }
}

fn open(
    transaction: &mut Transaction<'_>,
    module: Option<ModuleName>,
    found: &[Found],
    done: Option<Rescan>,
) -> Result<Vec<Recorded>, AppError> {
    let found = found.iter().map(|it| it.pair).collect();
    let command = Command::Rescan {
        module,
        found,
        done,
    };
    apply(transaction, &command, [])
}

/// The conflicts that were opened, with what was found.
fn opened(events: &[Recorded], found: Vec<Found>) -> Vec<Contradiction> {
    let conflicts: BTreeMap<(RevisionId, RevisionId), ConflictId> = events
        .iter()
        .filter_map(|recorded| match recorded.event {
            Event::ConflictOpened {
                conflict,
                challenger: Challenger::Revision(challenger),
                standing: Some(standing),
                rescan: true,
                ..
            } => Some(((challenger, standing), conflict)),
            _ => None,
        })
        .collect();
    found
        .into_iter()
        .filter_map(|it| {
            let conflict = conflicts.get(&it.pair.sides).copied()?;
            Some(told(it, Some(conflict)))
        })
        .collect()
}

fn told(found: Found, conflict: Option<ConflictId>) -> Contradiction {
    let (challenger, standing) = found.pair.sides;
    Contradiction {
        conflict,
        challenger,
        challenger_content: found.texts.0.statement.content().to_owned(),
        standing,
        standing_content: found.texts.1.statement.content().to_owned(),
        judgement: found.judgement,
    }
}
