//! Verdicts on the wire.

use pawl_checker::{compare::Judgement, statement::Span};
use pawl_ledger::{decide::Denied, finding::Certainty, id::BoardName, log::wire::WireEnum};
use pawl_proto::v1 as proto;

use super::{error, names::full};
use crate::app::submission::{BatchOutcome, ItemOutcome, ReportedFinding, Standing};

/// Writes the answer to a batch.
pub(super) fn response(board: &BoardName, outcome: &BatchOutcome) -> proto::SubmitResponse {
    proto::SubmitResponse {
        outcomes: outcome
            .items
            .iter()
            .map(|item| item_outcome(board, item))
            .collect(),
        position: outcome.position.0,
        committed: outcome.committed,
    }
}

fn item_outcome(board: &BoardName, item: &Result<ItemOutcome, Denied>) -> proto::Outcome {
    match item {
        Err(denied) => proto::Outcome {
            error: Some(proto::ItemError {
                reason: error::name(denied.reason).to_owned(),
                message: denied.message.clone(),
                metadata: denied
                    .metadata
                    .iter()
                    .map(|(name, value)| ((*name).to_owned(), value.clone()))
                    .collect(),
            }),
            ..Default::default()
        },
        Ok(item) => proto::Outcome {
            verdict: item.verdict.to_wire(),
            assertion: item
                .revision
                .map(|revision| full(board, "assertions", revision))
                .unwrap_or_default(),
            corroborated: item.corroborated,
            findings: item.findings.iter().map(|it| finding(board, it)).collect(),
            conflicts: item
                .conflicts
                .iter()
                .map(|it| full(board, "conflicts", it))
                .collect(),
            warnings: item.warnings.clone(),
            remedies: item.remedies.clone(),
            error: None,
            agreements: item.agreements.clone(),
        },
    }
}

/// Writes a finding.
pub(super) fn finding(board: &BoardName, finding: &ReportedFinding) -> proto::Finding {
    proto::Finding {
        standing: finding
            .standing
            .revision()
            .map(|it| full(board, "assertions", it))
            .unwrap_or_default(),
        reference: match &finding.standing {
            Standing::Revision(_) => None,
            Standing::Given(given) => Some((**given).clone()),
        },
        standing_content: finding.standing_content.clone(),
        conflict: finding.is_conflict,
        ..judgement(&finding.judgement)
    }
}

/// Writes what was judged of two texts, as a conflict, without saying which texts.
pub(super) fn judgement(judgement: &Judgement) -> proto::Finding {
    let spans = |spans: &[Span]| -> Vec<proto::Span> {
        let byte = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        spans
            .iter()
            .map(|span| proto::Span {
                start: byte(span.start),
                end: byte(span.end),
                text: span.text.clone(),
            })
            .collect()
    };
    proto::Finding {
        reference: None,
        standing: String::new(),
        standing_content: String::new(),
        kind: judgement.kind.to_wire(),
        exact: judgement.kind.certainty() == Certainty::Exact,
        score: judgement.score.ratio(),
        conflict: true,
        reason: judgement.reason.clone(),
        new_spans: spans(&judgement.new_spans),
        standing_spans: spans(&judgement.standing_spans),
        parts: judgement
            .parts
            .iter()
            .map(|part| proto::Part {
                name: part.name.clone(),
                value: part.value.clone(),
            })
            .collect(),
    }
}
