//! Assertions: one parsed, two compared.

use std::sync::LazyLock;

use pawl_checker::{
    compare::{Judgement, compare},
    statement::{Draft, Span, Statement},
    table::{Row, typed},
    vocabulary::Vocabulary,
};
use pawl_ledger::claim::Claim;

use crate::text::{cut, text};

/// The words of a board that declares nothing.
pub(crate) static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(Vocabulary::shipped);

/// The first line is the new text, the second the standing one. Those after them are their claims: subject,
/// attribute, value, unit, first and last day, parted by `|`.
pub(crate) fn statement(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let mut lines = text.split('\n');
    let mut line = || lines.next().unwrap_or_default();
    let (new, standing) = (line(), line());
    let claims = (Given::read(line()), Given::read(line()));
    let (new, standing) = (claims.0.statement(new), claims.1.statement(standing));
    for (one, other) in [(&new, &standing), (&standing, &new)] {
        let comparison = compare(one, other, None, &VOCABULARY);
        let scores = comparison.findings.iter().map(|found| found.score);
        assert!(scores.rev().is_sorted(), "the surest first");
        for found in &comparison.findings {
            judged(found, one.content(), Some(other.content()));
        }
        assert_eq!(comparison, compare(one, other, None, &VOCABULARY));
        let itself = compare(one, one, None, &VOCABULARY);
        assert_eq!(itself.findings, [], "nothing contradicts itself");
    }
}

/// What an author hands in beside a text.
struct Given<'text> {
    claim: Option<Claim>,
    entities: Vec<String>,
    valid: (Option<&'text str>, Option<&'text str>),
}

impl<'text> Given<'text> {
    fn read(line: &'text str) -> Self {
        let mut fields = line.split('|');
        let mut field = || fields.next().filter(|field| !field.is_empty());
        let (subject, attribute, value, unit) = (field(), field(), field(), field());
        let owned = |text: Option<&str>| text.unwrap_or_default().to_owned();
        let row = Row {
            subject: owned(subject),
            attribute: owned(attribute),
            value: owned(value),
            unit: owned(unit),
            ..Row::default()
        };
        Self {
            claim: value.and_then(|_| typed(&row, &VOCABULARY).ok()),
            entities: subject.into_iter().map(str::to_owned).collect(),
            valid: (field(), field()),
        }
    }

    fn statement(&self, content: &str) -> Statement {
        let draft = Draft {
            content,
            claim: self.claim.as_ref(),
            entities: &self.entities,
            valid_from: self.valid.0,
            valid_to: self.valid.1,
        };
        let statement = Statement::parse(&draft, &VOCABULARY);
        assert_eq!(statement.content(), content);
        assert!(statement.terms().is_sorted());
        for quantity in statement.quantities() {
            assert!(!cut(content, &quantity.span).is_empty());
            assert!(quantity.interval.contains(&quantity.interval));
        }
        statement
    }
}

/// A finding is explained, by places in the texts it is of.
pub(crate) fn judged(judgement: &Judgement, new: &str, standing: Option<&str>) {
    assert!(!judgement.reason.is_empty());
    spans(&judgement.new_spans, new);
    if let Some(standing) = standing {
        spans(&judgement.standing_spans, standing);
    }
}

fn spans(spans: &[Span], text: &str) {
    for span in spans {
        assert_eq!(cut(text, &(span.start..span.end)), span.text);
    }
}
