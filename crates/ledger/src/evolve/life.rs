//! The course of a board as a whole: its phases, its quotas, archived and reopened.

use super::EvolveError;
use crate::{
    board::Board,
    event::{Event, Recorded},
    id::PhaseName,
    phase::{Current, Phase},
};

pub(super) fn apply(board: &mut Board, recorded: &Recorded) -> Result<(), EvolveError> {
    match &recorded.event {
        Event::PhasesDeclared { phases } => declared(board, recorded, phases),
        Event::PhaseEntered { phase, .. } => {
            if !board.phases.iter().any(|it| it.name == *phase) {
                let what = format!("there is no phase `{phase}`");
                return Err(EvolveError::new(recorded, what));
            }
            board.phase = Some(current(recorded, phase));
        }
        Event::QuotasSet { quotas } => board.quotas = *quotas,
        Event::BoardArchived { .. } => board.archived = Some((recorded.position, recorded.at)),
        Event::BoardReopened { .. } => board.archived = None,
        _ => {}
    }
    Ok(())
}

/// A board that is in a phase stays in it while it is declared; else the first one begins.
fn declared(board: &mut Board, recorded: &Recorded, phases: &[Phase]) {
    board.phases = phases.to_vec();
    if board.current_phase().is_none() {
        let first = board.phases.first();
        board.phase = first.map(|phase| current(recorded, &phase.name));
    }
}

fn current(recorded: &Recorded, phase: &PhaseName) -> Current {
    Current {
        name: phase.clone(),
        since: recorded.position,
        at: recorded.at,
    }
}
