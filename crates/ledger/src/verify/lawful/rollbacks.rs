//! What may be taken back, and by whom.

use super::{Due, Lawful, Wrong, holds, role, sources};
use crate::{
    board::{Board, number},
    digest::Digest,
    event::{Event, Recorded},
    id::{ModuleName, RevisionId},
    snapshot::Snapshot,
    status::{Role, Status},
};

pub(super) fn check(lawful: &mut Lawful, board: &Board, recorded: &Recorded, wrong: &mut Wrong) {
    let Event::RolledBack {
        module,
        to,
        evidence,
        ..
    } = &recorded.event
    else {
        return;
    };
    role(board, recorded, &[Role::Arbiter], wrong);
    sources(board, evidence, wrong);
    let Some(target) = members(board, module, to) else {
        wrong.push(format!("`{}` is no snapshot of `{module}`", to.short()));
        return;
    };
    let mut now: Vec<RevisionId> = lawful.locked.iter().copied().collect();
    now.retain(|id| board.revision(*id).is_some_and(|it| it.module == *module));
    let changes = now.as_slice() != target;
    holds(changes, || "it takes nothing back".into(), wrong);
    for id in target.iter().filter(|id| !lawful.locked.contains(id)) {
        holds(
            was_locked(board, *id),
            || format!("`{id}` was not locked before"),
            wrong,
        );
    }
    let astray = board.open_conflicts().filter_map(|(_, it)| it.standing);
    for id in astray.filter(|id| was_locked(board, *id) && !target.contains(id)) {
        wrong.push(format!("`{id}` is challenged and does not come back"));
    }
    let challengers = board.modules.get(module).map(|it| it.contested.len());
    lawful.due.push_back(Due::SnapshotOf {
        module: module.clone(),
        to: *to,
        challengers: challengers.map_or(0, number),
    });
}

/// Its snapshot holds what the one holds that was gone back to, as firmly, and names it as parent
/// after the module's last.
pub(super) fn taken(
    lawful: &Lawful,
    board: &Board,
    snapshot: &Snapshot,
    held: &[RevisionId],
    wrong: &mut Wrong,
) {
    let Some(Due::SnapshotOf { module, to, .. }) = &lawful.met else {
        wrong.push("no rollback came before it".into());
        return;
    };
    let target = board.snapshots.get(to);
    let same = target.is_some_and(|it| it.members == held);
    holds(
        same,
        || format!("module `{module}` does not hold what it went back to"),
        wrong,
    );
    let mode = target.is_some_and(|it| it.snapshot.mode == snapshot.mode);
    holds(mode, || "its snapshot has another mode".into(), wrong);
    let whole = snapshot.only.is_none();
    holds(whole, || "its snapshot names one assertion".into(), wrong);
}

/// The snapshot that a rollback's snapshot has to name besides the module's last.
pub(super) fn back_to(lawful: &Lawful) -> Option<Digest> {
    match &lawful.met {
        Some(Due::SnapshotOf { to, .. }) => Some(*to),
        _ => None,
    }
}

/// How many challengers there were when the rollback began.
pub(super) fn challengers(lawful: &Lawful) -> Option<u32> {
    match &lawful.met {
        Some(Due::SnapshotOf { challengers, .. }) => Some(*challengers),
        _ => None,
    }
}

/// A conflict was turned against a revision out of force, so that its module has to go back now.
pub(super) fn expect(lawful: &mut Lawful, board: &Board, back: RevisionId) {
    let is_due = matches!(lawful.due.front(), Some(Due::Rollback(_)));
    if let (false, Some(state)) = (is_due, board.revision(back)) {
        lawful.due.push_back(Due::Rollback(state.module.clone()));
    }
}

/// Says whether `old` is locked in the place that `back` had before, in the same module.
pub(super) fn gives_way(board: &Board, old: RevisionId, back: RevisionId) -> bool {
    let (Some(of_old), Some(of_back)) = (board.revision(old), board.revision(back)) else {
        return false;
    };
    let mut at = back;
    while let Some(next) = board.revision(at).and_then(|it| it.replaced_by) {
        at = next;
    }
    at == old
        && of_old.status == Status::Locked
        && of_old.module == of_back.module
        && was_locked(board, back)
}

/// A lock of it ended, by an amendment or a rollback.
fn was_locked(board: &Board, id: RevisionId) -> bool {
    let ended = [Status::Superseded, Status::RolledBack];
    let state = board.revision(id);
    state.is_some_and(|it| it.snapshot.is_some() && ended.contains(&it.status))
}

fn members<'a>(board: &'a Board, module: &ModuleName, id: &Digest) -> Option<&'a [RevisionId]> {
    let node = board.snapshots.get(id)?;
    (node.snapshot.module == *module).then_some(node.members.as_slice())
}
