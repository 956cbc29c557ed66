//! What each principal may take of each board, enforced before anything is written.
//!
//! Rates are held by the server's monotonic clock and begin anew with the server. Totals come from
//! the board: what was written, which sources are there. One principal's use never counts for
//! another's, nor on another board.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use pawl_ledger::{
    board::Board,
    decide::{Denied, Reason},
    event::Event,
    id::PrincipalName,
    ledger::Transaction,
    store::keys::BoardNumber,
};

use super::{App, boards::LiveBoard};
use crate::config::QuotaSettings;

/// How many meters are kept before those that are full again are dropped.
const MAX_METERS: usize = 10_000;

/// The rates of every principal on every board that wrote lately.
#[derive(Default)]
pub struct Meters(Mutex<HashMap<(BoardNumber, PrincipalName), Meter>>);

/// What a principal has taken of its rates on a board.
#[derive(Clone, Copy, Debug, Default)]
struct Meter {
    entries: Bucket,
    refusals: Bucket,
}

/// A token bucket, kept as the moment at which it is full again. It may be overdrawn by the one call
/// that empties it; the next one waits until it is paid back.
#[derive(Clone, Copy, Debug, Default)]
struct Bucket {
    full_at: Option<Instant>,
}

/// How fast a bucket fills, and how much it holds.
#[derive(Clone, Copy, Debug)]
struct Rate {
    interval: Duration,
    burst: u64,
}

/// What is left of a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// So many now.
    pub now: u64,
    /// The time until the next one, where there is none now.
    pub wait: Duration,
}

impl Rate {
    fn entries(quotas: QuotaSettings) -> Self {
        Self {
            interval: Duration::from_secs(1) / narrow(quotas.entries_per_second),
            burst: quotas.entries_burst,
        }
    }

    fn refusals(quotas: QuotaSettings) -> Self {
        Self {
            interval: Duration::from_secs(3_600) / narrow(quotas.refusals_per_hour),
            burst: quotas.refusals_per_hour,
        }
    }
}

impl Bucket {
    fn left(self, rate: Rate, now: Instant) -> Left {
        let interval = rate.interval.as_nanos();
        let missing = self
            .full_at
            .map_or(0, |at| at.saturating_duration_since(now).as_nanos());
        let holds = interval.saturating_mul(u128::from(rate.burst));
        let left = holds.saturating_sub(missing).checked_div(interval);
        let left = left.map_or(rate.burst, |left| u64::try_from(left).unwrap_or(u64::MAX));
        let until_one = missing
            .saturating_add(interval)
            .saturating_sub(holds)
            .min(u128::from(u64::MAX));
        Left {
            now: left,
            wait: Duration::from_nanos(u64::try_from(until_one).unwrap_or(u64::MAX)),
        }
    }

    fn take(&mut self, count: usize, rate: Rate, now: Instant) {
        let taken = u32::try_from(count).unwrap_or(u32::MAX);
        let from = self.full_at.map_or(now, |at| at.max(now));
        self.full_at = from.checked_add(rate.interval.saturating_mul(taken));
    }

    fn is_full(self, now: Instant) -> bool {
        self.full_at.is_none_or(|at| at <= now)
    }
}

impl App {
    /// The quotas that hold on a board.
    pub fn quotas(&self, board: &Board) -> QuotaSettings {
        self.limits().quotas.with(&board.quotas)
    }

    /// Refuses who has to wait before writing again. Cheap: for before the work begins.
    pub(super) fn may_write_now(
        &self,
        live: &LiveBoard,
        principal: &PrincipalName,
    ) -> Result<(), Denied> {
        let quotas = self.quotas(&live.open.state.read());
        self.has_entries_left(live, principal, quotas)
    }

    /// Lets a transaction begin that the rate has room for, and bounds the words it may write.
    pub(super) fn admit(
        &self,
        live: &LiveBoard,
        transaction: &mut Transaction<'_>,
    ) -> Result<(), Denied> {
        let quotas = self.quotas(transaction.board());
        let principal = transaction.context().principal.clone();
        self.has_entries_left(live, &principal, quotas)?;
        let written = live.open.usage(&principal).word_bytes;
        transaction.limit_words(quotas.word_bytes.saturating_sub(written));
        Ok(())
    }

    /// Counts what a transaction has written.
    pub(super) fn charge(&self, live: &LiveBoard, transaction: &Transaction<'_>) {
        let entries = transaction.applied().len();
        if entries == 0 {
            return;
        }
        let quotas = self.quotas(transaction.board());
        let refused = transaction.applied().iter();
        let refused = refused.filter(|it| matches!(it.event, Event::Refused { .. }));
        let (refused, now) = (refused.count(), Instant::now());
        let mut meters = self.meters.0.lock();
        if meters.len() >= MAX_METERS {
            meters.retain(|_, it| !(it.entries.is_full(now) && it.refusals.is_full(now)));
        }
        let key = (live.open.number, transaction.context().principal.clone());
        let meter = meters.entry(key).or_default();
        meter.entries.take(entries, Rate::entries(quotas), now);
        meter.refusals.take(refused, Rate::refusals(quotas), now);
    }

    /// What is left of a principal's rates: of entries, and of refusals that are recorded.
    pub fn rates_left(
        &self,
        live: &LiveBoard,
        principal: &PrincipalName,
        quotas: QuotaSettings,
    ) -> (Left, Left) {
        let key = (live.open.number, principal.clone());
        let meter = self.meters.0.lock().get(&key).copied().unwrap_or_default();
        let now = Instant::now();
        (
            meter.entries.left(Rate::entries(quotas), now),
            meter.refusals.left(Rate::refusals(quotas), now),
        )
    }

    /// How many refused submissions of a principal are recorded now.
    pub(super) fn refusals_left(
        &self,
        live: &LiveBoard,
        board: &Board,
        principal: &PrincipalName,
    ) -> Left {
        self.rates_left(live, principal, self.quotas(board)).1
    }

    fn has_entries_left(
        &self,
        live: &LiveBoard,
        principal: &PrincipalName,
        quotas: QuotaSettings,
    ) -> Result<(), Denied> {
        let (left, _) = self.rates_left(live, principal, quotas);
        if left.now > 0 {
            return Ok(());
        }
        let limit = quotas.entries_per_second;
        Err(exceeded(
            "entries_per_second",
            principal,
            limit,
            &format!(
                "`{principal}` has written all that {limit} entries a second allow on board `{}`; \
                 try again in {} ms",
                live.name,
                milliseconds(left.wait)
            ),
        )
        .with("retry_after_ms", milliseconds(left.wait)))
    }

    /// Refuses a source that a principal has no room for on a board.
    pub(super) fn has_room(
        &self,
        board: &Board,
        principal: &PrincipalName,
        bytes: u64,
    ) -> Result<(), Denied> {
        let quotas = self.quotas(board);
        let own = board
            .sources
            .values()
            .filter(|it| it.principal == *principal);
        let (count, kept) = own.fold((0_u64, 0_u64), |(count, kept), it| {
            let bytes = if it.kept { it.size_bytes } else { 0 };
            (count + 1, kept.saturating_add(bytes))
        });
        let (quota, limit, has) = if count >= quotas.sources {
            ("sources", quotas.sources, format!("{count} sources"))
        } else if kept.saturating_add(bytes) > quotas.source_bytes {
            let has = format!("{kept} bytes of sources, and this one has {bytes}");
            ("source_bytes", quotas.source_bytes, has)
        } else {
            return Ok(());
        };
        let message = format!(
            "`{principal}` has {has}, and {limit} are allowed on board `{}`; remove what nothing \
             cites, or ask an operator to raise the quota",
            board.name
        );
        Err(exceeded(quota, principal, limit, &message))
    }
}

/// Says that a refusal is not recorded any more, and when one is again.
pub(super) fn refusal_unrecorded(
    principal: &PrincipalName,
    quotas: QuotaSettings,
    left: Left,
) -> Denied {
    let (limit, wait) = (quotas.refusals_per_hour, milliseconds(left.wait));
    let message = format!(
        "this contradicts what is locked, and {limit} refusals an hour of `{principal}` are \
         recorded; read what is locked, and try again in {wait} ms"
    );
    exceeded("refusals_per_hour", principal, limit, &message).with("retry_after_ms", wait)
}

fn exceeded(quota: &'static str, principal: &PrincipalName, limit: u64, message: &str) -> Denied {
    Denied::new(Reason::QuotaExceeded, message)
        .with("quota", quota)
        .with("principal", principal)
        .with("limit", limit)
}

fn milliseconds(wait: Duration) -> u128 {
    wait.as_nanos().div_ceil(1_000_000).max(1)
}

/// A rate beyond 32 bits is none that anybody reaches.
fn narrow(rate: u64) -> u32 {
    u32::try_from(rate).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Over any time, no more is let through than the rate and the burst allow, but for the one
        /// call that overdraws; and who waits as told gets through.
        #[test]
        fn a_bucket_gives_what_it_holds_and_what_flows_in(
            per_second in 1..2_000_u64,
            burst in 1..500_u64,
            calls in proptest::collection::vec((0..3_000_u64, 1..40_usize), 1..200),
        ) {
            let rate = Rate { interval: Duration::from_secs(1) / narrow(per_second), burst };
            let begin = Instant::now();
            let (mut bucket, mut now, mut given) = (Bucket::default(), begin, 0_u64);
            for (pause, count) in calls {
                now += Duration::from_micros(pause * 100);
                let left = bucket.left(rate, now);
                if left.now == 0 {
                    prop_assert!(bucket.left(rate, now + left.wait).now >= 1);
                    prop_assert_eq!(bucket.left(rate, now + left.wait / 2).now, 0);
                    continue;
                }
                bucket.take(count, rate, now);
                given += count as u64;
                let flowed = (now - begin).as_nanos() / rate.interval.as_nanos();
                prop_assert!(u128::from(given) <= u128::from(burst) + flowed + 1 + count as u128);
            }
        }
    }

    #[test]
    fn a_bucket_without_bounds_never_runs_dry() {
        let rate = Rate {
            interval: Duration::ZERO,
            burst: 1 << 50,
        };
        let mut bucket = Bucket::default();
        let now = Instant::now();
        bucket.take(usize::MAX, rate, now);
        assert_eq!(bucket.left(rate, now).now, 1 << 50);
    }
}
