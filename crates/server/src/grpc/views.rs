//! What is told of the things on a board: their state under the lock, their words from the store.

mod conflicts;
mod snapshots;

pub(super) use conflicts::SeenConflict;
pub(super) use snapshots::{seal_preview, snapshot};

use std::{collections::BTreeSet, sync::Arc};

use pawl_ledger::{
    board::{Board, Flag, Revision},
    digest::{Commitment, Digest},
    event::{Citation, Event},
    id::{BoardName, FlagId, Position, RevisionId},
    log::{decode, wire::WireEnum},
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
