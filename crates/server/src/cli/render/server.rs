//! The server itself: its status, its settings, what was looked at.

use std::fmt::Write;

use pawl_proto::v1::{Check, CheckLevel, GetStatusResponse, ReloadResponse, Usage};

use super::{
    table::{Fields, plain, table},
    words,
};
use crate::{
    cli::{output::Page, text::harmless, tone::Tone},
    config::Report,
};

pub(crate) fn status(status: &GetStatusResponse, page: Page) -> String {
    let model = match status.model_digest.get(..12) {
        Some(digest) => digest.to_owned(),
        None => "none".to_owned(),
    };
    let boards = format!("{}, {} open", status.boards, status.boards_open);
    let disk = status.disk_free_bytes.map(mebibytes).unwrap_or_default();
    let fields = Fields::new(page, &format!("pawl {}", status.version))
        .add("started", words::time(status.start_time))
        .add("clock", words::time(status.time))
        .add("engine", &status.engine)
        .add("checker", &status.checker)
        .add("model", model)
        .add("boards", boards)
        .add(
            "entries",
            format!("{} since the start", status.entries_written),
        )
        .add("memory", mebibytes(status.resident_bytes))
        .add("disk free", disk)
        .add("certificate", until(status))
        .block("\n")
        .block(&usages(&status.usages, page));
    let looked_at: Vec<_> = status
        .checks
        .iter()
        .filter(|it| it.level() != CheckLevel::Ok)
        .collect();
    if looked_at.is_empty() {
        return fields.text();
    }
    fields
        .block("\n")
        .block(&lines(looked_at.into_iter()))
        .text()
}

fn until(status: &GetStatusResponse) -> String {
    match status.certificate_end_time {
        Some(end) => format!("until {}", words::time(Some(end))),
        None => "none, plain text".to_owned(),
    }
}

fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}

fn usages(usages: &[Usage], page: Page) -> String {
    let headings = [
        "IN USE",
        "BY ALL",
        "LIMIT",
        "BY ONE AT MOST",
        "LIMIT OF ONE",
    ];
    let number = |number: Option<u64>| number.map(|it| it.to_string()).unwrap_or_default();
    let rows = usages.iter().map(|usage| {
        vec![
            plain(&usage.what),
            plain(usage.used),
            plain(number(usage.limit)),
            plain(number(usage.most_of_one)),
            plain(number(usage.limit_of_one)),
        ]
    });
    table(page, "nothing is bounded", &headings, rows.collect())
}

pub(crate) fn reload(reload: &ReloadResponse, page: Page) -> String {
    let certificate = if reload.certificate { "read again" } else { "" };
    let applied = if reload.applied.is_empty() {
        "nothing".to_owned()
    } else {
        reload.applied.join(", ")
    };
    Fields::new(page, "the settings were read again")
        .add("changed", applied)
        .add("certificate", certificate)
        .add_toned(
            "needs restart",
            reload.needs_restart.join(", "),
            Tone::Warning,
        )
        .text()
}

/// What was looked at, one thing a line, with what to do below.
pub(crate) fn checks(checks: &[Check]) -> String {
    lines(checks.iter())
}

fn lines<'checks>(checks: impl Iterator<Item = &'checks Check>) -> String {
    let mut text = String::new();
    for check in checks {
        let (word, tone) = level(check.level());
        let word = tone.paint(format!("{word:<8}"));
        let _ = writeln!(text, "{word} {}: {}", check.name, harmless(&check.message));
        if !check.remedy.is_empty() {
            let _ = writeln!(text, "         {}", check.remedy);
        }
    }
    text
}

fn level(level: CheckLevel) -> (&'static str, Tone) {
    match level {
        CheckLevel::Ok => ("ok", Tone::Good),
        CheckLevel::Warning => ("warning", Tone::Warning),
        CheckLevel::Error => ("error", Tone::Bad),
        CheckLevel::Unspecified => ("", Tone::Faint),
    }
}

/// Every setting with its value and who said it, then what is wrong.
pub(crate) fn settings(report: &Report, page: Page) -> String {
    let headings = ["SETTING", "VALUE", "FROM", "CHANGE BY"];
    let rows = report.settings.iter().map(|row| {
        vec![
            plain(row.name),
            plain(harmless(row.value.as_deref().unwrap_or("–"))),
            plain(harmless(&row.origin)),
            plain(if row.reloads { "reload" } else { "restart" }),
        ]
    });
    let mut text = table(page, "no settings", &headings, rows.collect());
    text.push('\n');
    for problem in &report.problems {
        let word = if problem.fatal {
            ("error", Tone::Bad)
        } else {
            ("warning", Tone::Warning)
        };
        let message = harmless(&problem.message);
        let _ = writeln!(
            text,
            "{} {message} ({})",
            word.1.paint(word.0),
            harmless(&problem.origin)
        );
    }
    text.push_str(if report.valid {
        "the settings are valid\n"
    } else {
        "a server would not start\n"
    });
    text
}
