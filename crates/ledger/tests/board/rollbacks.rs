//! A module goes back to an earlier snapshot: what is locked then, what ends, what is in between.

use pawl_ledger::{
    command::{Command, PairFinding},
    decide::{Reason, rollback_plan},
    digest::Digest,
    event::{Challenger, Event},
    evolve::lock_mode,
    finding::{FindingKind, Score},
    id::RevisionId,
    module::SealMode,
    snapshot::SnapshotCause,
    status::{ConflictState, Status},
};

use crate::world::{World, denied, lax, name, with_policy};

fn snapshot_of(world: &World, revision: RevisionId) -> Digest {
    world.state(revision).snapshot.unwrap()
}

/// A locked revision that was amended, and the snapshot from before that.
fn amended(world: &mut World) -> (RevisionId, RevisionId, Digest) {
    let old = world.locked("market", SealMode::Hard);
    let before = snapshot_of(world, old);
    let new = world.amend("axel", old).unwrap();
    (old, new, before)
}

#[test]
fn an_amendment_is_taken_back_and_stays_in_the_log() {
    let mut world = World::new();
    let (old, new, before) = amended(&mut world);
    let last = world.board.modules[&name("market")].current.unwrap();
    let entries = world.log.len();
    world.rollback("axel", "market", before).unwrap();
    assert_eq!(
        [world.status(old), world.status(new)],
        [Status::Locked, Status::RolledBack]
    );
    assert_eq!(world.state(new).replaced_by, Some(old));
    assert_eq!(world.state(old).replaced_by, None);
    assert_eq!(world.log.len(), entries + 2);
    let current = world.board.modules[&name("market")].current.unwrap();
    let node = world.board.snapshots.get(&current).unwrap();
    assert_eq!(node.members, [old]);
    assert_eq!(node.snapshot.cause, SnapshotCause::Rollback);
    assert_eq!(node.snapshot.parents, [last, before]);
    let amendment = world.board.snapshots.get(&last).unwrap();
    assert_eq!(amendment.members, [new], "what came after stays readable");
    world.check();
}

#[test]
fn a_rollback_is_taken_back_too() {
    let mut world = World::new();
    let (old, new, before) = amended(&mut world);
    let after = snapshot_of(&world, new);
    for _ in 0..3 {
        world.rollback("axel", "market", before).unwrap();
        assert_eq!(world.status(old), Status::Locked);
        world.rollback("axel", "market", after).unwrap();
        assert_eq!(world.status(new), Status::Locked);
        assert_eq!(world.state(old).replaced_by, Some(new));
        world.check();
    }
}

#[test]
fn what_was_sealed_since_leaves_force_and_what_is_only_proposed_stays() {
    let mut world = World::new();
    let first = world.locked("market", SealMode::Hard);
    let to = snapshot_of(&world, first);
    let second = world.locked("market", SealMode::Hard);
    let proposed = world.accepted("ann", "market");
    world.rollback("axel", "market", to).unwrap();
    let statuses = [first, second, proposed].map(|id| world.status(id));
    assert_eq!(
        statuses,
        [Status::Locked, Status::RolledBack, Status::Proposed]
    );
    assert_eq!(world.state(second).replaced_by, None);
    let mut again = world.statement("market");
    again.replaces = Some(second);
    assert_eq!(
        denied(world.submit("ann", again)),
        Reason::TransitionIllegal,
        "what was rolled back is not revised"
    );
    world.accepted("ann", "market");
    world.check();
}

#[test]
fn what_rests_on_it_loses_and_regains_its_support() {
    let mut world = World::new();
    let (old, new, before) = amended(&mut world);
    let after = snapshot_of(&world, new);
    let on_new = world.inference("outlook", &[new]);
    let on_new = world.accept("ann", on_new);
    let above = world.inference("outlook", &[on_new]);
    let above = world.accept("ann", above);
    let plan = rollback_plan(
        &world.board,
        &world.context("axel"),
        &name("market"),
        &before,
    )
    .unwrap();
    assert_eq!(plan.support_lost, [on_new, above].into());
    world.rollback("axel", "market", before).unwrap();
    assert_eq!(world.state(above).support_lost, Some(new));
    let plan = rollback_plan(
        &world.board,
        &world.context("axel"),
        &name("market"),
        &after,
    )
    .unwrap();
    assert_eq!(plan.support_back, [on_new, above].into());
    world.rollback("axel", "market", after).unwrap();
    assert_eq!(world.state(above).support_lost, None);

    world.rollback("axel", "market", before).unwrap();
    let command = Command::Reaffirm {
        revision: on_new,
        supports: Vec::new(),
        reason: world.says("it holds with the older figure too"),
    };
    world.act("vera", command).unwrap();
    assert_eq!(world.state(on_new).supports, [old], "the successor");
    world.check();
}

#[test]
fn what_is_locked_again_may_have_lost_a_support_meanwhile() {
    let mut world = World::new();
    let support = world.accepted("ann", "outlook");
    let inference = world.inference("market", &[support]);
    let inference = world.accept("ann", inference);
    world.validate(inference);
    let to = world
        .seal_only("axel", "market", Some(inference), SealMode::Hard)
        .unwrap();
    world.amend("axel", inference).unwrap();
    world.retract("ann", support).unwrap();
    let context = world.context("axel");
    let plan = rollback_plan(&world.board, &context, &name("market"), &to).unwrap();
    assert_eq!(plan.support_lost, [inference].into());
    world.rollback("axel", "market", to).unwrap();
    assert_eq!(world.state(inference).support_lost, Some(support));
    world.check();
}

#[test]
fn a_challenger_is_turned_against_what_takes_the_place_again() {
    let mut world = World::new();
    let (old, new, before) = amended(&mut world);
    let (challenger, conflict) = world.contested("ben", new);
    let events = world.rollback("axel", "market", before).unwrap();
    assert!(matches!(
        events.first(),
        Some(Event::ConflictOpened { challenger: Challenger::Revision(it), standing: Some(standing), .. })
            if *it == challenger && *standing == old
    ));
    assert_eq!(world.status(challenger), Status::Contested);
    let ended = world.board.conflict(conflict).unwrap();
    assert_eq!(ended.state, ConflictState::Resolved);
    assert_eq!(world.state(old).challenged, 1);
    world.check();
}

#[test]
fn a_challenger_of_what_just_leaves_stands() {
    let mut world = World::new();
    let first = world.locked("market", SealMode::Hard);
    let to = snapshot_of(&world, first);
    let second = world.locked("market", SealMode::Hard);
    let (challenger, _) = world.contested("ben", second);
    world.rollback("axel", "market", to).unwrap();
    assert_eq!(world.status(challenger), Status::Proposed);
    world.check();
}

#[test]
fn what_stands_in_its_place_meanwhile_ends() {
    let mut world = World::new();
    let first = world.locked("market", SealMode::Hard);
    let without = snapshot_of(&world, first);
    let revised = world.accepted("ann", "market");
    let mut proposal = world.statement("market");
    proposal.replaces = Some(revised);
    let successor = world.submit("ben", proposal).unwrap().revision.unwrap();
    assert_eq!(world.status(successor), Status::Contested);
    world.validate(revised);
    let with = world
        .seal_only("axel", "market", Some(revised), SealMode::Hard)
        .unwrap();

    world.rollback("axel", "market", without).unwrap();
    assert_eq!(world.status(successor), Status::Proposed);
    world.rollback("axel", "market", with).unwrap();
    assert_eq!(
        [world.status(revised), world.status(successor)],
        [Status::Locked, Status::Superseded]
    );
    assert_eq!(world.state(successor).replaced_by, Some(revised));
    world.check();
}

#[test]
fn an_exact_contradiction_with_another_module_keeps_it_from_happening() {
    let mut world = World::new();
    let (old, _, before) = amended(&mut world);
    let elsewhere = world.locked("outlook", SealMode::Hard);
    let proposed = world.accepted("ann", "outlook");
    let finding = |standing, kind| {
        let score = Score::MAX;
        vec![(
            old,
            PairFinding {
                standing,
                kind,
                score,
            },
        )]
    };
    let unchanged = world.board.clone();
    let exact = finding(elsewhere, FindingKind::ClaimKey);
    let refused = world
        .rollback_with("axel", "market", before, exact)
        .unwrap_err();
    assert_eq!(refused.reason, Reason::ContradictsLocked);
    assert!(
        refused.message.contains(&format!("`{old}`")),
        "{}",
        refused.message
    );
    assert!(unchanged == world.board);
    for harmless in [
        finding(elsewhere, FindingKind::Opposite),
        finding(proposed, FindingKind::ClaimKey),
    ] {
        let mut world = world.clone();
        world
            .rollback_with("axel", "market", before, harmless)
            .unwrap();
        world.check();
    }
}

#[test]
fn a_snapshot_to_go_back_to_is_one_of_the_module_that_holds_something_else() {
    let mut world = World::new();
    let (_, new, _) = amended(&mut world);
    let elsewhere = world.locked("outlook", SealMode::Hard);
    let (of_other, current) = (snapshot_of(&world, elsewhere), snapshot_of(&world, new));
    let check = |world: &mut World, module: &str, to, reason| {
        assert_eq!(denied(world.rollback("axel", module, to)), reason);
    };
    check(&mut world, "market", of_other, Reason::FieldInvalid);
    check(&mut world, "market", current, Reason::NothingToRollBack);
    check(
        &mut world,
        "market",
        Digest::of(b"no"),
        Reason::SnapshotUnknown,
    );
    check(&mut world, "nowhere", current, Reason::ModuleUnknown);
    world.check();
}

#[test]
fn locks_are_as_firm_as_they_were_last() {
    let mut world = World::new();
    let soft = world.locked("market", SealMode::Soft);
    let to = snapshot_of(&world, soft);
    world.amend("axel", soft).unwrap();
    world.rollback("axel", "market", to).unwrap();
    assert_eq!(lock_mode(&world.board, soft), Some(SealMode::Soft));
    world
        .seal_only("axel", "market", Some(soft), SealMode::Hard)
        .unwrap();
    world.amend("axel", soft).unwrap();
    world.rollback("axel", "market", to).unwrap();
    assert_eq!(
        lock_mode(&world.board, soft),
        Some(SealMode::Hard),
        "going back weakens no lock"
    );
    world.check();
}

#[test]
fn who_had_read_up_to_before_it_is_told() {
    let mut world = World::new();
    let first = world.locked("market", SealMode::Hard);
    let to = snapshot_of(&world, first);
    let second = world.locked("market", SealMode::Hard);
    let base = world.board.position();
    world.rollback("axel", "market", to).unwrap();
    let mut proposal = world.statement("market");
    proposal.base = Some(base);
    let refused = world.submit("ann", proposal.clone()).unwrap_err();
    assert_eq!(refused.reason, Reason::StaleBase);
    assert!(
        refused.metadata.contains(&("missed", second.to_string())),
        "{:?}",
        refused.metadata
    );
    proposal.base = Some(world.board.position());
    world.accept("ann", proposal);
    world.check();
}

#[test]
fn an_automatic_seal_takes_in_only_what_is_proposed() {
    let mut world = World::new();
    let first = world.locked("market", SealMode::Hard);
    let to = snapshot_of(&world, first);
    let second = world.locked("market", SealMode::Hard);
    let policy = pawl_ledger::module::SealPolicy {
        automatic: Some(SealMode::Soft),
        ..lax()
    };
    world.declare("market", with_policy(policy));
    world.rollback("axel", "market", to).unwrap();
    assert_eq!(world.status(second), Status::RolledBack);
    let later = world.accepted("ann", "market");
    assert_eq!(world.status(later), Status::Locked);
    assert_eq!(world.status(second), Status::RolledBack);
    world.check();
}
