//! What decided a verdict, as it is kept.

use std::{collections::BTreeMap, sync::Arc};

use pawl_checker::{
    compare::{Judgement, VERSION},
    statement::Span,
    vector::Vector,
};
use pawl_ledger::{
    board::Board,
    digest::{Digest, Words},
    finding::Score,
    id::{Position, RevisionId},
    log::wire::{WireEnum, policy_to_wire, revision_to_wire, score_to_wire},
};
use pawl_proto::v1 as proto;

use super::{
    check::Compared,
    prepare::Prepared,
    references::{ComparedReference, records},
};
use crate::app::{App, error::AppError, judge::Judge, message_words};

/// The most findings that are kept of a submission, the strongest ones.
const MAX_FINDINGS: usize = 32;
/// The most candidates that are kept of a submission.
const MAX_CANDIDATES: usize = 256;

/// Writes down what a submission was compared with and what came out.
pub(super) fn check_record(
    app: &App,
    board: &Board,
    judge: &Judge,
    checked: Position,
    item: &Prepared,
    compared: &BTreeMap<RevisionId, Arc<Compared>>,
    references: &[ComparedReference],
) -> Result<Words, AppError> {
    let record = proto::CheckRecord {
        checker: VERSION.to_owned(),
        vocabulary: judge.vocabulary.digest().to_vec(),
        model: app
            .embedder
            .as_ref()
            .map(|it| it.model_digest().to_vec())
            .unwrap_or_default(),
        policy: Some(policy_to_wire(board.policy)),
        position: checked.0,
        candidates: compared
            .iter()
            .take(MAX_CANDIDATES)
            .map(|(revision, pair)| candidate(*revision, pair))
            .collect(),
        findings: strongest(compared, board.policy.note)
            .into_iter()
            .map(|(revision, judgement)| finding_to_wire(revision, judgement))
            .collect(),
        vector: digest_of(item.known.vector.as_ref()),
        references: records(board, references, &judge.vocabulary, board.policy.note),
    };
    message_words(&record)
}

/// The findings from a score on, the strongest first.
pub(super) fn strongest(
    compared: &BTreeMap<RevisionId, Arc<Compared>>,
    least: Score,
) -> Vec<(RevisionId, &Judgement)> {
    let mut findings: Vec<(RevisionId, &Judgement)> = compared
        .iter()
        .flat_map(|(revision, pair)| pair.judgements.iter().map(|it| (*revision, it)))
        .filter(|(_, judgement)| judgement.score >= least)
        .collect();
    findings.sort_by_key(|(revision, it)| (std::cmp::Reverse(it.score), *revision, it.kind));
    findings.truncate(MAX_FINDINGS);
    findings
}

fn candidate(revision: RevisionId, pair: &Compared) -> proto::Candidate {
    proto::Candidate {
        revision: Some(revision_to_wire(revision)),
        cosine: pair.cosine.map(i32::from),
        overlap: u32::try_from(pair.overlap).unwrap_or(u32::MAX),
        vector: digest_of(pair.standing.vector.as_ref()),
    }
}

fn digest_of(vector: Option<&Vector>) -> Vec<u8> {
    vector
        .map(|vector| Digest::of(vector.as_bytes()).0.to_vec())
        .unwrap_or_default()
}

/// Writes a finding as it is kept.
pub fn finding_to_wire(standing: RevisionId, judgement: &Judgement) -> proto::FindingRecord {
    proto::FindingRecord {
        standing: Some(revision_to_wire(standing)),
        ..finding_record(judgement)
    }
}

/// A finding without the side that stands.
pub(super) fn finding_record(judgement: &Judgement) -> proto::FindingRecord {
    proto::FindingRecord {
        standing: None,
        kind: judgement.kind.to_wire(),
        score: score_to_wire(judgement.score),
        reason: judgement.reason.clone(),
        new_spans: spans_to_wire(&judgement.new_spans),
        standing_spans: spans_to_wire(&judgement.standing_spans),
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

fn spans_to_wire(spans: &[Span]) -> Vec<proto::Span> {
    let byte = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
    spans
        .iter()
        .map(|span| proto::Span {
            start: byte(span.start),
            end: byte(span.end),
            text: span.text.clone(),
        })
        .collect()
}
