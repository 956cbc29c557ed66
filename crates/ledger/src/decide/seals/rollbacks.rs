//! What a rollback makes happen.

use std::collections::BTreeSet;

use super::super::{Denied, Reason, declarations::unknown_module, known_sources, require_role};
use super::{
    SnapshotParts,
    report::{figures, known_members},
};
use crate::{
    board::{Board, number},
    command::{Context, PairFinding},
    digest::{Commitment, Digest},
    event::{Challenger, Citation, Event},
    evolve::{Exchange, exchange, lock_mode},
    finding::Certainty,
    graph::SnapshotNode,
    id::{ConflictId, ModuleName, Position, RevisionId},
    snapshot::SnapshotCause,
    status::{ConflictState, Role},
};

/// The most contradictions that a denial names.
const MAX_NAMED: usize = 8;

/// What a rollback would change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RollbackPlan {
    /// What leaves force and what is locked again.
    pub exchange: Exchange,
    /// What stands, in this module or another, and loses a support by it.
    pub support_lost: BTreeSet<RevisionId>,
    /// What stands and has all its supports again.
    pub support_back: BTreeSet<RevisionId>,
}

/// Works out what a rollback would change, for who may make it.
pub fn rollback_plan(
    board: &Board,
    context: &Context,
    module: &ModuleName,
    to: &Digest,
) -> Result<RollbackPlan, Denied> {
    let node = target(board, context, module, to)?;
    let exchange = exchange(board, module, &node.members);
    if exchange.ended.is_empty() && exchange.reinstated.is_empty() {
        return Err(Denied::new(
            Reason::NothingToRollBack,
            format!(
                "module `{module}` holds what snapshot `{}` holds; name another snapshot",
                to.short()
            ),
        )
        .with("module", module)
        .with("snapshot", to));
    }
    let (support_lost, support_back) = supports(board, &exchange);
    Ok(RollbackPlan {
        exchange,
        support_lost,
        support_back,
    })
}

pub(in crate::decide) fn rollback(
    board: &Board,
    context: &Context,
    (name, to): (&ModuleName, &Digest),
    reason: Commitment,
    evidence: &[Citation],
    findings: &[(RevisionId, PairFinding)],
) -> Result<Vec<Event>, Denied> {
    let node = target(board, context, name, to)?;
    let exchange = rollback_plan(board, context, name, to)?.exchange;
    known_sources(board, evidence)?;
    check_elsewhere(board, name, findings)?;
    let mut events = turned(board, &exchange);
    let position = board.position().0 + u64::from(number(events.len())) + 1;
    events.push(Event::RolledBack {
        module: name.clone(),
        to: *to,
        reason,
        evidence: evidence.to_vec(),
    });
    let module = board.modules.get(name);
    let module = module.ok_or_else(|| unknown_module(board, name))?;
    let members = &node.members;
    let snapshot = SnapshotParts {
        module: name,
        only: None,
        mode: node.snapshot.mode,
        cause: SnapshotCause::Rollback,
        position: Position(position),
        before: None,
        back_to: Some(*to),
    };
    let figures = figures(board, module, members, &known_members(board, members));
    events.extend(snapshot.event(board, context, members, figures, None));
    Ok(events)
}

/// The snapshot to go back to.
fn target<'a>(
    board: &'a Board,
    context: &Context,
    module: &ModuleName,
    to: &Digest,
) -> Result<&'a SnapshotNode, Denied> {
    if !board.modules.contains_key(module) {
        return Err(unknown_module(board, module));
    }
    require_role(board, context, &[Role::Arbiter])?;
    let node = board.snapshots.get(to).ok_or_else(|| {
        Denied::new(
            Reason::SnapshotUnknown,
            format!(
                "board `{}` has no snapshot `{to}`; list the snapshots of module `{module}`",
                board.name
            ),
        )
        .with("snapshot", to)
    })?;
    let of = &node.snapshot.module;
    if of == module {
        return Ok(node);
    }
    Err(Denied::new(
        Reason::FieldInvalid,
        format!(
            "snapshot `{}` is of module `{of}`; name one of module `{module}`",
            to.short()
        ),
    )
    .with("field", "to")
    .with("module", of))
}

/// What is locked again may not contradict what another module holds locked, for sure; a pair that an
/// arbiter found to be no contradiction does not count.
fn check_elsewhere(
    board: &Board,
    module: &ModuleName,
    findings: &[(RevisionId, PairFinding)],
) -> Result<(), Denied> {
    let counts = |(back, finding): &&(RevisionId, PairFinding)| {
        let of = board.revision(finding.standing).map(|state| &state.module);
        finding.kind.certainty() == Certainty::Exact
            && of.is_some_and(|of| of != module)
            && lock_mode(board, finding.standing).is_some()
            && !is_dismissed(board, *back, finding.standing)
    };
    let pairs: Vec<String> = findings
        .iter()
        .filter(counts)
        .take(MAX_NAMED)
        .map(|(back, finding)| format!("`{back}` against `{}`", finding.standing))
        .collect();
    let standing: BTreeSet<RevisionId> = findings
        .iter()
        .filter(counts)
        .map(|(_, finding)| finding.standing)
        .take(MAX_NAMED)
        .collect();
    if pairs.is_empty() {
        return Ok(());
    }
    let standing: Vec<String> = standing.iter().map(ToString::to_string).collect();
    Err(Denied::new(
        Reason::ContradictsLocked,
        format!(
            "what would be locked again contradicts what is locked in another module: {}; amend or \
             roll back that first",
            pairs.join(", ")
        ),
    )
    .with("standing", standing.join(","))
    .with("findings", pairs.join(", ").replace('`', "")))
}

fn is_dismissed(board: &Board, one: RevisionId, other: RevisionId) -> bool {
    let conflicts = board.revision(one).map(|it| it.conflicts.as_slice());
    let conflicts = conflicts.unwrap_or_default().iter();
    conflicts
        .filter_map(|id| board.conflict(*id))
        .filter(|it| it.state == ConflictState::Dismissed)
        .any(|it| match it.challenger {
            Challenger::Revision(challenger) => {
                (challenger == one && it.standing == Some(other))
                    || (challenger == other && it.standing == Some(one))
            }
            Challenger::Refusal(_) => false,
        })
}

/// What challenges a revision that gives way to an earlier one is turned against that one, as at an
/// amendment: it stays in quarantine until somebody looks. What a rescan found is not: both sides
/// stand, and the one that does not give way was in no quarantine.
fn turned(board: &Board, exchange: &Exchange) -> Vec<Event> {
    let numbers = (board.conflicts.len() + 1..).map(|it| ConflictId(number(it)));
    let open = board.open_conflicts().filter(|(_, it)| !it.rescan);
    let challenging = open.filter_map(|(_, conflict)| {
        let back = exchange.gives_way.get(&conflict.standing?)?;
        matches!(conflict.challenger, Challenger::Revision(_)).then_some((conflict, *back))
    });
    numbers
        .zip(challenging)
        .map(|(conflict, (other, back))| Event::ConflictOpened {
            conflict,
            challenger: other.challenger,
            standing: Some(back),
            reference: None,
            cause: other.cause,
            score: other.score,
            rescan: false,
        })
        .collect()
}

/// What would stand and lose a support, and what would have all of them again.
fn supports(board: &Board, exchange: &Exchange) -> (BTreeSet<RevisionId>, BTreeSet<RevisionId>) {
    let stands = |id: RevisionId| {
        let now = board.revision(id).is_some_and(|it| it.status.stands());
        (now && exchange.ended.binary_search(&id).is_err())
            || exchange.reinstated.binary_search(&id).is_ok()
    };
    let is_lost = |id: &RevisionId| {
        let state = board.revision(*id);
        state.is_some_and(|state| state.support_lost.is_some())
    };
    let above = |ids: &[RevisionId]| -> BTreeSet<RevisionId> {
        let all = ids.iter().flat_map(|id| board.all_dependents(*id));
        all.collect()
    };
    let mut lost = above(&exchange.ended);
    let mut still_lost = above(&exchange.reinstated);
    still_lost.extend(&exchange.reinstated);
    still_lost.retain(|id| is_lost(id) && stands(*id) && !lost.contains(id));
    lost.retain(|id| stands(*id) && !is_lost(id));
    let mut back = BTreeSet::new();
    loop {
        let rests = |support: &RevisionId| {
            stands(*support)
                && !lost.contains(support)
                && (!is_lost(support) || back.contains(support))
        };
        let has_all = |id: &RevisionId| {
            let state = board.revision(*id);
            state.is_some_and(|state| state.supports.iter().all(rests))
        };
        let found: Vec<RevisionId> = still_lost.iter().copied().filter(has_all).collect();
        if found.is_empty() {
            break;
        }
        still_lost.retain(|id| found.binary_search(id).is_err());
        back.extend(found);
    }
    // What is locked again was not in force before, so it regains nothing, but it may lack something.
    let again = |id: &RevisionId| exchange.reinstated.binary_search(id).is_ok();
    lost.extend(
        exchange
            .reinstated
            .iter()
            .filter(|id| is_lost(id) && !back.contains(id)),
    );
    back.retain(|id| !again(id));
    (lost, back)
}
