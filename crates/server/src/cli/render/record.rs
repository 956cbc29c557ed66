//! What happened, one entry after the other.

use pawl_proto::v1::{Record, WatchResponse};

use super::words;
use crate::cli::{output::Page, text, tone::Tone};

pub(crate) fn watched(answer: &WatchResponse, page: Page) -> String {
    answer.records.iter().map(|one| record(one, page)).collect()
}

pub(crate) fn record(record: &Record, page: Page) -> String {
    let tone = match record.kind.as_str() {
        "snapshot_taken" => Tone::Locked,
        "refused" => Tone::Bad,
        "conflict_opened" | "flagged" | "amended" | "conflict_appealed" => Tone::Warning,
        "validated" | "reaffirmed" | "conflict_resolved" => Tone::Good,
        _ => Tone::Plain,
    };
    let number = format!("{:>6}", record.position);
    let mut out = format!(
        "{}  {}  {}{}\n",
        Tone::Faint.paint(number),
        Tone::Faint.paint(words::time(record.time)),
        Tone::Strong.paint(actor(record)),
        tone.paint(text::headline(&record.summary, 500)),
    );
    if !record.detail.is_empty() {
        out.push_str(&text::wrapped(
            "        ",
            &record.detail,
            page.text_width(),
        ));
    }
    out
}

/// Names who acted, unless the sentence begins with it anyway.
fn actor(record: &Record) -> String {
    if record.summary.starts_with(&record.principal) {
        return String::new();
    }
    format!("{}  ", record.principal)
}

/// Tells a record as an item of a Markdown list, its texts unable to be markup.
pub(crate) fn markdown(record: &Record, _page: Page) -> String {
    let mut out = format!(
        "- **{}** {} `{}` — {}\n",
        record.position,
        words::time(record.time),
        record.principal.replace('`', "'"),
        no_markup(&text::headline(&record.summary, 500)),
    );
    if !record.detail.is_empty() {
        out.push_str("\n  > ");
        out.push_str(&no_markup(&record.detail).replace('\n', "\n  > "));
        out.push_str("\n\n");
    }
    out
}

/// Puts a backslash before what Markdown or HTML would take for more than text.
fn no_markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii_punctuation()
            && !matches!(
                character,
                ',' | '.' | ';' | ':' | '%' | '/' | '"' | '\'' | '@' | '-' | '+'
            )
        {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
