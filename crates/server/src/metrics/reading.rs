//! The page of figures: what was counted, and what is read when somebody asks.

use prometheus::{IntGauge, IntGaugeVec, Opts, Registry, TextEncoder, core::Collector};

use super::{Metrics, process};
use crate::app::{App, What, now};

impl Metrics {
    /// The page in Prometheus' text format, version 0.0.4.
    pub(crate) async fn page(&self, app: &App) -> prometheus::Result<String> {
        let read = read(app).await?;
        let mut families = self.registry.gather();
        families.extend(read.gather());
        families.sort_by(|one, other| one.name().cmp(other.name()));
        TextEncoder::new().encode_to_string(&families)
    }
}

/// What can be read at any time.
async fn read(app: &App) -> prometheus::Result<Registry> {
    let registry = Registry::new();
    let gauge = |name: &str, help: &str, value: u64| {
        let gauge = IntGauge::new(name, help)?;
        gauge.set(whole(value));
        registry.register(Box::new(gauge))
    };
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let process = process::Process::now();
    let boards = count(app.open_boards().await.len());
    gauge("pawl_boards_open", "Boards held open.", boards)?;
    gauge(
        "pawl_boards",
        "Boards of the server.",
        count(app.ledger.board_names().len()),
    )?;
    gauge(
        "pawl_commit_queue",
        "Batches that wait for a sync.",
        count(app.ledger.waiting()),
    )?;
    gauge(
        "process_resident_memory_bytes",
        "Resident memory in bytes.",
        process.resident_bytes,
    )?;
    gauge(
        "process_open_fds",
        "Open file descriptors.",
        process.open_files,
    )?;
    gauge(
        "process_start_time_seconds",
        "Start of the server since the Unix epoch.",
        app.started.0 / 1_000,
    )?;
    if let Some(most) = process.most_files {
        gauge("process_max_fds", "The most open file descriptors.", most)?;
    }
    if let Some(free) = process::free_bytes(&app.settings().data) {
        gauge(
            "pawl_disk_free_bytes",
            "Free bytes on the disk of the data directory.",
            free,
        )?;
    }
    if let Some(certificates) = &app.certificates {
        let end = certificates.current().validity.to.0 / 1_000;
        gauge(
            "pawl_tls_certificate_end_seconds",
            "When the certificate ends, since the Unix epoch.",
            end,
        )?;
    }
    if let Some(reload) = app.last_reload.lock().as_ref() {
        let age = now().0.saturating_sub(reload.at.0) / 1_000;
        gauge(
            "pawl_last_reload_age_seconds",
            "Time since the settings were read again.",
            age,
        )?;
        gauge(
            "pawl_last_reload_failed",
            "The last reload failed and the settings before it stand.",
            reload.failure.is_some().into(),
        )?;
    }
    embedder(&registry, app)?;
    registry.register(used(app)?)?;
    registry.register(build()?)?;
    Ok(registry)
}

fn embedder(registry: &Registry, app: &App) -> prometheus::Result<()> {
    let work = app
        .embedder
        .as_ref()
        .map(pawl_checker::embedder::Embedder::work)
        .unwrap_or_default();
    let texts = prometheus::IntCounter::new(
        "pawl_embedder_texts_total",
        "Texts the sentence model embedded.",
    )?;
    texts.inc_by(work.texts);
    registry.register(Box::new(texts))?;
    let name = "pawl_embedder_seconds_total";
    let seconds = prometheus::Counter::new(
        name,
        "Time that took, waiting for a copy of the model included.",
    )?;
    seconds.inc_by(work.took.as_secs_f64());
    registry.register(Box::new(seconds))
}

/// What is used of what there is a bounded number of, and the bounds.
fn used(app: &App) -> prometheus::Result<Box<dyn Collector>> {
    let options = Opts::new(
        "pawl_places",
        "What is used of what there is a bounded number of: by all, by the principal that uses most, and what one may use.",
    );
    let places = IntGaugeVec::new(options, &["what", "of"])?;
    let limits = app.limits();
    let set = |what: &str, of: &str, value: usize| {
        let value = whole(u64::try_from(value).unwrap_or(u64::MAX));
        places.with_label_values(&[what, of]).set(value);
    };
    for (what, name) in [
        (What::Call, "calls"),
        (What::Stream, "streams"),
        (What::Upload, "uploads"),
    ] {
        set(name, "all", app.places.used(what));
        set(name, "principal_most", app.places.most_used_by_one(what));
        set(name, "principal_limit", what.most_of_one(&limits));
    }
    set("calls", "limit", limits.calls);
    set("uploads", "limit", limits.uploads);
    set("connections", "limit", limits.connections);
    Ok(Box::new(places))
}

fn build() -> prometheus::Result<Box<dyn Collector>> {
    let options = Opts::new("pawl_build_info", "Always 1; the labels say what runs.");
    let info = IntGaugeVec::new(options, &["version", "checker"])?;
    let checker = pawl_checker::compare::VERSION;
    info.with_label_values(&[env!("CARGO_PKG_VERSION"), checker])
        .set(1);
    Ok(Box::new(info))
}

fn whole(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
