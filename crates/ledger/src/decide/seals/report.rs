//! What a module measures, and which conditions of its policy it fails.

use crate::{
    board::{Board, Module, Revision, number},
    evolve::members,
    finding::Score,
    id::{AttributeName, ModuleName, RevisionId, Timestamp},
    module::{SealFigures, SealPolicy},
    status::{ConflictState, Status},
};

/// The most members a failed condition names.
const MAX_NAMED: usize = 32;

/// What a seal would hold and which conditions it fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealReport {
    /// What it would hold.
    pub members: Vec<RevisionId>,
    /// What was measured.
    pub figures: SealFigures,
    /// The failed conditions with the members or figures they failed on.
    pub failed: Vec<(&'static str, String)>,
}

/// Measures a module, or one revision of it, against the module's policy.
pub fn seal_report(
    board: &Board,
    name: &ModuleName,
    only: Option<RevisionId>,
    now: Timestamp,
) -> Option<SealReport> {
    let module = board.modules.get(name)?;
    let policy = &module.declaration.policy;
    let members = members(board, name, only);
    let judged: Vec<(RevisionId, &Revision)> = members
        .iter()
        .filter(|id| only.is_none_or(|only| only == **id))
        .filter_map(|id| Some((*id, board.revision(*id)?)))
        .collect();
    let figures = figures(board, module, &members, &judged);
    let mut failed = member_conditions(policy, &judged);
    failed.extend(compared_conditions(board, module, &judged));
    if only.is_none() {
        failed.extend(module_conditions(board, module, policy, figures, now));
    }
    Some(SealReport {
        members,
        figures,
        failed,
    })
}

/// The states of revisions.
pub(super) fn known_members<'a>(
    board: &'a Board,
    members: &[RevisionId],
) -> Vec<(RevisionId, &'a Revision)> {
    let states = members.iter();
    states
        .filter_map(|id| Some((*id, board.revision(*id)?)))
        .collect()
}

pub(super) fn figures(
    board: &Board,
    module: &Module,
    members: &[RevisionId],
    judged: &[(RevisionId, &Revision)],
) -> SealFigures {
    let expected = &module.declaration.expected;
    let states = || members.iter().filter_map(|id| board.revision(*id));
    let present = expected
        .iter()
        .filter(|name| states().any(|state| state.attribute.as_ref() == Some(name)))
        .count();
    let completeness = share(present, expected.len());
    SealFigures {
        members: number(members.len()),
        validated: number(states().filter(|state| state.validated.is_some()).count()),
        least_confidence: judged
            .iter()
            .map(|(_, state)| state.confidence)
            .min()
            .unwrap_or_default(),
        completeness,
        challengers_left_out: number(module.contested.len()),
    }
}

/// A share in ten-thousandths; of nothing, all.
pub(super) fn share(part: usize, all: usize) -> Score {
    let share = (part * 10_000).checked_div(all).unwrap_or(10_000);
    Score::clamped(u16::try_from(share).unwrap_or(u16::MAX))
}

fn is_validated(state: &Revision) -> bool {
    matches!(state.status, Status::Validated | Status::Locked)
}

fn member_conditions(
    policy: &SealPolicy,
    judged: &[(RevisionId, &Revision)],
) -> Vec<(&'static str, String)> {
    let named = |fails: &dyn Fn(&Revision) -> bool| -> Option<String> {
        let failing: Vec<String> = judged
            .iter()
            .filter(|(_, state)| fails(state))
            .take(MAX_NAMED)
            .map(|(id, _)| id.to_string())
            .collect();
        (!failing.is_empty()).then(|| failing.join(","))
    };
    let validated = named(&|state| policy.validated && !is_validated(state));
    let confidence =
        named(&|state| state.confidence < policy.confidence && state.status != Status::Locked);
    let support_lost =
        named(&|state| state.support_lost.is_some() && state.status != Status::Locked);
    [
        ("validated", validated),
        ("confidence", confidence),
        ("support_lost", support_lost),
    ]
    .into_iter()
    .filter_map(|(name, failing)| Some((name, failing?)))
    .collect()
}

/// What is sealed now was compared by the rules in force, and what that found is decided.
fn compared_conditions(
    board: &Board,
    module: &Module,
    judged: &[(RevisionId, &Revision)],
) -> Vec<(&'static str, String)> {
    let unlocked = || judged.iter().filter(|(_, it)| it.status != Status::Locked);
    let stale = |state: &Revision| {
        state.position < board.comparing_changed && module.compared <= board.comparing_changed
    };
    let in_conflict = |state: &Revision| {
        let mut conflicts = state.conflicts.iter().filter_map(|id| board.conflict(*id));
        conflicts.any(|it| it.rescan && it.state == ConflictState::Open)
    };
    let named = |fails: &dyn Fn(&Revision) -> bool| -> Option<String> {
        let failing: Vec<String> = unlocked()
            .filter(|(_, state)| fails(state))
            .take(MAX_NAMED)
            .map(|(id, _)| id.to_string())
            .collect();
        (!failing.is_empty()).then(|| failing.join(","))
    };
    let conditions = [
        ("not_compared", named(&stale)),
        ("in_conflict", named(&in_conflict)),
    ];
    let conditions = conditions.into_iter();
    conditions
        .filter_map(|(name, failing)| Some((name, failing?)))
        .collect()
}

fn module_conditions(
    board: &Board,
    module: &Module,
    policy: &SealPolicy,
    figures: SealFigures,
    now: Timestamp,
) -> Vec<(&'static str, String)> {
    let mut failed = Vec::new();
    if figures.completeness < policy.completeness {
        let present = |name: &&AttributeName| {
            module
                .standing
                .iter()
                .filter_map(|id| board.revision(*id))
                .any(|state| state.attribute.as_ref() == Some(name))
        };
        let missing: Vec<&str> = module
            .declaration
            .expected
            .iter()
            .filter(|name| !present(name))
            .map(crate::id::AttributeName::as_str)
            .collect();
        failed.push(("completeness", missing.join(",")));
    }
    let submissions = board
        .submissions
        .saturating_sub(module.changed_at_submission);
    if submissions < u64::from(policy.stable_submissions) {
        failed.push(("stable_submissions", submissions.to_string()));
    }
    let seconds = now.0.saturating_sub(module.changed_at.0) / 1_000;
    if seconds < u64::from(policy.stable_seconds) {
        failed.push(("stable_seconds", seconds.to_string()));
    }
    failed
}
