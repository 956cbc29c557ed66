//! Revisions: in a table, and one in full.

use pawl_proto::v1::{
    Assertion, Citation, Claim, Draft, ListAssertionsResponse, Locator, QuoteCheck, RangeValue,
    SearchAssertionsResponse, cell::Column, claim::Value, locator::Place,
};

use super::{
    table::{Fields, plain, table, toned},
    words,
};
use crate::cli::{output::Page, text, tone::Tone};

pub(crate) fn assertions(list: &ListAssertionsResponse, page: Page) -> String {
    let headings = ["ASSERTION", "STATUS", "MODULE", "BY", "MARKS", "CONTENT"];
    let rows = list.assertions.iter().map(|assertion| {
        let empty = Draft::default();
        let draft = assertion.draft.as_ref().unwrap_or(&empty);
        vec![
            plain(words::id(&assertion.name)),
            toned(words::status(assertion.status)),
            plain(&draft.module),
            plain(&assertion.principal),
            Tone::Warning.cell(marks(assertion)),
            plain(text::headline(&draft.content, 160)),
        ]
    });
    table(page, "nothing stands here yet", &headings, rows.collect()) + &more(&list.next_page_token)
}

/// Tells what a search found, the likest first.
pub(crate) fn hits(found: &SearchAssertionsResponse, page: Page) -> String {
    let headings = ["ASSERTION", "LIKE", "SHARED", "STATUS", "MODULE", "CONTENT"];
    let rows = found.hits.iter().map(|hit| {
        let assertion = hit.assertion.clone().unwrap_or_default();
        let draft = assertion.draft.unwrap_or_default();
        let similarity = hit.similarity.map(|it| format!("{it:.2}"));
        vec![
            plain(words::id(&assertion.name)),
            plain(similarity.unwrap_or_default()),
            plain(format!("{:.1}", hit.overlap)),
            toned(words::status(assertion.status)),
            plain(&draft.module),
            plain(text::headline(&draft.content, 160)),
        ]
    });
    table(
        page,
        "nothing like it is in force",
        &headings,
        rows.collect(),
    )
}

/// Tells that there is another page, and how to get it; nothing where there is none.
pub(crate) fn more(page_token: &str) -> String {
    if page_token.is_empty() {
        return String::new();
    }
    let more = format!("more with --page-token {page_token}, or all with --all-pages");
    format!("{}\n", Tone::Faint.paint(more))
}

/// Tells what is to be known about a revision besides its status.
pub(crate) fn marks(assertion: &Assertion) -> String {
    let mut marks = Vec::new();
    if assertion.challenged {
        marks.push("challenged");
    }
    if !assertion.support_lost.is_empty() {
        marks.push("support lost");
    }
    if !assertion.flags.is_empty() {
        marks.push("flagged");
    }
    marks.join(", ")
}

pub(crate) fn assertion(assertion: &Assertion, page: Page) -> String {
    let draft = assertion.draft.clone().unwrap_or_default();
    let (status, tone) = words::status(assertion.status);
    let (verdict, verdict_tone) = words::verdict(assertion.verdict);
    let fields = Fields::new(page, words::id(&assertion.name))
        .add("content", &draft.content)
        .add_toned("status", status, tone)
        .add_toned("marks", marks(assertion), Tone::Warning)
        .add_toned("support lost", &assertion.support_lost, Tone::Warning)
        .add("module", &draft.module)
        .add(
            "level, kind",
            format!("{}, {}", words::level(draft.level), words::kind(draft.kind)),
        )
        .add(
            "confidence",
            draft
                .confidence
                .map(|number| number.to_string())
                .unwrap_or_default(),
        )
        .add("claim", draft.claim.as_ref().map(claim).unwrap_or_default())
        .add("holds", validity(&draft))
        .add("rationale", &draft.rationale)
        .add("entities", draft.entities.join(", "))
        .add("tags", draft.tags.join(", "))
        .add("rests on", draft.supports.join(", "))
        .add("replaces", &draft.replaces)
        .add("replaced by", &assertion.replaced_by)
        .add(
            "submitted",
            format!(
                "{} by {}",
                words::time(assertion.create_time),
                assertion.principal
            ),
        )
        .add(
            "position",
            format!("{} (base {})", assertion.position, assertion.base),
        )
        .add_toned("verdict", verdict, verdict_tone)
        .add("validated by", &assertion.validated_by)
        .add("snapshot", words::digest(&assertion.snapshot))
        .add("corroborated", times(assertion.corroborations))
        .add("sources found", assertion.verified_sources)
        .add("conflicts", ids(&assertion.conflicts))
        .add("flags", ids(&assertion.flags));
    citations("  ", &draft.citations, page, fields).text()
}

fn citations(indent: &str, citations: &[Citation], page: Page, fields: Fields) -> Fields {
    let cited: String = citations
        .iter()
        .map(|one| citation(indent, one, page))
        .collect();
    fields.block(&cited)
}

/// Tells one citation: the quote, then where it stands and whether it was found there.
pub(crate) fn citation(indent: &str, citation: &Citation, page: Page) -> String {
    let quote = format!("“{}”", citation.quote);
    let mut out = text::wrapped(indent, &quote, page.text_width());
    let (check, tone) = match QuoteCheck::try_from(citation.check).unwrap_or_default() {
        QuoteCheck::Exact => ("found exactly", Tone::Good),
        QuoteCheck::Normalised => ("found", Tone::Good),
        QuoteCheck::Unverified => ("unverified", Tone::Warning),
        QuoteCheck::Unspecified => ("", Tone::Plain),
    };
    let mut about = vec![words::digest_or_address(&citation.source).to_owned()];
    about.extend(citation.locator.as_ref().and_then(place));
    let mut line = format!("{indent}  {}", Tone::Faint.paint(about.join(", ")));
    if !check.is_empty() {
        line.push_str(&format!(" {}", tone.paint(check)));
    }
    if citation.drifted {
        line.push_str(&format!(" {}", Tone::Warning.paint("drifted")));
    }
    out.push_str(&line);
    out.push('\n');
    out
}

fn place(locator: &Locator) -> Option<String> {
    Some(match locator.place.as_ref()? {
        Place::Page(page) => format!("page {page}"),
        Place::Lines(lines) if lines.first == lines.last => format!("line {}", lines.first),
        Place::Lines(lines) => format!("lines {}–{}", lines.first, lines.last),
        Place::Section(section) => format!("section {section}"),
        Place::JsonPointer(pointer) => format!("at {pointer}"),
        Place::Cell(cell) => match cell.column.as_ref()? {
            Column::Number(column) => format!("row {}, column {column}", cell.row),
            Column::Heading(heading) => format!("row {}, column {heading}", cell.row),
        },
        Place::Characters(range) => format!("characters {}–{}", range.start, range.end),
    })
}

/// Tells a claim: subject, attribute, value and what it holds for.
pub(crate) fn claim(claim: &Claim) -> String {
    let value = match &claim.value {
        Some(Value::Decimal(decimal)) => format!("{} {}", decimal.value, decimal.unit),
        Some(Value::Text(text)) => text.clone(),
        Some(Value::Boolean(value)) => words::yes(*value).to_owned(),
        Some(Value::Date(date)) => date.clone(),
        Some(Value::Range(RangeValue { low, high, unit })) => format!("{low}..{high} {unit}"),
        Some(Value::Enumeration(word)) => word.clone(),
        None => "–".to_owned(),
    };
    let qualifiers: Vec<_> = claim
        .qualifiers
        .iter()
        .map(|(key, value)| format!("{key} {value}"))
        .collect();
    let told = format!(
        "{} · {} = {}",
        claim.subject,
        claim.attribute,
        value.trim_end()
    );
    if qualifiers.is_empty() {
        told
    } else {
        format!("{told} ({})", qualifiers.join(", "))
    }
}

fn validity(draft: &Draft) -> String {
    match (draft.valid_from.as_str(), draft.valid_to.as_str()) {
        ("", "") => String::new(),
        (from, "") => format!("from {from}"),
        ("", to) => format!("until {to}"),
        (from, to) => format!("from {from} until {to}"),
    }
}

fn times(count: u32) -> String {
    if count == 0 {
        String::new()
    } else {
        format!("{count} times")
    }
}

fn ids(names: &[String]) -> String {
    names
        .iter()
        .map(|name| words::id(name))
        .collect::<Vec<_>>()
        .join(", ")
}
