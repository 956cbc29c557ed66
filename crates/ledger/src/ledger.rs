//! The boards of a store: opened by folding their logs, changed by transactions.

pub(crate) mod deletion;
pub(crate) mod image;
mod open;
pub(crate) mod requests;
mod transaction;
pub(crate) mod usage;

use std::{collections::BTreeMap, sync::Arc};

use parking_lot::{Mutex, RwLock};

pub use deletion::DeleteError;
pub use open::OpenError;
pub use requests::{Remembered, RequestKey};
pub use transaction::{Receipt, TransactError, Transaction};
pub use usage::{Usage, Usages};

use crate::{
    board::Board,
    committer::{CommitError, Committer, Line, Observer},
    digest::{Commitment, Words},
    id::{BoardName, Position, PrincipalName},
    log::tree::NodeHash,
    store::{
        Batch, Store, StoreError,
        keys::{self, BoardNumber},
    },
};

/// All boards of one store.
pub struct Ledger {
    // Dropped before the store, so that what waits is still written.
    committer: Committer,
    store: Arc<dyn Store>,
    numbers: RwLock<BTreeMap<BoardName, BoardNumber>>,
    creating: tokio::sync::Mutex<()>,
}

/// A board that is held open: its state, and how far that is durable.
///
/// The state may be ahead of the disk by what waits for a sync. Who answers from it waits for
/// [`OpenBoard::settled`] first, so that nothing is seen that a crash could take back.
pub struct OpenBoard {
    /// Its number in the store.
    pub number: BoardNumber,
    /// Its state.
    pub state: RwLock<Board>,
    line: Arc<Line>,
    requests: Mutex<requests::Waiting>,
    /// Locked after `state`, never before.
    usages: Mutex<Usages>,
}

impl Ledger {
    /// Starts on a store.
    pub fn start(store: Arc<dyn Store>) -> Result<Self, OpenError> {
        Self::start_observed(store, Box::new(|_| {}))
    }

    /// Starts on a store, with somebody who is told of each commit.
    pub fn start_observed(store: Arc<dyn Store>, observer: Observer) -> Result<Self, OpenError> {
        let numbers = RwLock::new(open::board_numbers(store.as_ref())?);
        Ok(Self {
            committer: Committer::start(store.clone(), observer).map_err(OpenError::Thread)?,
            store,
            numbers,
            creating: tokio::sync::Mutex::new(()),
        })
    }

    /// The store beneath, for reading.
    pub fn store(&self) -> &dyn Store {
        self.store.as_ref()
    }

    /// The store beneath, for who reads it longer than a call.
    pub fn shared_store(&self) -> Arc<dyn Store> {
        self.store.clone()
    }

    /// How many batches wait for a sync.
    pub fn waiting(&self) -> usize {
        self.committer.waiting()
    }

    /// The names of the boards.
    pub fn board_names(&self) -> Vec<BoardName> {
        self.numbers.read().keys().cloned().collect()
    }

    /// Says whether there is a board of that name.
    pub fn has_board(&self, name: &BoardName) -> bool {
        self.numbers.read().contains_key(name)
    }

    /// Opens a board; none where there is no board of that name.
    pub fn open(&self, name: &BoardName) -> Result<Option<OpenBoard>, OpenError> {
        let Some(number) = self.numbers.read().get(name).copied() else {
            return Ok(None);
        };
        let board = open::fold(self.store(), name, number)?;
        let line = Arc::new(Line::new(board.position()));
        let usages = Usages::load(self.store(), number, board.position())?;
        Ok(Some(OpenBoard {
            number,
            state: RwLock::new(board),
            line,
            requests: Mutex::default(),
            usages: Mutex::new(usages),
        }))
    }

    /// Folds a board to its state after its first `to` entries, which have to be in the store: on top
    /// of `near`, an earlier state of it, or of its image where that is nearer.
    pub fn as_of(
        &self,
        number: BoardNumber,
        name: &BoardName,
        near: Option<&Board>,
        to: Position,
    ) -> Result<Board, OpenError> {
        let from = near.map_or(Position(0), Board::position);
        let image = image::read(self.store(), number)?;
        let image = image.filter(|image| (from..=to).contains(&image.position()));
        open::fold_from(self.store(), name, number, image.or(near.cloned()), to)
    }

    /// Writes what belongs to no board's log: sources, principals, tokens, vectors.
    pub async fn write(&self, batch: Batch) -> Result<(), CommitError> {
        self.committer.hand_in(batch, None).done().await
    }

    /// The same from a thread that may block.
    pub fn write_here(&self, batch: Batch) -> Result<(), CommitError> {
        self.committer.hand_in(batch, None).done_here()
    }

    /// What was written on all boards.
    pub fn written(&self) -> Result<Usage, StoreError> {
        usage::of_all(self.store())
    }

    /// Reads the words of an entry.
    pub fn words(
        &self,
        board: BoardNumber,
        position: Position,
        commitment: Commitment,
    ) -> Result<Option<Words>, StoreError> {
        let stored = self.store.get(&keys::words(board, position, commitment))?;
        Ok(stored.as_deref().and_then(Words::from_stored))
    }

    /// Reads an entry's bytes as written.
    pub fn entry(
        &self,
        board: BoardNumber,
        position: Position,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        self.store.get(&keys::entry(board, position))
    }
}

impl OpenBoard {
    /// Waits until what the state held at that many entries is durable.
    pub async fn settled(&self, entries: Position) -> Result<(), CommitError> {
        self.line.reached(entries).await
    }

    /// What each principal has written here; may be ahead of the disk as the state is.
    pub fn usages(&self) -> Usages {
        self.usages.lock().clone()
    }

    /// What a principal has written here.
    pub fn usage(&self, principal: &PrincipalName) -> Usage {
        self.usages.lock().of(principal)
    }

    /// How far the log is durable, for who asks longer than a call.
    pub fn shared_line(&self) -> Arc<Line> {
        self.line.clone()
    }

    /// How far the log is durable, and when that advances.
    pub fn line(&self) -> &Line {
        &self.line
    }
}

/// The stored form of a log's head: its size and its tree hash.
pub(crate) fn head_bytes(size: u64, root: NodeHash) -> Vec<u8> {
    [size.to_be_bytes().as_slice(), &root.0].concat()
}

/// Reads the stored form of a log's head.
pub(crate) fn read_head(bytes: &[u8]) -> Option<(u64, NodeHash)> {
    let (size, root) = bytes.split_first_chunk::<8>()?;
    Some((u64::from_be_bytes(*size), NodeHash::from_slice(root)?))
}
