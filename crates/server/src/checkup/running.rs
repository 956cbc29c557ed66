//! What can be told of a server that runs: how near it is to its limits, and what its last reload said.

use pawl_proto::v1::{Check, CheckLevel, Usage};

use super::{error, files, of_config, ok, warning};
use crate::{
    app::{App, What, now},
    metrics::Process,
};

/// From this share of a limit on it is near, in percent.
const NEAR_PERCENT: u64 = 80;

/// Looks at a server that runs: how it is set up, and how it fares.
pub(crate) fn of_server(app: &App, usages: &[Usage]) -> Vec<Check> {
    let mut checks = of_config(&app.settings());
    if let Some(certificates) = &app.certificates {
        let current = files::certificate(&certificates.current().validity, now());
        // What is in the files matters where it cannot be read; else what is in use.
        checks.retain(|check| check.name != "certificate" || check.level() == CheckLevel::Error);
        checks.push(Check {
            name: "certificate in use".to_owned(),
            ..current
        });
    }
    checks.extend(reload(app));
    checks.extend(usages.iter().map(near));
    checks
}

/// What is used of what there is a bounded number of.
pub(crate) fn usages(app: &App) -> Vec<Usage> {
    let limits = app.limits();
    let process = Process::now();
    let mut usages: Vec<_> = [What::Call, What::Stream, What::Upload]
        .into_iter()
        .map(|what| Usage {
            what: what.name().to_owned(),
            used: app.places.used(what) as u64,
            limit: what.most(&limits).map(|most| most as u64),
            most_of_one: Some(app.places.most_used_by_one(what) as u64),
            limit_of_one: Some(what.most_of_one(&limits) as u64),
        })
        .collect();
    usages.push(Usage {
        what: "connections".to_owned(),
        used: u64::try_from(app.metrics.connections.get()).unwrap_or_default(),
        limit: Some(limits.connections as u64),
        ..Usage::default()
    });
    usages.push(Usage {
        what: "files".to_owned(),
        used: process.open_files,
        limit: process.most_files,
        ..Usage::default()
    });
    usages
}

fn near(usage: &Usage) -> Check {
    let is_near = |used: u64, limit: Option<u64>| {
        limit.is_some_and(|limit| used.saturating_mul(100) >= limit.saturating_mul(NEAR_PERCENT))
    };
    let what = &usage.what;
    if is_near(usage.used, usage.limit) {
        let limit = usage.limit.unwrap_or_default();
        let message = format!("{} of {limit} {what} are in use", usage.used);
        return warning(
            what,
            message,
            "raise the limit, or find out who uses so many",
        );
    }
    let most = usage.most_of_one.unwrap_or_default();
    if is_near(most, usage.limit_of_one) {
        let limit = usage.limit_of_one.unwrap_or_default();
        let message = format!("one principal has {most} of the {limit} {what} it may have");
        return warning(
            what,
            message,
            "find out which client opens so many, or raise the limit",
        );
    }
    let limit = usage.limit.map(|limit| format!(" of {limit}"));
    let limit = limit.unwrap_or_default();
    ok(what, format!("{}{limit} in use", usage.used))
}

fn reload(app: &App) -> Option<Check> {
    let last = app.last_reload.lock().clone()?;
    Some(match last.failure {
        Some(failure) => error(
            "reload",
            format!("the settings could not be read again, and those before stand: {failure}"),
            "mend what is wrong, then run `pawl server reload`",
        ),
        None if last.needs_restart.is_empty() => ok("reload", "the settings were read again"),
        None => warning(
            "reload",
            format!(
                "changed and not in effect: {}",
                last.needs_restart.join(", ")
            ),
            "start the server again",
        ),
    })
}
