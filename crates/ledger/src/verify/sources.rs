//! Kept sources: that their chunks are there and are what their digest says.

use std::{collections::BTreeMap, ops::ControlFlow};

use super::{Problem, ProblemKind, Report};
use crate::{
    digest::Digest,
    id::{BoardName, Position},
    store::{
        Store, StoreError,
        keys::{self, read},
    },
};

/// The sources that the logs say are kept, with where each board says so first.
#[derive(Default)]
pub(super) struct Kept(BTreeMap<Digest, BTreeMap<BoardName, Registered>>);

struct Registered {
    position: Position,
    size_bytes: u64,
}

impl Kept {
    pub(super) fn add(
        &mut self,
        source: Digest,
        board: &BoardName,
        position: Position,
        size_bytes: u64,
    ) {
        let boards = self.0.entry(source).or_default();
        boards.entry(board.clone()).or_insert(Registered {
            position,
            size_bytes,
        });
    }

    /// A board keeps it no more.
    pub(super) fn remove(&mut self, source: Digest, board: &BoardName) {
        if let Some(boards) = self.0.get_mut(&source) {
            boards.remove(board);
            if boards.is_empty() {
                self.0.remove(&source);
            }
        }
    }
}

pub(super) fn check(store: &dyn Store, kept: &Kept, report: &mut Report) -> Result<(), StoreError> {
    for (source, boards) in &kept.0 {
        let Some((board, registered)) = boards.first_key_value() else {
            continue;
        };
        report.sources += 1;
        if let Some(what) = wrong(store, *source, registered.size_bytes)? {
            report.find(
                Problem::new(ProblemKind::Source, format!("`{source}` {what}"))
                    .on(board)
                    .at(registered.position),
            );
        }
    }
    note_uncited(store, kept, report)
}

fn wrong(store: &dyn Store, source: Digest, size_bytes: u64) -> Result<Option<String>, StoreError> {
    let (from, to) = keys::source_chunks(source);
    let mut hasher = blake3::Hasher::new();
    let mut chunks = 0_u32;
    let mut gap = false;
    store.scan(&from, &to, &mut |key, chunk| {
        gap = read::source(key) != Some((source, chunks));
        chunks += u32::from(!gap);
        hasher.update(chunk);
        if gap {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    let bytes = hasher.count();
    Ok(if gap {
        Some(format!("lacks its chunk {chunks}"))
    } else if bytes == 0 && size_bytes > 0 {
        Some("is not there".into())
    } else if bytes != size_bytes {
        Some(format!("has {bytes} bytes, its entry says {size_bytes}"))
    } else if Digest(*hasher.finalize().as_bytes()) != source {
        Some("holds other bytes than its digest says".into())
    } else {
        None
    })
}

/// An upload that was not registered afterwards is no damage: it waits, or was given up.
fn note_uncited(store: &dyn Store, kept: &Kept, report: &mut Report) -> Result<(), StoreError> {
    let (mut from, to) = read::sources();
    loop {
        let mut found = None;
        store.scan(&from, &to, &mut |key, _| {
            found = read::source(key).map(|(source, _)| source);
            ControlFlow::Break(())
        })?;
        let Some(source) = found else {
            return Ok(());
        };
        if !kept.0.contains_key(&source) && report.notes.len() < super::MAX_LISTED {
            report.notes.push(Problem::new(
                ProblemKind::Source,
                format!("`{source}` is kept and no board registered it"),
            ));
        }
        from = keys::source_chunks(source).1;
    }
}
