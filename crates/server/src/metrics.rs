//! The figures of a server, for Prometheus to read at `/metrics`.
//!
//! The number of series is bounded: labels are methods of the API, codes, reasons, verdicts and kinds,
//! all of which are finite sets of this program. No board, principal or address is ever a label.

mod process;
mod reading;

use std::time::Duration;

use pawl_ledger::{
    committer::Commit,
    decide::{Denied, Reason},
};
use prometheus::{
    Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts,
    Registry, core::Collector,
};

use crate::{
    app::submission::{BatchOutcome, ItemOutcome},
    grpc::error::name,
};

pub(crate) use process::{Process, free_bytes};

/// Where the buckets of durations end, in seconds.
const SECONDS: &[f64] = &[
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0,
];
/// Where the buckets of batches that share a sync end.
const BATCHES: &[f64] = &[
    1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0,
];

/// What is counted as it happens. What can be read at any time is read when somebody asks.
pub struct Metrics {
    registry: Registry,
    calls: IntCounterVec,
    call_seconds: HistogramVec,
    calls_in_flight: IntGaugeVec,
    errors: IntCounterVec,
    item_errors: IntCounterVec,
    submissions: IntCounterVec,
    findings: IntCounterVec,
    entries: IntCounter,
    commit_batches: Histogram,
    commit_seconds: Histogram,
    commit_bytes: IntCounter,
    commit_failures: IntCounter,
    /// Connections that are open.
    pub(crate) connections: IntGauge,
    /// Connections that were closed at once, by why.
    pub(crate) connections_refused: IntCounterVec,
    /// Handshakes that did not come about.
    pub(crate) handshakes_failed: IntCounter,
    /// How often settings were read again, by how it came out.
    pub(crate) reloads: IntCounterVec,
}

impl Metrics {
    /// Starts with nothing counted.
    pub fn new() -> prometheus::Result<Self> {
        let registry = Registry::new();
        let add = &registry;
        let metrics = Self {
            calls: counters(
                add,
                "pawl_calls_total",
                "Calls that ended, by method and gRPC code; pages by HTTP status.",
                &["method", "code"],
            )?,
            call_seconds: durations(
                add,
                "pawl_call_seconds",
                "Time until an answer begins, by method.",
                &["method"],
            )?,
            calls_in_flight: gauges(
                add,
                "pawl_calls_in_flight",
                "Calls whose answer has not ended, streams such as watches too, by method.",
                &["method"],
            )?,
            errors: counters(
                add,
                "pawl_errors_total",
                "Calls that failed, by error reason.",
                &["reason"],
            )?,
            item_errors: counters(
                add,
                "pawl_item_errors_total",
                "Items of submissions that could not be processed, by error reason.",
                &["reason"],
            )?,
            submissions: counters(
                add,
                "pawl_submissions_total",
                "Items that were submitted and judged, by verdict.",
                &["verdict"],
            )?,
            findings: counters(
                add,
                "pawl_findings_total",
                "Findings about items that were submitted, by kind.",
                &["kind"],
            )?,
            entries: counter(
                add,
                "pawl_entries_total",
                "Entries written to logs of boards.",
            )?,
            commit_batches: histogram(
                add,
                "pawl_commit_batches",
                "Batches that shared a commit.",
                BATCHES,
            )?,
            commit_seconds: histogram(
                add,
                "pawl_commit_seconds",
                "Time a commit took, sync included.",
                SECONDS,
            )?,
            commit_bytes: counter(
                add,
                "pawl_commit_bytes_total",
                "Bytes of keys and values handed to the store.",
            )?,
            commit_failures: counter(add, "pawl_commit_failures_total", "Commits that failed.")?,
            connections: registered(
                add,
                IntGauge::new("pawl_connections", "Connections that are open.")?,
            )?,
            connections_refused: counters(
                add,
                "pawl_connections_refused_total",
                "Connections closed at once, by why.",
                &["why"],
            )?,
            handshakes_failed: counter(
                add,
                "pawl_tls_handshakes_failed_total",
                "TLS handshakes that did not come about.",
            )?,
            reloads: counters(
                add,
                "pawl_reloads_total",
                "Times the settings were read again, by result.",
                &["result"],
            )?,
            registry,
        };
        metrics.begin_at_zero();
        Ok(metrics)
    }

    /// Shows what is watched for before it happens: a rate needs a first value.
    fn begin_at_zero(&self) {
        for verdict in ["accepted", "contested", "refused"] {
            self.submissions.with_label_values(&[verdict]);
        }
        for result in ["applied", "failed"] {
            self.reloads.with_label_values(&[result]);
        }
    }

    /// A call began.
    pub(crate) fn call_began(&self, method: &str) {
        self.calls_in_flight.with_label_values(&[method]).inc();
    }

    /// An answer began.
    pub(crate) fn answer_began(&self, method: &str, after: Duration) {
        let seconds = self.call_seconds.with_label_values(&[method]);
        seconds.observe(after.as_secs_f64());
    }

    /// A call ended.
    pub(crate) fn call_ended(&self, method: &str, code: &str) {
        self.calls_in_flight.with_label_values(&[method]).dec();
        self.calls.with_label_values(&[method, code]).inc();
    }

    /// A call failed for a reason, as its status spells it. What is no reason of ours is not counted.
    pub(crate) fn call_failed(&self, reason: &str) {
        let known = Reason::from_str_name(&format!("ERROR_REASON_{reason}"));
        let counted = known.map_or("NONE", name);
        self.errors.with_label_values(&[counted]).inc();
    }

    /// A batch was judged.
    pub(crate) fn judged(&self, outcome: &BatchOutcome) {
        for item in &outcome.items {
            match item {
                Ok(item) => self.item_judged(item),
                Err(denied) => self.item_failed(denied),
            }
        }
    }

    fn item_judged(&self, item: &ItemOutcome) {
        let verdict = format!("{:?}", item.verdict).to_lowercase();
        self.submissions.with_label_values(&[&verdict]).inc();
        for finding in &item.findings {
            let kind = snake_case(&format!("{:?}", finding.judgement.kind));
            self.findings.with_label_values(&[&kind]).inc();
        }
    }

    fn item_failed(&self, denied: &Denied) {
        let reason = name(denied.reason);
        self.item_errors.with_label_values(&[reason]).inc();
    }

    /// The store took a commit, or failed to.
    pub(crate) fn committed(&self, commit: &Commit) {
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        self.commit_seconds.observe(commit.took.as_secs_f64());
        if !commit.succeeded {
            self.commit_failures.inc();
            return;
        }
        #[expect(clippy::cast_precision_loss, reason = "at most 1,024")]
        self.commit_batches.observe(commit.batches as f64);
        self.entries.inc_by(count(commit.entries));
        self.commit_bytes.inc_by(count(commit.bytes));
    }

    /// How many entries were written since the start.
    pub(crate) fn entries(&self) -> u64 {
        self.entries.get()
    }
}

/// Spells a name of this program as labels are spelt.
fn snake_case(name: &str) -> String {
    let mut spelt = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !spelt.is_empty() {
            spelt.push('_');
        }
        spelt.push(letter.to_ascii_lowercase());
    }
    spelt
}

fn registered<C: Collector + Clone + 'static>(
    registry: &Registry,
    collector: C,
) -> prometheus::Result<C> {
    registry.register(Box::new(collector.clone()))?;
    Ok(collector)
}

fn counter(registry: &Registry, name: &str, help: &str) -> prometheus::Result<IntCounter> {
    registered(registry, IntCounter::new(name, help)?)
}

fn counters(
    registry: &Registry,
    name: &str,
    help: &str,
    labels: &[&str],
) -> prometheus::Result<IntCounterVec> {
    registered(registry, IntCounterVec::new(Opts::new(name, help), labels)?)
}

fn gauges(
    registry: &Registry,
    name: &str,
    help: &str,
    labels: &[&str],
) -> prometheus::Result<IntGaugeVec> {
    registered(registry, IntGaugeVec::new(Opts::new(name, help), labels)?)
}

fn histogram(
    registry: &Registry,
    name: &str,
    help: &str,
    buckets: &[f64],
) -> prometheus::Result<Histogram> {
    let options = HistogramOpts::new(name, help).buckets(buckets.to_vec());
    registered(registry, Histogram::with_opts(options)?)
}

fn durations(
    registry: &Registry,
    name: &str,
    help: &str,
    labels: &[&str],
) -> prometheus::Result<HistogramVec> {
    let options = HistogramOpts::new(name, help).buckets(SECONDS.to_vec());
    registered(registry, HistogramVec::new(options, labels)?)
}
