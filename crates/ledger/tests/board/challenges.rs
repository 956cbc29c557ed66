//! Conflicts: opened, decided, dismissed, and what becomes of both sides.

mod refusals;

use pawl_ledger::{
    decide::Reason,
    event::{Challenger, Event},
    finding::FindingKind,
    id::{ConflictId, RevisionId},
    status::{ConflictCause, ConflictState, QuoteCheck, Status, Verdict},
};

use crate::world::{World, denied, owned_by};

fn state(world: &World, conflict: ConflictId) -> ConflictState {
    world.board.conflict(conflict).unwrap().state
}

#[track_caller]
fn check_statuses(world: &World, expected: &[(RevisionId, Status)]) {
    for (id, status) in expected {
        assert_eq!(world.status(*id), *status, "{id}");
    }
    world.check();
}

#[test]
fn a_scored_finding_quarantines_the_challenger_and_marks_what_stands() {
    let mut world = World::new();
    let standing = world.accepted("ben", "market");
    let (challenger, conflict) = world.contested("ann", standing);
    assert_eq!(state(&world, conflict), ConflictState::Open);
    assert_eq!(world.state(standing).challenged, 1);
    check_statuses(
        &world,
        &[
            (standing, Status::Proposed),
            (challenger, Status::Contested),
        ],
    );
}

#[test]
fn either_side_can_win() {
    let mut world = World::new();
    let standing = world.accepted("ben", "market");
    let (challenger, conflict) = world.contested("ann", standing);
    let mut other = world.clone();
    world.resolve("axel", conflict, challenger).unwrap();
    check_statuses(
        &world,
        &[(standing, Status::Rejected), (challenger, Status::Proposed)],
    );
    other.resolve("axel", conflict, standing).unwrap();
    assert_eq!(other.state(standing).challenged, 0);
    check_statuses(
        &other,
        &[(standing, Status::Proposed), (challenger, Status::Rejected)],
    );
    assert_eq!(
        denied(other.resolve("axel", conflict, standing)),
        Reason::ConflictClosed
    );
}

#[test]
fn only_a_side_can_win_and_no_arbiter_decides_for_themselves() {
    let mut world = World::new();
    let standing = world.accepted("ben", "market");
    let (challenger, conflict) = world.contested("art", standing);
    let third = world.accepted("ben", "market");
    assert_eq!(
        denied(world.resolve("axel", conflict, third)),
        Reason::FieldInvalid
    );
    assert_eq!(
        denied(world.resolve("art", conflict, challenger)),
        Reason::OwnAssertion
    );
    assert_eq!(denied(world.dismiss("art", conflict)), Reason::OwnAssertion);
    assert_eq!(
        denied(world.resolve("axel", ConflictId(9), third)),
        Reason::ConflictUnknown
    );
}

#[test]
fn a_dismissed_challenger_stands_and_both_keep_standing() {
    let mut world = World::new();
    let standing = world.accepted("ben", "market");
    let (challenger, conflict) = world.contested("ann", standing);
    world.dismiss("axel", conflict).unwrap();
    check_statuses(
        &world,
        &[(standing, Status::Proposed), (challenger, Status::Proposed)],
    );
}

#[test]
fn a_challenger_of_several_waits_for_all() {
    let mut world = World::new();
    let (one, two) = (
        world.accepted("ben", "market"),
        world.accepted("ben", "market"),
    );
    let findings = [(one, FindingKind::Opposite), (two, FindingKind::Negation)];
    let proposal = world.against("market", &findings);
    let decision = world.submit("ann", proposal).unwrap();
    let challenger = decision.revision.unwrap();
    assert_eq!(decision.conflicts.len(), 2);
    world
        .resolve("axel", decision.conflicts[0], challenger)
        .unwrap();
    check_statuses(
        &world,
        &[
            (one, Status::Rejected),
            (two, Status::Proposed),
            (challenger, Status::Contested),
        ],
    );
    world.resolve("axel", decision.conflicts[1], two).unwrap();
    check_statuses(&world, &[(challenger, Status::Rejected)]);
}

#[test]
fn a_loss_closes_the_other_conflicts_of_the_challenger() {
    let mut world = World::new();
    let (one, two) = (
        world.accepted("ben", "market"),
        world.accepted("ben", "market"),
    );
    let findings = [(one, FindingKind::Opposite), (two, FindingKind::Opposite)];
    let proposal = world.against("market", &findings);
    let decision = world.submit("ann", proposal).unwrap();
    world.resolve("axel", decision.conflicts[0], one).unwrap();
    assert_eq!(world.board.open_conflicts().count(), 0);
    assert_eq!(world.state(two).challenged, 0);
    world.check();
}

#[test]
fn either_side_can_be_taken_back() {
    let mut world = World::new();
    let standing = world.accepted("ben", "market");
    let (challenger, conflict) = world.contested("ann", standing);
    let mut other = world.clone();
    world.retract("ann", challenger).unwrap();
    assert_eq!(
        (state(&world, conflict), world.state(standing).challenged),
        (ConflictState::Resolved, 0)
    );
    world.check();
    other.retract("ben", standing).unwrap();
    check_statuses(&other, &[(challenger, Status::Proposed)]);
}

#[test]
fn a_second_challenger_is_turned_against_the_winner() {
    let mut world = World::new();
    let standing = world.accepted("ben", "market");
    let (one, conflict) = world.contested("ann", standing);
    let (two, _) = world.contested("art", standing);
    world.resolve("axel", conflict, one).unwrap();
    check_statuses(
        &world,
        &[
            (standing, Status::Rejected),
            (one, Status::Proposed),
            (two, Status::Contested),
        ],
    );
    let (id, open) = world.board.open_conflicts().next().unwrap();
    assert_eq!(
        (open.challenger, open.standing),
        (Challenger::Revision(two), Some(one))
    );
    assert_eq!(open.principal.as_str(), "art");
    assert_eq!(world.state(one).challenged, 1);
    world.dismiss("axel", id).unwrap();
    check_statuses(&world, &[(one, Status::Proposed), (two, Status::Proposed)]);
}

#[test]
fn a_foreign_module_waits_for_its_owner() {
    let mut world = World::new();
    world.declare("own", owned_by("ben"));
    let proposal = world.statement("own");
    let decision = world.submit("ann", proposal).unwrap();
    assert_eq!(decision.verdict, Verdict::Contested);
    let (revision, conflict) = (decision.revision.unwrap(), decision.conflicts[0]);
    let cause = world.board.conflict(conflict).unwrap().cause;
    assert_eq!(cause, ConflictCause::Ownership);
    world.resolve("ben", conflict, revision).unwrap();
    check_statuses(&world, &[(revision, Status::Proposed)]);
    let proposal = world.statement("own");
    assert_eq!(
        world.submit("ben", proposal).unwrap().verdict,
        Verdict::Accepted
    );
}

#[test]
fn an_owner_does_not_decide_what_is_about_the_facts() {
    let mut world = World::new();
    world.declare("own", owned_by("ben"));
    let standing = world.accepted("ben", "own");
    let proposal = world.against("own", &[(standing, FindingKind::Opposite)]);
    let conflicts = world.submit("ann", proposal).unwrap().conflicts;
    assert_eq!(
        denied(world.resolve("ben", conflicts[0], standing)),
        Reason::RoleMissing
    );
}

#[test]
fn another_s_revision_is_replaced_only_where_somebody_agrees() {
    let mut world = World::new();
    let old = world.accepted("ben", "market");
    let mut proposal = world.statement("market");
    proposal.replaces = Some(old);
    let decision = world.submit("ann", proposal).unwrap();
    let (new, conflict) = (decision.revision.unwrap(), decision.conflicts[0]);
    check_statuses(&world, &[(old, Status::Proposed), (new, Status::Contested)]);
    world.resolve("axel", conflict, new).unwrap();
    assert_eq!(world.state(old).replaced_by, Some(new));
    check_statuses(
        &world,
        &[(old, Status::Superseded), (new, Status::Proposed)],
    );
}

#[test]
fn the_same_again_corroborates_and_counts_new_sources_once() {
    let mut world = World::new();
    let id = world.accepted("ann", "market");
    for (source, check) in [
        (1, QuoteCheck::Exact),
        (2, QuoteCheck::Exact),
        (3, QuoteCheck::Unverified),
    ] {
        let mut proposal = world.statement("market");
        proposal.report.same = Some(id);
        proposal.citations = vec![world.cites(source, check)];
        let decision = world.submit("ben", proposal).unwrap();
        assert!(decision.corroborated);
    }
    let state = world.state(id);
    assert_eq!((state.corroborations, state.verified_sources.len()), (3, 2));
    world.check();
}

#[test]
fn items_of_a_batch_are_judged_against_each_other() {
    let mut world = World::new();
    let first = world.statement("market");
    let predicted = RevisionId {
        assertion: pawl_ledger::id::AssertionId(world.board.assertion_count() + 1),
        revision: 1,
    };
    let second = world.against("market", &[(predicted, FindingKind::Opposite)]);
    let third = world.inference("market", &[predicted]);
    let decisions = world.submit_all("ann", vec![first, second, third]).unwrap();
    let verdicts: Vec<Verdict> = decisions.iter().map(|it| it.verdict).collect();
    assert_eq!(
        verdicts,
        [Verdict::Accepted, Verdict::Contested, Verdict::Accepted]
    );
    world.check();
}

/// Each challenger replaces what the next one challenges, so that the end of the first one moves
/// all of them.
#[test]
fn a_long_chain_of_challengers_settles_without_a_deep_stack() {
    let mut world = World::new();
    let first = world.accepted("ann", "market");
    let mut standing = first;
    for _ in 0..20_000 {
        let next = world.accepted("ann", "market");
        let mut proposal = world.against("market", &[(standing, FindingKind::Opposite)]);
        proposal.replaces = Some(next);
        assert_eq!(
            world.submit("ann", proposal).unwrap().verdict,
            Verdict::Contested
        );
        standing = next;
    }
    world.retract("ann", first).unwrap();
    assert_eq!(world.status(standing), Status::Superseded);
    assert_eq!(world.board.count(Status::Contested), 0);
}

#[test]
fn a_stale_base_names_what_was_missed() {
    let mut world = World::new();
    let base = world.board.position();
    let missed = world.accepted("ben", "market");
    let mut proposal = world.statement("market");
    proposal.base = Some(base);
    proposal.report.same_key = vec![missed];
    let denied = world.submit("ann", proposal.clone()).unwrap_err();
    assert_eq!(denied.reason, Reason::StaleBase);
    assert!(denied.metadata.contains(&("missed", missed.to_string())));
    proposal.base = Some(world.board.position());
    world.submit("ann", proposal.clone()).unwrap();
    proposal.base = Some(pawl_ledger::id::Position(99_999));
    assert_eq!(
        world.submit("ann", proposal).unwrap_err().reason,
        Reason::BaseInFuture
    );
}

#[test]
fn a_board_names_the_event_for_each_conflict_once() {
    let mut world = World::new();
    let standing = world.accepted("ben", "market");
    world.contested("ann", standing);
    world.contested("art", standing);
    let opened = world
        .log
        .iter()
        .filter_map(|(recorded, _)| match recorded.event {
            Event::ConflictOpened { conflict, .. } => Some(conflict.0),
            _ => None,
        });
    assert_eq!(opened.collect::<Vec<_>>(), [1, 2]);
}
