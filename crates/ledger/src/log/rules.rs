//! The bytes of resolution rules, of what they decided, and of comparisons of what stands; in both
//! directions.

use std::collections::BTreeMap;

use pawl_proto::v1 as proto;

use super::{
    decode::{Decoded, commitment, digest, optional},
    encode::bytes,
    wire::{WireEnum, figures, figures_to_wire, invalid},
};
use crate::{
    digest::Commitment,
    event::{Event, Grounds, Rescan},
    id::{ConflictId, Position},
    rule::ResolutionRules,
    status::Rule,
};

pub(super) fn resolved_to_wire(
    conflict: ConflictId,
    challenger_wins: bool,
    grounds: Grounds,
) -> proto::ConflictResolved {
    let (reason, rule) = match grounds {
        Grounds::Reason(reason) => (bytes(reason), None),
        Grounds::Rule(figures) => (Vec::new(), Some(figures_to_wire(figures))),
    };
    proto::ConflictResolved {
        conflict: conflict.0,
        challenger_wins,
        reason,
        rule,
    }
}

pub(super) fn resolved(wire: &proto::ConflictResolved) -> Decoded<Event> {
    let grounds = match (&wire.rule, wire.reason.is_empty()) {
        (None, _) => Grounds::Reason(commitment(&wire.reason, "reason")?),
        (Some(rule), true) => Grounds::Rule(figures(rule)?),
        (Some(_), false) => return Err(invalid("reason").into()),
    };
    Ok(Event::ConflictResolved {
        conflict: ConflictId(wire.conflict),
        challenger_wins: wire.challenger_wins,
        grounds,
    })
}

pub(super) fn rescan_to_wire(rescan: &Rescan) -> proto::Rescanned {
    proto::Rescanned {
        module: rescan
            .module
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default(),
        from: rescan.from.0,
        checker: rescan.checker.clone(),
        vocabulary: rescan.vocabulary.0.to_vec(),
        model: rescan
            .model
            .map(|model| model.0.to_vec())
            .unwrap_or_default(),
        compared: rescan.compared,
        opened: rescan.opened,
    }
}

pub(super) fn rescan(wire: proto::Rescanned) -> Decoded<Rescan> {
    Ok(Rescan {
        module: optional(wire.module.as_bytes(), |_| Ok(wire.module.parse()?))?,
        from: Position(wire.from),
        vocabulary: digest(&wire.vocabulary, "vocabulary")?,
        model: optional(&wire.model, |bytes| digest(bytes, "model"))?,
        compared: wire.compared,
        opened: wire.opened,
        checker: wire.checker,
    })
}

pub(super) fn rules_to_wire(
    rules: &ResolutionRules,
    by_address: &BTreeMap<Position, u32>,
    authority: Option<Commitment>,
) -> proto::ResolutionRulesSet {
    let mut of_rank: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    for (position, rank) in by_address {
        of_rank.entry(*rank).or_default().push(position.0);
    }
    let listed = rules.listed.iter();
    proto::ResolutionRulesSet {
        order: rules.order.iter().map(|rule| rule.to_wire()).collect(),
        ranks: rules.ranks,
        listed: listed
            .map(|(source, rank)| proto::RankedSource {
                source: source.0.to_vec(),
                rank: *rank,
            })
            .collect(),
        by_address: of_rank
            .into_iter()
            .map(|(rank, registered)| proto::RankedAddresses { rank, registered })
            .collect(),
        authority: authority.map(bytes).unwrap_or_default(),
    }
}

pub(super) fn rules(wire: &proto::ResolutionRulesSet) -> Decoded<Event> {
    let order = wire
        .order
        .iter()
        .map(|rule| Rule::from_wire(*rule, "order"));
    let listed = wire.listed.iter();
    let listed = listed.map(|it| Ok((digest(&it.source, "listed")?, it.rank)));
    let listed: BTreeMap<_, _> = listed.collect::<Decoded<_>>()?;
    let registered = wire.by_address.iter().flat_map(|it| {
        let positions = it.registered.iter();
        positions.map(|position| (Position(*position), it.rank))
    });
    let event = Event::ResolutionRulesSet {
        rules: ResolutionRules {
            order: order.collect::<Result<_, _>>()?,
            ranks: wire.ranks,
            listed,
        },
        by_address: registered.collect(),
        authority: optional(&wire.authority, |bytes| commitment(bytes, "authority"))?,
    };
    // Lists that are out of order, or say something twice, would be written otherwise.
    match &event {
        Event::ResolutionRulesSet {
            rules,
            by_address,
            authority,
        } if rules_to_wire(rules, by_address, *authority) == *wire => Ok(event),
        _ => Err(invalid("by_address").into()),
    }
}
