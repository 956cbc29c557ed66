//! What was called and how it ended.

use std::collections::BTreeMap;

use parking_lot::Mutex;
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// Counts, and keeps what must not happen.
#[derive(Default)]
pub(crate) struct Tally {
    counts: Mutex<Counts>,
    waiting: Mutex<BTreeMap<String, u64>>,
}

#[derive(Default, Clone)]
pub(crate) struct Counts {
    /// By call.
    pub(crate) calls: BTreeMap<String, u64>,
    /// Calls that went through, by call.
    pub(crate) answered: BTreeMap<String, u64>,
    /// By reason.
    pub(crate) reasons: BTreeMap<String, u64>,
    /// Connections that broke: expected while a server is down.
    pub(crate) broken: u64,
    /// What must not happen, in words.
    pub(crate) wrong: Vec<String>,
}

impl Tally {
    /// A call begins.
    pub(crate) fn calls(&self, method: &str) {
        *self.waiting.lock().entry(method.to_owned()).or_default() += 1;
    }

    /// The calls that have not ended.
    pub(crate) fn waiting(&self) -> String {
        let waiting = self.waiting.lock();
        let still: Vec<_> = waiting.iter().filter(|(_, times)| **times > 0).collect();
        format!("{still:?}")
    }

    pub(crate) fn called<T>(&self, method: &str, result: &Result<T, Status>) {
        if let Some(times) = self.waiting.lock().get_mut(method) {
            *times = times.saturating_sub(1);
        }
        let mut counts = self.counts.lock();
        *counts.calls.entry(method.to_owned()).or_default() += 1;
        match result {
            Ok(_) => *counts.answered.entry(method.to_owned()).or_default() += 1,
            Err(status) if is_broken(status) => counts.broken += 1,
            Err(status) => {
                let info = status.get_details_error_info();
                let reason = info.map(|info| info.reason).unwrap_or_default();
                if reason.is_empty() || status.code() == Code::Internal {
                    counts.wrong.push(format!("{method}: {status:?}"));
                }
                *counts.reasons.entry(reason).or_default() += 1;
            }
        }
    }

    /// Keeps an error of one item of a batch.
    pub(crate) fn item(&self, reason: &str) {
        *self
            .counts
            .lock()
            .reasons
            .entry(reason.to_owned())
            .or_default() += 1;
    }

    pub(crate) fn wrong(&self, what: String) {
        self.counts.lock().wrong.push(what);
    }

    pub(crate) fn counts(&self) -> Counts {
        self.counts.lock().clone()
    }
}

/// The client made this status itself, because the connection broke.
pub(crate) fn is_broken(status: &Status) -> bool {
    std::error::Error::source(status).is_some() || status.message().contains("h2 protocol error")
}
