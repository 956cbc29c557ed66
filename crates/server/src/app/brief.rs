//! The locked facts an agent is given to work from: which ones, in what order, within how many
//! tokens. Board text is data: each fact is one JSON line, so that none can pose as an instruction.

mod text;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use pawl_checker::vector::Vector;
use pawl_ledger::{
    board::Board,
    decide::{Denied, Reason},
    digest::Digest,
    id::{ConflictId, FlagId, ModuleName, PhaseName, Position, RevisionId},
    status::Status,
};

pub use text::{BriefText, FactLine, MarkLine, TOKENIZER, Written, write};

use super::{
    App,
    boards::{LiveBoard, check_modules},
    error::AppError,
    judge::{self, Judge, Known, Subject},
};

/// What a brief is asked for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The modules; those they depend on come with them. Empty: all.
    pub modules: Vec<ModuleName>,
    /// What the agent is about to do.
    pub task: String,
    /// Only what changed since this position.
    pub since: Option<Position>,
}

/// What belongs into a brief, before it is written.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The facts, the most relevant first.
    pub facts: Vec<RevisionId>,
    /// What was locked at the position asked for and is no more.
    pub gone: Vec<RevisionId>,
    /// Conflicts that wait.
    pub conflicts: Vec<ConflictId>,
    /// Flags that wait.
    pub flags: Vec<FlagId>,
    /// The current snapshots.
    pub snapshots: BTreeMap<ModuleName, Digest>,
    /// The mounted reference tables, with how many rows each has.
    pub tables: BTreeMap<ModuleName, u32>,
    /// The log's size.
    pub position: Position,
    /// The phase the board is in.
    pub phase: Option<PhaseName>,
}

impl App {
    /// Parses and embeds a task, so that facts can be ranked by it.
    pub async fn task(
        self: &Arc<Self>,
        live: &Arc<LiveBoard>,
        task: &str,
    ) -> Result<Option<Known>, AppError> {
        if task.is_empty() {
            return Ok(None);
        }
        let (app, task) = (self.clone(), task.to_owned());
        let vocabulary = live.judge.read().vocabulary.clone();
        let work = move || {
            let vectors = judge::vectors(&app.ledger, app.embedder.as_ref(), &[&task])?;
            let vector: Option<Vector> = vectors.into_iter().next().flatten();
            let subject = Subject {
                content: &task,
                claim: None,
                entities: &[],
                valid_from: "",
                valid_to: "",
            };
            Ok(Some(Known::new(subject, vector, &vocabulary)))
        };
        tokio::task::spawn_blocking(work)
            .await
            .map_err(|error| AppError::Internal(format!("a task was not read: {error}")))?
    }
}

/// Chooses what belongs into a brief.
pub fn select(
    board: &Board,
    judge: &Judge,
    asked: &Asked,
    task: Option<&Known>,
) -> Result<Selection, AppError> {
    let modules = modules(board, asked)?;
    if let Some(since) = asked.since.filter(|since| *since > board.position()) {
        return Err(Denied::new(
            Reason::BaseInFuture,
            format!(
                "position {since} is ahead of the log, which has {} entries",
                board.position()
            ),
        )
        .with("since", since)
        .with("position", board.position())
        .into());
    }
    let locked: Vec<RevisionId> = modules
        .iter()
        .filter_map(|name| board.modules.get(name))
        .flat_map(|module| module.standing.iter().copied())
        .filter(|id| {
            board
                .revision(*id)
                .is_some_and(|state| state.status == Status::Locked)
        })
        .collect();
    let before = asked
        .since
        .map(|since| locked_before(board, &modules, since));
    let facts = match &before {
        None => locked.clone(),
        Some(before) => locked
            .iter()
            .copied()
            .filter(|id| !before.contains(id) || lost_a_support(board, *id, asked.since))
            .collect(),
    };
    let gone = before.unwrap_or_default();
    let in_modules = |id: &RevisionId| {
        board
            .revision(*id)
            .is_some_and(|state| modules.contains(&state.module))
    };
    Ok(Selection {
        facts: ranked(board, judge, facts, asked, task),
        gone: gone.into_iter().filter(|id| !locked.contains(id)).collect(),
        conflicts: board
            .open_conflicts()
            .filter(|(_, conflict)| conflict.standing.as_ref().is_some_and(in_modules))
            .map(|(id, _)| id)
            .collect(),
        flags: (1..)
            .map(FlagId)
            .zip(&board.flags)
            .filter(|(_, flag)| flag.closed.is_none() && in_modules(&flag.revision))
            .map(|(id, _)| id)
            .collect(),
        snapshots: modules
            .iter()
            .filter_map(|name| Some((name.clone(), board.modules.get(name)?.current?)))
            .collect(),
        tables: board
            .tables
            .iter()
            .filter_map(|(name, table)| Some((name.clone(), table.current()?.rows)))
            .collect(),
        position: board.position(),
        phase: board.phase.as_ref().map(|it| it.name.clone()),
    })
}

fn modules(board: &Board, asked: &Asked) -> Result<BTreeSet<ModuleName>, AppError> {
    check_modules(board, &asked.modules)?;
    Ok(if asked.modules.is_empty() {
        board.modules.keys().cloned().collect()
    } else {
        board.with_dependencies(&asked.modules)
    })
}

/// Says whether a support of it ended since a position: the fact stands, its ground does not.
fn lost_a_support(board: &Board, id: RevisionId, since: Option<Position>) -> bool {
    let ended = board
        .revision(id)
        .and_then(|state| board.revision(state.support_lost?)?.ended);
    ended.is_some_and(|ended| Some(ended) >= since)
}

/// What was locked in these modules before a position.
fn locked_before(
    board: &Board,
    modules: &BTreeSet<ModuleName>,
    since: Position,
) -> BTreeSet<RevisionId> {
    modules
        .iter()
        .filter_map(|name| {
            let before = board.snapshots.of_module(name);
            before.filter(|node| node.snapshot.position < since).last()
        })
        .flat_map(|node| node.members.iter().copied())
        .collect()
}

/// Puts the most relevant facts first: the nearest to the task in meaning, then by common terms;
/// without a task, those of the modules asked for before those they depend on, the oldest first.
fn ranked(
    board: &Board,
    judge: &Judge,
    mut facts: Vec<RevisionId>,
    asked: &Asked,
    task: Option<&Known>,
) -> Vec<RevisionId> {
    let like = task.map(|task| judge.likeness(task, facts.iter().copied()));
    let like: BTreeMap<RevisionId, (i16, usize)> = like
        .unwrap_or_default()
        .into_iter()
        .map(|it| (it.revision, (it.cosine.unwrap_or_default(), it.terms)))
        .collect();
    facts.sort_by_cached_key(|id| {
        let likeness = like.get(id).copied().unwrap_or_default();
        let state = board.revision(*id);
        let named = state.is_some_and(|state| asked.modules.contains(&state.module));
        (
            Reverse(likeness),
            Reverse(named),
            state.map(|state| state.position),
            *id,
        )
    });
    facts
}
