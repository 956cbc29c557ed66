//! What a seal needs, and what alone gets past one.

use super::{Due, Lawful, Wrong, holds, rescans, role, rollbacks, sources};
use crate::{
    board::{Board, Module, Revision, number},
    digest::Digest,
    event::{Event, Recorded},
    finding::Score,
    id::{Position, RevisionId},
    module::{SealFigures, SealPolicy},
    snapshot::{Snapshot, SnapshotCause},
    status::{Role, Status},
};

pub(super) fn check(lawful: &mut Lawful, board: &Board, recorded: &Recorded, wrong: &mut Wrong) {
    match &recorded.event {
        Event::Amended {
            old, new, evidence, ..
        } => {
            sources(board, evidence, wrong);
            amended(lawful, board, (*old, *new), wrong);
        }
        Event::SnapshotTaken { snapshot, .. } => taken(lawful, board, recorded, snapshot, wrong),
        _ => {}
    }
}

/// The right to amend was shown by what came right before: an arbiter's replacement, or a
/// resolution. So an amendment that nothing asked for is against the rules.
fn amended(
    lawful: &mut Lawful,
    board: &Board,
    (old, new): (RevisionId, RevisionId),
    wrong: &mut Wrong,
) {
    let asked = lawful.met == Some(Due::Amendment { old, new });
    holds(
        asked,
        || format!("nothing gave the right to amend `{old}`"),
        wrong,
    );
    let module = |id| board.revision(id).map(|it| it.module.clone());
    let (of_old, of_new) = (module(old), module(new));
    lawful.due.extend(of_old.clone().map(Due::Snapshot));
    if of_old != of_new {
        lawful.due.extend(of_new.map(Due::Snapshot));
    }
}

fn taken(
    lawful: &Lawful,
    board: &Board,
    recorded: &Recorded,
    snapshot: &Snapshot,
    wrong: &mut Wrong,
) {
    let Some(module) = board.modules.get(&snapshot.module) else {
        wrong.push(format!("module `{}` was not declared", snapshot.module));
        return;
    };
    let stamped = snapshot.position == recorded.position
        && snapshot.at == recorded.at
        && snapshot.sealed_by == recorded.principal;
    holds(
        stamped,
        || "its snapshot says another place, time or sealer".into(),
        wrong,
    );
    let policy = snapshot.policy == module.declaration.policy;
    holds(policy, || "its snapshot says another policy".into(), wrong);
    let parents = snapshot.parents == parents(lawful, board, module);
    holds(parents, || "its snapshot names other parents".into(), wrong);

    let members = members(board, module, snapshot);
    let count = snapshot.member_count == number(members.len());
    holds(
        count,
        || format!("its snapshot has {} members", members.len()),
        wrong,
    );
    match snapshot.cause {
        SnapshotCause::Amendment => {
            let asked = matches!(lawful.met, Some(Due::Snapshot(_)));
            holds(asked, || "no amendment came before it".into(), wrong);
        }
        SnapshotCause::Rollback => {
            let held: Vec<RevisionId> = members.iter().map(|(id, _)| *id).collect();
            rollbacks::taken(lawful, board, snapshot, &held, wrong);
            let challengers = rollbacks::challengers(lawful).unwrap_or_default();
            measured(module, &members, snapshot, challengers, wrong);
        }
        SnapshotCause::Seal => {
            may_seal(board, recorded, module, snapshot, wrong);
            let challengers = number(module.contested.len());
            measured(module, &members, snapshot, challengers, wrong);
            conditions(board, module, &members, snapshot, wrong);
        }
    }
}

fn parents(lawful: &Lawful, board: &Board, module: &Module) -> Vec<Digest> {
    let mut parents: Vec<Digest> = module.current.into_iter().collect();
    parents.extend(rollbacks::back_to(lawful));
    for needed in &module.declaration.depends_on {
        parents.extend(board.modules.get(needed).and_then(|it| it.current));
    }
    parents
}

/// All that was locked, and what is sealed now: for a module everything that stands in it.
fn members<'a>(
    board: &'a Board,
    module: &Module,
    snapshot: &Snapshot,
) -> Vec<(RevisionId, &'a Revision)> {
    let whole = snapshot.cause == SnapshotCause::Seal && snapshot.only.is_none();
    let only = snapshot
        .only
        .filter(|_| snapshot.cause == SnapshotCause::Seal);
    let standing = module.standing.iter();
    standing
        .filter_map(|id| Some((*id, board.revision(*id)?)))
        .filter(|(id, state)| whole || state.status == Status::Locked || only == Some(*id))
        .collect()
}

fn may_seal(
    board: &Board,
    recorded: &Recorded,
    module: &Module,
    snapshot: &Snapshot,
    wrong: &mut Wrong,
) {
    let automatic =
        snapshot.only.is_none() && module.declaration.policy.automatic == Some(snapshot.mode);
    let owner = module.declaration.owners.contains(&recorded.principal);
    if !automatic && !owner {
        role(board, recorded, &[Role::Arbiter], wrong);
    }
}

fn judged<'a>(
    members: &'a [(RevisionId, &'a Revision)],
    snapshot: &'a Snapshot,
) -> impl Iterator<Item = &'a (RevisionId, &'a Revision)> {
    let only = snapshot.only;
    members
        .iter()
        .filter(move |(id, _)| only.is_none_or(|only| only == *id))
}

/// The figures are those of the members.
fn measured(
    module: &Module,
    members: &[(RevisionId, &Revision)],
    snapshot: &Snapshot,
    challengers: u32,
    wrong: &mut Wrong,
) {
    let validated = members
        .iter()
        .filter(|(_, state)| state.validated.is_some());
    let least = judged(members, snapshot).map(|(_, state)| state.confidence);
    let figures = SealFigures {
        members: number(members.len()),
        validated: number(validated.count()),
        least_confidence: least.min().unwrap_or_default(),
        completeness: completeness(module, members),
        challengers_left_out: challengers,
    };
    let equal = figures == snapshot.figures;
    holds(equal, || "its snapshot says other figures".into(), wrong);
}

fn completeness(module: &Module, members: &[(RevisionId, &Revision)]) -> Score {
    let expected = &module.declaration.expected;
    let present = expected.iter().filter(|name| {
        let mut attributes = members.iter().filter_map(|(_, it)| it.attribute.as_ref());
        attributes.any(|attribute| attribute == *name)
    });
    let share = (present.count() * 10_000).checked_div(expected.len());
    share.map_or(Score::MAX, |share| {
        Score::clamped(u16::try_from(share).unwrap_or(u16::MAX))
    })
}

/// The policy in force was met.
fn conditions(
    board: &Board,
    module: &Module,
    members: &[(RevisionId, &Revision)],
    snapshot: &Snapshot,
    wrong: &mut Wrong,
) {
    let policy = &module.declaration.policy;
    let undecided = rescans::undecided(board);
    let new = judged(members, snapshot).filter(|(_, state)| state.status != Status::Locked);
    for (id, state) in new {
        let validated = !policy.validated || state.status == Status::Validated;
        holds(
            validated,
            || format!("`{id}` was sealed without a validation"),
            wrong,
        );
        let sure = state.confidence >= policy.confidence;
        holds(
            sure,
            || format!("`{id}` was sealed under the policy's confidence"),
            wrong,
        );
        let compared = state.position > board.comparing_changed
            || module.compared > board.comparing_changed
            || board.comparing_changed == Position(0);
        holds(
            compared,
            || format!("`{id}` was sealed without a comparison by the rules in force"),
            wrong,
        );
        holds(
            !undecided.contains(id),
            || format!("`{id}` was sealed in an open conflict with what stands"),
            wrong,
        );
        let rests = state.support_lost.is_none();
        holds(
            rests,
            || format!("`{id}` was sealed without a support"),
            wrong,
        );
    }
    if snapshot.only.is_none() {
        whole(board, module, policy, snapshot, wrong);
    }
}

fn whole(
    board: &Board,
    module: &Module,
    policy: &SealPolicy,
    snapshot: &Snapshot,
    wrong: &mut Wrong,
) {
    let complete = snapshot.figures.completeness >= policy.completeness;
    holds(
        complete,
        || "the module was sealed incomplete".into(),
        wrong,
    );
    let submissions = board
        .submissions
        .saturating_sub(module.changed_at_submission);
    let seconds = snapshot.at.0.saturating_sub(module.changed_at.0) / 1_000;
    let stable = submissions >= u64::from(policy.stable_submissions)
        && seconds >= u64::from(policy.stable_seconds);
    holds(
        stable,
        || "the module was sealed while it still changed".into(),
        wrong,
    );
}
