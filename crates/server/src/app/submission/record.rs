//! What decided a verdict, as it is kept.

use std::{cmp::Reverse, collections::BTreeMap, sync::Arc};

use pawl_checker::{
    compare::{Judgement, VERSION},
    statement::Span,
    vocabulary::Vocabulary,
};
use pawl_ledger::{
    board::Board,
    digest::Words,
    id::{Position, RevisionId},
    log::wire::{WireEnum, policy_to_wire, revision_to_wire, score_to_wire},
    status::Policy,
};
use pawl_proto::v1 as proto;

use super::{
    check::Compared,
    outcome::contradicts,
    prepare::Prepared,
    references::{ComparedReference, records},
};
use crate::app::{
    error::AppError,
    judge::{Judge, Known},
    message_words,
};

/// The most findings that are told of a submission and kept, the strongest ones.
const MAX_FINDINGS: usize = 32;
/// The most of them that make no conflict: a board of facts of one form would have one of every other.
const MAX_NOTES: usize = 4;
/// The most candidates that are kept of a submission.
const MAX_CANDIDATES: usize = 256;

/// Writes down what a submission was compared with and what came out.
pub(super) fn check_record(
    board: &Board,
    judge: &Judge,
    checked: Position,
    item: &Prepared,
    compared: &BTreeMap<RevisionId, Arc<Compared>>,
    told: &[Told],
    references: &[ComparedReference],
) -> Result<Words, AppError> {
    let record = proto::CheckRecord {
        checker: VERSION.to_owned(),
        vocabulary: judge.vocabulary.digest().to_vec(),
        model: judge.model.map(|it| it.0.to_vec()).unwrap_or_default(),
        policy: Some(policy_to_wire(board.policy)),
        position: checked.0,
        candidates: compared
            .iter()
            .take(MAX_CANDIDATES)
            .map(|(revision, pair)| candidate(*revision, pair))
            .collect(),
        findings: told
            .iter()
            .map(|(revision, judgement)| finding_to_wire(*revision, judgement))
            .collect(),
        vector: vector_digest(&item.known),
        references: records(board, references, &judge.vocabulary, board.policy.note),
    };
    message_words(&record)
}

/// A finding in words, and what it is against.
pub(super) type Told = (RevisionId, Judgement);

/// The findings that are told, the strongest first.
pub(super) fn strongest(
    vocabulary: &Vocabulary,
    policy: Policy,
    new: &Known,
    compared: &BTreeMap<RevisionId, Arc<Compared>>,
) -> Vec<Told> {
    let scored = compared.iter().flat_map(|(revision, pair)| {
        let findings = pair.findings.iter().enumerate();
        findings.map(move |(place, (kind, score))| ((*kind, *score), *revision, place, pair))
    });
    let mut scored: Vec<_> = scored.filter(|it| it.0.1 >= policy.note).collect();
    scored.sort_by_key(|((kind, score), revision, ..)| (Reverse(*score), *revision, *kind));
    let mut notes = 0;
    let told = scored.into_iter().filter(|(finding, ..)| {
        let is_note = !contradicts(*finding, policy.conflict);
        notes += usize::from(is_note);
        !is_note || notes <= MAX_NOTES
    });
    let told = told.take(MAX_FINDINGS);
    told.filter_map(|(_, revision, place, pair)| {
        let judgement = pair.told(vocabulary, new).into_iter().nth(place)?;
        Some((revision, judgement))
    })
    .collect()
}

fn candidate(revision: RevisionId, pair: &Compared) -> proto::Candidate {
    proto::Candidate {
        revision: Some(revision_to_wire(revision)),
        cosine: pair.cosine.map(i32::from),
        overlap: u32::try_from(pair.overlap).unwrap_or(u32::MAX),
        vector: vector_digest(&pair.standing),
    }
}

fn vector_digest(known: &Known) -> Vec<u8> {
    let digest = known.vector_digest();
    digest.map(|it| it.0.to_vec()).unwrap_or_default()
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
