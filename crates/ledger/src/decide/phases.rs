//! Which phases a board has, when it moves on, and what may be submitted meanwhile.
//!
//! Moving on is one step at a time. Going back to an earlier phase is an arbiter's recorded act with
//! a reason: phases say what may be submitted and change nothing that stands, so nothing is undone
//! by it, and without it a team that missed something would have to declare its phases away.
//! Amendments are of no phase: they mend what is locked and add nothing new.

use std::collections::BTreeSet;

use super::{Denied, Reason, declarations::unknown_module, require_role};
use crate::{
    board::Board,
    command::{Context, Proposal},
    digest::Commitment,
    event::Event,
    id::PhaseName,
    phase::{Phase, Unmet},
    status::Role,
};

/// The most phases of a board.
const MAX_PHASES: usize = 64;
/// The most members of each list of a phase.
const MAX_LISTED: usize = 256;

pub(super) fn declare(
    board: &Board,
    context: &Context,
    phases: &[Phase],
) -> Result<Vec<Event>, Denied> {
    require_role(board, context, &[Role::Operator])?;
    if phases.len() > MAX_PHASES {
        return Err(too_long("phases", phases.len(), MAX_PHASES));
    }
    let mut names = BTreeSet::new();
    for phase in phases {
        if !names.insert(&phase.name) {
            return Err(Denied::new(
                Reason::FieldInvalid,
                format!("phase `{}` is declared twice; name each once", phase.name),
            )
            .with("field", "phases")
            .with("phase", &phase.name));
        }
        check(board, phase)?;
    }
    if let Some(current) = &board.phase
        && !phases.is_empty()
        && !names.contains(&current.name)
    {
        return Err(Denied::new(
            Reason::FieldInvalid,
            format!(
                "the board is in phase `{}`, which is not among these; keep it, or move on first",
                current.name
            ),
        )
        .with("field", "phases")
        .with("phase", &current.name));
    }
    if board.phases == phases {
        return Ok(Vec::new());
    }
    Ok(vec![Event::PhasesDeclared {
        phases: phases.to_vec(),
    }])
}

fn check(board: &Board, phase: &Phase) -> Result<(), Denied> {
    let lists = [
        ("levels", phase.levels.len()),
        ("kinds", phase.kinds.len()),
        ("modules", phase.modules.len()),
        ("mover_roles", phase.movers.roles.len()),
        ("movers", phase.movers.principals.len()),
        ("sealed", phase.conditions.sealed.len()),
    ];
    if let Some((field, length)) = lists.into_iter().find(|(_, length)| *length > MAX_LISTED) {
        return Err(too_long(field, length, MAX_LISTED).with("phase", &phase.name));
    }
    let mut named = phase.modules.iter().chain(&phase.conditions.sealed);
    match named.find(|name| !board.modules.contains_key(name)) {
        Some(module) => Err(unknown_module(board, module).with("phase", &phase.name)),
        None => Ok(()),
    }
}

pub(super) fn enter(
    board: &Board,
    context: &Context,
    wanted: &PhaseName,
    reason: Option<Commitment>,
) -> Result<Vec<Event>, Denied> {
    let place = |name: &PhaseName| board.phases.iter().position(|it| it.name == *name);
    let to = place(wanted).ok_or_else(|| unknown(board, wanted))?;
    let current = board
        .current_phase()
        .ok_or_else(|| unknown(board, wanted))?;
    let from = place(&current.name).unwrap_or_default();
    if to == from {
        return Ok(Vec::new());
    }
    if to < from {
        go_back(board, context, reason)?;
    } else {
        move_on(board, context, current, (from, to))?;
    }
    Ok(vec![Event::PhaseEntered {
        phase: wanted.clone(),
        reason,
    }])
}

fn go_back(board: &Board, context: &Context, reason: Option<Commitment>) -> Result<(), Denied> {
    require_role(board, context, &[Role::Arbiter])?;
    match reason {
        Some(_) => Ok(()),
        None => Err(Denied::new(
            Reason::FieldMissing,
            "field `reason` is empty; say why the board goes back to an earlier phase",
        )
        .with("field", "reason")),
    }
}

fn move_on(
    board: &Board,
    context: &Context,
    current: &Phase,
    (from, to): (usize, usize),
) -> Result<(), Denied> {
    if !current.movers.include(board, &context.principal) {
        return Err(Denied::new(
            Reason::RoleMissing,
            format!(
                "`{}` may not move board `{}` on from phase `{}`; ask {}",
                context.principal, board.name, current.name, current.movers
            ),
        )
        .with("principal", &context.principal)
        .with("role", &current.movers)
        .with("board", &board.name));
    }
    if to != from + 1 {
        let next = board.phases.get(from + 1).map(|it| it.name.to_string());
        let next = next.unwrap_or_default();
        return Err(Denied::new(
            Reason::TransitionIllegal,
            format!(
                "after phase `{}` comes `{next}`; enter that first",
                current.name
            ),
        )
        .with("phase", &current.name)
        .with("legal", next));
    }
    let unmet = current.unmet(board);
    if unmet.is_empty() {
        Ok(())
    } else {
        Err(conditions(current, &unmet))
    }
}

fn conditions(current: &Phase, unmet: &[Unmet]) -> Denied {
    let told: Vec<String> = unmet.iter().map(ToString::to_string).collect();
    let told = told.join("; ");
    let mut denied = Denied::new(
        Reason::PhaseConditions,
        format!(
            "phase `{}` cannot end yet: {told}; meet that first",
            current.name
        ),
    )
    .with("phase", &current.name);
    let unsealed: Vec<&str> = unmet
        .iter()
        .filter_map(|it| match it {
            Unmet::Unsealed(module) => Some(module.as_str()),
            _ => None,
        })
        .collect();
    if !unsealed.is_empty() {
        denied = denied.with("unsealed", unsealed.join(","));
    }
    for it in unmet {
        match it {
            Unmet::OpenConflicts(count) => denied = denied.with("open_conflicts", count),
            Unmet::OpenFlags(count) => denied = denied.with("open_flags", count),
            Unmet::Unsealed(_) => {}
        }
    }
    denied
}

/// Refuses a submission that the board's phase does not take, and says what it takes.
pub(super) fn check_phase(board: &Board, proposal: &Proposal) -> Result<(), Denied> {
    let Some(phase) = board.current_phase() else {
        return Ok(());
    };
    let excluded = phase.excludes(proposal.level, proposal.kind, &proposal.module);
    let Some((field, value)) = excluded else {
        return Ok(());
    };
    let lists = [
        ("levels", listed(&phase.levels)),
        ("kinds", listed(&phase.kinds)),
        ("modules", listed(&phase.modules)),
    ];
    let told: Vec<String> = lists
        .iter()
        .filter_map(|(name, list)| Some(format!("{name} {}", list.as_ref()?)))
        .collect();
    let mut denied = Denied::new(
        Reason::OutOfPhase,
        format!(
            "board `{}` is in phase `{}`, which takes no {field} `{value}`; it takes {}; submit \
             that now, or have the board moved on",
            board.name,
            phase.name,
            told.join("; ")
        ),
    )
    .with("field", field)
    .with("value", value)
    .with("phase", &phase.name);
    for (name, list) in lists {
        denied = denied.with(name, list.unwrap_or_else(|| "all".into()));
    }
    Err(denied)
}

fn listed<T: ToString>(list: &[T]) -> Option<String> {
    let words: Vec<String> = list.iter().map(ToString::to_string).collect();
    (!words.is_empty()).then(|| words.join(","))
}

fn unknown(board: &Board, phase: &PhaseName) -> Denied {
    Denied::new(
        Reason::PhaseUnknown,
        format!(
            "board `{}` has no phase `{phase}`; list its phases, or have them declared",
            board.name
        ),
    )
    .with("phase", phase)
}

fn too_long(field: &'static str, length: usize, most: usize) -> Denied {
    Denied::new(
        Reason::FieldTooLong,
        format!("`{field}` has {length} members, at most {most}; leave some out"),
    )
    .with("field", field)
    .with("limit", most)
}
