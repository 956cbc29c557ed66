//! Phases follow one another, by who may move the board, and take only what they were declared to.

use super::{Lawful, Wrong, holds, role};
use crate::{
    board::Board,
    event::{Event, Recorded, Submitted},
    id::{ModuleName, PhaseName},
    phase::Phase,
    status::{Role, Status},
};

/// The phases, and the place of the one the board is in.
#[derive(Debug, Default)]
pub(super) struct Course {
    phases: Vec<Phase>,
    at: usize,
}

impl Course {
    fn current(&self) -> Option<&Phase> {
        self.phases.get(self.at)
    }

    fn place(&self, name: &PhaseName) -> Option<usize> {
        self.phases.iter().position(|it| it.name == *name)
    }
}

pub(super) fn check(lawful: &mut Lawful, board: &Board, recorded: &Recorded, wrong: &mut Wrong) {
    let course = &mut lawful.course;
    match &recorded.event {
        Event::PhasesDeclared { phases } => {
            role(board, recorded, &[Role::Operator], wrong);
            declared(course, board, phases, wrong);
        }
        Event::PhaseEntered { phase, reason } => match course.place(phase) {
            None => wrong.push(format!("phase `{phase}` was not declared")),
            Some(to) if to < course.at => {
                role(board, recorded, &[Role::Arbiter], wrong);
                let said = reason.is_some();
                holds(
                    said,
                    || "the board went back without a reason".into(),
                    wrong,
                );
                course.at = to;
            }
            Some(to) => {
                let next = to == course.at + 1;
                holds(next, || format!("phase `{phase}` did not come next"), wrong);
                moved_on(course, board, recorded, wrong);
                course.at = to;
            }
        },
        _ => {}
    }
}

fn declared(course: &mut Course, board: &Board, phases: &[Phase], wrong: &mut Wrong) {
    let before = course.current().map(|it| it.name.clone());
    for (place, phase) in phases.iter().enumerate() {
        let mut earlier = phases.iter().take(place);
        let once = !earlier.any(|it| it.name == phase.name);
        holds(
            once,
            || format!("phase `{}` is there twice", phase.name),
            wrong,
        );
        for module in phase.modules.iter().chain(&phase.conditions.sealed) {
            let known = board.modules.contains_key(module);
            holds(known, || format!("there was no module `{module}`"), wrong);
        }
    }
    course.phases = phases.to_vec();
    course.at = match before {
        None => 0,
        Some(name) => {
            let place = course.place(&name);
            let kept = place.is_some() || phases.is_empty();
            holds(kept, || format!("the board was in phase `{name}`"), wrong);
            place.unwrap_or_default()
        }
    };
}

/// Who moved the board on was allowed to, and what had to hold held.
fn moved_on(course: &Course, board: &Board, recorded: &Recorded, wrong: &mut Wrong) {
    let Some(left) = course.current() else {
        return;
    };
    let (roles, named) = (&left.movers.roles, &left.movers.principals);
    if roles.is_empty() && named.is_empty() {
        role(board, recorded, &[Role::Arbiter, Role::Operator], wrong);
    } else if !named.contains(&recorded.principal) {
        role(board, recorded, roles, wrong);
    }
    let wanted = &left.conditions;
    for name in &wanted.sealed {
        let sealed = board.modules.get(name).is_some_and(|module| {
            let locked = |id: &crate::id::RevisionId| {
                board.revision(*id).map(|it| it.status) == Some(Status::Locked)
            };
            module.sealed.is_some() && module.standing.iter().all(locked)
        });
        holds(sealed, || format!("module `{name}` was not sealed"), wrong);
    }
    let quiet = board.open_conflicts().next().is_none();
    holds(
        quiet || !wanted.no_open_conflicts,
        || "a conflict was open".into(),
        wrong,
    );
    let undoubted = board.flags.iter().all(|it| it.closed.is_some());
    holds(
        undoubted || !wanted.no_open_flags,
        || "a flag was open".into(),
        wrong,
    );
}

/// A new revision that is no amendment was one that the phase takes.
pub(super) fn taken(lawful: &Lawful, submitted: &Submitted, wrong: &mut Wrong) {
    let Some(phase) = lawful.course.current() else {
        return;
    };
    let (levels, kinds) = (&phase.levels, &phase.kinds);
    let level = levels.is_empty() || levels.contains(&submitted.level);
    let kind = kinds.is_empty() || kinds.contains(&submitted.kind);
    holds(
        level && kind,
        || format!("phase `{}` took no such submission", phase.name),
        wrong,
    );
    meant_for(lawful, &submitted.module, wrong);
}

/// What is submitted, refused or said again is meant for a module that the phase takes.
pub(super) fn meant_for(lawful: &Lawful, module: &ModuleName, wrong: &mut Wrong) {
    if let Some(phase) = lawful.course.current() {
        let takes = phase.modules.is_empty() || phase.modules.contains(module);
        holds(
            takes,
            || format!("phase `{}` took nothing for module `{module}`", phase.name),
            wrong,
        );
    }
}
