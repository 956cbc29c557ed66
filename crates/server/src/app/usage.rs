//! What boards and the server take of disk and memory. What is written is counted as it is written;
//! the rest is counted when asked, in one pass over what is in memory and a bounded look at the store.

use std::{collections::BTreeMap, mem::size_of, ops::ControlFlow, sync::Arc};

use pawl_ledger::{
    board::{Board, Conflict, Flag, Refusal, Revision, Source},
    id::PrincipalName,
    ledger::Usage,
    quota::Quotas,
    store::keys,
};

use super::{App, LiveBoard, error::AppError, identity::require_server_operator, judge};
use crate::{auth::Caller, config::QuotaSettings};

/// The most kept answers that are looked at.
const MAX_ANSWERS: usize = 100_000;
/// About what a node of an ordered map takes beside its contents, for each element.
const ELEMENT_BYTES: usize = 24;

/// What a board takes.
#[derive(Clone, Debug)]
pub struct BoardUsage {
    /// What each principal may take.
    pub quotas: QuotaSettings,
    /// Of these, what the board has set.
    pub own: Quotas,
    /// What each principal has taken.
    pub principals: BTreeMap<PrincipalName, Taken>,
    /// Entries and words of all.
    pub written: Usage,
    /// Bytes of the image.
    pub image_bytes: u64,
    /// Bytes of kept answers.
    pub answer_bytes: u64,
    /// Bytes of kept sources.
    pub source_bytes: u64,
    /// Bytes of the folded state in memory.
    pub state_bytes: u64,
    /// What the checker knows.
    pub judge: judge::Figures,
}

/// What a principal has taken of a board.
#[derive(Clone, Copy, Debug, Default)]
pub struct Taken {
    /// Entries and words.
    pub written: Usage,
    /// Sources.
    pub sources: u64,
    /// Bytes of kept sources.
    pub source_bytes: u64,
    /// Refused submissions.
    pub refusals: u64,
    /// Entries that may be written now.
    pub entries_left: u64,
    /// Refusals that would be recorded now.
    pub refusals_left: u64,
}

/// What a server takes.
#[derive(Clone, Copy, Debug, Default)]
pub struct ServerUsage {
    /// Boards.
    pub boards: usize,
    /// Of these, held open.
    pub open_boards: usize,
    /// Entries and words of all boards.
    pub written: Usage,
    /// Bytes of parsed sources in memory.
    pub document_cache_bytes: usize,
    /// Bytes of memory of this process; 0 where the system does not say.
    pub resident_bytes: u64,
    /// Boards that are being deleted.
    pub deleting: usize,
}

impl App {
    /// Tells what a board takes.
    pub async fn board_usage(
        self: &Arc<Self>,
        live: &Arc<LiveBoard>,
        caller: &Caller,
    ) -> Result<BoardUsage, AppError> {
        let mut usage = self
            .read(live, caller, |board| Ok(self.in_memory(live, board)))
            .await?;
        let (app, board) = (self.clone(), live.clone());
        let counted = super::submission::blocking(move || {
            let number = board.open.number;
            let image = app.stored(keys::images(number), usize::MAX)?;
            Ok((image, app.stored(keys::requests(number), MAX_ANSWERS)?))
        });
        (usage.image_bytes, usage.answer_bytes) = counted.await?;
        Ok(usage)
    }

    /// Tells what the server takes. Server operators only.
    pub async fn server_usage(&self, caller: &Caller) -> Result<ServerUsage, AppError> {
        require_server_operator(caller)?;
        Ok(ServerUsage {
            boards: self.ledger.board_names().len(),
            open_boards: self.open_boards().await.len(),
            written: self.ledger.written()?,
            document_cache_bytes: self.documents.bytes(),
            resident_bytes: resident_bytes().unwrap_or_default(),
            deleting: self.ledger.being_deleted()?.len(),
        })
    }

    fn in_memory(&self, live: &LiveBoard, board: &Board) -> BoardUsage {
        let quotas = self.quotas(board);
        let usages = live.open.usages();
        let mut principals: BTreeMap<PrincipalName, Taken> = BTreeMap::new();
        for (principal, written) in usages.each() {
            principals.entry(principal.clone()).or_default().written = *written;
        }
        for source in board.sources.values() {
            let taken = principals.entry(source.principal.clone()).or_default();
            taken.sources += 1;
            taken.source_bytes += if source.kept { source.size_bytes } else { 0 };
        }
        for refusal in &board.refusals {
            let taken = principals.entry(refusal.principal.clone()).or_default();
            taken.refusals += 1;
        }
        for (principal, taken) in &mut principals {
            let (entries, refusals) = self.rates_left(live, principal, quotas);
            (taken.entries_left, taken.refusals_left) = (entries.now, refusals.now);
        }
        BoardUsage {
            quotas,
            own: board.quotas,
            source_bytes: principals.values().map(|it| it.source_bytes).sum(),
            principals,
            written: usages.total(),
            image_bytes: 0,
            answer_bytes: 0,
            state_bytes: state_bytes(board),
            judge: live.judge.read().figures(),
        }
    }

    /// The bytes of keys and values in a range, of so many at most.
    fn stored(&self, (from, to): (Vec<u8>, Vec<u8>), most: usize) -> Result<u64, AppError> {
        let (mut bytes, mut count) = (0, 0);
        self.ledger.store().scan(&from, &to, &mut |key, value| {
            count += 1;
            bytes += wide(key.len() + value.len());
            if count < most {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })?;
        Ok(bytes)
    }
}

/// What the folded state takes, estimated from what is in it.
fn state_bytes(board: &Board) -> u64 {
    const NAME_BYTES: usize = 16;
    let revisions: usize = board
        .revisions()
        .map(|(_, state)| {
            let lists = size_of_val(state.supports.as_slice())
                + size_of_val(state.conflicts.as_slice())
                + size_of_val(state.flags.as_slice());
            let sources = state.verified_sources.len() * (32 + ELEMENT_BYTES);
            // The revision itself, its names, and its places in modules, graphs and lists.
            size_of::<Revision>() + 3 * NAME_BYTES + lists + sources + 4 * ELEMENT_BYTES
        })
        .sum();
    let sources: usize = board
        .sources
        .values()
        .map(|state| {
            let cited = state.cited_by.len() * (8 + ELEMENT_BYTES);
            size_of::<Source>() + 32 + NAME_BYTES + ELEMENT_BYTES + cited
        })
        .sum();
    let rest = board.conflicts.len() * (size_of::<Conflict>() + NAME_BYTES)
        + board.refusals.len() * (size_of::<Refusal>() + 2 * NAME_BYTES)
        + board.flags.len() * (size_of::<Flag>() + NAME_BYTES);
    let snapshots = board.snapshots.iter().map(|node| node.members.len() * 8);
    wide(revisions + sources + rest + snapshots.sum::<usize>())
}

/// The memory of this process that is in use, as Linux tells it.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes.saturating_mul(1_024))
}

fn wide(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}
