//! What rests on what: lost with its ground, back with it, never in a circle.

use pawl_ledger::{
    command::Command,
    decide::{Denied, Reason},
    event::Event,
    id::RevisionId,
    module::SealMode,
};

use crate::world::{World, denied};

fn infer(world: &mut World, supports: &[RevisionId]) -> RevisionId {
    let proposal = world.inference("market", supports);
    world.accept("ann", proposal)
}

fn reaffirm(
    world: &mut World,
    revision: RevisionId,
    supports: &[RevisionId],
) -> Result<Vec<Event>, Denied> {
    let command = Command::Reaffirm {
        revision,
        supports: supports.to_vec(),
        reason: world.says("still so"),
    };
    world.act("vera", command)
}

#[track_caller]
fn check_lost(world: &World, expected: &[(RevisionId, Option<RevisionId>)]) {
    for (id, cause) in expected {
        assert_eq!(world.state(*id).support_lost, *cause, "{id}");
    }
    world.check();
}

#[test]
fn a_chain_is_lost_from_its_root_and_names_it() {
    let mut world = World::new();
    let root = world.accepted("ann", "market");
    let one = infer(&mut world, &[root]);
    let two = infer(&mut world, &[one]);
    let three = infer(&mut world, &[two]);
    check_lost(&world, &[(one, None), (three, None)]);
    world.retract("ann", root).unwrap();
    check_lost(
        &world,
        &[(one, Some(root)), (two, Some(root)), (three, Some(root))],
    );
    assert_eq!(world.board.support_lost_count(), 3);
}

#[test]
fn a_diamond_is_lost_once_and_comes_back_only_when_both_sides_do() {
    let mut world = World::new();
    let (left, right) = (
        world.accepted("ann", "market"),
        world.accepted("ann", "market"),
    );
    let (over_left, over_right) = (infer(&mut world, &[left]), infer(&mut world, &[right]));
    let top = infer(&mut world, &[over_left, over_right]);
    world.retract("ann", right).unwrap();
    check_lost(
        &world,
        &[
            (over_left, None),
            (over_right, Some(right)),
            (top, Some(right)),
        ],
    );
    world.retract("ann", left).unwrap();
    check_lost(&world, &[(top, Some(left))]);
    let fresh = world.accepted("ann", "market");
    reaffirm(&mut world, over_left, &[fresh]).unwrap();
    check_lost(&world, &[(over_left, None), (top, Some(right))]);
    reaffirm(&mut world, over_right, &[fresh]).unwrap();
    check_lost(&world, &[(over_right, None), (top, None)]);
}

#[test]
fn a_revised_support_is_lost_and_its_successor_reaffirms() {
    let mut world = World::new();
    let root = world.accepted("ann", "market");
    let dependent = infer(&mut world, &[root]);
    let above = infer(&mut world, &[dependent]);
    let mut proposal = world.statement("market");
    proposal.replaces = Some(root);
    let successor = world.accept("ann", proposal);
    check_lost(&world, &[(dependent, Some(root)), (above, Some(root))]);
    reaffirm(&mut world, dependent, &[]).unwrap();
    assert_eq!(world.state(dependent).supports, [successor]);
    check_lost(&world, &[(dependent, None), (above, None)]);
    world.retract("ann", successor).unwrap();
    check_lost(&world, &[(above, Some(successor))]);
}

#[test]
fn what_rests_on_a_challenger_is_lost_until_the_challenger_stands() {
    let mut world = World::new();
    let standing = world.accepted("ben", "market");
    let (challenger, conflict) = world.contested("ann", standing);
    let resting = infer(&mut world, &[challenger]);
    check_lost(&world, &[(resting, Some(challenger))]);
    world.dismiss("axel", conflict).unwrap();
    check_lost(&world, &[(resting, None)]);
}

#[test]
fn an_amended_support_marks_even_what_is_locked() {
    let mut world = World::new();
    let root = world.locked("market", SealMode::Hard);
    let resting = infer(&mut world, &[root]);
    world.validate(resting);
    world
        .seal_only("axel", "market", Some(resting), SealMode::Hard)
        .unwrap();
    let amended = world.amend("axel", root).unwrap();
    check_lost(&world, &[(resting, Some(root))]);
    reaffirm(&mut world, resting, &[]).unwrap();
    assert_eq!(world.state(resting).supports, [amended]);
    check_lost(&world, &[(resting, None)]);
}

#[test]
fn circles_are_refused() {
    let mut world = World::new();
    let root = world.accepted("ann", "market");
    let one = infer(&mut world, &[root]);
    let two = infer(&mut world, &[one]);
    let mut proposal = world.inference("market", &[two]);
    proposal.replaces = Some(root);
    assert_eq!(denied(world.submit("ann", proposal)), Reason::SupportCycle);
    world.retract("ann", root).unwrap();
    let other = infer_lost(&mut world, two);
    let fresh = world.accepted("ann", "market");
    reaffirm(&mut world, one, &[fresh]).unwrap();
    world.retract("ann", fresh).unwrap();
    for support in [one, two, other] {
        let reason = denied(reaffirm(&mut world, one, &[support]));
        assert!(matches!(
            reason,
            Reason::SupportCycle | Reason::SupportNotStanding
        ));
    }
    world.check();
}

fn infer_lost(world: &mut World, support: RevisionId) -> RevisionId {
    infer(world, &[support])
}

#[test]
fn an_amendment_does_not_rest_on_what_rests_on_the_amended() {
    let mut world = World::new();
    let root = world.locked("market", SealMode::Hard);
    let one = infer(&mut world, &[root]);
    for support in [root, one] {
        let proposal = world.inference("market", &[support]);
        let result = world.amend_with("axel", root, proposal);
        assert_eq!(denied(result), Reason::SupportNotStanding);
    }
}

#[test]
fn a_support_that_ended_supports_nothing_new() {
    let mut world = World::new();
    let root = world.accepted("ann", "market");
    world.retract("ann", root).unwrap();
    let proposal = world.inference("market", &[root]);
    assert_eq!(
        denied(world.submit("ann", proposal)),
        Reason::SupportNotStanding
    );
    let mut proposal = world.inference("market", &[root]);
    proposal.base = Some(world.state(root).position);
    assert_eq!(denied(world.submit("ben", proposal)), Reason::StaleBase);
}

#[test]
fn an_inference_names_its_supports_and_a_statement_its_source() {
    let mut world = World::new();
    let proposal = world.inference("market", &[]);
    assert_eq!(
        denied(world.submit("ann", proposal)),
        Reason::SupportMissing
    );
    let mut proposal = world.statement("market");
    proposal.citations.clear();
    assert_eq!(
        denied(world.submit("ann", proposal)),
        Reason::CitationMissing
    );
}

#[test]
fn a_chain_of_ten_thousand_is_lost_without_a_deep_stack() {
    let mut world = World::new();
    let root = world.accepted("ann", "market");
    let mut last = root;
    for _ in 0..10_000 {
        last = infer(&mut world, &[last]);
    }
    world.retract("ann", root).unwrap();
    assert_eq!(world.state(last).support_lost, Some(root));
}
