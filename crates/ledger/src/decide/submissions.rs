//! What becomes of a submission: accepted, contested, refused, or a corroboration of what is there.

mod preconditions;
mod references;
mod verdict;

pub(super) use preconditions::{check_base, check_grounds};
use preconditions::{check_fresh, check_replaced, check_supports};
use verdict::judge;

use std::collections::BTreeSet;

use super::{
    Denied, Reason, declarations::unknown_module, life::check_open, phases::check_phase,
    require_role, tables::read_only,
};
use crate::{
    board::{Board, number},
    command::{Context, Proposal},
    digest::Commitment,
    event::{Event, Submitted},
    id::{AssertionId, ConflictId, Position, RevisionId},
    status::{Role, Status, Verdict},
};

/// What was decided of the earlier items of the same batch, not yet applied to the board.
#[derive(Clone, Debug, Default)]
pub struct Pending {
    asking: bool,
    stored: Vec<(RevisionId, Verdict)>,
    replaced: BTreeSet<RevisionId>,
    waiting: Vec<Waiting>,
    new_assertions: usize,
    conflicts: usize,
    refusals: usize,
    lookups: Vec<Commitment>,
}

/// An earlier item that was contested: what it challenges, and what it replaces once it stands.
#[derive(Clone, Debug)]
struct Waiting {
    against: Vec<Option<RevisionId>>,
    replaces: Option<RevisionId>,
}

impl Pending {
    /// Begins a batch of which only the verdicts are asked for; that any reader may.
    pub fn asking() -> Self {
        Self {
            asking: true,
            ..Self::default()
        }
    }
}

/// What was decided of one item.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Accepted, contested or refused.
    pub verdict: Verdict,
    /// The revision that was stored, or corroborated.
    pub revision: Option<RevisionId>,
    /// It was there already.
    pub corroborated: bool,
    /// The conflicts that are opened.
    pub conflicts: Vec<ConflictId>,
    /// How often the author was refused the same before, where it is refused now.
    pub earlier_attempts: u32,
    /// What happens.
    pub events: Vec<Event>,
}

/// Says whether a principal may submit at all.
pub fn may_submit(board: &Board, context: &Context) -> Result<(), Denied> {
    check_open(board, None)?;
    require_role(board, context, &[Role::Agent])
}

/// Decides one item of a batch.
pub fn decide_submission(
    board: &Board,
    context: &Context,
    proposal: &Proposal,
    pending: &mut Pending,
) -> Result<Decision, Denied> {
    if !pending.asking {
        may_submit(board, context)?;
    }
    check_open(board, None)?;
    if board.tables.contains_key(&proposal.module) {
        return Err(read_only(&proposal.module));
    }
    let module = board.modules.get(&proposal.module);
    let module = module.ok_or_else(|| unknown_module(board, &proposal.module))?;
    check_phase(board, proposal)?;
    let base = check_base(board, proposal.base)?;
    check_grounds(board, proposal)?;
    check_supports(board, context, proposal, base, pending)?;
    check_replaced(board, proposal, pending)?;
    check_fresh(board, context, proposal, module, base)?;

    let decision = match proposal
        .report
        .same
        .filter(|same| stays(board, *same, pending))
    {
        Some(same) => corroborate(board, proposal, same, pending),
        None => judge(board, context, proposal, module, base, pending)?,
    };
    Ok(decision)
}

/// Says whether a revision, of the board or of this batch, is there to be corroborated.
fn stays(board: &Board, same: RevisionId, pending: &Pending) -> bool {
    let in_batch = pending.stored.iter().any(|(stored, _)| *stored == same);
    let on_board = board
        .revision(same)
        .is_some_and(|state| state.status.stands() || state.status == Status::Contested);
    in_batch || (on_board && !pending.replaced.contains(&same))
}

fn corroborate(
    board: &Board,
    proposal: &Proposal,
    same: RevisionId,
    pending: &Pending,
) -> Decision {
    let in_batch = pending.stored.iter().find(|(stored, _)| *stored == same);
    let contested = match in_batch {
        Some((_, verdict)) => *verdict == Verdict::Contested,
        None => board
            .revision(same)
            .is_some_and(|state| state.status == Status::Contested),
    };
    Decision {
        verdict: if contested {
            Verdict::Contested
        } else {
            Verdict::Accepted
        },
        revision: Some(same),
        corroborated: true,
        conflicts: Vec::new(),
        earlier_attempts: 0,
        events: vec![Event::Corroborated {
            revision: same,
            citations: proposal.citations.clone(),
        }],
    }
}

/// A proposal as its entry holds it.
pub(super) fn as_submitted(
    proposal: &Proposal,
    revision: RevisionId,
    base: Position,
    verdict: Verdict,
) -> Submitted {
    Submitted {
        revision,
        module: proposal.module.clone(),
        level: proposal.level,
        kind: proposal.kind,
        confidence: proposal.confidence,
        content: proposal.content,
        words: proposal.words,
        citations: proposal.citations.clone(),
        supports: proposal.supports.clone(),
        replaces: proposal.replaces,
        base,
        attribute: proposal.attribute.clone(),
        verdict,
        check: proposal.check,
        valid_from: proposal.valid_from,
    }
}

pub(super) fn next_revision(
    board: &Board,
    replaces: Option<RevisionId>,
    pending: &mut Pending,
) -> Result<RevisionId, Denied> {
    if let Some(old) = replaces {
        let latest = board.latest(old.assertion).unwrap_or(old);
        let in_batch = pending
            .stored
            .iter()
            .filter(|(id, _)| id.assertion == old.assertion)
            .count();
        return Ok(RevisionId {
            assertion: old.assertion,
            revision: latest.revision.saturating_add(number(in_batch + 1)),
        });
    }
    pending.new_assertions += 1;
    let count = number(pending.new_assertions);
    board.assertion_count().checked_add(count).map_or_else(
        || {
            Err(Denied::new(
                Reason::BoardLimit,
                "a board holds at most 4,294,967,295 assertions",
            )
            .with("limit", u32::MAX))
        },
        |number| {
            Ok(RevisionId {
                assertion: AssertionId(number),
                revision: 1,
            })
        },
    )
}
