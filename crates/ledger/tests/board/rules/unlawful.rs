//! Who sets rules, and what of them `verify` does not take.

use std::collections::BTreeMap;

use pawl_ledger::{
    command::Command,
    decide::Reason,
    event::{Event, Grounds},
    id::ConflictId,
    rule::{Figures, ResolutionRules},
    status::{Measure, Role, Rule, Status},
    verify::verify,
};

use super::{challenge, dated, dispute, ruled, set};
use crate::world::{World, denied, digest, name, owned_by};

#[test]
fn rules_are_an_operators_to_set_and_make_sense() {
    let mut world = World::new();
    for who in ["ann", "vera", "axel", "rita", "aude"] {
        let command = Command::SetResolutionRules {
            rules: ResolutionRules {
                order: vec![Rule::Recency],
                ..ResolutionRules::default()
            },
            by_address: BTreeMap::new(),
            authority: None,
        };
        assert_eq!(denied(world.act(who, command)), Reason::RoleMissing);
    }
    let twice = set(&mut world, &[Rule::Recency, Rule::Recency]);
    assert_eq!(denied(twice), Reason::FieldInvalid);
    let behind = set(&mut world, &[Rule::Arbiter, Rule::Recency]);
    assert_eq!(denied(behind), Reason::FieldInvalid);
    let ranks = |order: Vec<Rule>, ranks| Command::SetResolutionRules {
        rules: ResolutionRules {
            order,
            ranks,
            ..ResolutionRules::default()
        },
        by_address: BTreeMap::new(),
        authority: None,
    };
    let unranked = world.act("olga", ranks(vec![Rule::Authority], 0));
    assert_eq!(denied(unranked), Reason::FieldMissing);
    let unused = world.act("olga", ranks(vec![Rule::Recency], 1));
    assert_eq!(denied(unused), Reason::FieldInvalid);
    let many = world.act("olga", ranks(vec![Rule::Authority], 257));
    assert_eq!(denied(many), Reason::FieldTooLong);
    assert!(set(&mut world, &[]).unwrap().is_empty(), "nothing changes");
}

#[test]
fn a_decision_that_the_rules_do_not_come_to_is_unlawful() {
    let even = Figures {
        measure: Measure::Sources,
        challenger: Some(2),
        standing: Some(1),
    };
    let unruled = World::new();
    let ruled = ruled(&[Rule::FurtherSource]);
    type Change = fn(&mut World);
    let changes: [(World, Change); 3] = [
        (unruled, |_| {}),
        (ruled.clone(), |_| {}),
        (ruled, |world| {
            world.declare("market", owned_by("ann"));
        }),
    ];
    for (place, (mut world, change)) in changes.into_iter().enumerate() {
        let standing = world.accepted("ann", "market");
        change(&mut world);
        let sources: &[u8] = if place == 1 { &[3] } else { &[3, 4] };
        let challenger = challenge(&mut world, "ben", &[standing], (sources, None));
        assert_eq!(world.status(challenger), Status::Contested);
        world.check();
        let position = world.board.position();
        let event = Event::ConflictResolved {
            conflict: ConflictId(1),
            challenger_wins: true,
            grounds: Grounds::Rule(even),
        };
        world.write("ben", event);
        let report = verify(&world.store()).unwrap();
        assert_eq!(report.first_wrong_entry().unwrap().1, position, "{place}");
    }
}

#[test]
fn rules_that_nobody_could_set_are_unlawful() {
    let event =
        |order: &[Rule], ranks, listed: BTreeMap<_, _>, authority| Event::ResolutionRulesSet {
            rules: ResolutionRules {
                order: order.to_vec(),
                ranks,
                listed,
            },
            by_address: BTreeMap::new(),
            authority,
        };
    let mut world = World::new();
    let words = Some(world.says("1"));
    let one = BTreeMap::from([(digest(1), 2)]);
    for (who, event) in [
        ("axel", event(&[Rule::Recency], 0, BTreeMap::new(), None)),
        (
            "olga",
            event(&[Rule::Recency, Rule::Recency], 0, BTreeMap::new(), None),
        ),
        (
            "olga",
            event(&[Rule::Arbiter, Rule::Recency], 0, BTreeMap::new(), None),
        ),
        ("olga", event(&[Rule::Authority], 1, one, words)),
        ("olga", event(&[Rule::Authority], 0, BTreeMap::new(), None)),
    ] {
        let mut world = world.clone();
        let position = world.board.position();
        world.write(who, event);
        let report = verify(&world.store()).unwrap();
        assert_eq!(report.first_wrong_entry().unwrap().1, position, "{report}");
    }
}

#[test]
fn whoever_holds_a_role_only_later_did_not_vouch_before() {
    let mut world = ruled(&[Rule::Recency]);
    dated(&mut world, "olga", 6, 100);
    dated(&mut world, "ben", 7, 101);
    world
        .act("olga", Command::GrantRole(name("ben"), Role::Verifier))
        .unwrap();
    let (_, challenger) = dispute(&mut world, (&[6], None), (&[7], None));
    assert_eq!(world.status(challenger), Status::Contested);
    world.check();
}
