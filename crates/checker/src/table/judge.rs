//! Whether a statement can stand beside a row.

use pawl_ledger::finding::{FindingKind, Score};
use rust_decimal::Decimal;

use super::{
    Row,
    sentence::{date, days, period, sentence},
    value::understood,
};
use crate::{
    claims::{self, ParsedClaim, Relation, Value},
    comparable::Comparability,
    compare::{Judgement, Part, compare},
    explain,
    interval::{Bound, Interval},
    statement::{Draft, Statement},
    vocabulary::Vocabulary,
};

/// How a statement stands to a row that is about the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged {
    /// Its claim says the same.
    Agrees,
    /// The two exclude each other.
    Excludes(Box<Judgement>),
}

/// A claim with the time it is about.
pub(super) struct Scoped {
    pub(super) claim: ParsedClaim,
    pub(super) time: Interval,
}

impl Scoped {
    pub(super) fn of_row(row: &Row, vocabulary: &Vocabulary) -> Self {
        let claim = claims::parse(&understood(row, vocabulary), vocabulary);
        Self::new(claim, days(&row.valid_from, &row.valid_to))
    }

    pub(super) fn of_statement(statement: &Statement) -> Option<Self> {
        Some(Self::new(statement.claim.clone()?, statement.valid))
    }

    /// A qualifier `period` that is a date is the time where none is given: tables have columns for
    /// it, claims a qualifier, and the two mean the same.
    fn new(mut claim: ParsedClaim, valid: Interval) -> Self {
        let period = claim.qualifiers.get("period").and_then(|it| date(it));
        let time = match period.filter(|_| is_unbounded(&valid)) {
            Some((low, high)) => {
                claim.qualifiers.remove("period");
                Interval::closed(low.into(), high.into())
            }
            None => valid,
        };
        Self { claim, time }
    }

    /// About the same attribute of the same subject, at times that meet.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.claim.key == other.claim.key
            && self.claim.qualifiers == other.claim.qualifiers
            && !self.time.is_disjoint(&other.time)
    }

    pub(super) fn is_timeless(&self) -> bool {
        is_unbounded(&self.time)
    }

    /// The day it begins to hold; none for ever.
    pub(super) fn start(&self) -> Option<Decimal> {
        match self.time.low {
            Bound::Closed(start) | Bound::Open(start) => Some(start),
            Bound::Unbounded => None,
        }
    }

    /// Says whether it holds until another ends, or longer.
    pub(super) fn holds_as_long_as(&self, other: &Self) -> bool {
        match (self.end(), other.end()) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(mine), Some(others)) => mine >= others,
        }
    }

    /// The day it holds until; none for good.
    pub(super) fn end(&self) -> Option<Decimal> {
        match self.time.high {
            Bound::Closed(end) | Bound::Open(end) => Some(end),
            Bound::Unbounded => None,
        }
    }
}

fn is_unbounded(time: &Interval) -> bool {
    matches!((time.low, time.high), (Bound::Unbounded, Bound::Unbounded))
}

/// Compares the claim, or else the text, of a statement with a row. None where the two are not
/// about the same.
pub fn judge_row(new: &Statement, row: &Row, vocabulary: &Vocabulary) -> Option<Judged> {
    match Scoped::of_statement(new) {
        Some(scoped) => {
            let given = Scoped::of_row(row, vocabulary);
            scoped
                .meets(&given)
                .then(|| judge_claim(new, &scoped, row, &given, vocabulary))
                .flatten()
        }
        None => judge_text(new, row, vocabulary),
    }
}

/// Compares two claims that meet.
pub(super) fn judge_claim(
    new: &Statement,
    scoped: &Scoped,
    row: &Row,
    given: &Scoped,
    vocabulary: &Vocabulary,
) -> Option<Judged> {
    match claims::relate(&scoped.claim, &given.claim, vocabulary) {
        Relation::OtherDimension => None,
        Relation::Compatible => {
            is_same(&scoped.claim.value, &given.claim.value).then_some(Judged::Agrees)
        }
        Relation::Exclusive => Some(Judged::Excludes(Box::new(excluded(
            new, scoped, row, given,
        )))),
    }
}

/// Two values that may stand side by side say the same where they are one, or meet.
pub(super) fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (
            Value::Measured { interval: one, .. },
            Value::Measured {
                interval: other, ..
            },
        ) => !one.is_disjoint(other),
        _ => one == other,
    }
}

fn excluded(new: &Statement, scoped: &Scoped, row: &Row, given: &Scoped) -> Judgement {
    let standing = sentence(row);
    let parsed = plain(&standing);
    let place = standing.rfind(&row.value).unwrap_or_default();
    let value = place..place + row.value.len();
    let mut parts = vec![
        Part::new("rule", "reference"),
        Part::new("subject", scoped.claim.key.subject()),
        Part::new("attribute", scoped.claim.key.attribute()),
        Part::new("new_value", scoped.claim.value.written()),
        Part::new("standing_value", given.claim.value.written()),
    ];
    let qualifiers = scoped.claim.qualifiers.iter();
    parts.extend(qualifiers.map(|(name, value)| Part::new(name, value)));
    if !row.authority.is_empty() {
        parts.push(Part::new("authority", &row.authority));
    }
    Judgement {
        kind: FindingKind::ClaimKey,
        score: Score::MAX,
        reason: explain::claim(
            new.language(),
            &scoped.claim.key,
            &scoped.claim.said,
            &given.claim.said,
        ),
        new_spans: vec![new.span(&(0..new.content().len()))],
        standing_spans: vec![parsed.span(&value)],
        parts,
    }
}

/// A text is compared with a row that is about one time, or all, and nothing more special; what
/// comes out is a figure that differs, never anything surer than a reading of the text.
fn judge_text(new: &Statement, row: &Row, vocabulary: &Vocabulary) -> Option<Judged> {
    let general = row.qualifiers.keys().all(|name| name == "period");
    let timed = row.valid_from.is_empty() && row.valid_to.is_empty() || period(row).is_some();
    if !general || !timed {
        return None;
    }
    let content = sentence(row);
    let draft = Draft {
        content: &content,
        claim: None,
        entities: &[],
        valid_from: (!row.valid_from.is_empty()).then_some(row.valid_from.as_str()),
        valid_to: (!row.valid_to.is_empty()).then_some(row.valid_to.as_str()),
    };
    let standing = Statement::parse(&draft, vocabulary);
    let comparison = compare(new, &standing, None, vocabulary);
    if !matches!(comparison.comparable, Comparability::Comparable { .. }) {
        return None;
    }
    let figure = |it: &Judgement| matches!(it.kind, FindingKind::Quantity | FindingKind::Number);
    let strongest = comparison.findings.into_iter().find(figure)?;
    Some(Judged::Excludes(Box::new(strongest)))
}

fn plain(content: &str) -> Statement {
    Statement::of(content, &Vocabulary::shipped())
}
