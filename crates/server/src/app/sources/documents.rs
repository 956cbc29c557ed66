//! Sources that were read lately, so that a batch that cites one document parses it once.

use std::{collections::HashMap, sync::Arc};

use parking_lot::Mutex;
use pawl_checker::quote::{Document, DocumentError, MediaType};
use pawl_ledger::digest::Digest;

use crate::app::error::AppError;

/// How many bytes a parsed document is taken to hold for each byte of its source: the source, its
/// extracted text and their normal forms with offsets.
const COST_FACTOR: usize = 8;

/// What tells documents apart: the same bytes read as another type are another document.
pub(super) type Key = (Digest, MediaType);

/// Parsed documents; the ones not used for longest go first.
pub struct Documents {
    most_bytes: usize,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    documents: HashMap<Key, Entry>,
    bytes: usize,
    clock: u64,
}

struct Entry {
    place: Arc<Place>,
    bytes: usize,
    used: u64,
}

/// Where one document is parsed by one caller while the others wait.
type Place = Mutex<Option<Read>>;

/// A document, or why there is none: finding that out takes as long as reading one.
pub(super) type Read = Result<Arc<Document>, DocumentError>;

impl Documents {
    /// Keeps documents of at most about so many bytes of memory.
    pub fn new(most_bytes: usize) -> Self {
        Self {
            most_bytes,
            kept: Mutex::default(),
        }
    }

    /// About how many bytes of memory what is kept takes.
    pub fn bytes(&self) -> usize {
        self.kept.lock().bytes
    }

    /// Finds a document, or makes it with `parse`. Blocks while it is being made.
    pub(super) fn get(
        &self,
        key: &Key,
        source_bytes: u64,
        parse: impl FnOnce() -> Result<Result<Document, DocumentError>, AppError>,
    ) -> Result<Read, AppError> {
        let place = self.place(key, source_bytes);
        let mut document = place.lock();
        if let Some(document) = document.as_ref() {
            return Ok(document.clone());
        }
        Ok(document.insert(parse()?.map(Arc::new)).clone())
    }

    fn place(&self, key: &Key, source_bytes: u64) -> Arc<Place> {
        let mut kept = self.kept.lock();
        kept.clock += 1;
        let now = kept.clock;
        if let Some(entry) = kept.documents.get_mut(key) {
            entry.used = now;
            return entry.place.clone();
        }
        let bytes = usize::try_from(source_bytes)
            .unwrap_or(usize::MAX)
            .saturating_mul(COST_FACTOR);
        let place = Arc::new(Place::default());
        let entry = Entry {
            place: place.clone(),
            bytes,
            used: now,
        };
        kept.documents.insert(key.clone(), entry);
        kept.bytes = kept.bytes.saturating_add(bytes);
        kept.shrink(self.most_bytes);
        place
    }
}

impl Kept {
    /// Lets the oldest go until the rest fits. One that is larger than everything goes at once, and
    /// lives for as long as its caller holds it.
    fn shrink(&mut self, most_bytes: usize) {
        while self.bytes > most_bytes {
            let oldest = self.documents.iter().min_by_key(|(_, entry)| entry.used);
            let Some(key) = oldest.map(|(key, _)| key.clone()) else {
                return;
            };
            if let Some(entry) = self.documents.remove(&key) {
                self.bytes = self.bytes.saturating_sub(entry.bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(documents: &Documents, name: &str) -> bool {
        let mut parsed = false;
        let key = (Digest::of(name.as_bytes()), MediaType::Plain);
        let document = documents.get(&key, 1, || {
            parsed = true;
            Ok(Document::parse(MediaType::Plain, name.as_bytes()))
        });
        assert_eq!(document.unwrap().unwrap().source(), name);
        parsed
    }

    #[test]
    fn a_document_is_parsed_once_and_the_least_used_goes_first() {
        let documents = Documents::new(2 * COST_FACTOR);
        assert!(get(&documents, "a") && get(&documents, "b"));
        assert!(!get(&documents, "a"));
        assert!(get(&documents, "c"));
        assert!(!get(&documents, "a"));
        assert!(get(&documents, "b"));
    }

    #[test]
    fn a_document_larger_than_the_cache_is_parsed_each_time() {
        let documents = Documents::new(0);
        assert!(get(&documents, "a") && get(&documents, "a"));
        assert_eq!(documents.kept.lock().bytes, 0);
    }

    #[test]
    fn what_cannot_be_parsed_is_tried_again() {
        let documents = Documents::new(1_024);
        let key = (Digest::of(b"a"), MediaType::Plain);
        let failed = documents.get(&key, 1, || Err(AppError::Internal("no".into())));
        assert!(failed.is_err());
        assert!(get(&documents, "a"));
    }
}
