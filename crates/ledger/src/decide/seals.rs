//! When a module may be sealed, and what gets past a lock: amendments and rollbacks.

mod amendments;
mod report;
mod rollbacks;

pub(super) use amendments::{amend, amendment};
pub use report::{SealReport, seal_report};
pub(super) use rollbacks::rollback;
pub use rollbacks::{RollbackPlan, rollback_plan};

use super::{Denied, Reason, declarations::unknown_module, is_owner, known, require_role};
use crate::{
    board::{Board, Module, number},
    command::Context,
    digest::Digest,
    event::Event,
    evolve::{lock_mode, member_root},
    id::{ModuleName, Position, RevisionId, Timestamp},
    log::{encode_snapshot, tree::NodeHash},
    module::{SealFigures, SealMode},
    snapshot::{Snapshot, SnapshotCause},
    status::Role,
};

pub(super) fn seal(
    board: &Board,
    context: &Context,
    name: &ModuleName,
    only: Option<RevisionId>,
    mode: SealMode,
) -> Result<Vec<Event>, Denied> {
    let Some(module) = board.modules.get(name) else {
        return Err(unknown_module(board, name));
    };
    if !is_owner(board, name, &context.principal) {
        require_role(board, context, &[Role::Arbiter])?;
    }
    if let Some(only) = only {
        let state = known(board, only)?;
        if state.module != *name || !state.status.stands() {
            return Err(super::illegal_transition(only, state, "sealed"));
        }
    }
    let Some(report) = seal_report(board, name, only, context.now) else {
        return Err(unknown_module(board, name));
    };
    if report.members.is_empty() || already_sealed(board, module, &report, only, mode) {
        return Err(Denied::new(
            Reason::NothingToSeal,
            format!("nothing in module `{name}` is left to seal"),
        )
        .with("module", name));
    }
    if !report.failed.is_empty() {
        return Err(conditions(name, &report));
    }
    Ok(sealed(board, context, name, only, mode, &report))
}

/// Takes a snapshot of what a report says that a seal takes in.
fn sealed(
    board: &Board,
    context: &Context,
    module: &ModuleName,
    only: Option<RevisionId>,
    mode: SealMode,
    report: &SealReport,
) -> Vec<Event> {
    let snapshot = SnapshotParts {
        module,
        only,
        mode,
        cause: SnapshotCause::Seal,
        position: board.position(),
        before: None,
        back_to: None,
    };
    let taken = snapshot.event(board, context, &report.members, report.figures, None);
    taken.into_iter().collect()
}

fn already_sealed(
    board: &Board,
    module: &Module,
    report: &SealReport,
    only: Option<RevisionId>,
    mode: SealMode,
) -> bool {
    let hardens = |id: RevisionId| match lock_mode(board, id) {
        None => true,
        Some(SealMode::Soft) => mode == SealMode::Hard,
        Some(SealMode::Hard) => false,
    };
    match only {
        Some(only) => !hardens(only),
        None => {
            let current = module.current.and_then(|id| board.snapshots.get(&id));
            current.is_some_and(|node| node.members == report.members)
                && !report.members.iter().any(|id| hardens(*id))
        }
    }
}

fn conditions(name: &ModuleName, report: &SealReport) -> Denied {
    let told: Vec<String> = report
        .failed
        .iter()
        .map(|(name, what)| failed(name, what))
        .collect();
    let denied = Denied::new(
        Reason::SealConditions,
        format!(
            "module `{name}` does not meet its seal policy: {}",
            told.join("; ")
        ),
    )
    .with("module", name);
    report
        .failed
        .iter()
        .fold(denied, |denied, (name, what)| denied.with(name, what))
}

/// Says what a condition failed on: members, attributes or a figure.
fn failed(condition: &str, what: &str) -> String {
    let listed = what.replace(',', ", ");
    match condition {
        "validated" => format!("not validated: {listed}"),
        "confidence" => format!("confidence too low: {listed}"),
        "support_lost" => format!("lost a support: {listed}"),
        "not_compared" => format!(
            "not compared with each other since attributes or settings changed: {listed}; run \
             `pawl rescan`"
        ),
        "in_conflict" => format!("in an open conflict with what stands: {listed}"),
        "completeness" => format!("attributes missing: {listed}"),
        "stable_submissions" if what == "1" => "only 1 submission since its last change".to_owned(),
        "stable_submissions" => format!("only {what} submissions since its last change"),
        "stable_seconds" => format!("only {what} s since its last change"),
        _ => format!("{condition}: {listed}"),
    }
}

/// The next seal that some module's policy asks for by itself, though nothing happened but time.
pub fn automatic_seals(board: &Board, context: &Context) -> Vec<Event> {
    automatic(board, context, &[])
}

/// When the next module has not changed for as long as its policy asks before it seals by itself; none
/// where none waits for that at a time. Whether the other conditions hold is seen then.
pub fn seal_due(board: &Board, after: Timestamp) -> Option<Timestamp> {
    let waiting = board.modules.values().filter_map(|module| {
        let policy = &module.declaration.policy;
        let seconds = u64::from(policy.stable_seconds);
        let waits = policy.automatic.is_some() && seconds > 0 && !module.standing.is_empty();
        waits.then(|| Timestamp(module.changed_at.0.saturating_add(seconds * 1_000)))
    });
    waiting.filter(|at| *at > after).min()
}

/// Seals that a module's policy asks for by itself, after what was just applied.
pub(super) fn automatic(board: &Board, context: &Context, applied: &[Event]) -> Vec<Event> {
    if applied
        .iter()
        .any(|event| matches!(event, Event::SnapshotTaken { .. }))
    {
        return Vec::new();
    }
    for (name, module) in &board.modules {
        let Some(mode) = module.declaration.policy.automatic else {
            continue;
        };
        let Some(report) = seal_report(board, name, None, context.now) else {
            continue;
        };
        let something_new = !report.members.is_empty()
            && report.failed.is_empty()
            && !already_sealed(board, module, &report, None, mode);
        if something_new {
            return sealed(board, context, name, None, mode, &report);
        }
    }
    Vec::new()
}

/// What a snapshot says besides what the board says of its module.
struct SnapshotParts<'a> {
    module: &'a ModuleName,
    only: Option<RevisionId>,
    mode: SealMode,
    cause: SnapshotCause,
    position: Position,
    /// The snapshot of another module that is taken right before.
    before: Option<(&'a ModuleName, Digest)>,
    /// The snapshot gone back to.
    back_to: Option<Digest>,
}

impl SnapshotParts<'_> {
    fn event(
        &self,
        board: &Board,
        context: &Context,
        members: &[RevisionId],
        figures: SealFigures,
        new: Option<(RevisionId, NodeHash)>,
    ) -> Option<Event> {
        let module = board.modules.get(self.module)?;
        let snapshot = Snapshot {
            module: self.module.clone(),
            only: self.only,
            mode: self.mode,
            cause: self.cause,
            member_count: number(members.len()),
            member_root: member_root(board, members, new),
            parents: self.parents(board, module),
            policy: module.declaration.policy,
            figures,
            sealed_by: context.principal.clone(),
            at: context.now.max(board.last_at),
            position: self.position,
        };
        Some(Event::SnapshotTaken {
            id: Digest::of(&encode_snapshot(&snapshot)),
            snapshot: Box::new(snapshot),
        })
    }

    /// The module's last snapshot, the one gone back to, and the current ones of the modules it
    /// depends on.
    fn parents(&self, board: &Board, module: &Module) -> Vec<Digest> {
        let needed = module.declaration.depends_on.iter();
        let needed = needed.filter_map(|name| match self.before {
            Some((before, id)) if before == name => Some(id),
            _ => board.modules.get(name)?.current,
        });
        let own = module.current.into_iter().chain(self.back_to);
        own.chain(needed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_is_told_as_it_is() {
        let check = |condition, what, expected| assert_eq!(failed(condition, what), expected);
        check("validated", "a1@1,a2@1", "not validated: a1@1, a2@1");
        check("confidence", "a1@1", "confidence too low: a1@1");
        check("support_lost", "a3@2", "lost a support: a3@2");
        check(
            "completeness",
            "cost,price",
            "attributes missing: cost, price",
        );
        let submissions = "only 0 submissions since its last change";
        check("stable_submissions", "0", submissions);
        let submissions = "only 1 submission since its last change";
        check("stable_submissions", "1", submissions);
        check("stable_seconds", "59", "only 59 s since its last change");
    }
}
