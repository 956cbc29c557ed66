//! A board as of any log position: folded from its log, from the nearest state at hand.
//!
//! A fold takes some milliseconds for each thousand entries. The last few states are kept, so that the
//! pages of one list, and a reader who goes through a history step by step, fold little.

use std::{collections::VecDeque, sync::Arc};

use parking_lot::Mutex;
use pawl_ledger::{
    board::Board,
    decide::{Denied, Reason},
    id::Position,
    store::keys::BoardNumber,
};
use tokio::sync::Semaphore;

use super::{
    App,
    boards::{LiveBoard, require_reader},
    error::AppError,
};
use crate::auth::Caller;

/// How many earlier states are kept; each takes about as much memory as the board itself did then.
const STATES: usize = 4;
/// How many folds run at once; more wait, within the time limit of their call.
const FOLDS: usize = 2;

/// Earlier states of boards, the last asked for first.
pub(super) struct Earlier {
    states: Mutex<VecDeque<(BoardNumber, Arc<Board>)>>,
    folds: Arc<Semaphore>,
}

impl Default for Earlier {
    fn default() -> Self {
        Self {
            states: Mutex::default(),
            folds: Arc::new(Semaphore::new(FOLDS)),
        }
    }
}

impl Earlier {
    fn exactly(&self, number: BoardNumber, at: Position) -> Option<Arc<Board>> {
        let mut states = self.states.lock();
        let place = states
            .iter()
            .position(|(of, state)| *of == number && state.position() == at)?;
        let found = states.remove(place)?;
        states.push_front(found.clone());
        Some(found.1)
    }

    fn nearest(&self, number: BoardNumber, at: Position) -> Option<Arc<Board>> {
        let states = self.states.lock();
        let before = states
            .iter()
            .filter(|(of, state)| *of == number && state.position() < at);
        before
            .max_by_key(|(_, state)| state.position())
            .map(|(_, state)| state.clone())
    }

    fn keep(&self, number: BoardNumber, state: Arc<Board>) {
        let mut states = self.states.lock();
        states.push_front((number, state));
        states.truncate(STATES);
    }
}

impl App {
    /// Answers from a board's state after its first `as_of` entries; from the present where none is
    /// given. Who may read the board now may read what it was.
    pub async fn read_as_of<T>(
        self: &Arc<Self>,
        live: &Arc<LiveBoard>,
        caller: &Caller,
        as_of: Option<u64>,
        view: impl FnOnce(&Board) -> Result<T, AppError>,
    ) -> Result<T, AppError> {
        let Some(as_of) = as_of.map(Position) else {
            return self.read(live, caller, view).await;
        };
        // The view is called once: under the lock where the present is asked for, else on the fold.
        let mut view = Some(view);
        let present = {
            let board = live.open.state.read();
            require_reader(&board, caller)?;
            check(as_of, board.position())?;
            let view = (as_of == board.position()).then(|| view.take()).flatten();
            view.map(|view| view(&board))
        };
        // What is answered from has to be durable, and what is folded has to be in the store.
        live.open.settled(as_of).await?;
        match (present, view) {
            (Some(answer), _) => answer,
            (None, Some(view)) => view(&*self.earlier_state(live, as_of).await?),
            (None, None) => Err(AppError::Internal("an earlier state was not read".into())),
        }
    }

    async fn earlier_state(
        self: &Arc<Self>,
        live: &Arc<LiveBoard>,
        at: Position,
    ) -> Result<Arc<Board>, AppError> {
        let number = live.open.number;
        if let Some(state) = self.earlier.exactly(number, at) {
            return Ok(state);
        }
        let place = self.earlier.folds.clone().acquire_owned().await;
        let place = place.map_err(|_| AppError::Internal("folds have ended".into()))?;
        // Whoever waited may have waited for just this one.
        if let Some(state) = self.earlier.exactly(number, at) {
            return Ok(state);
        }
        let (app, live) = (self.clone(), live.clone());
        let fold = move || {
            let near = app.earlier.nearest(number, at);
            let state = app.ledger.as_of(number, &live.name, near.as_deref(), at)?;
            let state = Arc::new(state);
            app.earlier.keep(number, state.clone());
            drop(place);
            Ok(state)
        };
        tokio::task::spawn_blocking(fold)
            .await
            .map_err(|error| AppError::Internal(format!("a board was not folded: {error}")))?
    }
}

fn check(as_of: Position, position: Position) -> Result<(), Denied> {
    if as_of.0 == 0 {
        let message = "field `as_of` is 0, before the board was created; count entries from 1";
        return Err(Denied::new(Reason::FieldInvalid, message)
            .with("field", "as_of")
            .with("value", as_of));
    }
    if as_of > position {
        return Err(Denied::new(
            Reason::BaseInFuture,
            format!("`as_of` {as_of} is ahead of the log, which has {position} entries"),
        )
        .with("as_of", as_of)
        .with("position", position));
    }
    Ok(())
}
