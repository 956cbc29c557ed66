//! The rules by which a board decides conflicts, and the comparisons of what stands.

use crate::{
    board::{Board, Resolution},
    event::{Event, Recorded, Rescan},
    id::PrincipalName,
    status::Role,
};

pub(super) fn set(board: &mut Board, recorded: &Recorded) {
    let Event::ResolutionRulesSet {
        rules,
        by_address,
        authority,
    } = &recorded.event
    else {
        return;
    };
    for source in board.sources.values_mut() {
        source.rank = by_address.get(&source.position).copied();
    }
    board.resolution = Resolution {
        rules: rules.clone(),
        position: recorded.position,
        authority: *authority,
    };
}

pub(super) fn rescanned(board: &mut Board, rescan: &Rescan) {
    for (name, module) in &mut board.modules {
        if rescan.module.as_ref().is_none_or(|only| only == name) {
            module.compared = module.compared.max(rescan.from);
        }
    }
}

/// Says whether the address and the date that a principal gives a source count for the rules.
pub(super) fn vouches(board: &Board, principal: &PrincipalName) -> bool {
    [Role::Verifier, Role::Arbiter, Role::Operator]
        .into_iter()
        .any(|role| board.has_role(principal, role))
}
