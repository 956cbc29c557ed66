//! Resolution rules on the wire.

use pawl_ledger::{
    decide::{Denied, Reason},
    id::{BoardName, ConflictId},
    log::wire::WireEnum,
};
use pawl_proto::v1 as proto;

use super::{names::full, parse};
use crate::app::{error::AppError, rules::Written};

/// The most conflicts named in an answer.
const MAX_NAMED: usize = 1_000;

/// Reads rules.
pub(super) fn parse(rules: proto::ResolutionRules) -> Result<Written, AppError> {
    let order = rules.order.iter().map(|rule| {
        if *rule == i32::from(proto::ResolutionRule::Evidence) {
            return Err(Denied::new(
                Reason::FieldInvalid,
                "the rule `evidence` needs a probe that the server runs, which this version does not \
                 have; leave it out",
            )
            .with("field", "order")
            .with("value", "evidence")
            .into());
        }
        parse::word("order", *rule)
    });
    Ok(Written {
        order: order.collect::<Result<_, AppError>>()?,
        authority: rules.authority,
    })
}

/// Writes rules.
pub(super) fn to_wire(rules: Written) -> proto::ResolutionRules {
    proto::ResolutionRules {
        order: rules.order.into_iter().map(WireEnum::to_wire).collect(),
        authority: rules.authority,
    }
}

/// Writes the answer to rules that were set.
pub(super) fn set(
    board: &BoardName,
    rules: Written,
    decided: &[ConflictId],
) -> proto::SetResolutionRulesResponse {
    let named = decided.iter().take(MAX_NAMED);
    proto::SetResolutionRulesResponse {
        rules: Some(to_wire(rules)),
        decided: named.map(|id| full(board, "conflicts", id)).collect(),
        decided_count: u32::try_from(decided.len()).unwrap_or(u32::MAX),
    }
}
