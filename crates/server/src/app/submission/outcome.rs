//! What is told of an item.

use pawl_checker::compare::{Judgement, Scored};
use pawl_ledger::{
    board::Board,
    decide::Denied,
    event::Event,
    finding::{Certainty, Score},
    id::{ConflictId, RevisionId},
    status::{ConflictCause, Verdict},
};

use pawl_proto::v1 as proto;

use super::{decide::DecidedItem, prepare::Prepared, remedies::remedies};
use crate::app::judge::Judge;

/// What became of one item.
#[derive(Clone, Debug)]
pub struct ItemOutcome {
    /// Accepted, contested or refused.
    pub verdict: Verdict,
    /// The revision that was stored or corroborated; none where nothing was written.
    pub revision: Option<RevisionId>,
    /// The same stood there already.
    pub corroborated: bool,
    /// What was found, the strongest first.
    pub findings: Vec<ReportedFinding>,
    /// The conflicts that were opened; none where nothing was written.
    pub conflicts: Vec<ConflictId>,
    /// What was set right or should be looked at.
    pub warnings: Vec<String>,
    /// What can be done now.
    pub remedies: Vec<String>,
    /// The rows and answers that say the same.
    pub agreements: Vec<proto::Reference>,
}

/// The side of a finding that stands.
#[derive(Clone, Debug)]
pub enum Standing {
    /// A revision.
    Revision(RevisionId),
    /// A row or an answer, as it is told.
    Given(Box<proto::Reference>),
}

impl Standing {
    /// The revision.
    pub fn revision(&self) -> Option<RevisionId> {
        match self {
            Self::Revision(revision) => Some(*revision),
            Self::Given(_) => None,
        }
    }
}

impl std::fmt::Display for Standing {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let last = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
        match self {
            Self::Revision(revision) => revision.fmt(formatter),
            Self::Given(given) if given.table.is_empty() => {
                write!(formatter, "authority {}", last(&given.authority))
            }
            Self::Given(given) => write!(formatter, "{}#{}", last(&given.table), given.line),
        }
    }
}

/// A finding with the text it is against.
#[derive(Clone, Debug)]
pub struct ReportedFinding {
    /// What stands.
    pub standing: Standing,
    /// Its content.
    pub standing_content: String,
    /// What was found.
    pub judgement: Judgement,
    /// It makes a conflict on this board.
    pub is_conflict: bool,
}

/// What decided a verdict besides the findings.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// How often the author was refused the same before.
    pub earlier_attempts: u32,
    /// What the conflicts are about that it opens, or would.
    pub causes: Vec<ConflictCause>,
}

pub(super) fn outcomes(
    board: &Board,
    judge: &Judge,
    decided: &[DecidedItem],
    prepared: &[Result<Prepared, Denied>],
    committed: bool,
) -> Vec<Result<ItemOutcome, Denied>> {
    decided
        .iter()
        .zip(prepared)
        .map(|(item, prepared)| {
            let (decision, prepared) = match (&item.decision, prepared) {
                (Ok(decision), Ok(prepared)) => (decision, prepared),
                (Err(error), _) | (_, Err(error)) => return Err(error.clone()),
            };
            let mut findings = reported(board, judge, item);
            let given = item.references.iter();
            let agreeing = given.filter(|it| it.judgement.is_none());
            let agreeing = agreeing.map(|it| it.given.told(board, &judge.vocabulary));
            let mut warnings = prepared.warnings.clone();
            if decision.verdict == Verdict::Accepted {
                warnings.extend(settled(&mut findings));
            }
            let judged = Judged {
                verdict: decision.verdict,
                earlier_attempts: decision.earlier_attempts,
                causes: causes(&decision.events),
            };
            let conflicts = if committed {
                decision.conflicts.clone()
            } else {
                Vec::new()
            };
            Ok(ItemOutcome {
                verdict: decision.verdict,
                revision: decision.revision.filter(|_| committed),
                corroborated: decision.corroborated,
                remedies: remedies(board, &judged, &findings, &conflicts, &prepared.draft),
                findings,
                conflicts,
                warnings,
                agreements: agreeing.collect(),
            })
        })
        .collect()
}

fn causes(events: &[Event]) -> Vec<ConflictCause> {
    let causes = events.iter().filter_map(|event| match event {
        Event::ConflictOpened { cause, .. } => Some(*cause),
        _ => None,
    });
    causes.collect()
}

/// Findings that would make a conflict, of a submission that was accepted all the same: an arbiter
/// dismissed them before, or they are against what it replaces. Says so of each.
fn settled(findings: &mut [ReportedFinding]) -> Vec<String> {
    let settled = findings.iter_mut().filter(|finding| finding.is_conflict);
    settled
        .map(|finding| {
            finding.is_conflict = false;
            format!(
                "the finding against `{}` does not count: it was dismissed, or is against what this \
                 replaces",
                finding.standing
            )
        })
        .collect()
}

fn reported(board: &Board, judge: &Judge, item: &DecidedItem) -> Vec<ReportedFinding> {
    let content = |id| {
        item.compared
            .get(&id)
            .map(|it| it.standing.statement.content())
    };
    let given = item.references.iter().filter_map(|it| {
        let judgement = it.judgement.clone()?;
        let told = it.given.told(board, &judge.vocabulary);
        (judgement.score >= board.policy.note).then(|| ReportedFinding {
            standing_content: told.content.clone(),
            standing: Standing::Given(Box::new(told)),
            is_conflict: is_conflict(&judgement, board.policy.conflict),
            judgement,
        })
    });
    let told = item
        .told
        .iter()
        .map(|(standing, judgement)| ReportedFinding {
            standing: Standing::Revision(*standing),
            standing_content: content(*standing).unwrap_or_default().to_owned(),
            judgement: judgement.clone(),
            is_conflict: is_conflict(judgement, board.policy.conflict),
        });
    let mut findings: Vec<ReportedFinding> = told.chain(given).collect();
    findings.sort_by_key(|it| std::cmp::Reverse(it.judgement.score));
    findings
}

/// Exact findings always make a conflict, scored ones from the threshold on.
pub(in crate::app) fn is_conflict(judgement: &Judgement, threshold: Score) -> bool {
    contradicts((judgement.kind, judgement.score), threshold)
}

/// The same of a finding that is not put into words.
pub(in crate::app) fn contradicts((kind, score): Scored, threshold: Score) -> bool {
    kind.certainty() == Certainty::Exact || score >= threshold
}

#[cfg(test)]
mod tests {
    use pawl_checker::compare::Thresholds;
    use pawl_ledger::status::Policy;

    #[test]
    fn a_new_board_has_the_thresholds_the_checker_was_measured_at() {
        let (policy, measured) = (Policy::default(), Thresholds::default());
        assert_eq!(
            (policy.conflict, policy.note),
            (measured.conflict, measured.note)
        );
    }
}
