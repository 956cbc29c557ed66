//! What became of a submission, item by item.

use pawl_proto::v1::{Outcome, SubmitResponse};

use super::{finding::finding, reference, words};
use crate::cli::{output::Page, remedy, text, tone::Tone};

/// Tells the outcomes; the contents are those of the items as far as they are known.
pub(crate) fn submission(answer: &SubmitResponse, contents: &[String], page: Page) -> String {
    let many = answer.outcomes.len() > 1;
    let mut out = String::new();
    for (number, outcome) in answer.outcomes.iter().enumerate() {
        let content = contents.get(number).map(String::as_str);
        if many {
            out.push_str(&Tone::Faint.paint(format!("#{number} ")));
        }
        out.push_str(&one(outcome, content, page));
    }
    let end = if answer.committed {
        "recorded"
    } else {
        "nothing was written"
    };
    let end = format!("{end}; position {}", answer.position);
    out.push_str(&format!("{}\n", Tone::Faint.paint(end)));
    out
}

fn one(outcome: &Outcome, content: Option<&str>, page: Page) -> String {
    let mut out = headline(outcome);
    let width = page.text_width();
    if let Some(content) = content.filter(|_| outcome.findings.is_empty()) {
        out.push_str(&text::wrapped("  ", content, width));
    }
    for found in &outcome.findings {
        out.push_str(&finding(found, content, page));
    }
    for agreeing in &outcome.agreements {
        let said = format!("{}: {}", reference::name(agreeing), agreeing.content);
        out.push_str(&labelled("agrees:", Tone::Good, &said, width));
    }
    for warning in &outcome.warnings {
        out.push_str(&labelled("warning:", Tone::Warning, warning, width));
    }
    for remedy in &outcome.remedies {
        out.push_str(&labelled("try:", Tone::Good, remedy, width));
    }
    out
}

fn headline(outcome: &Outcome) -> String {
    if let Some(error) = &outcome.error {
        let mut out = format!("{} {}\n", Tone::Bad.paint("not processed:"), error.message);
        out.push_str(&format!(
            "  {} {}\n",
            Tone::Faint.paint("reason:"),
            error.reason
        ));
        for (key, value) in &error.metadata {
            out.push_str(&format!(
                "  {} {value}\n",
                Tone::Faint.paint(format!("{key}:"))
            ));
        }
        let remedy = remedy::for_reason(&error.reason, |key| error.metadata.get(key));
        if let Some(remedy) = remedy.filter(|_| outcome.remedies.is_empty()) {
            out.push_str(&format!("  {} {remedy}\n", Tone::Good.paint("try:")));
        }
        return out;
    }
    let (verdict, tone) = words::verdict(outcome.verdict);
    let mut line = tone.paint(verdict);
    if !outcome.assertion.is_empty() {
        line.push_str(&format!(
            " {}",
            Tone::Strong.paint(words::id(&outcome.assertion))
        ));
    }
    if outcome.corroborated {
        line.push_str(" (stood already; one more corroboration)");
    }
    let conflicts: Vec<_> = outcome
        .conflicts
        .iter()
        .map(|name| words::id(name))
        .collect();
    if !conflicts.is_empty() {
        line.push_str(&format!(
            " ({} {})",
            if conflicts.len() > 1 {
                "conflicts"
            } else {
                "conflict"
            },
            conflicts.join(", ")
        ));
    }
    line.push('\n');
    line
}

fn labelled(label: &str, tone: Tone, said: &str, width: usize) -> String {
    let first = format!("  {label} ");
    let blank = " ".repeat(first.len());
    let wrapped = text::wrapped(&blank, said, width);
    let rest = wrapped.get(blank.len()..).unwrap_or_default();
    format!("  {} {rest}", tone.paint(label))
}
