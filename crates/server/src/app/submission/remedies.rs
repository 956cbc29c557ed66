//! What a model, or a person, can do about a verdict.

use pawl_ledger::{
    board::Board,
    finding::Certainty,
    id::ConflictId,
    status::{ConflictCause, Status, Verdict},
};

use super::{
    draft::Draft,
    outcome::{Judged, ReportedFinding, Standing},
};

pub(super) fn remedies(
    board: &Board,
    judged: &Judged,
    findings: &[ReportedFinding],
    conflicts: &[ConflictId],
    draft: &Draft,
) -> Vec<String> {
    match judged.verdict {
        Verdict::Accepted => Vec::new(),
        Verdict::Refused => refused(board, judged, findings, conflicts),
        Verdict::Contested => contested(findings, &judged.causes, draft),
    }
}

fn refused(
    board: &Board,
    judged: &Judged,
    findings: &[ReportedFinding],
    conflicts: &[ConflictId],
) -> Vec<String> {
    let locked = findings.iter().find(|finding| {
        finding.judgement.kind.certainty() == Certainty::Exact
            && finding
                .standing
                .revision()
                .and_then(|id| board.revision(id))
                .is_some_and(|state| state.status == Status::Locked)
    });
    let given = findings.iter().find(|finding| {
        finding.judgement.kind.refuses_against_reference()
            && matches!(finding.standing, Standing::Given(_))
    });
    let mut remedies = vec![
        match (locked, given) {
            (None, Some(given)) => {
                format!(
                    "take what `{}` says as given and go on from it",
                    given.standing
                )
            }
            _ => "take the locked fact as given and go on from it".to_owned(),
        },
        "if yours holds for another period, region or scope, say so in the content or in the \
         claim's qualifiers and submit again"
            .to_owned(),
    ];
    if let Some(locked) = locked {
        let standing = &locked.standing;
        remedies.push(format!(
            "if you hold `{standing}` to be wrong, flag it with your source; the lock stands until \
             an arbiter amends it"
        ));
    }
    if let Some(given) = given {
        remedies.push(format!(
            "if you hold `{}` to be wrong, tell an operator of the board with your source: a newer \
             version can take its place",
            given.standing
        ));
    }
    if let Some(conflict) = conflicts.first() {
        remedies.push(format!(
            "if the two do not contradict each other, appeal `{conflict}`; once an arbiter dismisses \
             it, the same submission passes"
        ));
    }
    if judged.earlier_attempts > 0 {
        remedies.push(format!(
            "this was refused {} time(s) before; rewording it will be contested, not accepted",
            judged.earlier_attempts
        ));
    }
    remedies
}

fn contested(findings: &[ReportedFinding], causes: &[ConflictCause], draft: &Draft) -> Vec<String> {
    let mut remedies = Vec::new();
    let strongest = findings.iter().find(|finding| finding.is_conflict);
    if let Some(finding) = strongest {
        remedies.push(format!(
            "look at `{}` and its source again: retract yours if it was misread, or replace it with a \
             corrected revision",
            finding.standing
        ));
        remedies.push(
            "if both hold, name the period, region or scope that separates them and submit again"
                .to_owned(),
        );
        remedies.push(
            "otherwise wait: an arbiter decides; a further independent source helps".to_owned(),
        );
    }
    if causes.contains(&ConflictCause::Ownership) {
        remedies.push(format!(
            "module `{}` belongs to others; an owner or an arbiter has to agree",
            draft.module
        ));
    }
    if causes.contains(&ConflictCause::Replacement) {
        remedies.push("it replaces an assertion of another; an arbiter has to agree".to_owned());
    }
    if causes.contains(&ConflictCause::Rewording) {
        remedies.push(
            "it rewords what you were refused; appeal that refusal instead of rewording".to_owned(),
        );
    }
    remedies
}
