//! What is told of conflicts.

use super::super::{names::full, parse::time};
use super::Teller;
use crate::app::{
    authorities::row_to_wire,
    error::AppError,
    submission::{explain, finding_to_wire},
};
use pawl_ledger::{
    board::{Board, Conflict},
    decide::{Opinion, opinions},
    event::{Challenger, Event, Grounds},
    id::{BoardName, ConflictId, LookupId, ModuleName, Position, RevisionId},
    log::wire::{WireEnum, revision},
    reference::{Reference, RowRef},
    status::{ConflictCause, ConflictState, Rule},
};
use pawl_proto::v1 as proto;

impl Teller<'_> {
    /// Tells a conflict with both sides and what was found.
    pub(in crate::grpc) fn conflict(
        &self,
        seen: &SeenConflict,
    ) -> Result<proto::Conflict, AppError> {
        let SeenConflict {
            id,
            state,
            challenger,
            standing,
            given,
            opinions,
        } = seen;
        let named = |id: RevisionId| full(self.board(), "assertions", id);
        let (challenger_name, refusal) = match state.challenger {
            Challenger::Revision(revision) => (named(revision), String::new()),
            Challenger::Refusal(refusal) => (String::new(), refusal.to_string()),
        };
        let (content, check) = self.challenger_words(*challenger)?;
        let ((decided_by, reason), rule) = self.decision(state)?;
        Ok(proto::Conflict {
            name: full(self.board(), "conflicts", id),
            state: state.state.to_wire(),
            challenger: challenger_name,
            challenger_content: content,
            refusal,
            finding: Some(self.finding(state, *standing, given.as_ref(), &check)?),
            principal: state.principal.to_string(),
            appealed: state.appealed.is_some(),
            decided_by,
            reason,
            challenger_won: state.challenger_won,
            create_time: Some(time(state.at)),
            rescan: state.rescan,
            rule: rule.map(WireEnum::to_wire).unwrap_or_default(),
            rules: opinions.iter().map(opinion).collect(),
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

    /// Who decided and why, and the rule if one did.
    fn decision(&self, state: &Conflict) -> Result<((String, String), Option<Rule>), AppError> {
        let Some((by, position)) = &state.decided else {
            let ended = if state.state == ConflictState::Open {
                ""
            } else {
                "one side ended by itself"
            };
            return Ok(((String::new(), ended.to_owned()), None));
        };
        let reason = match self.event(*position)? {
            Event::ConflictResolved {
                grounds: Grounds::Rule(figures),
                ..
            } => {
                return Ok((
                    (by.to_string(), figures.to_string()),
                    Some(figures.measure.rule()),
                ));
            }
            Event::ConflictResolved {
                grounds: Grounds::Reason(reason),
                ..
            }
            | Event::ConflictDismissed { reason, .. } => self.text(*position, reason)?,
            _ => String::new(),
        };
        Ok(((by.to_string(), reason), None))
    }

    /// What a rescan found is told from the two texts, while both are there.
    fn found_anew(&self, state: &Conflict) -> Result<proto::FindingRecord, AppError> {
        let judge = self.live.judge.read();
        let Challenger::Revision(challenger) = state.challenger else {
            return Ok(proto::FindingRecord::default());
        };
        let found = match state.standing {
            Some(standing) => explain(&judge, challenger, standing, state.cause)?,
            None => None,
        };
        Ok(
            found.map_or_else(proto::FindingRecord::default, |(standing, it)| {
                finding_to_wire(standing, &it)
            }),
        )
    }

    fn finding(
        &self,
        state: &Conflict,
        standing: Option<Position>,
        given: Option<&SeenGiven>,
        check: &proto::CheckRecord,
    ) -> Result<proto::Finding, AppError> {
        let record = check.findings.iter().find(|record| {
            record.standing.as_ref().map(revision) == state.standing
                && record.kind == state.cause.to_wire()
        });
        let compared = given.and_then(|given| given.record(self.board(), check));
        let found = compared.and_then(|it| it.finding.as_ref());
        let record = match found.or(record) {
            Some(record) => record.clone(),
            None if state.rescan => self.found_anew(state)?,
            None => proto::FindingRecord::default(),
        };
        let reference = given.map(|it| self.given(it, compared));
        let standing_content = match &reference {
            Some(reference) => reference.content.clone(),
            None => self.challenger_words(standing)?.0,
        };
        let exact = matches!(state.cause, ConflictCause::Finding(kind)
            if kind.certainty() == pawl_ledger::finding::Certainty::Exact);
        Ok(proto::Finding {
            standing: state
                .standing
                .map(|it| full(self.board(), "assertions", it))
                .unwrap_or_default(),
            standing_content,
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
            reference,
        })
    }

    /// Tells the row or the answer that stands: as the check kept it, else as it is mounted.
    fn given(
        &self,
        given: &SeenGiven,
        compared: Option<&proto::ReferenceRecord>,
    ) -> proto::Reference {
        let kept = compared.and_then(|it| it.reference.clone());
        match given {
            SeenGiven::Row(row, table) => kept.unwrap_or_else(|| {
                let judge = self.live.judge.read();
                match judge.tables.row(*row) {
                    Some(found) => row_to_wire(self.board(), &found, &judge.vocabulary),
                    None => proto::Reference {
                        table: full(self.board(), "tables", table),
                        version: row.mounted.0,
                        line: row.line,
                        ..Default::default()
                    },
                }
            }),
            SeenGiven::Answer(lookup, authority) => proto::Reference {
                authority: full(self.board(), "authorities", authority),
                lookup: lookup.to_string(),
                ..kept.unwrap_or_default()
            },
        }
    }
}

/// Tells what a rule says of a conflict.
fn opinion(opinion: &Opinion) -> proto::RuleOpinion {
    let figures: Vec<String> = opinion.figures.iter().map(ToString::to_string).collect();
    let mut reason = figures.join("; ");
    if opinion.rule == Rule::Arbiter {
        reason = "an arbiter decides".to_owned();
    }
    if opinion.is_held_by_lock {
        reason.push_str("; what stands is locked, and only an amendment ends a lock");
    } else if opinion.challenger_wins == Some(true) {
        reason.push_str("; the challenger waits for another conflict too");
    }
    proto::RuleOpinion {
        rule: opinion.rule.to_wire(),
        decides: opinion.challenger_wins.is_some() && !opinion.is_held_by_lock,
        for_challenger: opinion.challenger_wins == Some(true),
        reason,
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
pub(in crate::grpc) struct SeenConflict {
    id: ConflictId,
    state: Conflict,
    challenger: Option<Position>,
    standing: Option<Position>,
    given: Option<SeenGiven>,
    opinions: Vec<Opinion>,
}

/// The row or the answer that stands in a conflict, with the name of its table or authority.
enum SeenGiven {
    Row(RowRef, ModuleName),
    Answer(LookupId, ModuleName),
}

impl SeenGiven {
    fn new(board: &Board, reference: Reference) -> Option<Self> {
        Some(match reference {
            Reference::Row(row) => Self::Row(row, board.table_mounted_at(row.mounted)?.0.clone()),
            Reference::Answer(id) => Self::Answer(id, board.lookup(id)?.authority.clone()),
        })
    }

    /// What the check kept of it.
    fn record<'check>(
        &self,
        board: &BoardName,
        check: &'check proto::CheckRecord,
    ) -> Option<&'check proto::ReferenceRecord> {
        check.references.iter().find(|record| {
            let told = record.reference.as_ref();
            told.is_some_and(|it| match self {
                Self::Row(row, _) => (it.version, it.line) == (row.mounted.0, row.line),
                Self::Answer(_, authority) => it.authority == full(board, "authorities", authority),
            })
        })
    }
}

impl SeenConflict {
    pub(in crate::grpc) fn new(board: &Board, id: ConflictId) -> Option<Self> {
        let state = board.conflict(id)?.clone();
        let challenger = match state.challenger {
            Challenger::Revision(revision) => board.revision(revision).map(|it| it.position),
            Challenger::Refusal(refusal) => board.refusal(refusal).map(|it| it.position),
        };
        let standing = state
            .standing
            .and_then(|it| board.revision(it))
            .map(|it| it.position);
        let given = state.reference.and_then(|it| SeenGiven::new(board, it));
        let opinions = opinions(board, &state);
        Some(Self {
            id,
            opinions,
            state,
            challenger,
            standing,
            given,
        })
    }
}
