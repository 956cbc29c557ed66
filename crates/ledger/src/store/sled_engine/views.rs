//! What scans under way have to see although it was replaced: each scan sees the store at one moment.
//!
//! A scan that does not fit one page opens a view under the lock of its first page. From then on each
//! commit leaves with every view what it is about to replace ahead of it; the scan puts that over
//! the pages it reads. The memory it takes is what commits replace during the scan.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use crate::store::Writes;

/// The views that are open.
#[derive(Default)]
pub(super) struct Views {
    open: Mutex<(u64, BTreeMap<u64, Replaced>)>,
}

struct Replaced {
    from: Vec<u8>,
    to: Vec<u8>,
    /// What was there when the view was opened; none where there was nothing.
    before: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
}

impl Views {
    /// Opens a view of what is below `to`, to be advanced to where the scan goes on.
    pub(super) fn open(&self, to: &[u8]) -> View<'_> {
        let mut open = self.open.lock();
        open.0 += 1;
        let number = open.0;
        let replaced = Replaced {
            from: Vec::new(),
            to: to.to_vec(),
            before: BTreeMap::new(),
        };
        open.1.insert(number, replaced);
        View {
            views: self,
            number,
        }
    }

    /// Keeps what writes are about to replace, where a view has not seen it yet.
    pub(super) fn keep<E>(
        &self,
        writes: &Writes<'_>,
        read: impl Fn(&[u8]) -> Result<Option<Vec<u8>>, E>,
    ) -> Result<(), E> {
        let mut open = self.open.lock();
        for replaced in open.1.values_mut() {
            for key in writes.keys() {
                let ahead = replaced.from.as_slice() <= *key && *key < replaced.to.as_slice();
                if ahead && !replaced.before.contains_key(*key) {
                    replaced.before.insert(key.to_vec(), read(key)?);
                }
            }
        }
        Ok(())
    }
}

/// One scan's view; closed when it is dropped.
pub(super) struct View<'views> {
    views: &'views Views,
    number: u64,
}

impl View<'_> {
    /// Puts what was replaced in `from..to` back over a page.
    pub(super) fn overlay(&self, from: &[u8], to: &[u8], page: &mut BTreeMap<Vec<u8>, Vec<u8>>) {
        let open = self.views.open.lock();
        let Some(replaced) = open.1.get(&self.number) else {
            return;
        };
        for (key, before) in replaced.before.range(from.to_vec()..to.to_vec()) {
            match before {
                Some(value) => page.insert(key.clone(), value.clone()),
                None => page.remove(key),
            };
        }
    }

    /// Forgets what is below `from`, which the scan has read.
    pub(super) fn advance(&self, from: &[u8]) {
        if let Some(replaced) = self.views.open.lock().1.get_mut(&self.number) {
            replaced.from = from.to_vec();
            replaced.before = replaced.before.split_off(from);
        }
    }
}

impl Drop for View<'_> {
    fn drop(&mut self) {
        self.views.open.lock().1.remove(&self.number);
    }
}
