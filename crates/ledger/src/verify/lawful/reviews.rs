//! Nobody confirms their own, and nobody takes back another's.

use super::{Wrong, holds, is_next, revision, role, sources};
use crate::{
    board::{Board, Revision},
    event::{Citation, Event, Recorded},
    id::RevisionId,
    status::{QuoteCheck, Role, Status},
};

pub(super) fn check(board: &Board, recorded: &Recorded, wrong: &mut Wrong) {
    match &recorded.event {
        Event::Validated {
            revision: id,
            evidence,
        } => validated(board, recorded, *id, evidence, wrong),
        Event::Retracted { revision: id, .. } => {
            role(board, recorded, &[Role::Agent, Role::Arbiter], wrong);
            let Some(state) = revision(board, *id, wrong) else {
                return;
            };
            let own = state.author == recorded.principal
                || board.has_role(&recorded.principal, Role::Arbiter);
            holds(own, || format!("`{id}` is of `{}`", state.author), wrong);
            let from = [Status::Proposed, Status::Validated, Status::Contested];
            was(*id, state, &from, wrong);
        }
        Event::Reaffirmed {
            revision: id,
            supports,
            ..
        } => reaffirmed(board, recorded, *id, supports, wrong),
        Event::Flagged {
            flag,
            revision: id,
            citations,
            ..
        } => {
            let roles = [Role::Agent, Role::Verifier, Role::Arbiter];
            role(board, recorded, &roles, wrong);
            sources(board, citations, wrong);
            let next = is_next(flag.0, board.flags.len());
            holds(next, || format!("`{flag}` is not the next flag"), wrong);
            if let Some(state) = revision(board, *id, wrong) {
                was(*id, state, &[Status::Locked], wrong);
            }
        }
        Event::FlagClosed { flag, .. } => {
            role(board, recorded, &[Role::Arbiter], wrong);
            let open = board.flag(*flag).is_some_and(|it| it.closed.is_none());
            holds(open, || format!("there was no open `{flag}`"), wrong);
        }
        _ => {}
    }
}

fn was(id: RevisionId, state: &Revision, from: &[Status], wrong: &mut Wrong) {
    let status = state.status;
    holds(
        from.contains(&status),
        || format!("`{id}` was {status}"),
        wrong,
    );
}

fn of_another(state: &Revision, recorded: &Recorded, id: RevisionId, wrong: &mut Wrong) {
    let own = state.author == recorded.principal;
    holds(!own, || format!("`{id}` is its confirmer's own"), wrong);
}

fn validated(
    board: &Board,
    recorded: &Recorded,
    id: RevisionId,
    evidence: &[Citation],
    wrong: &mut Wrong,
) {
    role(board, recorded, &[Role::Verifier], wrong);
    sources(board, evidence, wrong);
    let found = evidence
        .iter()
        .any(|it| matches!(it.check, QuoteCheck::Exact | QuoteCheck::Normalised));
    holds(found, || "no quote of its evidence was found".into(), wrong);
    if let Some(state) = revision(board, id, wrong) {
        of_another(state, recorded, id, wrong);
        was(id, state, &[Status::Proposed], wrong);
    }
}

fn reaffirmed(
    board: &Board,
    recorded: &Recorded,
    id: RevisionId,
    supports: &[RevisionId],
    wrong: &mut Wrong,
) {
    role(board, recorded, &[Role::Verifier], wrong);
    let Some(state) = revision(board, id, wrong) else {
        return;
    };
    of_another(state, recorded, id, wrong);
    let lost = state.support_lost.is_some();
    holds(lost, || format!("every support of `{id}` stood"), wrong);
    holds(
        !supports.is_empty(),
        || format!("`{id}` would rest on nothing"),
        wrong,
    );
    for support in supports {
        if let Some(state) = revision(board, *support, wrong) {
            let stands = state.status.stands() && state.support_lost.is_none();
            holds(
                stands,
                || format!("`{support}` did not stand by itself"),
                wrong,
            );
        }
        let cyclic = *support == id || board.all_dependents(id).contains(support);
        holds(!cyclic, || format!("`{support}` rests on `{id}`"), wrong);
    }
}
