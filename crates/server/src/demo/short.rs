//! Answers in a line or two, where the command line's own telling says more than a story needs.

use pawl_proto::v1::{
    AmendResponse, Assertion, Attribute, Brief, Conflict, ConflictState, Module, ReplayResponse,
    SnapshotRecord, Source,
};
use serde_json::Value;

use crate::cli::{
    output::Page,
    render::{self, words},
    text,
    tone::Tone,
};

/// What the items of an intake document say, made harmless.
pub(crate) fn contents(document: &Value) -> Vec<String> {
    let items = document.get("assertions").and_then(Value::as_array);
    let content = |item: &Value| {
        let content = item.get("content").and_then(Value::as_str);
        text::harmless(content.unwrap_or_default())
    };
    items.into_iter().flatten().map(content).collect()
}

/// The brief as a list; the text for a prompt has the same facts as JSON lines, with their quotes.
pub(crate) fn brief(brief: &Brief, page: Page) -> String {
    let width = page.text_width();
    let count = brief.facts.len();
    let mut out = format!(
        "brief at position {}: {count} locked facts in {} tokens\n",
        brief.position, brief.tokens
    );
    for fact in &brief.facts {
        out.push_str(&line(words::id(&fact.name), content(fact), width));
        if !fact.support_lost.is_empty() {
            let lost = format!("lost its support {}", words::id(&fact.support_lost));
            out.push_str(&format!("         {}\n", Tone::Warning.paint(lost)));
        }
    }
    for fact in &brief.gone {
        let told = format!("no longer locked: {}", content(fact));
        out.push_str(&line(words::id(&fact.name), &told, width));
    }
    for flag in &brief.flags {
        let told = format!(
            "doubt about {}: {}",
            words::id(&flag.assertion),
            flag.reason
        );
        out.push_str(&line(words::id(&flag.name), &told, width));
    }
    for conflict in &brief.conflicts {
        let told = format!("open conflict: {}", conflict.challenger_content);
        out.push_str(&line(words::id(&conflict.name), &told, width));
    }
    out
}

fn line(id: &str, told: &str, width: usize) -> String {
    text::wrapped(&format!("  {id:<6} "), told, width)
}

fn content(assertion: &Assertion) -> &str {
    let draft = assertion.draft.as_ref();
    draft.map_or("", |draft| draft.content.as_str())
}

pub(crate) fn module(module: &Module, _page: Page) -> String {
    let depends = match module.depends_on.as_slice() {
        [] => String::new(),
        on => format!(", builds on {}", on.join(", ")),
    };
    let name = Tone::Strong.paint(words::id(&module.name));
    format!("module {name}{depends}\n")
}

pub(crate) fn attribute(attribute: &Attribute, _page: Page) -> String {
    let name = Tone::Strong.paint(words::id(&attribute.name));
    let aliases = attribute.aliases.join(", ");
    format!("attribute {name} in {}, also {aliases}\n", attribute.unit)
}

pub(crate) fn source(source: &Source, _page: Page) -> String {
    let digest = Tone::Faint.paint(words::digest(&source.name));
    format!("{digest}  {}  {} bytes\n", source.uri, source.size_bytes)
}

pub(crate) fn assertion(assertion: &Assertion, page: Page) -> String {
    let (status, tone) = words::status(assertion.status);
    let id = words::id(&assertion.name);
    let marks = render::assertion::marks(assertion);
    let marks = match marks.as_str() {
        "" => String::new(),
        marks => format!(" {}", Tone::Warning.paint(marks)),
    };
    format!(
        "{} {}{marks}\n{}",
        tone.paint(status),
        Tone::Strong.paint(id),
        text::wrapped("  ", content(assertion), page.text_width()),
    )
}

pub(crate) fn conflict(conflict: &Conflict, page: Page) -> String {
    let (state, tone) = words::conflict_state(conflict.state);
    let finding = conflict.finding.clone().unwrap_or_default();
    let (standing, challenger) = (&finding.standing_content, &conflict.challenger_content);
    let (first, second) = match (conflict.state(), conflict.challenger_won) {
        (ConflictState::Resolved, false) => ("  holds     ", "  rejected  "),
        (ConflictState::Resolved, true) => ("  rejected  ", "  holds     "),
        _ => ("  standing  ", "  new       "),
    };
    let width = page.text_width();
    let mut out = format!(
        "{} {}\n",
        tone.paint(state),
        Tone::Strong.paint(words::id(&conflict.name))
    );
    out.push_str(&text::wrapped(first, standing, width));
    out.push_str(&text::wrapped(second, challenger, width));
    out.push_str(&text::wrapped("  because   ", &conflict.reason, width));
    out
}

pub(crate) fn snapshot(record: &SnapshotRecord, _page: Page) -> String {
    let snapshot = record.snapshot.clone().unwrap_or_default();
    format!(
        "{} {} with {} members ({}): {}\n",
        Tone::Locked.paint("snapshot"),
        Tone::Strong.paint(words::digest(&record.name)),
        snapshot.member_count,
        words::seal_mode(snapshot.mode),
        record.members.join(", "),
    )
}

pub(crate) fn amendment(answer: &AmendResponse, page: Page) -> String {
    let mut out = String::new();
    if let Some(amended) = &answer.assertion {
        out.push_str(&assertion(amended, page));
    }
    if let Some(record) = &answer.snapshot {
        out.push_str(&snapshot(record, page));
    }
    let lost: Vec<_> = answer.support_lost.iter().map(|it| words::id(it)).collect();
    if !lost.is_empty() {
        let label = Tone::Warning.paint("lost a support:");
        out.push_str(&format!("{label} {}\n", lost.join(", ")));
    }
    out
}

pub(crate) fn records(all: &ReplayResponse, page: Page) -> String {
    let told = all.records.iter();
    told.map(|record| render::record::record(record, page))
        .collect()
}
