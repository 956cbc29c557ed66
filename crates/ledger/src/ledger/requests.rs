//! Answers to repeatable requests: kept for seven days, in the same commit as what they answer.

use std::{collections::BTreeMap, ops::ControlFlow, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{Ledger, OpenBoard};
use crate::{
    committer::CommitError,
    digest::Digest,
    id::{Position, PrincipalName, Timestamp},
    store::{
        Batch, MAX_VALUE_BYTES, Store, StoreError,
        keys::{self, BoardNumber},
    },
};

/// How long an answer is kept.
const KEPT_MS: u64 = 7 * 24 * 60 * 60 * 1_000;

/// Which request: unique to a principal and a board.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestKey {
    /// Who asked.
    pub principal: PrincipalName,
    /// The id they gave it.
    pub id: String,
}

/// What was asked and answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remembered {
    /// The digest of the request.
    pub request: Digest,
    /// When.
    pub at: Timestamp,
    /// The log's size after it.
    pub position: Position,
    /// The answer.
    pub answer: Vec<u8>,
}

/// Answers that may not be in the store yet.
pub(super) type Waiting = BTreeMap<RequestKey, Remembered>;

impl Ledger {
    /// Finds the answer to a request that was made before. To be asked within a transaction, so
    /// that of two equal requests sent at once the second finds the first.
    pub fn remembered(
        &self,
        open: &OpenBoard,
        key: &RequestKey,
        now: Timestamp,
    ) -> Result<Option<Remembered>, StoreError> {
        if let Some(waiting) = open.requests.lock().get(key) {
            return Ok(Some(waiting.clone()));
        }
        let Some(stored) = read_chunks(self.store(), open.number, key)? else {
            return Ok(None);
        };
        let remembered: Remembered = postcard::from_bytes(&stored)
            .map_err(|_| StoreError::Damaged(format!("the answer to request `{}`", key.id)))?;
        let kept = now.0.saturating_sub(remembered.at.0) < KEPT_MS;
        Ok(kept.then_some(remembered))
    }
}

/// Reads an answer, of one chunk or of several; chunks after the last are of an older, longer one.
pub(crate) fn read_chunks(
    store: &dyn Store,
    board: BoardNumber,
    key: &RequestKey,
) -> Result<Option<Vec<u8>>, StoreError> {
    let mut stored = Vec::new();
    for number in 0.. {
        let place = keys::request_chunk(board, &key.principal, &key.id, number);
        match store.get(&place)? {
            None if number == 0 => return Ok(None),
            None => break,
            Some(chunk) => stored.extend_from_slice(&chunk),
        }
        if !stored.len().is_multiple_of(MAX_VALUE_BYTES) {
            break;
        }
    }
    Ok(Some(stored))
}

impl Ledger {
    /// Deletes the answers that are kept no longer; says how many chunks.
    pub async fn forget_answers(
        &self,
        open: &OpenBoard,
        now: Timestamp,
    ) -> Result<usize, CommitError> {
        let (from, to) = keys::requests(open.number);
        let mut batch = Batch::default();
        let mut is_old = false;
        let scanned = self.store().scan(&from, &to, &mut |key, chunk| {
            // The time stands in the first chunk of an answer; the others follow it and go with it.
            if keys::read::request(key).is_some_and(|(.., chunk)| chunk == 0) {
                is_old = answered_at(chunk).is_some_and(|at| now.0.saturating_sub(at.0) >= KEPT_MS);
            }
            if is_old {
                batch.deletes.push(key.to_vec());
            }
            ControlFlow::Continue(())
        });
        scanned.map_err(|error| CommitError::Store(Arc::new(error)))?;
        let count = batch.deletes.len();
        self.write(batch).await?;
        Ok(count)
    }
}

/// Reads the time from the beginning of an answer.
fn answered_at(chunk: &[u8]) -> Option<Timestamp> {
    let (_, rest) = postcard::take_from_bytes::<Digest>(chunk).ok()?;
    Some(postcard::take_from_bytes(rest).ok()?.0)
}

impl OpenBoard {
    pub(super) fn remember(&self, key: RequestKey, remembered: Remembered, batch: &mut Batch) {
        let value = postcard::to_stdvec(&remembered)
            .expect("an answer holds nothing that postcard cannot write");
        // A chunk that is not full is the last one, be it empty.
        let chunks = value.chunks(MAX_VALUE_BYTES).map(<[u8]>::to_vec);
        let end = value.len().is_multiple_of(MAX_VALUE_BYTES);
        let chunks = chunks.chain(end.then(Vec::new));
        for (number, chunk) in (0..).zip(chunks) {
            let place = keys::request_chunk(self.number, &key.principal, &key.id, number);
            batch.put(place, chunk);
        }
        let durable = self.line.durable();
        let mut waiting = self.requests.lock();
        waiting.retain(|_, other| other.position > durable);
        waiting.insert(key, remembered);
    }
}
