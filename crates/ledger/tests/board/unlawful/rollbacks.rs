//! Amendments and rollbacks that nobody could make.

use pawl_ledger::{
    digest::Digest,
    event::{Challenger, Event},
    id::{ConflictId, RevisionId},
    log::encode_snapshot,
    module::SealMode,
    snapshot::{Snapshot, SnapshotCause},
    status::QuoteCheck,
    verify::verify,
};

use super::{check_named, first};
use crate::world::{World, name};

#[test]
fn amendments() {
    let mut world = World::new();
    let old = world.locked("market", SealMode::Hard);
    let new = world.accepted("ann", "market");
    let reason = world.says("because");
    let event = Event::Amended {
        old,
        new,
        reason,
        evidence: Vec::new(),
    };
    check_named(world, "axel", event);
}

/// A module whose one locked revision was amended, with the snapshot from before that.
fn amended() -> (World, RevisionId, Digest) {
    let mut world = World::new();
    let old = world.locked("market", SealMode::Hard);
    let before = world.state(old).snapshot.unwrap();
    world.amend("axel", old).unwrap();
    world.locked("outlook", SealMode::Hard);
    (world, old, before)
}

fn rolled_back(world: &mut World, to: Digest) -> Event {
    Event::RolledBack {
        module: name("market"),
        to,
        reason: world.says("because"),
        evidence: Vec::new(),
    }
}

#[test]
fn rollbacks() {
    type To = fn(&World, Digest) -> Digest;
    let elsewhere: To = |world, _| world.board.modules[&name("outlook")].current.unwrap();
    let current: To = |world, _| world.board.modules[&name("market")].current.unwrap();
    let before: To = |_, before| before;
    for (who, to) in [
        ("ann", before),
        ("olga", before),
        ("axel", current),
        // Alone it is half a rollback.
        ("axel", before),
    ] {
        let (mut world, _, before) = amended();
        let to = to(&world, before);
        let event = rolled_back(&mut world, to);
        check_named(world, who, event);
    }
    let (mut world, _, before) = amended();
    let mut event = rolled_back(&mut world, before);
    if let Event::RolledBack { evidence, .. } = &mut event {
        *evidence = vec![world.cites(9, QuoteCheck::Exact)];
    }
    check_named(world, "axel", event);
    let (mut world, _, before) = amended();
    let to = elsewhere(&world, before);
    let event = rolled_back(&mut world, to);
    assert!(
        std::panic::catch_unwind(move || world.write("axel", event)).is_err(),
        "another module's snapshot does not even follow"
    );
}

#[test]
fn rollbacks_that_are_whole() {
    for (who, cites_unknown) in [("ann", false), ("olga", false), ("axel", true)] {
        let (world, _, before) = amended();
        let mut lawful = world.clone();
        let events = lawful.rollback("axel", "market", before).unwrap();
        let mut world = World {
            words: lawful.words.clone(),
            ..world
        };
        let position = world.board.position();
        for mut event in events {
            match &mut event {
                Event::RolledBack { evidence, .. } if cites_unknown => {
                    evidence[0].source = Digest::of(b"unknown");
                }
                Event::SnapshotTaken { id, snapshot } => {
                    snapshot.sealed_by = name(who);
                    *id = Digest::of(&encode_snapshot(snapshot));
                }
                _ => {}
            }
            world.write(who, event);
        }
        let report = verify(&world.store()).unwrap();
        let (_, first) = report.first_wrong_entry().expect("something is wrong");
        assert_eq!((first, report.findings.len()), (position, 1), "{report}");
    }
}

#[test]
fn snapshots_of_rollbacks() {
    type Change = fn(&World, &mut Snapshot);
    let changes: [Change; 7] = [
        |_, it| it.mode = SealMode::Soft,
        |_, it| it.parents.truncate(1),
        |_, it| it.parents.reverse(),
        |_, it| it.figures.validated += 1,
        |_, it| it.figures.challengers_left_out += 1,
        |_, it| it.only = Some(first()),
        |_, it| it.cause = SnapshotCause::Amendment,
    ];
    for change in changes {
        let (world, _, before) = amended();
        let mut lawful = world.clone();
        let events = lawful.rollback("axel", "market", before).unwrap();
        let [rolled_back, Event::SnapshotTaken { snapshot, .. }] = events.as_slice() else {
            panic!("{events:?}");
        };
        let mut world = World {
            words: lawful.words.clone(),
            ..world
        };
        world.write("axel", rolled_back.clone());
        let mut snapshot = (**snapshot).clone();
        change(&world, &mut snapshot);
        let position = world.board.position();
        let id = Digest::of(&encode_snapshot(&snapshot));
        let snapshot = Box::new(snapshot);
        world.write("axel", Event::SnapshotTaken { id, snapshot });
        let report = verify(&world.store()).unwrap();
        let (_, first) = report.first_wrong_entry().expect("something is wrong");
        assert_eq!(first, position, "{report}");
    }
    let (mut world, _, before) = amended();
    let node = world.board.snapshots.get(&before).unwrap();
    let mut snapshot = node.snapshot.clone();
    snapshot.cause = SnapshotCause::Rollback;
    snapshot.position = world.board.position();
    let members = pawl_ledger::evolve::locked(&world.board, &name("market"));
    snapshot.member_root = pawl_ledger::evolve::member_root(&world.board, &members, None);
    let id = Digest::of(&encode_snapshot(&snapshot));
    let snapshot = Box::new(snapshot);
    world.now += 1;
    check_named(world, "axel", Event::SnapshotTaken { id, snapshot });
}

#[test]
fn conflicts_turned_against_the_past() {
    let (mut world, old, _) = amended();
    let new = world.board.latest(old.assertion).unwrap();
    let (challenger, conflict) = world.contested("ben", new);
    let state = world.board.conflict(conflict).unwrap();
    // Without the rollback that should follow.
    let event = Event::ConflictOpened {
        conflict: ConflictId(2),
        challenger: Challenger::Revision(challenger),
        standing: Some(old),
        cause: state.cause,
        score: state.score,
        reference: None,
        rescan: false,
    };
    check_named(world, "axel", event);
}
