//! What the checker found: the two texts, the pieces that disagree underlined.

use std::ops::Range;

use pawl_proto::v1::{Finding, Span};

use super::{reference, words};
use crate::cli::{output::Page, text, tone::Tone};

/// Tells a finding, indented under what it is about; the new text where it is known.
pub(crate) fn finding(finding: &Finding, new_content: Option<&str>, page: Page) -> String {
    let mut out = format!("  {}\n", heading(finding));
    out.push_str(&text::wrapped("    ", &finding.reason, page.text_width()));
    out.push_str(&side(
        "    new       ",
        new_content.unwrap_or_default(),
        &finding.new_spans,
        page,
    ));
    out.push_str(&side(
        "    standing  ",
        &finding.standing_content,
        &finding.standing_spans,
        page,
    ));
    if !finding.parts.is_empty() {
        let parts: Vec<_> = finding
            .parts
            .iter()
            // Intervals and values stand in base units, for programs; the texts above show them.
            .filter(|part| !part.name.ends_with("_interval") && !part.name.ends_with("_value"))
            .map(|part| format!("{}: {}", part.name, part.value))
            .collect();
        out.push_str(&text::wrapped(
            "    compared  ",
            &parts.join("; "),
            page.text_width(),
        ));
    }
    out
}

fn heading(finding: &Finding) -> String {
    let tone = if finding.conflict {
        Tone::Bad
    } else {
        Tone::Faint
    };
    let strength = if finding.exact { "exact" } else { "scored" };
    let mut line = tone.paint(words::finding_kind(finding.kind));
    line.push_str(&format!(" ({strength}, {:.2})", finding.score));
    if !finding.standing.is_empty() {
        line.push_str(&format!(
            " against {}",
            Tone::Strong.paint(words::id(&finding.standing))
        ));
    }
    if let Some(given) = &finding.reference {
        let named = Tone::Strong.paint(reference::name(given));
        line.push_str(&format!(" against {named}"));
    }
    line.push_str(if finding.conflict {
        ": a conflict"
    } else {
        ": noted only"
    });
    line
}

/// One side with its spans underlined; where offsets do not fit the text, the spans are named.
fn side(first: &str, content: &str, spans: &[Span], page: Page) -> String {
    if content.is_empty() {
        let pieces: Vec<_> = spans
            .iter()
            .map(|span| format!("“{}”", span.text))
            .collect();
        if pieces.is_empty() {
            return String::new();
        }
        return text::wrapped(first, &pieces.join(", "), page.text_width());
    }
    let ranges: Vec<_> = spans
        .iter()
        .filter_map(|span| range(content, span))
        .collect();
    text::marked(first, content, &ranges, page.text_width())
}

fn range(content: &str, span: &Span) -> Option<Range<usize>> {
    let start = usize::try_from(span.start).ok()?;
    let end = usize::try_from(span.end).ok()?;
    if content.get(start..end) == Some(span.text.as_str()) {
        return Some(start..end);
    }
    let start = content.find(&span.text)?;
    Some(start..start + span.text.len())
}
