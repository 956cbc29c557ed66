//! Opening: the image of a board's state, if there is a good one, and the entries after it.

use std::{collections::BTreeMap, ops::ControlFlow};

use super::{image, read_head};
use crate::{
    board::Board,
    evolve::{EvolveError, begin, evolve},
    id::{BoardName, Position},
    log::{DecodeError, decode, tree::NodeHash},
    store::{
        Store, StoreError,
        keys::{self, BoardNumber},
    },
};

/// Why a store or a board could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An entry cannot be read.
    #[error("entry {position} of board `{board}` cannot be read: {source}; run `pawl verify`")]
    Entry {
        /// The board.
        board: BoardName,
        /// The entry.
        position: Position,
        /// Why.
        source: DecodeError,
    },
    /// An entry does not follow from those before it.
    #[error("board `{board}`: {source}; run `pawl verify`")]
    Evolve {
        /// The board.
        board: BoardName,
        /// Why.
        source: EvolveError,
    },
    /// The log is not what its head says.
    #[error("the log of board `{board}` does not match its head: {what}; run `pawl verify`")]
    Head {
        /// The board.
        board: BoardName,
        /// What differs.
        what: String,
    },
    /// The committer's thread did not start.
    #[error("the committer's thread did not start: {0}")]
    Thread(#[source] std::io::Error),
}

pub(crate) fn board_numbers(
    store: &dyn Store,
) -> Result<BTreeMap<BoardName, BoardNumber>, StoreError> {
    let (from, to) = keys::boards();
    let mut boards = BTreeMap::new();
    let mut bad = None;
    store.scan(&from, &to, &mut |key, value| {
        let name = std::str::from_utf8(key.get(1..).unwrap_or_default())
            .ok()
            .and_then(|name| name.parse().ok());
        let number = value.try_into().ok().map(u32::from_be_bytes);
        if let (Some(name), Some(number)) = (name, number) {
            boards.insert(name, BoardNumber(number));
            ControlFlow::Continue(())
        } else {
            bad = Some(String::from_utf8_lossy(key).into_owned());
            ControlFlow::Break(())
        }
    })?;
    match bad {
        None => Ok(boards),
        Some(key) => Err(StoreError::Damaged(format!("the board record `{key}`"))),
    }
}

/// Folds a board's log to its present state.
pub(crate) fn fold(
    store: &dyn Store,
    name: &BoardName,
    number: BoardNumber,
) -> Result<Board, OpenError> {
    let (size, root) = head(store, name, number)?;
    let start = image::read(store, number)?.filter(|board| board.position().0 <= size);
    let board = fold_from(store, name, number, start, Position(size))?;
    check_head(&board, name, size, root)?;
    Ok(board)
}

pub(crate) fn head(
    store: &dyn Store,
    name: &BoardName,
    number: BoardNumber,
) -> Result<(u64, NodeHash), OpenError> {
    let bytes = store.get(&keys::head(number))?.unwrap_or_default();
    read_head(&bytes).ok_or_else(|| OpenError::Head {
        board: name.clone(),
        what: "the head is missing".into(),
    })
}

fn check_head(board: &Board, name: &BoardName, size: u64, root: NodeHash) -> Result<(), OpenError> {
    let what = if board.position().0 != size {
        format!(
            "the head counts {size} entries, {} are there",
            board.position()
        )
    } else if board.tree().root() != root {
        "the tree hash is another".into()
    } else {
        return Ok(());
    };
    Err(OpenError::Head {
        board: name.clone(),
        what,
    })
}

/// Folds the entries up to a position on top of a state, or from the beginning.
pub(crate) fn fold_from(
    store: &dyn Store,
    name: &BoardName,
    number: BoardNumber,
    start: Option<Board>,
    to: Position,
) -> Result<Board, OpenError> {
    let from = start.as_ref().map_or(Position(0), Board::position);
    let (first, last) = keys::entries(number, from, to);
    let mut board = start;
    let mut failure = None;
    store.scan(
        &first,
        &last,
        &mut |_, bytes| match apply(name, &mut board, bytes) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        },
    )?;
    if let Some(error) = failure {
        return Err(error);
    }
    board.ok_or_else(|| OpenError::Head {
        board: name.clone(),
        what: "the log is empty".into(),
    })
}

fn apply(name: &BoardName, board: &mut Option<Board>, bytes: &[u8]) -> Result<(), OpenError> {
    let position = board.as_ref().map_or(Position(0), Board::position);
    let recorded = decode(bytes).map_err(|source| OpenError::Entry {
        board: name.clone(),
        position,
        source,
    })?;
    let evolved = match board {
        Some(board) => evolve(board, &recorded),
        None => begin(&recorded).map(|begun| *board = Some(begun)),
    };
    evolved.map_err(|source| OpenError::Evolve {
        board: name.clone(),
        source,
    })
}
