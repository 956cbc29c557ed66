//! Past a lock there are an amendment and nothing else.

mod decided;
mod soft;

use pawl_ledger::{
    command::Command,
    decide::Reason,
    evolve::lock_mode,
    finding::FindingKind,
    id::RevisionId,
    module::SealMode,
    snapshot::SnapshotCause,
    status::{QuoteCheck, Status, Verdict},
};

use crate::world::{World, denied, lax, with_policy};

/// Ann's `a@2` waits in quarantine for another reason, while `a@1` is sealed.
fn replaces_what_was_sealed(world: &mut World) -> (RevisionId, RevisionId, RevisionId) {
    let other = world.accepted("ben", "market");
    let old = world.accepted("ann", "market");
    let mut proposal = world.against("market", &[(other, FindingKind::Opposite)]);
    proposal.replaces = Some(old);
    let new = world.submit("ann", proposal).unwrap().revision.unwrap();
    world.validate(old);
    world
        .seal_only("axel", "market", Some(old), SealMode::Hard)
        .unwrap();
    (old, new, other)
}

#[test]
fn every_way_around_a_lock_is_refused() {
    let mut world = World::new();
    let id = world.locked("market", SealMode::Hard);
    let before = world.board.clone();

    let mut proposal = world.statement("market");
    proposal.replaces = Some(id);
    assert_eq!(
        denied(world.submit("ann", proposal.clone())),
        Reason::Locked,
        "revise one's own"
    );
    assert_eq!(
        denied(world.submit("ben", proposal.clone())),
        Reason::Locked,
        "revise another's"
    );
    proposal.module = "outlook".parse().unwrap();
    assert_eq!(
        denied(world.submit("ann", proposal)),
        Reason::FieldInvalid,
        "move it"
    );
    assert_eq!(denied(world.retract("ann", id)), Reason::Locked, "retract");
    let evidence = vec![world.cites(2, QuoteCheck::Exact)];
    let command = Command::Validate {
        revision: id,
        evidence,
    };
    assert_eq!(
        denied(world.act("vera", command)),
        Reason::TransitionIllegal,
        "validate"
    );
    let result = world.seal_only("axel", "market", Some(id), SealMode::Soft);
    assert_eq!(denied(result), Reason::NothingToSeal, "soften");
    assert_eq!(
        denied(world.amend("ann", id)),
        Reason::RoleMissing,
        "amend without the right"
    );
    assert!(before == world.board);

    let proposal = world.against("outlook", &[(id, FindingKind::ClaimKey)]);
    let verdict = world.submit("ann", proposal).unwrap().verdict;
    assert_eq!(verdict, Verdict::Refused, "the same key elsewhere");
    assert_eq!(world.status(id), Status::Locked);
    world.check();
}

#[test]
fn a_seal_of_one_more_keeps_all_that_was_locked() {
    let mut world = World::new();
    let one = world.locked("market", SealMode::Hard);
    let two = world.locked("market", SealMode::Hard);
    let last = world.state(two).snapshot.unwrap();
    assert_eq!(
        world.board.snapshots.get(&last).unwrap().members,
        [one, two]
    );
    world.check();
}

#[test]
fn an_amendment_is_a_snapshot_with_the_old_as_parent() {
    let mut world = World::new();
    let (one, two) = (
        world.locked("market", SealMode::Hard),
        world.locked("market", SealMode::Hard),
    );
    let before = world.state(two).snapshot.unwrap();
    let new = world.amend("axel", one).unwrap();
    let node = world.board.snapshots.iter().next_back().unwrap();
    assert_eq!(node.members, [new, two]);
    assert_eq!(node.snapshot.parents, [before]);
    assert_eq!(node.snapshot.cause, SnapshotCause::Amendment);
    assert_eq!(
        (world.status(one), world.status(new)),
        (Status::Superseded, Status::Locked)
    );
    assert_eq!(world.state(one).replaced_by, Some(new));
    assert_eq!(world.board.count(Status::Locked), 2);
    world.check();
}

#[test]
fn an_amendment_of_a_soft_lock_is_soft() {
    for mode in [SealMode::Soft, SealMode::Hard] {
        let mut world = World::new();
        let old = world.locked("market", mode);
        let new = world.amend("axel", old).unwrap();
        assert_eq!(lock_mode(&world.board, new), Some(mode));
        let snapshot = world.state(new).snapshot.unwrap();
        assert_eq!(world.board.snapshots.get(&snapshot).unwrap().members, [new]);
        world.check();
    }
}

#[test]
fn an_amendment_contradicts_nothing_else_that_is_locked() {
    let mut world = World::new();
    let (one, two) = (
        world.locked("market", SealMode::Hard),
        world.locked("market", SealMode::Soft),
    );
    let proposal = world.against("market", &[(two, FindingKind::Quantity)]);
    assert_eq!(
        denied(world.amend_with("axel", one, proposal)),
        Reason::ContradictsLocked
    );
    let proposal = world.against("market", &[(one, FindingKind::Quantity)]);
    world.amend_with("axel", one, proposal).unwrap();
    world.check();
}

#[test]
fn a_challenger_of_an_amended_fact_stays_in_quarantine() {
    let mut world = World::new();
    let old = world.locked("market", SealMode::Hard);
    let (challenger, _) = world.contested("ben", old);
    let new = world.amend("axel", old).unwrap();
    assert_eq!(world.status(challenger), Status::Contested);
    assert_eq!(world.state(new).challenged, 1);
    world.check();
}

#[test]
fn a_write_to_a_module_sealed_since_its_base_is_stale() {
    let mut world = World::new();
    let base = world.board.position();
    let locked = world.locked("market", SealMode::Hard);
    let mut proposal = world.statement("market");
    proposal.base = Some(base);
    let denied = world.submit("ben", proposal).unwrap_err();
    assert_eq!(denied.reason, Reason::StaleBase);
    assert!(denied.metadata.contains(&("missed", locked.to_string())));
}

#[test]
fn the_number_of_locks_never_falls() {
    let mut world = World::new();
    world.declare("market", with_policy(lax()));
    let old = world.locked("market", SealMode::Soft);
    let mut locked = vec![world.board.count(Status::Locked)];
    let (new, conflict) = world.contested("ben", old);
    world.resolve("axel", conflict, new).unwrap();
    locked.push(world.board.count(Status::Locked));
    world.amend("axel", new).unwrap();
    locked.push(world.board.count(Status::Locked));
    world.declare("market", with_policy(lax()));
    world.seal("axel", "market", SealMode::Hard).unwrap();
    locked.push(world.board.count(Status::Locked));
    assert!(locked.is_sorted(), "{locked:?}");
    world.check();
}

#[test]
fn a_revision_in_quarantine_is_no_step_past_a_lock_or_another_s_word() {
    let mut world = World::new();
    let (_, waiting, _) = replaces_what_was_sealed(&mut world);
    let mut proposal = world.statement("market");
    proposal.replaces = Some(waiting);
    assert_eq!(denied(world.submit("ann", proposal)), Reason::Locked);

    let old = world.accepted("ben", "market");
    let mut proposal = world.statement("market");
    proposal.replaces = Some(old);
    let waiting = world.submit("ann", proposal).unwrap().revision;
    let mut proposal = world.statement("market");
    proposal.replaces = waiting;
    assert_eq!(
        world.submit("ann", proposal).unwrap().verdict,
        Verdict::Contested
    );
    assert_eq!(world.status(old), Status::Proposed);
    world.check();
}

#[test]
fn a_revision_of_one_in_quarantine_takes_the_place_of_both() {
    let mut world = World::new();
    let (other, old) = (
        world.accepted("ben", "market"),
        world.accepted("ann", "market"),
    );
    let mut proposal = world.against("market", &[(other, FindingKind::Opposite)]);
    proposal.replaces = Some(old);
    let waiting = world.submit("ann", proposal).unwrap().revision.unwrap();
    let mut proposal = world.statement("market");
    proposal.replaces = Some(waiting);
    let new = world.accept("ann", proposal);
    let statuses = [old, waiting, new].map(|it| world.status(it));
    assert_eq!(
        statuses,
        [Status::Superseded, Status::Superseded, Status::Proposed]
    );
    world.check();
}

#[test]
fn a_fact_can_be_revised_after_a_revision_of_it_was_rejected() {
    let mut world = World::new();
    let (other, old) = (
        world.accepted("ben", "market"),
        world.accepted("ann", "market"),
    );
    let mut proposal = world.against("market", &[(other, FindingKind::Opposite)]);
    proposal.replaces = Some(old);
    let decision = world.submit("ann", proposal).unwrap();
    let mut proposal = world.statement("market");
    proposal.replaces = Some(old);
    assert_eq!(
        denied(world.submit("ann", proposal.clone())),
        Reason::TransitionIllegal
    );
    world.resolve("axel", decision.conflicts[0], other).unwrap();
    world.accept("ann", proposal);
    assert_eq!(world.status(old), Status::Superseded);
    world.check();
}
