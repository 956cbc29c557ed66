//! What can be wrong with how a server is set up, or soon will be: each thing that is looked at, how
//! it is, and what to do. The same checks serve `pawl doctor` on a directory and the status of a
//! server that runs.

mod files;
mod running;

use pawl_ledger::id::Timestamp;
use pawl_proto::v1::{Check, CheckLevel};

use crate::{app::now, config::Config};

pub(crate) use running::{of_server, usages};

/// The beginning of 2025: a clock before it was never set.
const CLOCK_SET: Timestamp = Timestamp(1_735_689_600_000);

/// Looks at what a server is set up with. Opens no store.
pub(crate) fn of_config(config: &Config) -> Vec<Check> {
    let mut checks = vec![
        files::directory(config),
        files::store(config),
        files::operator_token(config),
        files::models(config),
        files::disk(config),
        open_files(config),
        clock(now()),
    ];
    checks.extend(files::settings(config));
    checks.extend(files::tls(config, now()));
    checks
}

/// All is well.
pub(crate) fn ok(name: &str, message: impl Into<String>) -> Check {
    check(name, CheckLevel::Ok, message.into(), "")
}

/// Something to be looked at.
pub(crate) fn warning(name: &str, message: impl Into<String>, remedy: &str) -> Check {
    check(name, CheckLevel::Warning, message.into(), remedy)
}

/// Something that does not work.
pub(crate) fn error(name: &str, message: impl Into<String>, remedy: &str) -> Check {
    check(name, CheckLevel::Error, message.into(), remedy)
}

fn check(name: &str, level: CheckLevel, message: String, remedy: &str) -> Check {
    Check {
        name: name.to_owned(),
        level: level.into(),
        message,
        remedy: remedy.to_owned(),
    }
}

/// A server needs a file for each connection, and some for its store.
fn open_files(config: &Config) -> Check {
    const OF_STORE: u64 = 256;
    let needed = config.limits.connections as u64 + OF_STORE;
    let remedy = "raise it with `ulimit -n`, or `LimitNOFILE` of the systemd unit; or lower `limits.connections`";
    match crate::metrics::Process::now().most_files {
        Some(most) if most < needed => warning(
            "files",
            format!(
                "a process may open {most} files; with its connections the server may want {needed}"
            ),
            remedy,
        ),
        Some(most) => ok("files", format!("a process may open {most} files")),
        None => ok("files", "a process may open any number of files"),
    }
}

fn clock(now: Timestamp) -> Check {
    if now < CLOCK_SET {
        let remedy = "set the clock, and keep it right with NTP: entries and tokens go by it";
        return error("clock", "the clock was never set", remedy);
    }
    ok("clock", "the clock is set")
}

#[cfg(test)]
mod tests;
