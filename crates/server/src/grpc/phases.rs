//! Phases on the wire.

use pawl_ledger::{
    log::wire::{self, WireEnum},
    phase::{Conditions, Movers, Phase},
};
use pawl_proto::v1 as proto;

use super::parse;
use crate::app::{error::AppError, phases::PhaseRecord};

/// Reads phases that are to be declared.
pub(super) fn phases(asked: &[proto::Phase]) -> Result<Vec<Phase>, AppError> {
    asked.iter().map(phase).collect()
}

fn phase(asked: &proto::Phase) -> Result<Phase, AppError> {
    Ok(Phase {
        name: parse::id("phase", &asked.phase)?,
        levels: words("levels", &asked.levels)?,
        kinds: words("kinds", &asked.kinds)?,
        modules: parse::ids("modules", &asked.modules)?,
        movers: Movers {
            roles: words("mover_roles", &asked.mover_roles)?,
            principals: parse::ids("movers", &asked.movers)?,
        },
        conditions: Conditions {
            sealed: parse::ids("sealed", &asked.sealed)?,
            no_open_conflicts: asked.no_open_conflicts,
            no_open_flags: asked.no_open_flags,
        },
    })
}

/// Writes the phases of a board.
pub(super) fn response(records: &[PhaseRecord]) -> proto::ListPhasesResponse {
    proto::ListPhasesResponse {
        phases: records.iter().map(phase_to_wire).collect(),
    }
}

fn phase_to_wire(record: &PhaseRecord) -> proto::Phase {
    let declared = wire::phase_to_wire(&record.phase);
    proto::Phase {
        phase: declared.phase,
        levels: declared.levels,
        kinds: declared.kinds,
        modules: declared.modules,
        mover_roles: declared.mover_roles,
        movers: declared.movers,
        sealed: declared.sealed,
        no_open_conflicts: declared.no_open_conflicts,
        no_open_flags: declared.no_open_flags,
        current: record.current,
        unmet: record.unmet.iter().map(ToString::to_string).collect(),
    }
}

fn words<T: WireEnum>(field: &'static str, numbers: &[i32]) -> Result<Vec<T>, AppError> {
    let each = numbers.iter();
    each.map(|number| parse::word(field, *number)).collect()
}
