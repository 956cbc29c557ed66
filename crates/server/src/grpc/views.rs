//! What is told of the things on a board: their state under the lock, their words from the store.

use std::{collections::BTreeSet, sync::Arc};

use pawl_ledger::{
    board::{Board, Conflict, Flag, Revision},
    digest::{Commitment, Digest},
    event::{Challenger, Citation, Event},
    graph::SnapshotNode,
    id::{BoardName, ConflictId, FlagId, Position, RevisionId},
    log::{
        decode, encode_snapshot,
        wire::{WireEnum, revision, seal_figures_to_wire, seal_policy_to_wire},
    },
    status::{ConflictCause, ConflictState},
};
use pawl_proto::v1 as proto;
use prost::Message;

use super::{names::full, parse::time};
use crate::app::{App, boards::LiveBoard, error::AppError};

/// The sources that a later version of the same address has replaced, gathered once a call.
#[derive(Clone, Default)]
pub(super) struct Drifted(Arc<BTreeSet<Digest>>);

impl Drifted {
    pub(super) fn of(board: &Board) -> Self {
        let drifted = board.sources.iter().filter(|(_, source)| source.drifted);
        Self(Arc::new(drifted.map(|(digest, _)| *digest).collect()))
    }
}

/// A revision as it was under the lock.
pub(super) struct SeenRevision {
    pub(super) id: RevisionId,
    pub(super) state: Revision,
    drifted: Drifted,
}

impl SeenRevision {
    /// Takes what is needed of a revision, to be told once the lock is released.
    pub(super) fn new(board: &Board, id: RevisionId, drifted: &Drifted) -> Option<Self> {
        let state = board.revision(id)?.clone();
        Some(Self {
            id,
            state,
            drifted: drifted.clone(),
        })
    }
}

/// Reads the words of one board.
pub(super) struct Teller<'a> {
    pub(super) app: &'a App,
    pub(super) live: &'a LiveBoard,
}

impl Teller<'_> {
    pub(super) fn board(&self) -> &BoardName {
        &self.live.name
    }

    /// The event of an entry.
    pub(super) fn event(&self, position: Position) -> Result<Event, AppError> {
        let bytes = self.app.ledger.entry(self.live.open.number, position)?;
        let recorded = bytes.as_deref().map(decode);
        match recorded {
            Some(Ok(recorded)) => Ok(recorded.event),
            Some(Err(error)) => Err(AppError::Internal(format!(
                "entry {position} cannot be read: {error}"
            ))),
            None => Err(AppError::Internal(format!("entry {position} is missing"))),
        }
    }

    /// The bytes behind a commitment of an entry; empty where they are gone.
    pub(super) fn bytes(
        &self,
        position: Position,
        commitment: Commitment,
    ) -> Result<Vec<u8>, AppError> {
        let words = self
            .app
            .ledger
            .words(self.live.open.number, position, commitment)?;
        Ok(words
            .map(|words| words.bytes().to_vec())
            .unwrap_or_default())
    }

    /// The text behind a commitment of an entry.
    pub(super) fn text(
        &self,
        position: Position,
        commitment: Commitment,
    ) -> Result<String, AppError> {
        Ok(String::from_utf8_lossy(&self.bytes(position, commitment)?).into_owned())
    }

    pub(super) fn message<M: Message + Default>(
        &self,
        position: Position,
        commitment: Commitment,
    ) -> Result<M, AppError> {
        let bytes = self.bytes(position, commitment)?;
        M::decode(bytes.as_slice())
            .map_err(|error| AppError::Internal(format!("words at {position}: {error}")))
    }

    /// Tells a revision in full.
    pub(super) fn assertion(&self, seen: &SeenRevision) -> Result<proto::Assertion, AppError> {
        let SeenRevision { id, state, .. } = seen;
        let named = |id: RevisionId| full(self.board(), "assertions", id);
        let conflicts = state.conflicts.iter();
        let flags = state.flags.iter();
        Ok(proto::Assertion {
            name: named(*id),
            draft: Some(self.draft(seen)?),
            principal: state.author.to_string(),
            status: state.status.to_wire(),
            challenged: state.challenged > 0,
            support_lost: state.support_lost.map(named).unwrap_or_default(),
            corroborations: state.corroborations,
            verified_sources: u32::try_from(state.verified_sources.len()).unwrap_or(u32::MAX),
            validated_by: state
                .validated
                .as_ref()
                .map(|(by, _)| by.to_string())
                .unwrap_or_default(),
            snapshot: state
                .snapshot
                .map(|it| full(self.board(), "snapshots", it))
                .unwrap_or_default(),
            verdict: state.verdict.to_wire(),
            base: state.base.0,
            position: state.position.0,
            create_time: Some(time(state.at)),
            conflicts: conflicts
                .map(|it| full(self.board(), "conflicts", it))
                .collect(),
            flags: flags.map(|it| full(self.board(), "flags", it)).collect(),
            replaced_by: state.replaced_by.map(named).unwrap_or_default(),
        })
    }

    fn draft(&self, seen: &SeenRevision) -> Result<proto::Draft, AppError> {
        let position = seen.state.position;
        let Event::Submitted(submitted) = self.event(position)? else {
            return Err(AppError::Internal(format!(
                "entry {position} is no submission"
            )));
        };
        let words: proto::SubmissionWords = match submitted.words {
            Some(words) => self.message(position, words)?,
            None => proto::SubmissionWords::default(),
        };
        Ok(proto::Draft {
            module: submitted.module.to_string(),
            content: self.text(position, submitted.content)?,
            rationale: words.rationale,
            citations: self.citations(position, &submitted.citations, &seen.drifted)?,
            level: submitted.level.to_wire(),
            kind: submitted.kind.to_wire(),
            confidence: Some(submitted.confidence.ratio()),
            entities: words.entities,
            tags: words.tags,
            claim: words.claim,
            valid_from: words.valid_from,
            valid_to: words.valid_to,
            supports: seen
                .state
                .supports
                .iter()
                .map(ToString::to_string)
                .collect(),
            replaces: submitted
                .replaces
                .map(|it| it.to_string())
                .unwrap_or_default(),
        })
    }

    /// Tells citations with their quotes.
    pub(super) fn citations(
        &self,
        position: Position,
        citations: &[Citation],
        drifted: &Drifted,
    ) -> Result<Vec<proto::Citation>, AppError> {
        citations
            .iter()
            .map(|citation| {
                let quote: proto::QuoteWords = self.message(position, citation.quote)?;
                Ok(proto::Citation {
                    source: citation.source.to_string(),
                    quote: quote.exact,
                    prefix: quote.prefix,
                    suffix: quote.suffix,
                    locator: quote.locator,
                    check: citation.check.to_wire(),
                    drifted: drifted.0.contains(&citation.source),
                })
            })
            .collect()
    }

    /// What a verifier read, of a revision that was validated.
    pub(super) fn validation(&self, seen: &SeenRevision) -> Result<Vec<proto::Citation>, AppError> {
        let Some((_, position)) = seen.state.validated else {
            return Ok(Vec::new());
        };
        match self.event(position)? {
            Event::Validated { evidence, .. } => self.citations(position, &evidence, &seen.drifted),
            _ => Ok(Vec::new()),
        }
    }

    /// Tells a conflict with both sides and what was found.
    pub(super) fn conflict(&self, seen: &SeenConflict) -> Result<proto::Conflict, AppError> {
        let SeenConflict {
            id,
            state,
            challenger,
            standing,
        } = seen;
        let named = |id: RevisionId| full(self.board(), "assertions", id);
        let (challenger_name, refusal) = match state.challenger {
            Challenger::Revision(revision) => (named(revision), String::new()),
            Challenger::Refusal(refusal) => (String::new(), refusal.to_string()),
        };
        let (content, check) = self.challenger_words(*challenger)?;
        let (decided_by, reason) = self.decision(state)?;
        Ok(proto::Conflict {
            name: full(self.board(), "conflicts", id),
            state: state.state.to_wire(),
            challenger: challenger_name,
            challenger_content: content,
            refusal,
            finding: Some(self.finding(state, *standing, &check)?),
            principal: state.principal.to_string(),
            appealed: state.appealed.is_some(),
            decided_by,
            reason,
            challenger_won: state.challenger_won,
            create_time: Some(time(state.at)),
        })
    }

    fn challenger_words(
        &self,
        position: Option<Position>,
    ) -> Result<(String, proto::CheckRecord), AppError> {
        let Some(position) = position else {
            return Ok(Default::default());
        };
        let (content, check) = match self.event(position)? {
            Event::Submitted(submitted) => (submitted.content, submitted.check),
            Event::Refused { content, check, .. } => (content, check),
            _ => return Ok(Default::default()),
        };
        Ok((
            self.text(position, content)?,
            self.message(position, check)?,
        ))
    }

    fn decision(&self, state: &Conflict) -> Result<(String, String), AppError> {
        let Some((by, position)) = &state.decided else {
            let ended = if state.state == ConflictState::Open {
                ""
            } else {
                "one side ended by itself"
            };
            return Ok((String::new(), ended.to_owned()));
        };
        let reason = match self.event(*position)? {
            Event::ConflictResolved { reason, .. } | Event::ConflictDismissed { reason, .. } => {
                self.text(*position, reason)?
            }
            _ => String::new(),
        };
        Ok((by.to_string(), reason))
    }

    fn finding(
        &self,
        state: &Conflict,
        standing: Option<Position>,
        check: &proto::CheckRecord,
    ) -> Result<proto::Finding, AppError> {
        let record = check.findings.iter().find(|record| {
            record.standing.as_ref().map(revision) == state.standing
                && record.kind == state.cause.to_wire()
        });
        let record = record.cloned().unwrap_or_default();
        let exact = matches!(state.cause, ConflictCause::Finding(kind)
            if kind.certainty() == pawl_ledger::finding::Certainty::Exact);
        Ok(proto::Finding {
            standing: state
                .standing
                .map(|it| full(self.board(), "assertions", it))
                .unwrap_or_default(),
            standing_content: self.challenger_words(standing)?.0,
            kind: state.cause.to_wire(),
            exact,
            score: state.score.ratio(),
            conflict: true,
            reason: if record.reason.is_empty() {
                reason_of(state.cause)
            } else {
                record.reason
            },
            new_spans: record.new_spans,
            standing_spans: record.standing_spans,
            parts: record.parts,
        })
    }

    /// Tells a flag.
    pub(super) fn flag(&self, id: FlagId, flag: &Flag) -> Result<proto::FlagRecord, AppError> {
        let (reason, citations) = match self.event(flag.position)? {
            Event::Flagged {
                reason, citations, ..
            } => (
                self.text(flag.position, reason)?,
                self.citations(flag.position, &citations, &Drifted::default())?,
            ),
            _ => Default::default(),
        };
        let answer = match flag
            .closed
            .map(|at| Ok::<_, AppError>((at, self.event(at)?)))
        {
            Some(Ok((at, Event::FlagClosed { reason, .. }))) => self.text(at, reason)?,
            Some(Err(error)) => return Err(error),
            _ => String::new(),
        };
        Ok(proto::FlagRecord {
            name: full(self.board(), "flags", id),
            assertion: full(self.board(), "assertions", flag.revision),
            reason,
            citations,
            principal: flag.principal.to_string(),
            open: flag.closed.is_none(),
            answer,
            create_time: Some(time(flag.at)),
        })
    }
}

/// What is said of a conflict that no finding of the checker explains.
fn reason_of(cause: ConflictCause) -> String {
    match cause {
        ConflictCause::Ownership => "the module belongs to others, who have to agree".into(),
        ConflictCause::Replacement => "it replaces an assertion of another principal".into(),
        ConflictCause::Rewording => "it rewords what its author was refused before".into(),
        ConflictCause::Finding(_) => {
            "found against what was accepted while the challenger was in quarantine".into()
        }
    }
}

/// A conflict as it was under the lock, with the positions of its sides.
pub(super) struct SeenConflict {
    id: ConflictId,
    state: Conflict,
    challenger: Option<Position>,
    standing: Option<Position>,
}

impl SeenConflict {
    pub(super) fn new(board: &Board, id: ConflictId) -> Option<Self> {
        let state = board.conflict(id)?.clone();
        let challenger = match state.challenger {
            Challenger::Revision(revision) => board.revision(revision).map(|it| it.position),
            Challenger::Refusal(refusal) => board.refusal(refusal).map(|it| it.position),
        };
        let standing = state
            .standing
            .and_then(|it| board.revision(it))
            .map(|it| it.position);
        Some(Self {
            id,
            state,
            challenger,
            standing,
        })
    }
}

/// Tells a snapshot.
pub(super) fn snapshot(
    board: &BoardName,
    node: &SnapshotNode,
    is_current: bool,
    with_members: bool,
) -> proto::SnapshotRecord {
    let bytes = encode_snapshot(&node.snapshot);
    let members = node.members.iter().filter(|_| with_members);
    proto::SnapshotRecord {
        name: full(board, "snapshots", node.id),
        snapshot: proto::Snapshot::decode(bytes.as_slice()).ok(),
        bytes,
        members: members.map(ToString::to_string).collect(),
        create_time: Some(time(node.snapshot.at)),
        current: is_current,
    }
}

/// Tells what a seal would hold, before there is a snapshot.
pub(super) fn seal_preview(
    module: &str,
    policy: &pawl_ledger::module::SealPolicy,
    report: &pawl_ledger::decide::SealReport,
) -> proto::SnapshotRecord {
    proto::SnapshotRecord {
        snapshot: Some(proto::Snapshot {
            module: module.to_owned(),
            member_count: report.figures.members,
            policy: Some(seal_policy_to_wire(policy)),
            figures: Some(seal_figures_to_wire(report.figures)),
            ..Default::default()
        }),
        members: report.members.iter().map(ToString::to_string).collect(),
        ..Default::default()
    }
}
