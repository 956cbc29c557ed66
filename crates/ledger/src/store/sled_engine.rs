//! The engine sled: a log-structured B+ tree.
//!
//! Three things make it keep the contract. A flush of sled only starts the writing, so its file is
//! synced after it. Nodes above a quarter of a segment go to files of their own that nobody ever
//! syncs, so segments are so large that no node gets there. And a scan of sled sees commits made
//! during it, so each scan keeps what commits replace ahead of it, and reads in pages: a commit waits
//! for a page at most, never for whoever reads the scan.

mod views;

use std::{
    collections::BTreeMap,
    fs::File,
    ops::ControlFlow,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use parking_lot::RwLock;

use self::views::Views;
use super::{
    Visit, Writes,
    reopening::{Failure, OpenEngine},
};

/// A leaf splits above 16 keys and may merge with a neighbour: 34 values of 64 KiB with their keys
/// stay below 4 MiB, a quarter of this. It is also the most that sled allows.
const SEGMENT_BYTES: usize = 16 << 20;

/// Bounds the pages kept in memory.
const CACHE_BYTES: u64 = 64 << 20;

/// How many keys a scan reads at first, as many are read for one key only; four times as many each
/// time after.
const FIRST_PAGE_KEYS: usize = 16;
/// The most keys that a scan reads at once.
const PAGE_KEYS: usize = 1_024;
/// The most bytes of values that a scan reads at once, but for the last value.
const PAGE_BYTES: usize = 1 << 20;

/// An open database, used with its default tree only: a batch is atomic within one tree.
pub(super) struct SledEngine {
    database: sled::Db,
    /// The file that sled writes to, opened a second time to sync it.
    file: File,
    /// Read by scans while they read a page, written by commits.
    pages: RwLock<()>,
    views: Views,
}

impl OpenEngine for SledEngine {
    /// Recovery begins a segment, and writes the table of pages.
    const OPENING_BYTES: u64 = 48 << 20;

    fn open(directory: &Path) -> Result<Self, Failure> {
        let database = open_when_free(directory)?;
        let file = File::open(directory.join("db")).map_err(Failure::Io)?;
        Ok(Self {
            database,
            file,
            pages: RwLock::new(()),
            views: Views::default(),
        })
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, Failure> {
        Ok(self.database.get(key)?.map(|value| value.to_vec()))
    }

    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), Failure> {
        let (mut from, mut most, mut view) = (from.to_vec(), FIRST_PAGE_KEYS, None);
        loop {
            let page = {
                // Recursive, as a visitor of another scan may scan while a commit waits.
                let _page = self.pages.read_recursive();
                let mut page = self.page(&from, to, most)?;
                if let Some(next) = &page.next {
                    // Under the same lock as the first page: no commit comes between.
                    let view = view.get_or_insert_with(|| self.views.open(to));
                    view.overlay(&from, next, &mut page.pairs);
                    view.advance(next);
                } else if let Some(view) = &view {
                    view.overlay(&from, to, &mut page.pairs);
                }
                page
            };
            for (key, value) in &page.pairs {
                if let ControlFlow::Break(()) = visit(key, value) {
                    return Ok(());
                }
            }
            match page.next {
                None => return Ok(()),
                Some(next) => from = next,
            }
            most = (most * 4).min(PAGE_KEYS);
        }
    }

    fn write(&self, writes: &Writes<'_>) -> Result<(), Failure> {
        let mut batch = sled::Batch::default();
        for (key, value) in writes {
            match value {
                Some(value) => batch.insert(*key, *value),
                None => batch.remove(*key),
            }
        }
        let pages = self.pages.write();
        self.views.keep(writes, |key| {
            Ok::<_, Failure>(self.database.get(key)?.map(|value| value.to_vec()))
        })?;
        self.database.apply_batch(batch)?;
        drop(pages);
        self.database.flush()?;
        self.file.sync_data().map_err(Failure::Io)
    }
}

/// Some keys in a row, as they are now.
struct Page {
    pairs: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Where the next page begins; none where this one is the last.
    next: Option<Vec<u8>>,
}

impl SledEngine {
    fn page(&self, from: &[u8], to: &[u8], most: usize) -> Result<Page, Failure> {
        let (mut pairs, mut bytes) = (BTreeMap::new(), 0);
        for item in self.database.range(from..to) {
            let (key, value) = item?;
            if pairs.len() == most || bytes >= PAGE_BYTES {
                let next = Some(key.to_vec());
                return Ok(Page { pairs, next });
            }
            bytes += value.len();
            pairs.insert(key.to_vec(), value.to_vec());
        }
        Ok(Page { pairs, next: None })
    }
}

/// Opens the database once nothing of this process has it open any more.
///
/// Threads of sled outlive the database for some milliseconds, and hold its lock. Nobody else can,
/// as the store's directory is locked as a whole.
fn open_when_free(directory: &Path) -> Result<sled::Db, sled::Error> {
    const PATIENCE: Duration = Duration::from_secs(10);
    const PAUSE: Duration = Duration::from_millis(2);
    let start = Instant::now();
    loop {
        let config = sled::Config::new()
            .path(directory)
            .segment_size(SEGMENT_BYTES);
        match config.cache_capacity(CACHE_BYTES).open() {
            Err(sled::Error::Io(error))
                if error.to_string().starts_with("could not acquire lock")
                    && start.elapsed() < PATIENCE =>
            {
                thread::sleep(PAUSE);
            }
            opened => return opened,
        }
    }
}

impl From<sled::Error> for Failure {
    fn from(error: sled::Error) -> Self {
        match error {
            sled::Error::Io(error) => Self::Io(error),
            sled::Error::Corruption { .. } => Self::Damaged(error.to_string()),
            error => Self::Other(Box::new(error)),
        }
    }
}
