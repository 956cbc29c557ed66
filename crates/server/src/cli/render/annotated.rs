//! A checked text with a footnote for each of its statements: valid Markdown, in which nothing of the board acts.

use std::collections::BTreeMap;

use pawl_proto::v1::{CheckDocumentResponse, DocumentStatement, Finding, Standing};

use super::words;

/// Puts footnote marks into a text, and the notes at its end.
pub(crate) fn annotated(text: &str, answer: &CheckDocumentResponse) -> String {
    let label = label(text);
    let mut notes = String::new();
    // By the byte they stand before, so that a mark never moves one that comes later.
    let mut marks: BTreeMap<usize, String> = BTreeMap::new();
    let mut number = 0;
    for (place, statement) in answer.statements.iter().enumerate() {
        let said = said(answer, place, statement);
        let end = statement.range.map(|range| range.end).unwrap_or_default();
        let Some(end) = usize::try_from(end).ok().filter(|_| !said.is_empty()) else {
            continue;
        };
        number += 1;
        marks
            .entry(end)
            .or_default()
            .push_str(&format!("[^{label}{number}]"));
        notes.push_str(&format!("[^{label}{number}]: {}\n", said.join(" ")));
    }
    let (mut out, mut from) = (String::with_capacity(text.len() * 2), 0);
    for (at, mark) in marks {
        out.push_str(text.get(from..at).unwrap_or_default());
        out.push_str(&mark);
        from = at;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    if !notes.is_empty() {
        let gap = if out.ends_with('\n') { "\n" } else { "\n\n" };
        out.push_str(gap);
        out.push_str(&notes);
    }
    out
}

/// A label for footnotes that the text has none of.
fn label(text: &str) -> String {
    let mut label = "pawl-".to_owned();
    while text.contains(&format!("[^{label}")) {
        label.push_str("check-");
    }
    label
}

/// What a footnote says of a statement; nothing for one that claims nothing.
fn said(
    answer: &CheckDocumentResponse,
    place: usize,
    statement: &DocumentStatement,
) -> Vec<String> {
    let standing = statement.standing();
    let mut said = Vec::new();
    if !matches!(standing, Standing::NotAClaim | Standing::Unspecified) {
        said.push(format!("**{}.**", capital(&words::standing(standing).0)));
    }
    if let Some(superseded) = &statement.superseded {
        said.push(format!(
            "{} was superseded by {}.",
            words::id(&superseded.assertion),
            words::id(&superseded.replaced_by)
        ));
    }
    let is_told = |finding: &&Finding| finding.conflict && standing != Standing::Backed;
    for finding in statement.findings.iter().filter(is_told) {
        said.push(format!(
            "Against {}, “{}”: {}",
            words::id(&finding.standing),
            inert(&finding.standing_content),
            inert(&finding.reason)
        ));
    }
    for by in &statement.backing {
        let (status, _) = words::status(by.status);
        let id = words::id(&by.assertion);
        said.push(format!("By {id} ({status}): “{}”.", inert(&by.content)));
    }
    if !statement.bare_figures.is_empty() {
        let bare = inert(&statement.bare_figures.join("”, “"));
        said.push(format!("Nothing is behind “{bare}”."));
    }
    said.extend(
        statement
            .notes
            .iter()
            .map(|note| format!("Note: {}.", inert(note))),
    );
    for found in &answer.self_contradictions {
        let (Some(finding), Ok(first), true) = (
            &found.finding,
            usize::try_from(found.first),
            usize::try_from(found.second) == Ok(place),
        ) else {
            continue;
        };
        let earlier = answer.statements.get(first);
        let line = earlier.and_then(|it| it.range).unwrap_or_default().line;
        said.push(format!(
            "**Contradicts line {line}**, “{}”: {}",
            inert(&finding.standing_content),
            inert(&finding.reason)
        ));
    }
    said
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|it| it.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Takes from a text whatever Markdown would obey, and puts it on one line.
fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' | '\r' | '\t' => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '!' | '~' | '&' | '$' => {
                out.push('\\');
                out.push(letter);
            }
            _ => out.push(letter),
        }
    }
    out
}
