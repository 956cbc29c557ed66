//! Open boards, and the two ways to use one: read it, or run a transaction on it.

mod repeat;

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use parking_lot::{Mutex, RwLock};
use pawl_ledger::{
    board::Board,
    command::Command,
    decide::{Denied, Reason, decide},
    digest::{Commitment, Words},
    event::Recorded,
    id::{BoardName, ModuleName, Position},
    ledger::{OpenBoard, Receipt, Transaction},
    status::Policy,
    store::Batch,
};
use prost::Message;

use super::{
    App, error::AppError, identity::require_server_operator, judge::Judge, rules::Authority,
    sources::Addresses,
};
use crate::auth::Caller;

pub use repeat::Repeat;

/// A board that is held open, with what the checker and the sources keep of it.
pub struct LiveBoard {
    /// Its name.
    pub name: BoardName,
    /// Its state and how far that is durable.
    pub open: OpenBoard,
    /// What the checker holds of it. Locked after `open.state`, never before.
    pub judge: RwLock<Judge>,
    /// The addresses of its sources. Locked after `open.state`, never before.
    pub addresses: RwLock<Addresses>,
    /// Which sources rank over which. Locked after `addresses`, never before.
    pub authority: RwLock<Authority>,
    /// Held while an attribute is declared.
    pub declaring: tokio::sync::Mutex<()>,
    /// It is being deleted.
    deleted: AtomicBool,
    used: Mutex<Instant>,
}

/// Where an open board is kept; opened by one caller while the others wait.
#[derive(Default)]
pub(super) struct Slot(tokio::sync::Mutex<Option<Arc<LiveBoard>>>);

/// What a transaction did.
pub struct Done<A> {
    /// The answer, or the one given when the same was asked before.
    pub answer: A,
    /// What happened; empty where the answer is an earlier one.
    pub events: Vec<Recorded>,
    /// The number of entries after it.
    pub position: Position,
}

impl App {
    /// Opens a board or finds it open. One whose last write failed is read again from the store.
    pub async fn board(self: &Arc<Self>, name: &BoardName) -> Result<Arc<LiveBoard>, AppError> {
        let slot = self.boards.lock().get(name).cloned();
        let slot = match slot {
            Some(slot) => slot,
            // Only boards that exist get a slot, so that guesses take no memory.
            None if self.ledger.has_board(name) => {
                self.boards.lock().entry(name.clone()).or_default().clone()
            }
            None => return Err(unknown(name).into()),
        };
        if let Ok(live) = slot.0.try_lock()
            && let Some(live) = live.as_ref().filter(|live| live.is_good())
        {
            *live.used.lock() = Instant::now();
            return Ok(live.clone());
        }
        // A task of its own: who stops waiting does not stop the opening.
        let (app, name) = (self.clone(), name.clone());
        tokio::spawn(async move { app.open_in(&slot, name).await })
            .await
            .map_err(|error| AppError::Internal(format!("opening a board: {error}")))?
    }

    /// Opens a board for a caller. To somebody without any role on it, who is no server operator,
    /// it looks as if it did not exist.
    pub async fn board_for(
        self: &Arc<Self>,
        caller: &Caller,
        name: &BoardName,
    ) -> Result<Arc<LiveBoard>, AppError> {
        let live = self.board(name).await?;
        let visible = caller.server_operator || live.open.state.read().may_read(&caller.principal);
        if visible {
            Ok(live)
        } else {
            Err(unknown(name).into())
        }
    }

    /// Creates a board with the caller as its operator. Server operators only.
    pub async fn create_board(
        self: &Arc<Self>,
        caller: &Caller,
        name: &BoardName,
        policy: Policy,
    ) -> Result<Arc<LiveBoard>, AppError> {
        require_server_operator(caller)?;
        let context = caller.context();
        match self.ledger.create_board(name, policy, &context).await? {
            Some(()) => self.board(name).await,
            None => Err(Denied::new(
                Reason::AlreadyExists,
                format!("there is a board `{name}` already; choose another name"),
            )
            .with("board", name)
            .into()),
        }
    }

    /// The boards on which the caller has a role, by name.
    pub async fn boards_of(
        self: &Arc<Self>,
        caller: &Caller,
    ) -> Result<Vec<Arc<LiveBoard>>, AppError> {
        let mut boards = Vec::new();
        for name in self.ledger.board_names() {
            let live = self.board(&name).await?;
            let has_role = live.open.state.read().may_read(&caller.principal);
            boards.extend(has_role.then_some(live));
        }
        Ok(boards)
    }

    /// Answers from a board's state, once what the answer was read from is durable.
    ///
    /// `view` runs under the board's lock: it collects, and reads no store.
    pub async fn read<T>(
        &self,
        live: &LiveBoard,
        caller: &Caller,
        view: impl FnOnce(&Board) -> Result<T, AppError>,
    ) -> Result<T, AppError> {
        let (answer, position) = {
            let board = live.open.state.read();
            require_reader(&board, caller)?;
            (view(&board)?, board.position())
        };
        live.open.settled(position).await?;
        Ok(answer)
    }

    /// Runs `work` on a board that nobody else can change meanwhile, and answers once what it
    /// applied is durable. With `repeat`, the same request again gets the same answer and changes
    /// nothing; another request under its id is refused.
    pub async fn execute<A: Message + Default>(
        &self,
        live: &LiveBoard,
        caller: &Caller,
        repeat: Option<Repeat>,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<A, AppError>,
    ) -> Result<Done<A>, AppError> {
        let (answer, receipt) = self.transact(live, caller, repeat, work)?;
        let (events, position) = (receipt.events.clone(), receipt.position);
        receipt.durable().await?;
        Ok(Done {
            answer,
            events,
            position,
        })
    }

    /// Runs `work` as [`App::execute`] does; the answer may leave once the receipt says it is durable.
    pub(super) fn transact<A: Message + Default>(
        &self,
        live: &LiveBoard,
        caller: &Caller,
        repeat: Option<Repeat>,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<A, AppError>,
    ) -> Result<(A, Receipt), AppError> {
        let context = caller.context();
        let (answer, receipt) = self.ledger.transact(&live.open, &context, |transaction| {
            let Some(repeat) = repeat else {
                self.admit(live, transaction)?;
                let answer = work(transaction)?;
                self.charge(live, transaction);
                return Ok(answer);
            };
            if let Some(answer) = repeat.answered(transaction)? {
                return Ok(answer);
            }
            self.admit(live, transaction)?;
            let answer = work(transaction)?;
            self.charge(live, transaction);
            repeat.remember(transaction, &answer);
            Ok::<A, AppError>(answer)
        })?;
        let board = live.open.state.read();
        self.seal_clock.note(&board, board.last_at);
        drop(board);
        Ok((answer, receipt))
    }

    async fn open_in(
        self: Arc<Self>,
        slot: &Slot,
        name: BoardName,
    ) -> Result<Arc<LiveBoard>, AppError> {
        let mut kept = slot.0.lock().await;
        if let Some(live) = kept.as_ref().filter(|live| live.is_good()) {
            return Ok(live.clone());
        }
        if kept.take().is_some() {
            // Batches handed in before the failure may still be on their way to the store; an empty
            // one behind them is answered after them.
            self.ledger.write(Batch::default()).await?;
        }
        let opened = tokio::task::spawn_blocking(move || self.open(&name))
            .await
            .map_err(|error| AppError::Internal(format!("opening a board: {error}")))??;
        Ok(kept.insert(Arc::new(opened)).clone())
    }

    fn open(&self, name: &BoardName) -> Result<LiveBoard, AppError> {
        let open = self.ledger.open(name)?.ok_or_else(|| unknown(name))?;
        let judge = Judge::load(
            &self.ledger,
            &open,
            self.embedder.as_ref(),
            self.parsed.clone(),
        )?;
        let addresses = Addresses::load(&self.ledger, &open)?;
        let authority = Authority::load(&self.ledger, &open)?;
        Ok(LiveBoard {
            name: name.clone(),
            open,
            judge: RwLock::new(judge),
            addresses: RwLock::new(addresses),
            authority: RwLock::new(authority),
            declaring: tokio::sync::Mutex::new(()),
            deleted: AtomicBool::new(false),
            used: Mutex::new(Instant::now()),
        })
    }

    /// The boards that are open and good.
    pub(crate) async fn open_boards(&self) -> Vec<Arc<LiveBoard>> {
        let slots: Vec<Arc<Slot>> = self.boards.lock().values().cloned().collect();
        let mut open = Vec::new();
        for slot in slots {
            open.extend(slot.0.lock().await.clone().filter(|live| live.is_good()));
        }
        open
    }
}

impl App {
    /// Where a board is kept open, if it ever was.
    pub(super) fn slot(&self, name: &BoardName) -> Option<Arc<Slot>> {
        self.boards.lock().get(name).cloned()
    }

    /// The names of the boards that were ever open.
    pub(super) fn opened(&self) -> Vec<BoardName> {
        self.boards.lock().keys().cloned().collect()
    }
}

impl Slot {
    /// What is in it, kept from others meanwhile.
    pub(super) async fn hold(&self) -> tokio::sync::MutexGuard<'_, Option<Arc<LiveBoard>>> {
        self.0.lock().await
    }
}

impl LiveBoard {
    fn is_good(&self) -> bool {
        !self.open.line().has_failed()
    }

    /// Says whether it was deleted, or is being deleted.
    pub fn is_deleted(&self) -> bool {
        self.deleted.load(Ordering::Acquire)
    }

    pub(super) fn set_deleted(&self, deleted: bool) {
        self.deleted.store(deleted, Ordering::Release);
    }

    /// How long nobody has asked for it.
    pub(super) fn idle(&self) -> Duration {
        self.used.lock().elapsed()
    }
}

/// Says to whoever follows a board that it is gone.
pub fn gone(name: &BoardName) -> Denied {
    Denied::new(
        Reason::BoardUnknown,
        format!("board `{name}` was deleted; list your boards"),
    )
    .with("board", name)
}

/// Decides a command and applies what it makes happen. `words` holds what the command commits to.
pub fn apply(
    transaction: &mut Transaction<'_>,
    command: &Command,
    words: impl IntoIterator<Item = Words>,
) -> Result<Vec<Recorded>, AppError> {
    let events = decide(transaction.board(), transaction.context(), command)?;
    let words: BTreeMap<Commitment, Words> = words
        .into_iter()
        .map(|words| (words.commitment(), words))
        .collect();
    Ok(transaction.apply(events, &words)?.to_vec())
}

/// Refuses who has no role on a board.
pub fn require_reader(board: &Board, caller: &Caller) -> Result<(), Denied> {
    if board.may_read(&caller.principal) {
        return Ok(());
    }
    Err(Denied::new(
        Reason::RoleMissing,
        format!(
            "`{}` needs a role on board `{}` to read it; ask an operator of the board to grant one",
            caller.principal, board.name
        ),
    )
    .with("principal", &caller.principal)
    .with("role", "reader")
    .with("board", &board.name))
}

fn unknown(name: &BoardName) -> Denied {
    Denied::new(
        Reason::BoardUnknown,
        format!("there is no board `{name}` that you have a role on; list your boards"),
    )
    .with("board", name)
}

/// Refuses modules that a board does not have.
pub fn check_modules<'a>(
    board: &Board,
    modules: impl IntoIterator<Item = &'a ModuleName>,
) -> Result<(), Denied> {
    let mut modules = modules.into_iter();
    match modules.find(|name| !board.modules.contains_key(*name)) {
        None => Ok(()),
        Some(module) => Err(Denied::new(
            Reason::ModuleUnknown,
            format!(
                "board `{}` has no module `{module}`; list the modules",
                board.name
            ),
        )
        .with("module", module)),
    }
}
