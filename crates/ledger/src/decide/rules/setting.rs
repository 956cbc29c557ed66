//! Which rules a board may have.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Denied, Reason};
use crate::{
    board::Board, digest::Commitment, event::Event, id::Position, rule::ResolutionRules,
    status::Rule,
};

/// The most ranks, and the most sources ranked by digest.
const MAX_RANKED: usize = 256;
/// The most registered sources whose address has a rank, so that they fit in an entry.
const MAX_RANKED_ADDRESSES: usize = 8_192;

pub(in crate::decide) fn set(
    board: &Board,
    rules: &ResolutionRules,
    by_address: &BTreeMap<Position, u32>,
    authority: Option<Commitment>,
) -> Result<Vec<Event>, Denied> {
    check_order(&rules.order)?;
    let ranks = usize::try_from(rules.ranks).unwrap_or(usize::MAX);
    if ranks > MAX_RANKED || rules.listed.len() > MAX_RANKED {
        return Err(Denied::new(
            Reason::FieldTooLong,
            format!(
                "`authority` has {ranks} ranks and {} digests, at most {MAX_RANKED} of each; name \
                 hosts instead of single sources",
                rules.listed.len()
            ),
        )
        .with("field", "authority")
        .with("limit", MAX_RANKED));
    }
    if by_address.len() > MAX_RANKED_ADDRESSES {
        return Err(Denied::new(
            Reason::BoardLimit,
            format!(
                "`authority` would rank {} registered sources by address, at most \
                 {MAX_RANKED_ADDRESSES}; name longer addresses",
                by_address.len()
            ),
        )
        .with("field", "authority")
        .with("limit", MAX_RANKED_ADDRESSES));
    }
    let ranked = rules.order.contains(&Rule::Authority);
    if ranked != (rules.ranks > 0) {
        let (reason, what) = if ranked {
            let what = "the rule `authority` needs `authority`: which sources rank over which";
            (Reason::FieldMissing, what)
        } else {
            let what = "`authority` ranks sources but `order` has no rule `authority`; add it";
            (Reason::FieldInvalid, what)
        };
        return Err(Denied::new(reason, what).with("field", "authority"));
    }
    if board.resolution.rules == ResolutionRules::default() && rules.order.is_empty() {
        return Ok(Vec::new());
    }
    Ok(vec![Event::ResolutionRulesSet {
        rules: rules.clone(),
        by_address: by_address.clone(),
        authority,
    }])
}

fn check_order(order: &[Rule]) -> Result<(), Denied> {
    let invalid = |rule: &Rule, why: &str| {
        Denied::new(Reason::FieldInvalid, format!("`order`: `{rule}` {why}"))
            .with("field", "order")
            .with("value", rule)
    };
    let mut seen = BTreeSet::new();
    for rule in order {
        if seen.contains(&Rule::Arbiter) {
            let why = "stands behind `arbiter`, which ends the list; put it before or leave it out";
            return Err(invalid(rule, why));
        }
        if !seen.insert(*rule) {
            return Err(invalid(rule, "is named twice; name it once"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_names_each_rule_once_and_ends_with_the_arbiter() {
        use Rule::{Arbiter, Authority, FurtherSource, Recency};
        for order in [
            vec![],
            vec![Arbiter],
            vec![Recency, Authority],
            vec![Authority, Recency, FurtherSource, Arbiter],
        ] {
            assert_eq!(check_order(&order), Ok(()));
        }
        let twice = check_order(&[Recency, Authority, Recency]).unwrap_err();
        assert_eq!(
            twice.message,
            "`order`: `recency` is named twice; name it once"
        );
        let behind = check_order(&[Arbiter, Recency]).unwrap_err();
        assert!(
            behind.message.contains("stands behind `arbiter`"),
            "{behind}"
        );
        assert_eq!(behind.metadata[0], ("field", "order".to_owned()));
    }
}
