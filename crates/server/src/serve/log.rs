//! The log: to standard error, in the form and of what the settings say; what is logged can change
//! while the server runs.

use std::{io::IsTerminal, sync::OnceLock};

use tracing_subscriber::{
    EnvFilter, Registry, fmt, layer::SubscriberExt, reload, util::SubscriberInitExt,
};

use crate::config::{Config, LogFormat};

/// What is logged, for the whole process: it has one log.
static FILTER: OnceLock<reload::Handle<EnvFilter, Registry>> = OnceLock::new();

/// Starts the log.
pub(super) fn start(config: &Config) {
    let filter = EnvFilter::try_new(&config.log).unwrap_or_else(|_| EnvFilter::new("warn"));
    let (filter, handle) = reload::Layer::new(filter);
    let lines = fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    let log = tracing_subscriber::registry().with(filter);
    // Whoever embeds the server may have set up a log already.
    let started = match config.log_format {
        LogFormat::Text => log.with(lines).try_init(),
        LogFormat::Json => log.with(lines.json()).try_init(),
    };
    if started.is_ok() {
        let _ = FILTER.set(handle);
    }
}

/// Logs something else from now on; nothing where the log is somebody else's.
pub(crate) fn change(what: &str) -> Result<(), String> {
    let filter = EnvFilter::try_new(what).map_err(|error| format!("`log` is `{what}`: {error}"))?;
    match FILTER.get() {
        Some(handle) => handle.reload(filter).map_err(|error| error.to_string()),
        None => Ok(()),
    }
}
