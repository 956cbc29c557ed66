//! The phases of a board, as they stand.

use pawl_ledger::{
    board::Board,
    command::Command,
    digest::Words,
    id::PhaseName,
    phase::{Phase, Unmet},
};

use super::{App, LiveBoard, boards::apply, error::AppError, words};
use crate::auth::Caller;

/// A phase as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseRecord {
    /// As it was declared.
    pub phase: Phase,
    /// The board is in it.
    pub current: bool,
    /// What stands in the way of leaving it, if the board is in it.
    pub unmet: Vec<Unmet>,
}

impl App {
    /// Declares the phases of a board. Who is named to move it has to be a principal of the server.
    pub async fn declare_phases(
        &self,
        live: &LiveBoard,
        caller: &Caller,
        phases: Vec<Phase>,
    ) -> Result<Vec<PhaseRecord>, AppError> {
        for mover in phases.iter().flat_map(|it| &it.movers.principals) {
            self.identity.principal(mover)?;
        }
        self.command(live, caller, &Command::DeclarePhases(phases))
            .await?;
        self.phases(live, caller).await
    }

    /// Moves a board to another phase.
    pub async fn enter_phase(
        &self,
        live: &LiveBoard,
        caller: &Caller,
        phase: PhaseName,
        reason: Option<String>,
    ) -> Result<Vec<PhaseRecord>, AppError> {
        let reason = reason.map(|it| words(it.into_bytes())).transpose()?;
        let command = Command::EnterPhase {
            phase,
            reason: reason.as_ref().map(Words::commitment),
        };
        self.execute::<()>(live, caller, None, |transaction| {
            apply(transaction, &command, reason).map(|_| ())
        })
        .await?;
        self.phases(live, caller).await
    }

    /// The phases in order.
    pub async fn phases(
        &self,
        live: &LiveBoard,
        caller: &Caller,
    ) -> Result<Vec<PhaseRecord>, AppError> {
        self.read(live, caller, |board| Ok(records(board))).await
    }
}

fn records(board: &Board) -> Vec<PhaseRecord> {
    let current = board.phase.as_ref().map(|it| &it.name);
    let phases = board.phases.iter().map(|phase| {
        let current = Some(&phase.name) == current;
        let unmet = if current {
            phase.unmet(board)
        } else {
            Vec::new()
        };
        PhaseRecord {
            phase: phase.clone(),
            current,
            unmet,
        }
    });
    phases.collect()
}
