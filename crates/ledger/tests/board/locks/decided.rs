//! What a decision about a conflict may do to what is locked.

use pawl_ledger::{
    decide::Reason, event::Event, evolve::lock_mode, finding::FindingKind, module::SealMode,
    status::Status,
};

use super::replaces_what_was_sealed;
use crate::world::{World, denied, owned_by};

#[test]
fn an_arbiter_s_word_for_a_challenger_is_an_amendment() {
    let mut world = World::new();
    let old = world.locked("market", SealMode::Hard);
    let (challenger, conflict) = world.contested("ben", old);
    let (other, _) = world.contested("art", old);
    let events = world.resolve("axel", conflict, challenger).unwrap();
    assert!(
        events
            .iter()
            .any(|event| matches!(event, Event::Amended { .. }))
    );
    assert_eq!(
        (world.status(old), world.status(challenger)),
        (Status::Superseded, Status::Locked)
    );
    assert_eq!(world.status(other), Status::Contested);
    world.check();
}

#[test]
fn a_challenger_of_another_module_is_locked_in_its_own() {
    for (mode, depends) in [(SealMode::Hard, true), (SealMode::Soft, false)] {
        let mut world = World::new();
        if !depends {
            world.declare("outlook", Default::default());
        }
        let (old, stays) = (world.locked("market", mode), world.locked("market", mode));
        let proposal = world.against("outlook", &[(old, FindingKind::Opposite)]);
        let decision = world.submit("ben", proposal).unwrap();
        let new = decision.revision.unwrap();
        world.resolve("axel", decision.conflicts[0], new).unwrap();
        assert_eq!(
            (world.status(old), world.status(new)),
            (Status::Superseded, Status::Locked)
        );
        assert_eq!(lock_mode(&world.board, new), Some(mode));
        let members = |module: &str| {
            let current = world.board.modules[&module.parse().unwrap()]
                .current
                .unwrap();
            world.board.snapshots.get(&current).unwrap().members.clone()
        };
        assert_eq!(
            (members("market"), members("outlook")),
            (vec![stays], vec![new])
        );
        world.check();
    }
}

#[test]
fn a_winner_that_is_locked_ends_what_it_replaces() {
    let mut world = World::new();
    let locked = world.locked("market", SealMode::Hard);
    let own = world.accepted("ben", "market");
    let mut proposal = world.against("market", &[(locked, FindingKind::Opposite)]);
    proposal.replaces = Some(own);
    let decision = world.submit("ben", proposal).unwrap();
    let new = decision.revision.unwrap();
    world.resolve("axel", decision.conflicts[0], new).unwrap();
    assert_eq!(
        (world.status(own), world.status(new)),
        (Status::Superseded, Status::Locked)
    );
    world.check();
}

#[test]
fn a_winner_of_one_lock_with_other_conflicts_waits() {
    let mut world = World::new();
    let (one, two) = (
        world.locked("market", SealMode::Hard),
        world.accepted("ann", "market"),
    );
    let findings = [(one, FindingKind::Opposite), (two, FindingKind::Opposite)];
    let proposal = world.against("market", &findings);
    let decision = world.submit("ben", proposal).unwrap();
    let new = decision.revision.unwrap();
    assert_eq!(
        denied(world.resolve("axel", decision.conflicts[0], new)),
        Reason::TransitionIllegal
    );
}

#[test]
fn what_was_locked_meanwhile_is_not_replaced_by_a_decision_about_something_else() {
    let mut world = World::new();
    let (old, new, _) = replaces_what_was_sealed(&mut world);
    let conflict = world.state(new).conflicts[0];
    assert_eq!(denied(world.resolve("axel", conflict, new)), Reason::Locked);
    assert_eq!(denied(world.dismiss("axel", conflict)), Reason::Locked);
    assert_eq!(world.status(old), Status::Locked);
    world.check();
}

#[test]
fn what_was_locked_meanwhile_is_not_replaced_by_itself_either() {
    let mut world = World::new();
    let (old, new, other) = replaces_what_was_sealed(&mut world);
    world.retract("ben", other).unwrap();
    assert_eq!(
        (world.status(old), world.status(new)),
        (Status::Locked, Status::Rejected)
    );
    world.check();
}

#[test]
fn an_owner_does_not_let_a_replacement_past_a_lock() {
    let mut world = World::new();
    world.declare("own", owned_by("ann"));
    let old = world.accepted("ann", "own");
    world.declare("own", owned_by("ben"));
    let mut proposal = world.statement("own");
    proposal.replaces = Some(old);
    let decision = world.submit("ann", proposal).unwrap();
    world.validate(old);
    world
        .seal_only("axel", "own", Some(old), SealMode::Hard)
        .unwrap();
    let (new, conflict) = (decision.revision.unwrap(), decision.conflicts[0]);
    assert_eq!(denied(world.resolve("ben", conflict, new)), Reason::Locked);
    assert_eq!(denied(world.dismiss("ben", conflict)), Reason::Locked);
    world.check();
}
