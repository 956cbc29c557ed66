//! When a module may be sealed: each condition fails alone, and names what it failed on.

use pawl_ledger::{
    command::Command,
    decide::{Denied, Reason},
    event::ModuleDeclaration,
    finding::Score,
    module::{SealMode, SealPolicy},
    snapshot::SnapshotCause,
    status::Status,
};

use crate::world::{World, denied, lax, name, with_policy};

/// Checks that a seal is refused for one condition alone, on these members or figures.
#[track_caller]
fn check_fails(world: &mut World, condition: &'static str, on: &str) {
    let denied: Denied = world.seal("axel", "market", SealMode::Hard).unwrap_err();
    assert_eq!(denied.reason, Reason::SealConditions);
    let failed = [("module", "market".to_owned()), (condition, on.to_owned())];
    assert_eq!(denied.metadata, failed, "{denied}");
    assert!(denied.message.contains(on), "{denied}");
}

#[test]
fn every_member_is_validated() {
    let mut world = World::new();
    let policy = SealPolicy {
        validated: true,
        ..lax()
    };
    world.declare("market", with_policy(policy));
    let (one, two) = (
        world.accepted("ann", "market"),
        world.accepted("ann", "market"),
    );
    let denied = world.seal("axel", "market", SealMode::Hard).unwrap_err();
    let both = format!("policy: not validated: {one}, {two}");
    assert!(denied.message.ends_with(&both), "{denied}");
    world.validate(one);
    check_fails(&mut world, "validated", &two.to_string());
    world.validate(two);
    world.seal("axel", "market", SealMode::Hard).unwrap();
    world.check();
}

#[test]
fn every_member_is_sure_enough() {
    let mut world = World::new();
    let policy = SealPolicy {
        confidence: Score::clamped(9_000),
        ..lax()
    };
    world.declare("market", with_policy(policy));
    let mut proposal = world.statement("market");
    proposal.confidence = Score::clamped(8_999);
    let unsure = world.accept("ann", proposal);
    world.accepted("ann", "market");
    check_fails(&mut world, "confidence", &unsure.to_string());
    let mut proposal = world.statement("market");
    (proposal.replaces, proposal.confidence) = (Some(unsure), Score::clamped(9_000));
    world.accept("ann", proposal);
    world.seal("axel", "market", SealMode::Hard).unwrap();
    world.check();
}

#[test]
fn no_member_lost_a_support() {
    let mut world = World::new();
    world.declare("market", with_policy(lax()));
    let root = world.accepted("ann", "outlook");
    let inference = world.inference("market", &[root]);
    let resting = world.accept("ann", inference);
    world.retract("ann", root).unwrap();
    check_fails(&mut world, "support_lost", &resting.to_string());
}

#[test]
fn what_is_expected_is_there() {
    let mut world = World::new();
    let (revenue, margin) = (world.attribute("revenue"), world.attribute("margin"));
    let declaration = ModuleDeclaration {
        expected: vec![revenue.clone(), margin.clone()],
        policy: SealPolicy {
            completeness: Score::clamped(8_000),
            ..lax()
        },
        ..ModuleDeclaration::default()
    };
    world.declare("market", declaration);
    let mut proposal = world.statement("market");
    proposal.attribute = Some(revenue);
    world.accept("ann", proposal);
    check_fails(&mut world, "completeness", "margin");
    let mut proposal = world.statement("market");
    proposal.attribute = Some(margin);
    world.accept("ann", proposal);
    let id = world.seal("axel", "market", SealMode::Hard).unwrap();
    let figures = world.board.snapshots.get(&id).unwrap().snapshot.figures;
    assert_eq!((figures.members, figures.completeness), (2, Score::MAX));
    world.check();
}

#[test]
fn the_module_has_come_to_rest() {
    let mut world = World::new();
    let policy = SealPolicy {
        stable_submissions: 2,
        stable_seconds: 0,
        ..lax()
    };
    world.declare("market", with_policy(policy));
    world.accepted("ann", "market");
    world.accepted("ann", "outlook");
    check_fails(&mut world, "stable_submissions", "1");
    world.accepted("ann", "outlook");
    world.seal("axel", "market", SealMode::Hard).unwrap();
    world.check();

    let mut world = World::new();
    let policy = SealPolicy {
        stable_seconds: 60,
        ..lax()
    };
    world.declare("market", with_policy(policy));
    world.accepted("ann", "market");
    world.now += 59_999;
    check_fails(&mut world, "stable_seconds", "59");
    world.now += 1;
    world.seal("axel", "market", SealMode::Hard).unwrap();
    world.check();
}

#[test]
fn all_that_fails_is_said_at_once() {
    let mut world = World::new();
    let id = world.accepted("ann", "market");
    let revenue = world.attribute("revenue");
    let declaration = ModuleDeclaration {
        expected: vec![revenue],
        policy: SealPolicy {
            stable_seconds: 5,
            ..SealPolicy::default()
        },
        ..ModuleDeclaration::default()
    };
    world.declare("market", declaration);
    let denied = world.seal("axel", "market", SealMode::Hard).unwrap_err();
    let names: Vec<&str> = denied.metadata.iter().map(|(name, _)| *name).collect();
    assert_eq!(
        names,
        [
            "module",
            "validated",
            "not_compared",
            "completeness",
            "stable_seconds"
        ]
    );
    assert!(denied.message.contains(&id.to_string()));
}

#[test]
fn challengers_are_left_out_and_counted() {
    let mut world = World::new();
    let standing = world.accepted("ben", "market");
    world.validate(standing);
    let (challenger, _) = world.contested("ann", standing);
    let id = world.seal("axel", "market", SealMode::Hard).unwrap();
    let node = world.board.snapshots.get(&id).unwrap();
    assert_eq!(node.members, [standing]);
    assert_eq!(node.snapshot.figures.challengers_left_out, 1);
    assert_eq!(world.status(challenger), Status::Contested);
    world.check();
}

#[test]
fn one_revision_is_sealed_alone() {
    let mut world = World::new();
    let (one, two) = (
        world.accepted("ann", "market"),
        world.accepted("ann", "market"),
    );
    world.validate(one);
    let id = world
        .seal_only("axel", "market", Some(one), SealMode::Hard)
        .unwrap();
    assert_eq!(world.board.snapshots.get(&id).unwrap().members, [one]);
    assert_eq!(
        (world.status(one), world.status(two)),
        (Status::Locked, Status::Proposed)
    );
    let result = world.seal_only("axel", "outlook", Some(two), SealMode::Hard);
    assert_eq!(denied(result), Reason::TransitionIllegal);
    world.check();
}

#[test]
fn a_second_seal_holds_the_first_and_names_it_as_parent() {
    let mut world = World::new();
    let one = world.locked("market", SealMode::Hard);
    let first = world.state(one).snapshot.unwrap();
    assert_eq!(
        denied(world.seal("axel", "market", SealMode::Hard)),
        Reason::NothingToSeal
    );
    let two = world.accepted("ann", "market");
    world.validate(two);
    let second = world.seal("axel", "market", SealMode::Hard).unwrap();
    let node = world.board.snapshots.get(&second).unwrap();
    assert_eq!(node.members, [one, two]);
    assert_eq!(node.snapshot.parents, [first]);
    world.check();
}

#[test]
fn a_seal_names_what_its_module_builds_on() {
    let mut world = World::new();
    let ground = world.locked("market", SealMode::Hard);
    let above = world.locked("outlook", SealMode::Hard);
    let snapshot = |id| world.state(id).snapshot.unwrap();
    let (ground, above) = (snapshot(ground), snapshot(above));
    assert_eq!(world.board.snapshots.ancestors(&above), [ground]);
    assert_eq!(world.board.snapshots.descendants(&ground), [above]);
    world.check();
}

#[test]
fn a_seal_can_harden_but_not_soften() {
    let mut world = World::new();
    let id = world.locked("market", SealMode::Soft);
    world.seal("axel", "market", SealMode::Hard).unwrap();
    assert_eq!(
        pawl_ledger::evolve::lock_mode(&world.board, id),
        Some(SealMode::Hard)
    );
    let other = world.accepted("ann", "market");
    world.validate(other);
    world.seal("axel", "market", SealMode::Soft).unwrap();
    let mode = |id| pawl_ledger::evolve::lock_mode(&world.board, id);
    assert_eq!(
        (mode(id), mode(other)),
        (Some(SealMode::Hard), Some(SealMode::Soft))
    );
    world.check();
}

#[test]
fn a_policy_seals_by_itself_and_softly_unless_it_says_hard() {
    for mode in [SealMode::Soft, SealMode::Hard] {
        let mut world = World::new();
        let policy = SealPolicy {
            validated: true,
            automatic: Some(mode),
            ..lax()
        };
        world.declare("market", with_policy(policy));
        let id = world.accepted("ann", "market");
        assert_eq!(world.status(id), Status::Proposed);
        world.validate(id);
        assert_eq!(world.status(id), Status::Locked);
        assert_eq!(pawl_ledger::evolve::lock_mode(&world.board, id), Some(mode));
        let count = world.board.snapshots.iter().count();
        world.accepted("ann", "outlook");
        assert_eq!(world.board.snapshots.iter().count(), count, "sealed again");
        world.check();
    }
}

#[test]
fn owners_seal_their_module_and_confidence_alone_seals_nothing() {
    let mut world = World::new();
    world.declare("own", crate::world::owned_by("ben"));
    let id = world.accepted("ben", "own");
    assert_eq!(
        denied(world.seal("ben", "own", SealMode::Hard)),
        Reason::SealConditions
    );
    world.validate(id);
    assert_eq!(
        denied(world.seal("ann", "own", SealMode::Hard)),
        Reason::RoleMissing
    );
    world.seal("ben", "own", SealMode::Hard).unwrap();
    assert_eq!(
        world.board.snapshots.iter().next().unwrap().snapshot.cause,
        SnapshotCause::Seal
    );
    world.check();
}

#[test]
fn nothing_and_nowhere_are_not_sealed() {
    let mut world = World::new();
    assert_eq!(
        denied(world.seal("axel", "market", SealMode::Hard)),
        Reason::NothingToSeal
    );
    let command = Command::Seal {
        module: name("none"),
        only: None,
        mode: SealMode::Hard,
    };
    assert_eq!(denied(world.act("axel", command)), Reason::ModuleUnknown);
}
