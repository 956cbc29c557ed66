//! Who may challenge what, and who decides it.

use super::{
    Due, Lawful, Wrong, holds, is_foreign, is_next, rescans, revision, role, rollbacks, rules,
    tables::stood,
};
use crate::{
    board::{Board, Conflict},
    event::{Challenger, Event, Grounds, Recorded},
    evolve::lock_mode,
    finding::{Certainty, FindingKind, Score},
    id::{ConflictId, RefusalId, RevisionId},
    module::SealMode,
    status::{ConflictCause, ConflictState, Role, Status, Verdict},
};

pub(super) fn check(lawful: &mut Lawful, board: &Board, recorded: &Recorded, wrong: &mut Wrong) {
    match &recorded.event {
        Event::ConflictOpened {
            conflict,
            challenger,
            rescan,
            ..
        } => {
            let next = is_next(conflict.0, board.conflicts.len());
            holds(
                next,
                || format!("`{conflict}` is not the next conflict"),
                wrong,
            );
            match challenger {
                _ if *rescan => rescans::opened(board, recorded, wrong),
                Challenger::Revision(id) => challenged(lawful, board, recorded, *id, wrong),
                Challenger::Refusal(id) => refused(board, recorded, *id, wrong),
            }
        }
        Event::ConflictAppealed { conflict, .. } => {
            if let Some(state) = open(board, *conflict, wrong) {
                let author = state.principal == recorded.principal;
                holds(author, || "only its author can appeal".into(), wrong);
            }
        }
        Event::ConflictResolved {
            conflict,
            challenger_wins,
            grounds: Grounds::Reason(_),
        } => resolved(lawful, board, recorded, *conflict, *challenger_wins, wrong),
        Event::ConflictResolved {
            conflict,
            challenger_wins,
            grounds: Grounds::Rule(figures),
        } => rules::decided(board, *conflict, *challenger_wins, figures, wrong),
        Event::ConflictDismissed { conflict, .. } => {
            if let Some(state) = open(board, *conflict, wrong) {
                may_decide(board, recorded, state, wrong);
            }
        }
        _ => {}
    }
}

fn open<'a>(board: &'a Board, id: ConflictId, wrong: &mut Wrong) -> Option<&'a Conflict> {
    let state = board
        .conflict(id)
        .filter(|it| it.state == ConflictState::Open);
    holds(
        state.is_some(),
        || format!("there was no open `{id}`"),
        wrong,
    );
    state
}

fn challenged(
    lawful: &mut Lawful,
    board: &Board,
    recorded: &Recorded,
    id: RevisionId,
    wrong: &mut Wrong,
) {
    let Event::ConflictOpened {
        standing,
        reference,
        cause,
        score,
        ..
    } = &recorded.event
    else {
        return;
    };
    let Some(challenger) = revision(board, id, wrong) else {
        return;
    };
    let came_out =
        challenger.status == Status::Proposed && challenger.verdict == Verdict::Contested;
    let is_unlocked = matches!(challenger.status, Status::Proposed | Status::Validated);
    let amended_against =
        is_unlocked && standing.is_some_and(|standing| lock_mode(board, standing).is_some());
    let contested = challenger.status == Status::Contested || came_out || amended_against;
    holds(
        contested,
        || format!("`{id}` was {}", challenger.status),
        wrong,
    );
    let claimed = Claimed {
        challenger: Challenger::Revision(id),
        cause: *cause,
        score: *score,
    };
    if standing.is_some_and(|standing| claimed.is_turned_against(board, standing)) {
        return;
    }
    if let Some(back) = standing
        && claimed.is_turned_back(board, *back)
    {
        rollbacks::expect(lawful, board, *back);
        return;
    }
    let stands = standing.is_none_or(|standing| {
        let state = board.revision(standing);
        state.is_some_and(|state| state.status.stands())
    });
    holds(stands, || "what it challenges did not stand".into(), wrong);
    let given = reference.is_none_or(|it| standing.is_none() && stood(board, it));
    holds(given, || "what it challenges was not given".into(), wrong);
    let standing_author = standing
        .and_then(|it| board.revision(it))
        .map(|it| &it.author);
    let fits = match cause {
        ConflictCause::Ownership => {
            standing.is_none()
                && reference.is_none()
                && is_foreign(board, &challenger.module, &challenger.author)
        }
        ConflictCause::Replacement => {
            standing.is_some() && standing_author != Some(&challenger.author)
        }
        ConflictCause::Rewording => {
            reference.is_some() || standing.is_some_and(|it| lock_mode(board, it).is_some())
        }
        ConflictCause::Finding(kind) => {
            (standing.is_some() || reference.is_some())
                && (kind.certainty() == Certainty::Exact || *score >= board.policy.conflict)
        }
    };
    holds(fits, || "it gives a cause that there was not".into(), wrong);
}

struct Claimed {
    challenger: Challenger,
    cause: ConflictCause,
    score: Score,
}

impl Claimed {
    /// Says whether it repeats an open conflict with a revision whose place `new` is to take.
    fn is_turned_against(&self, board: &Board, new: RevisionId) -> bool {
        let replaces = board.revision(new).and_then(|it| it.replaces);
        let beats = |it: &Conflict, old| {
            it.challenger == Challenger::Revision(new)
                && it.standing == Some(old)
                && (it.state == ConflictState::Open || it.challenger_won)
        };
        // Of two that both stand, the challenger too can be the one that loses its place.
        let stays = |it: &Conflict, old| {
            it.rescan
                && it.challenger == Challenger::Revision(old)
                && it.standing == Some(new)
                && (it.state == ConflictState::Open || !it.challenger_won)
        };
        let loses = |old: RevisionId| {
            let mut conflicts = board.conflicts.iter();
            replaces == Some(old) || conflicts.any(|it| beats(it, old) || stays(it, old))
        };
        self.repeats(board, loses)
    }

    /// Says whether it repeats an open conflict with what gives way to `back` in a rollback.
    fn is_turned_back(&self, board: &Board, back: RevisionId) -> bool {
        self.repeats(board, |old| rollbacks::gives_way(board, old, back))
    }

    fn repeats(&self, board: &Board, loses: impl Fn(RevisionId) -> bool) -> bool {
        let mut open = board.open_conflicts();
        open.any(|(_, it)| {
            it.challenger == self.challenger
                && it.cause == self.cause
                && it.score == self.score
                && it.standing.is_some_and(&loses)
        })
    }
}

/// Refusals name exact findings against hard locks, and nothing else.
fn refused(board: &Board, recorded: &Recorded, id: RefusalId, wrong: &mut Wrong) {
    let Event::ConflictOpened {
        standing,
        reference,
        cause,
        ..
    } = &recorded.event
    else {
        return;
    };
    let known = board
        .refusal(id)
        .is_some_and(|it| it.principal == recorded.principal);
    holds(
        known,
        || format!("`{id}` is no refusal of its author"),
        wrong,
    );
    let exact =
        matches!(cause, ConflictCause::Finding(kind) if kind.certainty() == Certainty::Exact);
    holds(exact, || "only an exact finding refuses".into(), wrong);
    let hard = match (standing, reference) {
        (Some(standing), None) => lock_mode(board, *standing) == Some(SealMode::Hard),
        (None, Some(reference)) => {
            *cause == ConflictCause::Finding(FindingKind::ClaimKey) && stood(board, *reference)
        }
        _ => false,
    };
    holds(
        hard,
        || "only a hard lock refuses, or what is given".into(),
        wrong,
    );
}

fn resolved(
    lawful: &mut Lawful,
    board: &Board,
    recorded: &Recorded,
    id: ConflictId,
    challenger_wins: bool,
    wrong: &mut Wrong,
) {
    let Some(state) = open(board, id, wrong) else {
        return;
    };
    if state.rescan {
        may_decide(board, recorded, state, wrong);
        rescans::resolved(board, state, challenger_wins, wrong);
        return;
    }
    if !(challenger_wins && overcomes(board, state)) {
        may_decide(board, recorded, state, wrong);
    }
    let (true, Challenger::Revision(new)) = (challenger_wins, state.challenger) else {
        let lost = !challenger_wins;
        holds(lost, || "a refused submission cannot win".into(), wrong);
        return;
    };
    if let Some(old) = state.standing.filter(|it| lock_mode(board, *it).is_some()) {
        lawful.due.push_back(Due::Amendment { old, new });
    }
}

/// Arbiters decide, and owners who only have to agree; nobody for their own submission.
fn may_decide(board: &Board, recorded: &Recorded, state: &Conflict, wrong: &mut Wrong) {
    let who = &recorded.principal;
    let module = match state.challenger {
        Challenger::Revision(id) => board.revision(id).map(|it| &it.module),
        Challenger::Refusal(id) => board.refusal(id).map(|it| &it.module),
    };
    let owner = module
        .and_then(|it| board.modules.get(it))
        .is_some_and(|it| it.declaration.owners.contains(who));
    if !(state.cause == ConflictCause::Ownership && owner) {
        role(board, recorded, &[Role::Arbiter], wrong);
    }
    let own = state.principal == *who;
    holds(!own, || "the challenger is the decider's own".into(), wrong);
}

/// A soft lock gives way by itself to strictly more distinct verified sources.
fn overcomes(board: &Board, state: &Conflict) -> bool {
    let (Challenger::Revision(challenger), Some(standing)) = (state.challenger, state.standing)
    else {
        return false;
    };
    let sources = |id| board.revision(id).map(|it| it.verified_sources.len());
    matches!(state.cause, ConflictCause::Finding(_))
        && lock_mode(board, standing) == Some(SealMode::Soft)
        && sources(challenger) > sources(standing)
}
