//! Conflicts among facts that stand, found by comparing them anew.

use pawl_ledger::{
    command::{Command, StandingPair},
    decide::{Denied, Reason},
    digest::Digest,
    event::{Challenger, Event, Rescan},
    finding::{FindingKind, Score},
    id::{ConflictId, ModuleName, Position, RevisionId},
    module::{SealMode, SealPolicy},
    status::{ConflictCause, ConflictState, Policy, Status},
    verify::verify,
};

use crate::world::{World, denied, lax, name, owned_by, with_policy};

fn pair(one: RevisionId, other: RevisionId) -> StandingPair {
    StandingPair {
        sides: (one, other),
        kind: FindingKind::ClaimKey,
        score: Score::MAX,
    }
}

fn done(world: &World, module: Option<ModuleName>, opened: u32) -> Rescan {
    Rescan {
        module,
        from: world.board.position(),
        checker: "1".to_owned(),
        vocabulary: Digest::of(b"words"),
        model: None,
        compared: 3,
        opened,
    }
}

fn rescan(world: &mut World, who: &str, found: &[StandingPair]) -> Result<Vec<Event>, Denied> {
    let command = Command::Rescan {
        module: None,
        found: found.to_vec(),
        done: None,
    };
    world.act(who, command)
}

fn complete(world: &mut World, who: &str, module: Option<&str>) -> Result<Vec<Event>, Denied> {
    let module: Option<ModuleName> = module.map(name);
    let done = Some(done(world, module.clone(), 0));
    let command = Command::Rescan {
        module,
        found: Vec::new(),
        done,
    };
    world.act(who, command)
}

/// Two validated facts of ann's in a conflict.
fn two(world: &mut World) -> (RevisionId, RevisionId) {
    let (one, other) = (
        world.accepted("ann", "market"),
        world.accepted("ann", "market"),
    );
    for fact in [one, other] {
        world.validate(fact);
    }
    rescan(world, "axel", &[pair(one, other)]).unwrap();
    (one, other)
}

#[test]
fn both_sides_stay_in_force_and_are_marked() {
    let mut world = World::new();
    let (one, other) = two(&mut world);
    for side in [one, other] {
        assert_eq!(world.status(side), Status::Validated);
        assert_eq!(world.state(side).challenged, 1);
    }
    let conflict = world.board.conflict(ConflictId(1)).unwrap();
    assert!(conflict.rescan);
    assert_eq!(conflict.challenger, Challenger::Revision(other));
    assert_eq!(conflict.standing, Some(one));
    world.check();
    // It is not raised again, neither way round.
    assert!(
        rescan(&mut world, "axel", &[pair(one, other)])
            .unwrap()
            .is_empty()
    );
    assert!(
        rescan(&mut world, "axel", &[pair(other, one)])
            .unwrap()
            .is_empty()
    );
    world.check();
}

#[test]
fn an_arbiter_picks_the_winner() {
    for later_wins in [true, false] {
        let mut world = World::new();
        let (one, other) = two(&mut world);
        let (winner, loser) = if later_wins {
            (other, one)
        } else {
            (one, other)
        };
        for who in ["ann", "ben", "vera", "olga"] {
            let tried = world.resolve(who, ConflictId(1), winner);
            assert_eq!(denied(tried), Reason::RoleMissing, "{who}");
        }
        world.resolve("axel", ConflictId(1), winner).unwrap();
        assert_eq!(world.status(winner), Status::Validated);
        assert_eq!(world.status(loser), Status::Rejected);
        assert_eq!(world.state(winner).challenged, 0);
        world.check();
    }
}

#[test]
fn a_locked_side_loses_by_an_amendment_only() {
    let mut world = World::new();
    let locked = world.locked("market", SealMode::Hard);
    let later = world.accepted("ann", "market");
    rescan(&mut world, "axel", &[pair(locked, later)]).unwrap();
    assert_eq!(world.status(locked), Status::Locked);
    let refused = world.resolve("axel", ConflictId(1), later);
    assert_eq!(denied(refused), Reason::Locked);
    let amended = world.amend("axel", locked).unwrap();
    let closed = world.board.conflict(ConflictId(1)).unwrap();
    assert_eq!(closed.state, ConflictState::Resolved);
    assert_eq!(world.state(later).challenged, 0);
    world.check();
    rescan(&mut world, "axel", &[pair(later, amended)]).unwrap();
    // What is not locked challenges.
    let conflict = world.board.conflict(ConflictId(2)).unwrap();
    assert_eq!(conflict.challenger, Challenger::Revision(later));
    world.resolve("axel", ConflictId(2), amended).unwrap();
    assert_eq!(world.status(later), Status::Rejected);
    world.check();
}

#[test]
fn a_dismissed_pair_is_raised_again_once_one_side_changed() {
    let mut world = World::new();
    let (one, other) = two(&mut world);
    world.dismiss("axel", ConflictId(1)).unwrap();
    assert_eq!(world.state(one).challenged, 0);
    assert_eq!(world.status(other), Status::Validated);
    assert!(
        rescan(&mut world, "axel", &[pair(one, other)])
            .unwrap()
            .is_empty()
    );
    let mut changed = world.statement("market");
    changed.replaces = Some(other);
    let changed = world.accept("ann", changed);
    assert_eq!(
        rescan(&mut world, "axel", &[pair(one, changed)])
            .unwrap()
            .len(),
        1
    );
    world.check();
}

#[test]
fn the_end_of_a_side_ends_the_conflict() {
    let mut world = World::new();
    let (one, other) = two(&mut world);
    world.retract("ann", one).unwrap();
    assert_eq!(world.board.open_conflicts().count(), 0);
    assert_eq!(world.state(other).challenged, 0);
    world.check();
}

#[test]
fn what_does_not_stand_or_is_no_conflict_is_passed_over() {
    let mut world = World::new();
    let (one, gone) = (
        world.accepted("ann", "market"),
        world.accepted("ann", "market"),
    );
    world.retract("ann", gone).unwrap();
    let other = world.accepted("ann", "market");
    let weak = StandingPair {
        kind: FindingKind::Opposite,
        score: Score::clamped(6_999),
        ..pair(one, other)
    };
    let found = [pair(one, gone), pair(one, one), weak];
    assert!(rescan(&mut world, "axel", &found).unwrap().is_empty());
}

#[test]
fn rescans_are_for_arbiters_and_operators_and_for_who_may_seal() {
    let mut world = World::new();
    world.declare("own", owned_by("ben"));
    for who in ["ann", "ben", "vera", "rita", "aude"] {
        assert_eq!(denied(rescan(&mut world, who, &[])), Reason::RoleMissing);
        let of_module = complete(&mut world, who, Some("market"));
        assert_eq!(denied(of_module), Reason::RoleMissing, "{who}");
    }
    for who in ["axel", "olga"] {
        assert_eq!(complete(&mut world, who, None).unwrap().len(), 1);
    }
    complete(&mut world, "ben", Some("own")).unwrap();
    let nowhere = complete(&mut world, "axel", Some("nowhere"));
    assert_eq!(denied(nowhere), Reason::ModuleUnknown);
    let mut ahead = done(&world, None, 0);
    ahead.from.0 += 1;
    let command = Command::Rescan {
        module: None,
        found: Vec::new(),
        done: Some(ahead),
    };
    assert_eq!(denied(world.act("axel", command)), Reason::FieldInvalid);
    world.check();
}

#[test]
fn what_is_in_an_open_conflict_with_what_stands_is_not_sealed() {
    let mut world = World::new();
    let (one, other) = two(&mut world);
    let refused = world.seal("axel", "market", SealMode::Hard).unwrap_err();
    assert_eq!(refused.reason, Reason::SealConditions);
    let named = ("in_conflict", format!("{one},{other}"));
    assert!(refused.metadata.contains(&named), "{refused:?}");
    world.resolve("axel", ConflictId(1), one).unwrap();
    world.seal("axel", "market", SealMode::Hard).unwrap();
    assert_eq!(world.status(one), Status::Locked);
    world.check();
}

#[test]
fn what_is_locked_already_does_not_hold_up_a_seal() {
    let mut world = World::new();
    let locked = world.locked("market", SealMode::Hard);
    let elsewhere = world.accepted("ann", "outlook");
    rescan(&mut world, "axel", &[pair(locked, elsewhere)]).unwrap();
    let new = world.accepted("ann", "market");
    world.validate(new);
    world.seal("axel", "market", SealMode::Hard).unwrap();
    world.check();
}

#[test]
fn facts_from_before_a_change_of_the_rules_are_compared_before_a_seal() {
    let mut world = World::new();
    let fact = world.accepted("ann", "market");
    world.validate(fact);
    world.attribute("price");
    let refused = world.seal("axel", "market", SealMode::Hard).unwrap_err();
    let named = ("not_compared", fact.to_string());
    assert!(refused.metadata.contains(&named), "{refused:?}");
    complete(&mut world, "axel", Some("outlook")).unwrap();
    assert!(world.seal("axel", "market", SealMode::Hard).is_err());
    complete(&mut world, "axel", Some("market")).unwrap();
    world.seal("axel", "market", SealMode::Hard).unwrap();
    world.check();
    // What comes after the change was compared when it came.
    world.attribute("price");
    let later = world.accepted("ann", "market");
    world.validate(later);
    world.seal("axel", "market", SealMode::Hard).unwrap();
    world.check();
}

#[test]
fn an_automatic_seal_follows_the_comparison() {
    let mut world = World::new();
    let policy = SealPolicy {
        automatic: Some(SealMode::Soft),
        validated: true,
        ..lax()
    };
    world.declare("market", with_policy(policy));
    let fact = world.accepted("ann", "market");
    world.attribute("price");
    world.validate(fact);
    assert_eq!(world.status(fact), Status::Validated);
    complete(&mut world, "vera", Some("market")).unwrap();
    assert_eq!(world.status(fact), Status::Locked);
    world.check();
}

#[test]
fn rescans_that_nobody_could_make_are_unlawful() {
    let mut world = World::new();
    let one = world.accepted("ann", "market");
    let other = world.accepted("ann", "market");
    let gone = world.accepted("ann", "market");
    world.retract("ann", gone).unwrap();
    let opened = |challenger, standing, score| Event::ConflictOpened {
        conflict: ConflictId(1),
        challenger: Challenger::Revision(challenger),
        standing: Some(standing),
        reference: None,
        cause: ConflictCause::Finding(FindingKind::Opposite),
        score: Score::clamped(score),
        rescan: true,
    };
    let mut ended = done(&world, None, 0);
    ended.from = Position(0);
    let mut boasts = ended.clone();
    boasts.opened = 1;
    for (who, event) in [
        ("ann", opened(other, one, 9_000)),
        ("axel", opened(other, one, 100)),
        ("axel", opened(one, one, 9_000)),
        ("axel", opened(gone, one, 9_000)),
        ("ann", Event::Rescanned(ended)),
        ("axel", Event::Rescanned(boasts)),
    ] {
        let mut world = world.clone();
        let position = world.board.position();
        world.write(who, event.clone());
        let report = verify(&world.store()).unwrap();
        let first = report.first_wrong_entry();
        assert_eq!(first.map(|it| it.1), Some(position), "{event:?}: {report}");
    }
}

#[test]
fn who_challenges_the_loser_of_two_is_turned_whatever_the_threshold_is_by_then() {
    let mut world = World::new();
    let (one, other) = two(&mut world);
    let (third, _) = world.contested("ben", other);
    let stricter = Policy {
        conflict: Score::clamped(9_500),
        note: Score::clamped(4_000),
    };
    world.act("olga", Command::SetPolicy(stricter)).unwrap();
    world.resolve("axel", ConflictId(1), one).unwrap();
    let turned = world.board.open_conflicts().map(|(_, it)| it);
    let turned: Vec<_> = turned.map(|it| (it.challenger, it.standing)).collect();
    assert_eq!(turned, [(Challenger::Revision(third), Some(one))]);
    world.check();
}

#[test]
fn what_a_rescan_found_is_not_turned_against_what_a_rollback_locks_again() {
    let mut world = World::new();
    let old = world.locked("market", SealMode::Hard);
    let before = world.state(old).snapshot.unwrap();
    let new = world.amend("axel", old).unwrap();
    let elsewhere = world.locked("outlook", SealMode::Hard);
    rescan(&mut world, "axel", &[pair(new, elsewhere)]).unwrap();
    world.rollback("axel", "market", before).unwrap();
    assert_eq!(world.status(elsewhere), Status::Locked);
    assert_eq!(world.board.open_conflicts().count(), 0);
    world.check();
}
