//! What a submission has to bring before it is judged: grounds, supports that stand, a fresh base.

use std::collections::BTreeSet;

use super::super::{
    Denied, Reason, illegal_transition, known, known_sources, locked, reviews::successor,
};
use super::Pending;
use crate::{
    board::{Board, Module},
    command::{Context, Proposal},
    evolve::lock_mode,
    id::{ModuleName, Position, RevisionId},
    snapshot::SnapshotCause,
    status::{Level, Status},
};

/// The most missed revisions that a stale base names.
const MAX_STALE_NAMED: usize = 16;

pub(in crate::decide) fn check_base(
    board: &Board,
    base: Option<Position>,
) -> Result<Position, Denied> {
    let present = board.position();
    match base {
        Some(base) if base > present => Err(Denied::new(
            Reason::BaseInFuture,
            format!("base {base} is ahead of the log, which has {present} entries"),
        )
        .with("base", base)
        .with("position", present)),
        base => Ok(base.unwrap_or(present)),
    }
}

pub(in crate::decide) fn check_grounds(board: &Board, proposal: &Proposal) -> Result<(), Denied> {
    known_sources(board, &proposal.citations)?;
    if let Some(attribute) = proposal.attribute.as_ref()
        && !board.attributes.contains_key(attribute)
    {
        return Err(Denied::new(
            Reason::AttributeUnknown,
            format!("board `{}` has no attribute `{attribute}`", board.name),
        )
        .with("attribute", attribute));
    }
    match (
        proposal.level,
        proposal.supports.is_empty(),
        proposal.citations.is_empty(),
    ) {
        (Level::Inference, true, _) => Err(Denied::new(
            Reason::SupportMissing,
            "an inference names the revisions that support it, `a1@1` for example",
        )
        .with("field", "supports")),
        (Level::Data | Level::Statement, _, true) => Err(Denied::new(
            Reason::CitationMissing,
            "an assertion cites at least one source; only an inference may rest on supports alone",
        )
        .with("field", "citations")),
        _ => Ok(()),
    }
}

pub(super) fn check_supports(
    board: &Board,
    context: &Context,
    proposal: &Proposal,
    base: Position,
    pending: &Pending,
) -> Result<(), Denied> {
    for support in &proposal.supports {
        if pending.stored.iter().any(|(stored, _)| stored == support) {
            continue;
        }
        let state = known(board, *support)?;
        let quarantined = state.status == Status::Contested;
        let ended_by_batch = pending.replaced.contains(support);
        if (state.status.stands() || quarantined) && !ended_by_batch {
            continue;
        }
        if state.ended.is_some_and(|ended| ended >= base) && state.author != context.principal {
            return Err(stale(base, board, &[successor(board, *support)]).with("support", support));
        }
        return Err(Denied::new(
            Reason::SupportNotStanding,
            format!(
                "`{support}` is {} and supports nothing; its latest successor is `{}`",
                state.status,
                successor(board, *support)
            ),
        )
        .with("support", support)
        .with("successor", successor(board, *support)));
    }
    let Some(replaces) = proposal.replaces else {
        return Ok(());
    };
    let below = board.all_dependents(replaces);
    match proposal
        .supports
        .iter()
        .find(|it| **it == replaces || below.contains(it))
    {
        None => Ok(()),
        Some(support) => Err(Denied::new(
            Reason::SupportCycle,
            format!("`{support}` rests on `{replaces}`, which this replaces; name other supports"),
        )
        .with("support", support)),
    }
}

pub(super) fn check_replaced(
    board: &Board,
    proposal: &Proposal,
    pending: &Pending,
) -> Result<(), Denied> {
    let Some(old) = proposal.replaces else {
        return Ok(());
    };
    let state = known(board, old)?;
    if state.module != proposal.module {
        return Err(Denied::new(
            Reason::FieldInvalid,
            format!(
                "`{old}` belongs to module `{}` and stays there",
                state.module
            ),
        )
        .with("field", "module")
        .with("module", &state.module));
    }
    if let Some(ends) = board.in_place_of(Some(old))
        && lock_mode(board, ends).is_some()
    {
        return Err(locked(ends, "replaced"));
    }
    // What an earlier item puts out of force may let a challenger stand, which nobody has agreed to
    // replace by then.
    if state.status == Status::Contested && !pending.replaced.is_empty() {
        return Err(illegal_transition(
            old,
            state,
            "replaced in a batch that puts something else out of force; submit it by itself",
        ));
    }
    let ends = state.status.stands() || state.status == Status::Contested;
    let later = (old.revision.saturating_add(1)..)
        .map(|revision| RevisionId { revision, ..old })
        .map_while(|id| Some((id, board.revision(id)?)))
        .find(|(_, it)| it.status.stands() || it.status == Status::Contested);
    let in_batch = pending.stored.iter().map(|(id, _)| id);
    let mut in_batch = in_batch.chain(&pending.replaced);
    let in_batch = in_batch.find(|id| id.assertion == old.assertion).copied();
    match later.map(|(id, _)| id).or(in_batch) {
        None if ends => Ok(()),
        latest => {
            let latest = latest.or(board.latest(old.assertion)).unwrap_or(old);
            Err(illegal_transition(old, state, "replaced").with("latest", latest))
        }
    }
}

/// Refuses what was written in ignorance of something that has changed since its base.
pub(super) fn check_fresh(
    board: &Board,
    context: &Context,
    proposal: &Proposal,
    module: &Module,
    base: Position,
) -> Result<(), Denied> {
    let mut missed: Vec<RevisionId> = proposal
        .report
        .same_key
        .iter()
        .copied()
        .filter(|id| {
            board.revision(*id).is_some_and(|state| {
                state.status.stands()
                    && state.current_since >= base
                    && state.author != context.principal
            })
        })
        .collect();
    if module.sealed.is_some_and(|sealed| sealed >= base) {
        let since = |id: &&RevisionId| {
            board
                .revision(**id)
                .is_some_and(|state| state.snapshot == module.current)
        };
        missed.extend(module.standing.iter().filter(since));
        missed.extend(rolled_back_since(board, &proposal.module, base));
    }
    missed.sort_unstable();
    missed.dedup();
    if missed.is_empty() {
        Ok(())
    } else {
        Err(stale(base, board, &missed))
    }
}

/// What rollbacks of a module since a position locked again or put out of force.
fn rolled_back_since(board: &Board, module: &ModuleName, base: Position) -> Vec<RevisionId> {
    let since = board.snapshots.iter().rev();
    let since = since.take_while(|node| node.snapshot.position >= base);
    since
        .filter(|node| {
            node.snapshot.cause == SnapshotCause::Rollback && node.snapshot.module == *module
        })
        .flat_map(|node| {
            let parent = node.snapshot.parents.first();
            let before = parent.and_then(|parent| board.snapshots.get(parent));
            let before: BTreeSet<_> = before.into_iter().flat_map(|it| &it.members).collect();
            let after: BTreeSet<_> = node.members.iter().collect();
            let changed = before.symmetric_difference(&after).map(|id| **id);
            changed.collect::<Vec<RevisionId>>()
        })
        .collect()
}

fn stale(base: Position, board: &Board, missed: &[RevisionId]) -> Denied {
    let named: Vec<String> = missed
        .iter()
        .take(MAX_STALE_NAMED)
        .map(ToString::to_string)
        .collect();
    Denied::new(
        Reason::StaleBase,
        format!(
            "the board has changed since base {base}: read {} and submit again with base {}",
            named.join(", "),
            board.position()
        ),
    )
    .with("base", base)
    .with("position", board.position())
    .with("missed", named.join(","))
}
