//! Deleting a board for good. First a durable marker in the place of the board's record: from then on
//! the board is gone and its name free. Then everything of it goes, chunk by chunk; what a crash
//! leaves is gone on with at the next start. The marker stays and says what was deleted, by whom and
//! when, with the size and the tree hash of the log, and keeps the number from being used again.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::{Ledger, OpenBoard};
use crate::{
    command::Context,
    committer::CommitError,
    decide::{Denied, Reason},
    digest::{Digest, Words},
    id::{BoardName, PrincipalName, Timestamp},
    log::tree::NodeHash,
    store::{
        Batch, Store, StoreError,
        keys::{self, BoardNumber, read},
    },
};

/// How many records go in one commit, so that other writers need not wait for long.
const CHUNK_RECORDS: usize = 1_000;

/// What is kept of a deleted board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Deleted {
    /// Its name then.
    pub(crate) name: BoardName,
    /// Who deleted it.
    pub(crate) by: PrincipalName,
    /// When.
    pub(crate) at: Timestamp,
    /// How many entries its log had.
    pub(crate) entries: u64,
    /// The tree hash of its log.
    pub(crate) root: [u8; 32],
    /// Nothing of it is left.
    pub(crate) done: bool,
}

/// Why a board was not deleted.
#[derive(Debug, thiserror::Error)]
pub enum DeleteError {
    /// It may not be.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A write failed.
    #[error(transparent)]
    Commit(#[from] CommitError),
}

impl Ledger {
    /// Puts the marker in the place of an archived board's record; waits until that is durable. The
    /// open board is of no use afterwards. Whoever calls it keeps others from opening the board.
    pub async fn mark_deleted(
        &self,
        open: &OpenBoard,
        context: &Context,
    ) -> Result<(), DeleteError> {
        let _creating = self.creating.lock().await;
        let (name, batch) = {
            let board = open.state.write();
            if board.archived.is_none() {
                return Err(Denied::new(
                    Reason::NotArchived,
                    format!(
                        "board `{}` is in use; archive it before it is deleted",
                        board.name
                    ),
                )
                .with("board", &board.name)
                .into());
            }
            let NodeHash(root) = board.tree().root();
            let deleted = Deleted {
                name: board.name.clone(),
                by: context.principal.clone(),
                at: context.now,
                entries: board.position().0,
                root,
                done: false,
            };
            let mut batch = Batch::default();
            batch.deletes.push(keys::board(&board.name));
            batch.put(keys::deleted(open.number), to_bytes(&deleted));
            let kept = board.sources.iter().filter(|(_, state)| state.kept);
            for (source, _) in kept {
                batch.put(keys::unkept(*source), Vec::new());
            }
            // From here on nothing is written to it, and whoever follows it is told.
            open.line.fail();
            (board.name.clone(), batch)
        };
        self.write(batch).await?;
        self.numbers.write().remove(&name);
        Ok(())
    }

    /// The boards that are marked and of which something may be left.
    pub fn being_deleted(&self) -> Result<Vec<BoardNumber>, StoreError> {
        let deleted = all(self.store())?.into_iter();
        let left = deleted.filter(|(_, deleted)| deleted.as_ref().is_none_or(|it| !it.done));
        Ok(left.map(|(number, _)| number).collect())
    }

    /// Removes everything of a marked board; says how many records. Vectors of its texts go too: a
    /// board that holds the same text has them made again when it is opened.
    pub async fn remove_marked(&self, number: BoardNumber) -> Result<u64, DeleteError> {
        let mut removed = 0;
        let models = models(self.store())?;
        for first in read::OF_ONE_BOARD {
            loop {
                let batch = self.next_chunk(first, number, &models)?;
                if batch.is_empty() {
                    break;
                }
                removed += u64::try_from(batch.deletes.len()).unwrap_or(u64::MAX);
                self.write(batch).await?;
            }
        }
        let key = keys::deleted(number);
        let marker = self.store().get(&key)?;
        if let Some(deleted) = marker.as_deref().and_then(from_bytes) {
            let mut batch = Batch::default();
            let done = true;
            batch.put(key, to_bytes(&Deleted { done, ..deleted }));
            self.write(batch).await?;
        }
        Ok(removed)
    }

    fn next_chunk(
        &self,
        first: u8,
        number: BoardNumber,
        models: &[[u8; 32]],
    ) -> Result<Batch, StoreError> {
        let (from, to) = keys::of_board(first, number);
        let mut batch = Batch::default();
        let mut vectors = Vec::new();
        self.store().scan(&from, &to, &mut |key, value| {
            if first == b'w'
                && let Some(words) = Words::from_stored(value)
            {
                let text = Digest::of(words.bytes()).0;
                vectors.extend(models.iter().map(|model| keys::vector(*model, text)));
            }
            batch.deletes.push(key.to_vec());
            if batch.deletes.len() < CHUNK_RECORDS {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })?;
        for vector in vectors {
            if self.store().get(&vector)?.is_some() {
                batch.deletes.push(vector);
            }
        }
        Ok(batch)
    }

    /// The sources that may have lost their last board.
    pub fn unkept_sources(&self) -> Result<Vec<Digest>, StoreError> {
        let (from, to) = keys::all_unkept();
        let mut found = Vec::new();
        self.store().scan(&from, &to, &mut |key, _| {
            found.extend(read::unkept(key));
            ControlFlow::Continue(())
        })?;
        Ok(found)
    }

    /// Forgets that a source may have lost its last board, and with `bytes` the bytes too. The last
    /// chunk goes first, since an upload takes it for a sign that all are there.
    pub async fn settle_source(&self, source: Digest, bytes: bool) -> Result<(), DeleteError> {
        let mut chunks = Vec::new();
        if bytes {
            let (from, to) = keys::source_chunks(source);
            self.store().scan(&from, &to, &mut |key, _| {
                chunks.push(key.to_vec());
                ControlFlow::Continue(())
            })?;
        }
        chunks.reverse();
        for deletes in chunks.chunks(CHUNK_RECORDS) {
            let batch = Batch {
                deletes: deletes.to_vec(),
                ..Batch::default()
            };
            self.write(batch).await?;
        }
        let batch = Batch {
            deletes: vec![keys::unkept(source)],
            ..Batch::default()
        };
        Ok(self.write(batch).await?)
    }
}

/// The highest number that a deleted board had.
pub(super) fn last_deleted(store: &dyn Store) -> Result<Option<u32>, StoreError> {
    Ok(all(store)?.last().map(|(number, _)| number.0))
}

/// Every marker, by number; none where it cannot be read.
pub(crate) fn all(store: &dyn Store) -> Result<Vec<(BoardNumber, Option<Deleted>)>, StoreError> {
    let (from, to) = keys::all_deleted();
    let mut found = Vec::new();
    store.scan(&from, &to, &mut |key, value| {
        found.extend(read::number(key).map(|number| (number, from_bytes(value))));
        ControlFlow::Continue(())
    })?;
    Ok(found)
}

/// The models that there are vectors of, found by leaping from one to the next.
fn models(store: &dyn Store) -> Result<Vec<[u8; 32]>, StoreError> {
    let mut models: Vec<[u8; 32]> = Vec::new();
    let mut next = Some([0; 32]);
    while let Some(from) = next.take() {
        let (from, to) = keys::vectors_from(from);
        store.scan(&from, &to, &mut |key, _| {
            if let Some(model) = read::model(key) {
                models.push(model);
                next = after(model);
            }
            ControlFlow::Break(())
        })?;
    }
    Ok(models)
}

/// The next digest in order.
fn after(mut digest: [u8; 32]) -> Option<[u8; 32]> {
    for byte in digest.iter_mut().rev() {
        if let Some(more) = byte.checked_add(1) {
            *byte = more;
            return Some(digest);
        }
        *byte = 0;
    }
    None
}

fn to_bytes(deleted: &Deleted) -> Vec<u8> {
    postcard::to_stdvec(deleted).expect("a marker holds nothing that postcard cannot write")
}

fn from_bytes(bytes: &[u8]) -> Option<Deleted> {
    postcard::from_bytes(bytes).ok()
}
