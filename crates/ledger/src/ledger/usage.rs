//! What each principal has written on a board: counted as it is written, in the same commit, so that
//! no crash can lose a count. Derived: where the counts are missing or do not add up to the log, as
//! in a store of an earlier version, they are counted anew when the board is opened.

use std::{collections::BTreeMap, ops::ControlFlow};

use crate::{
    id::{Position, PrincipalName},
    log::decode,
    store::{
        Batch, Store, StoreError,
        keys::{self, BoardNumber, read},
    },
};

/// What was written, in entries and in bytes of keys and values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Entries.
    pub entries: u64,
    /// Their bytes.
    pub entry_bytes: u64,
    /// Bytes of the words beside them.
    pub word_bytes: u64,
}

/// What was written on a board, by who wrote it.
#[derive(Clone, Debug, Default)]
pub struct Usages {
    by: BTreeMap<PrincipalName, Usage>,
    /// Counted anew and not yet in the store.
    anew: bool,
}

impl Usage {
    /// The sum of two.
    pub fn and(self, other: Self) -> Self {
        Self {
            entries: self.entries.saturating_add(other.entries),
            entry_bytes: self.entry_bytes.saturating_add(other.entry_bytes),
            word_bytes: self.word_bytes.saturating_add(other.word_bytes),
        }
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        let figures = [self.entries, self.entry_bytes, self.word_bytes];
        figures.iter().flat_map(|it| it.to_be_bytes()).collect()
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (entries, rest) = bytes.split_first_chunk::<8>()?;
        let (entry_bytes, rest) = rest.split_first_chunk::<8>()?;
        Some(Self {
            entries: u64::from_be_bytes(*entries),
            entry_bytes: u64::from_be_bytes(*entry_bytes),
            word_bytes: u64::from_be_bytes(rest.try_into().ok()?),
        })
    }

    /// Counts one record of the store.
    pub(super) fn of(key: &[u8], value: &[u8]) -> u64 {
        u64::try_from(key.len() + value.len()).unwrap_or(u64::MAX)
    }
}

impl Usages {
    /// Reads the counts of a board, or counts anew.
    pub(super) fn load(
        store: &dyn Store,
        number: BoardNumber,
        entries: Position,
    ) -> Result<Self, StoreError> {
        let by = recorded(store, number)?.unwrap_or_default();
        let found = Self { by, anew: false };
        if found.total().entries == entries.0 {
            return Ok(found);
        }
        Ok(Self {
            by: count(store, number, entries)?,
            anew: true,
        })
    }

    /// What a principal has written.
    pub fn of(&self, principal: &PrincipalName) -> Usage {
        self.by.get(principal).copied().unwrap_or_default()
    }

    /// Everybody who has written, by name.
    pub fn each(&self) -> impl Iterator<Item = (&PrincipalName, &Usage)> {
        self.by.iter()
    }

    /// What all have written.
    pub fn total(&self) -> Usage {
        self.by
            .values()
            .fold(Usage::default(), |sum, it| sum.and(*it))
    }

    /// Adds what a principal wrote, to be kept with `batch`.
    pub(super) fn add(
        &mut self,
        number: BoardNumber,
        principal: &PrincipalName,
        more: Usage,
        batch: &mut Batch,
    ) {
        let usage = self.of(principal).and(more);
        self.by.insert(principal.clone(), usage);
        if std::mem::take(&mut self.anew) {
            for (principal, usage) in &self.by {
                batch.put(keys::usage(number, principal), usage.to_bytes());
            }
        } else {
            batch.put(keys::usage(number, principal), usage.to_bytes());
        }
    }
}

/// What was written on all boards.
pub(super) fn of_all(store: &dyn Store) -> Result<Usage, StoreError> {
    let (from, to) = read::from_board(b'u', BoardNumber(0));
    let mut sum = Usage::default();
    store.scan(&from, &to, &mut |_, value| {
        sum = sum.and(Usage::from_bytes(value).unwrap_or_default());
        ControlFlow::Continue(())
    })?;
    Ok(sum)
}

/// Reads the counts of a board; none where one cannot be read.
pub(crate) fn recorded(
    store: &dyn Store,
    number: BoardNumber,
) -> Result<Option<BTreeMap<PrincipalName, Usage>>, StoreError> {
    let (from, to) = keys::of_board(b'u', number);
    let mut by = BTreeMap::new();
    let mut whole = true;
    store.scan(
        &from,
        &to,
        &mut |key, value| match read::usage(key).zip(Usage::from_bytes(value)) {
            Some((principal, usage)) => {
                by.insert(principal, usage);
                ControlFlow::Continue(())
            }
            None => {
                whole = false;
                ControlFlow::Break(())
            }
        },
    )?;
    Ok(whole.then_some(by))
}

/// Counts what is there.
pub(crate) fn count(
    store: &dyn Store,
    number: BoardNumber,
    entries: Position,
) -> Result<BTreeMap<PrincipalName, Usage>, StoreError> {
    let mut by: BTreeMap<PrincipalName, Usage> = BTreeMap::new();
    let mut authors: Vec<Option<PrincipalName>> = Vec::new();
    let (from, to) = keys::entries(number, Position(0), entries);
    store.scan(&from, &to, &mut |key, value| {
        let author = decode(value).ok().map(|recorded| recorded.principal);
        if let Some(author) = &author {
            let usage = by.entry(author.clone()).or_default();
            usage.entries += 1;
            usage.entry_bytes += Usage::of(key, value);
        }
        authors.push(author);
        ControlFlow::Continue(())
    })?;
    let (from, to) = keys::words_of(number, Position(0), entries);
    store.scan(&from, &to, &mut |key, value| {
        let place = read::position(key).and_then(|(it, _)| usize::try_from(it.0).ok());
        let author = place.and_then(|it| authors.get(it)?.as_ref());
        if let Some(usage) = author.and_then(|author| by.get_mut(author)) {
            usage.word_bytes += Usage::of(key, value);
        }
        ControlFlow::Continue(())
    })?;
    Ok(by)
}
