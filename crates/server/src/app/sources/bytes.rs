//! The bytes of kept sources: in chunks under their digest, the same for every engine and board.

use pawl_ledger::{
    digest::Digest,
    store::{Batch, Store, StoreError, keys},
};

use crate::app::{App, error::AppError};

/// The length of a stored chunk; a store's values are at most 64 KiB.
const CHUNK_BYTES: usize = 48 * 1_024;
/// How many chunks share a batch, so that a large source does not hold up other writers.
const CHUNKS_PER_BATCH: usize = 21;

/// Writes a source's bytes. They are invisible until a board registers the source; an attempt that
/// breaks off leaves chunks that the next one overwrites.
pub(super) async fn write(app: &App, digest: Digest, bytes: &[u8]) -> Result<(), AppError> {
    // Batches become durable in order, so the last chunk stands for all.
    let last = chunk_count(bytes.len() as u64).saturating_sub(1);
    if app
        .ledger
        .store()
        .get(&keys::source(digest, last))?
        .is_some()
    {
        return Ok(());
    }
    let chunks: Vec<(u32, &[u8])> = (0..).zip(bytes.chunks(CHUNK_BYTES)).collect();
    for group in chunks.chunks(CHUNKS_PER_BATCH) {
        let mut batch = Batch::default();
        for (number, chunk) in group {
            batch.put(keys::source(digest, *number), chunk.to_vec());
        }
        app.ledger.write(batch).await?;
    }
    Ok(())
}

/// Reads a whole source and compares its digest.
pub(in crate::app) fn read(
    store: &dyn Store,
    digest: Digest,
    size_bytes: u64,
) -> Result<Vec<u8>, StoreError> {
    let mut reader = Reader::new(digest, size_bytes);
    let mut bytes = Vec::with_capacity(usize::try_from(size_bytes).unwrap_or_default());
    while let Some(chunk) = reader.next(store)? {
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// Reads a source chunk by chunk; its end comes only if the digest is the right one.
pub struct Reader {
    digest: Digest,
    chunks: u32,
    next: u32,
    hasher: blake3::Hasher,
}

impl Reader {
    pub(in crate::app) fn new(digest: Digest, size_bytes: u64) -> Self {
        Self {
            digest,
            chunks: chunk_count(size_bytes),
            next: 0,
            hasher: blake3::Hasher::new(),
        }
    }

    /// The next chunk; none at the end.
    pub fn next(&mut self, store: &dyn Store) -> Result<Option<Vec<u8>>, StoreError> {
        if self.next == self.chunks {
            let found = Digest(*self.hasher.finalize().as_bytes());
            return if found == self.digest {
                Ok(None)
            } else {
                Err(self.damaged("has other bytes"))
            };
        }
        let chunk = store
            .get(&keys::source(self.digest, self.next))?
            .ok_or_else(|| self.damaged("misses a part"))?;
        self.hasher.update(&chunk);
        self.next += 1;
        Ok(Some(chunk))
    }

    fn damaged(&self, what: &str) -> StoreError {
        StoreError::Damaged(format!("source `{}` {what}", self.digest))
    }
}

fn chunk_count(size_bytes: u64) -> u32 {
    u32::try_from(size_bytes.div_ceil(CHUNK_BYTES as u64)).unwrap_or(u32::MAX)
}
