//! What may be stored as an assertion, and what was refused.

use super::{Due, Lawful, Wrong, holds, is_foreign, is_next, phases, revision, role, sources};
use crate::{
    board::Board,
    event::{Event, Recorded, Submitted},
    id::RevisionId,
    status::{Level, Role, Status, Verdict},
};

pub(super) fn check(lawful: &mut Lawful, board: &Board, recorded: &Recorded, wrong: &mut Wrong) {
    match &recorded.event {
        Event::Submitted(submitted) => stored(lawful, board, recorded, submitted, wrong),
        Event::Corroborated {
            revision: id,
            citations,
        } => {
            role(board, recorded, &[Role::Agent], wrong);
            sources(board, citations, wrong);
            if let Some(state) = revision(board, *id, wrong) {
                let there = lawful.is_there(state);
                holds(there, || format!("`{id}` was {}", state.status), wrong);
                phases::meant_for(lawful, &state.module, wrong);
            }
        }
        Event::Refused {
            refusal, module, ..
        } => {
            role(board, recorded, &[Role::Agent], wrong);
            declared(board, module, wrong);
            phases::meant_for(lawful, module, wrong);
            let next = is_next(refusal.0, board.refusals.len());
            holds(
                next,
                || format!("`{refusal}` is not the next refusal"),
                wrong,
            );
            lawful.due.push_back(Due::ConflictOfRefusal(*refusal));
        }
        _ => {}
    }
}

fn declared(board: &Board, module: &crate::id::ModuleName, wrong: &mut Wrong) {
    let declared = board.modules.contains_key(module);
    holds(
        declared,
        || format!("module `{module}` was not declared"),
        wrong,
    );
}

fn stored(
    lawful: &mut Lawful,
    board: &Board,
    recorded: &Recorded,
    submitted: &Submitted,
    wrong: &mut Wrong,
) {
    declared(board, &submitted.module, wrong);
    numbered(board, submitted, wrong);
    grounds(lawful, board, submitted, wrong);
    let base = submitted.base <= recorded.position;
    holds(
        base,
        || format!("its base {} lay ahead", submitted.base),
        wrong,
    );

    let ends = board.in_place_of(submitted.replaces);
    let locked = ends.filter(|old| is_locked(board, *old));
    let contested = submitted.verdict == Verdict::Contested;
    match locked {
        // An arbiter's own replacement of a locked revision: an amendment, complete in three.
        Some(old) => {
            role(board, recorded, &[Role::Arbiter], wrong);
            holds(!contested, || format!("`{old}` was locked"), wrong);
            lawful.due.push_back(Due::Amendment {
                old,
                new: submitted.revision,
            });
        }
        None => {
            role(board, recorded, &[Role::Agent], wrong);
            phases::taken(lawful, submitted, wrong);
            let quarantined = is_foreign(board, &submitted.module, &recorded.principal)
                || replaces_foreign(board, recorded, submitted);
            holds(
                contested || !quarantined,
                || "it was accepted though another had to agree".into(),
                wrong,
            );
        }
    }
    if contested {
        lawful.due.push_back(Due::ConflictOf(submitted.revision));
    }
    replaced(lawful, board, submitted, wrong);
}

fn numbered(board: &Board, submitted: &Submitted, wrong: &mut Wrong) {
    let id = submitted.revision;
    let next = match submitted.replaces {
        None => id.revision == 1 && Some(id.assertion.0) == board.assertion_count().checked_add(1),
        Some(old) => {
            let latest = board.latest(old.assertion);
            id.assertion == old.assertion
                && latest.and_then(|it| it.revision.checked_add(1)) == Some(id.revision)
        }
    };
    holds(next, || format!("`{id}` is not the next revision"), wrong);
}

fn grounds(lawful: &Lawful, board: &Board, submitted: &Submitted, wrong: &mut Wrong) {
    sources(board, &submitted.citations, wrong);
    let grounded = match submitted.level {
        Level::Inference => !submitted.supports.is_empty(),
        Level::Data | Level::Statement => !submitted.citations.is_empty(),
    };
    let level = submitted.level;
    holds(grounded, || format!("this {level} rests on nothing"), wrong);
    if let Some(attribute) = &submitted.attribute {
        let known = board.attributes.contains_key(attribute);
        holds(
            known,
            || format!("attribute `{attribute}` was not declared"),
            wrong,
        );
    }
    for id in &submitted.supports {
        if let Some(state) = revision(board, *id, wrong) {
            let there = lawful.is_there(state);
            holds(
                there,
                || format!("its support `{id}` was {}", state.status),
                wrong,
            );
        }
        let below = submitted
            .replaces
            .is_some_and(|old| old == *id || board.all_dependents(old).contains(id));
        holds(
            !below,
            || format!("its support `{id}` rests on what it replaces"),
            wrong,
        );
    }
}

fn replaced(lawful: &Lawful, board: &Board, submitted: &Submitted, wrong: &mut Wrong) {
    let Some(old) = submitted.replaces else {
        return;
    };
    let Some(state) = revision(board, old, wrong) else {
        return;
    };
    let (module, there) = (&state.module, lawful.is_there(state));
    holds(
        *module == submitted.module,
        || format!("`{old}` belongs to module `{module}`"),
        wrong,
    );
    holds(
        there,
        || format!("`{old}` was {} already", state.status),
        wrong,
    );
}

fn replaces_foreign(board: &Board, recorded: &Recorded, submitted: &Submitted) -> bool {
    let old = board.in_place_of(submitted.replaces);
    let old = old.and_then(|old| board.revision(old));
    old.is_some_and(|old| old.author != recorded.principal)
}

fn is_locked(board: &Board, id: RevisionId) -> bool {
    let state = board.revision(id);
    state.is_some_and(|state| state.status == Status::Locked)
}
