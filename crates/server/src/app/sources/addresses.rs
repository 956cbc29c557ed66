//! Which source an address names now: the one that was registered for it last.

use std::collections::BTreeMap;

use pawl_ledger::{
    board::Board,
    digest::Digest,
    ledger::{Ledger, OpenBoard},
};

use super::{SourceRecord, describe};
use crate::app::error::AppError;

/// The addresses of a board's sources. Derived: the words of the registrations hold them.
#[derive(Debug, Default)]
pub struct Addresses {
    named: BTreeMap<String, Vec<Digest>>,
    of: BTreeMap<Digest, String>,
}

impl Addresses {
    /// Reads the words of every registration, in order.
    pub fn load(ledger: &Ledger, open: &OpenBoard) -> Result<Self, AppError> {
        let mut sources: Vec<_> = {
            let board = open.state.read();
            let sources = board.sources.iter();
            sources
                .map(|(digest, state)| (*digest, state.clone()))
                .collect()
        };
        sources.sort_by_key(|(_, state)| state.position);
        let mut addresses = Self::default();
        for (digest, state) in sources {
            let SourceRecord { description, .. } = describe(ledger, open, digest, state)?;
            addresses.set(&description.uri, digest);
        }
        Ok(addresses)
    }

    /// The source an address names.
    pub fn get(&self, uri: &str) -> Option<Digest> {
        self.named.get(uri)?.last().copied()
    }

    /// The address that a source was registered with.
    pub fn of(&self, source: &Digest) -> Option<&str> {
        self.of.get(source).map(String::as_str)
    }

    /// The source of the same address that another takes the place of.
    pub(super) fn replaced(&self, board: &Board, uri: &str, by: Digest) -> Option<Digest> {
        let earlier = self.get(uri)?;
        (earlier != by && board.sources.contains_key(&earlier)).then_some(earlier)
    }

    /// Notes what an address names from here on.
    pub(super) fn set(&mut self, uri: &str, digest: Digest) {
        if uri.is_empty() {
            self.of.remove(&digest);
            return;
        }
        let digests = self.named.entry(uri.to_owned()).or_default();
        digests.retain(|it| *it != digest);
        digests.push(digest);
        self.of.insert(digest, uri.to_owned());
    }

    /// Forgets a source that was removed; its address names the one before again, if there is one.
    pub(in crate::app) fn forget(&mut self, digest: Digest) {
        for digests in self.named.values_mut() {
            digests.retain(|it| *it != digest);
        }
        self.named.retain(|_, digests| !digests.is_empty());
        self.of.remove(&digest);
    }
}
