//! Automatic seals that only wait for time to pass: a module whose policy asks that nothing changed for
//! some seconds is looked at when these are over, though nothing else happens on its board.
//!
//! One timer for all boards, which waits for the earliest. After a start each board is folded once, one
//! after another, to find out what waits.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use pawl_ledger::{
    board::Board,
    command::Context,
    decide::{automatic_seals, seal_due},
    id::{BoardName, PrincipalName, Timestamp},
    ledger::Receipt,
};
use tokio::sync::Notify;

use super::{App, boards::LiveBoard, error::AppError, identity::SERVER_NAME, now};

/// How long the clock waits before it tries a board again that it could not seal.
const AGAIN_MS: u64 = 60_000;

/// When which board has to be looked at.
#[derive(Default)]
pub(super) struct SealClock {
    due: Mutex<Due>,
    changed: Notify,
}

/// The times by their boards, and the boards by their times.
#[derive(Default)]
struct Due {
    by_board: BTreeMap<BoardName, Timestamp>,
    by_time: BTreeSet<(Timestamp, BoardName)>,
}

impl Due {
    fn set(&mut self, board: &BoardName, at: Option<Timestamp>) {
        if let Some(old) = self.by_board.remove(board) {
            self.by_time.remove(&(old, board.clone()));
        }
        if let Some(at) = at {
            self.by_board.insert(board.clone(), at);
            self.by_time.insert((at, board.clone()));
        }
    }

    fn first(&self) -> Option<Timestamp> {
        self.by_time.first().map(|(at, _)| *at)
    }
}

impl SealClock {
    /// Notes when a board has to be looked at next, that was looked at then.
    pub(super) fn note(&self, board: &Board, looked: Timestamp) {
        self.set(&board.name, seal_due(board, looked));
    }

    /// Notes when a board has to be looked at, of which nothing newer is known.
    fn note_found(&self, board: &BoardName, at: Timestamp) {
        let is_known = self.due.lock().by_board.contains_key(board);
        if !is_known {
            self.set(board, Some(at));
        }
    }

    fn set(&self, board: &BoardName, at: Option<Timestamp>) {
        let mut due = self.due.lock();
        if due.by_board.get(board).copied() == at {
            return;
        }
        let before = due.first();
        due.set(board, at);
        if due.first() != before {
            self.changed.notify_one();
        }
    }

    /// Takes a board whose time has come.
    fn take(&self, now: Timestamp) -> Option<BoardName> {
        let mut due = self.due.lock();
        let (_, board) = due.by_time.first().filter(|(at, _)| *at <= now)?.clone();
        due.set(&board, None);
        Some(board)
    }

    /// Waits until a board's time may have come.
    async fn wait(&self) {
        let first = self.due.lock().first();
        let Some(first) = first else {
            return self.changed.notified().await;
        };
        let wait = Duration::from_millis(first.0.saturating_sub(now().0));
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = self.changed.notified() => {}
        }
    }
}

impl App {
    /// Seals what only waited for time to pass, until the server stops.
    pub async fn seal_on_time(self: Arc<Self>) {
        let mut stopping = self.stopping();
        let all = self.clone();
        let found = tokio::task::spawn_blocking(move || all.find_waiting());
        tokio::pin!(found);
        let mut searching = true;
        loop {
            tokio::select! {
                () = self.seal_clock.wait() => {}
                _ = &mut found, if searching => searching = false,
                _ = stopping.wait_for(|it| *it) => break,
            }
            while let Some(board) = self.seal_clock.take(now()) {
                if let Err(error) = self.seal_now(&board).await {
                    tracing::warn!(%board, %error, "what waited for time to pass was not sealed");
                    let again = Timestamp(now().0.saturating_add(AGAIN_MS));
                    self.seal_clock.set(&board, Some(again));
                }
            }
        }
        if searching {
            let _ = found.await;
        }
    }

    /// Looks what waits on each board of the store, without keeping it open.
    fn find_waiting(&self) {
        let stopping = self.stopping();
        for name in self.ledger.board_names() {
            if *stopping.borrow() {
                return;
            }
            match self.ledger.open(&name) {
                Ok(Some(open)) => {
                    let board = open.state.read();
                    let is_due = !automatic_seals(&board, &by_server()).is_empty();
                    let at = is_due.then(now).or_else(|| seal_due(&board, now()));
                    if let Some(at) = at {
                        self.seal_clock.note_found(&name, at);
                    }
                }
                Ok(None) => {}
                Err(error) => {
                    tracing::warn!(board = %name, %error, "what waits for time to pass is unknown");
                }
            }
        }
    }

    async fn seal_now(self: &Arc<Self>, name: &BoardName) -> Result<(), AppError> {
        let live = self.board(name).await?;
        let context = by_server();
        let receipt = self.write_seals(&live, &context)?;
        let looked = context.now;
        self.seal_clock.note(&live.open.state.read(), looked);
        receipt.durable().await?;
        Ok(())
    }

    fn write_seals(&self, live: &LiveBoard, context: &Context) -> Result<Receipt, AppError> {
        let ((), receipt) = self.ledger.transact(&live.open, context, |transaction| {
            // A seal of one module at a time, as after any other act.
            loop {
                let seal = automatic_seals(transaction.board(), transaction.context());
                if seal.is_empty() {
                    return Ok::<_, AppError>(());
                }
                transaction.apply(seal, &BTreeMap::new())?;
            }
        })?;
        Ok(receipt)
    }
}

/// Who seals what nobody's act seals.
fn by_server() -> Context {
    let principal: PrincipalName = SERVER_NAME.parse().expect("the name is valid");
    Context {
        principal,
        server_operator: false,
        now: now(),
    }
}
