//! The rules by which a board decides conflicts by itself: what each says of a conflict, and
//! what that makes happen.
//!
//! A rule never ends a lock and never takes another's agreement for granted: a challenger wins only
//! where the rules name it the winner of every conflict it waits for.

mod setting;

pub(super) use setting::set;

use std::collections::BTreeSet;

use super::conflicts::turned_among;
use crate::{
    board::{Board, Conflict},
    digest::Digest,
    event::{Challenger, Event, Grounds},
    evolve::{lock_mode, open_conflicts_of},
    id::{ConflictId, RevisionId},
    module::SealMode,
    rule::Figures,
    status::{ConflictCause, ConflictState, Measure, Rule, Status},
};

/// What a rule says of a conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// The rule.
    pub rule: Rule,
    /// What it compared, in order; the last decides if any does.
    pub figures: Vec<Figures>,
    /// Who wins by it: the challenger, or what stands; none where it passes.
    pub challenger_wins: Option<bool>,
    /// What it names the winner of stays as it is, for a lock's sake.
    pub is_held_by_lock: bool,
}

/// What the board's rules say of an open conflict, up to the first that names a winner. None where
/// they have no say: about whose agreement is missing, a refusal, a rescan, or a soft lock, which
/// has a rule of its own.
pub fn opinions(board: &Board, conflict: &Conflict) -> Vec<Opinion> {
    let Some((challenger, standing)) = sides(board, conflict) else {
        return Vec::new();
    };
    let mut opinions = Vec::new();
    for rule in &board.resolution.rules.order {
        let figures = compare(board, *rule, challenger, standing);
        let wins = figures.last().and_then(Figures::challenger_wins);
        opinions.push(Opinion {
            rule: *rule,
            figures,
            challenger_wins: wins,
            is_held_by_lock: wins == Some(true) && lock_mode(board, standing).is_some(),
        });
        if wins.is_some() {
            break;
        }
    }
    opinions
}

/// The two sides of a conflict that the rules may decide.
fn sides(board: &Board, conflict: &Conflict) -> Option<(RevisionId, RevisionId)> {
    let (Challenger::Revision(challenger), Some(standing)) =
        (conflict.challenger, conflict.standing)
    else {
        return None;
    };
    let is_finding = matches!(conflict.cause, ConflictCause::Finding(_));
    let open = conflict.state == ConflictState::Open && !conflict.rescan;
    let soft = lock_mode(board, standing) == Some(SealMode::Soft);
    let stands = board.revision(standing)?.status.stands();
    (is_finding && open && stands && !soft).then_some((challenger, standing))
}

/// Compares the two sides by a rule; the next measure of a rule is taken where one does not tell.
fn compare(
    board: &Board,
    rule: Rule,
    challenger: RevisionId,
    standing: RevisionId,
) -> Vec<Figures> {
    let by = |measure| Figures {
        measure,
        challenger: figure(board, measure, challenger),
        standing: figure(board, measure, standing),
    };
    match rule {
        Rule::Authority => vec![by(Measure::Rank)],
        Rule::Recency => {
            let valid = by(Measure::ValidTime);
            if valid.challenger_wins().is_some() {
                vec![valid]
            } else {
                vec![valid, by(Measure::SourceDate)]
            }
        }
        Rule::FurtherSource => vec![by(Measure::Sources)],
        Rule::Arbiter => Vec::new(),
    }
}

fn figure(board: &Board, measure: Measure, side: RevisionId) -> Option<i64> {
    let sources: BTreeSet<Digest> = board.quoted_sources(side);
    match measure {
        Measure::Rank => sources
            .iter()
            .filter_map(|source| board.rank(source))
            .min()
            .map(i64::from),
        Measure::ValidTime => Some(i64::from(board.revision(side)?.valid_from?.0)),
        Measure::SourceDate => sources
            .iter()
            .filter_map(|source| board.sources.get(source).filter(|it| it.vouched)?.dated)
            .max()
            .map(|day| i64::from(day.0)),
        Measure::Sources => i64::try_from(sources.len()).ok(),
    }
}

/// Who wins a conflict by the rules, and by which figures; none where they do not say.
fn winner(board: &Board, conflict: &Conflict) -> Option<(bool, Figures)> {
    let opinions = opinions(board, conflict);
    let last = opinions.last().filter(|it| !it.is_held_by_lock)?;
    Some((last.challenger_wins?, *last.figures.last()?))
}

/// What the rules make happen to a challenger: it is rejected where one of its conflicts is decided
/// against it, and wins where all are decided for it.
pub(super) fn outcome(board: &Board, challenger: RevisionId) -> Vec<Event> {
    let contested = board
        .revision(challenger)
        .is_some_and(|state| state.status == Status::Contested);
    if !contested {
        return Vec::new();
    }
    let decided: Vec<(ConflictId, Option<(bool, Figures)>)> = open_conflicts_of(board, challenger)
        .filter_map(|id| Some((id, winner(board, board.conflict(id)?))))
        .collect();
    let lost = decided.iter().find_map(|(id, by)| match by {
        Some((false, figures)) => Some((*id, *figures)),
        _ => None,
    });
    if let Some((id, figures)) = lost {
        return vec![resolved(id, false, figures)];
    }
    let won: Option<Vec<(ConflictId, Figures)>> = decided
        .iter()
        .map(|(id, by)| by.map(|(_, figures)| (*id, figures)))
        .collect();
    match won {
        Some(won) if replaces_no_lock(board, challenger) => wins(board, challenger, &won),
        _ => Vec::new(),
    }
}

/// What the challenger replaces was not locked while it waited.
fn replaces_no_lock(board: &Board, challenger: RevisionId) -> bool {
    let replaces = board.revision(challenger).and_then(|it| it.replaces);
    let old = board.in_place_of(replaces);
    old.is_none_or(|old| lock_mode(board, old).is_none())
}

fn wins(board: &Board, challenger: RevisionId, won: &[(ConflictId, Figures)]) -> Vec<Event> {
    let losers = won
        .iter()
        .filter_map(|(id, _)| board.conflict(*id)?.standing);
    let mut events = turned_among(board, &losers.collect(), challenger);
    events.extend(
        won.iter()
            .map(|(id, figures)| resolved(*id, true, *figures)),
    );
    events
}

fn resolved(conflict: ConflictId, challenger_wins: bool, figures: Figures) -> Event {
    Event::ConflictResolved {
        conflict,
        challenger_wins,
        grounds: Grounds::Rule(figures),
    }
}

/// What the rules decide after what was just applied: of one challenger at a time, the first. Each
/// decision ends a revision for good, so that this comes to an end.
pub(super) fn follow(board: &Board, applied: &[Event]) -> Vec<Event> {
    if board.resolution.rules.order.is_empty() {
        return Vec::new();
    }
    let touched: BTreeSet<RevisionId> = applied
        .iter()
        .flat_map(|event| touched(board, event))
        .collect();
    let conflicts: BTreeSet<ConflictId> = touched
        .iter()
        .filter_map(|id| board.revision(*id))
        .flat_map(|state| state.conflicts.iter().copied())
        .collect();
    let challengers: BTreeSet<RevisionId> = conflicts
        .into_iter()
        .filter_map(|id| match board.conflict(id)?.challenger {
            Challenger::Revision(challenger) => Some(challenger),
            Challenger::Refusal(_) => None,
        })
        .collect();
    let outcomes = challengers.into_iter().map(|it| outcome(board, it));
    let mut decided = outcomes.filter(|events| !events.is_empty());
    decided.next().unwrap_or_default()
}

/// The challengers that wait, by number.
pub fn waiting_challengers(board: &Board) -> BTreeSet<RevisionId> {
    let challengers = board
        .open_conflicts()
        .filter_map(|(_, conflict)| sides(board, conflict).map(|(challenger, _)| challenger));
    challengers.collect()
}

/// The revisions of which a rule may read something else now, or whose conflicts became fewer.
fn touched(board: &Board, event: &Event) -> Vec<RevisionId> {
    let of = |id: &ConflictId| {
        let conflict = board.conflict(*id);
        let challenger = conflict.and_then(|it| match it.challenger {
            Challenger::Revision(challenger) => Some(challenger),
            Challenger::Refusal(_) => None,
        });
        let standing = conflict.and_then(|it| it.standing);
        challenger.into_iter().chain(standing).collect()
    };
    match event {
        Event::Submitted(submitted) => {
            let ended = submitted.replaces.into_iter();
            ended.chain([submitted.revision]).collect()
        }
        Event::Corroborated { revision, .. }
        | Event::Validated { revision, .. }
        | Event::Retracted { revision, .. } => vec![*revision],
        Event::ConflictOpened { conflict, .. }
        | Event::ConflictResolved { conflict, .. }
        | Event::ConflictDismissed { conflict, .. } => of(conflict),
        Event::Amended { old, new, .. } => vec![*old, *new],
        _ => Vec::new(),
    }
}
