//! `verify` reads the rules for itself: an entry that `decide` would never make is named, though
//! it follows from the log and every hash fits.

use pawl_ledger::{
    command::Command,
    digest::Digest,
    event::{Challenger, Event, Grounds, Submitted},
    finding::{FindingKind, Score},
    id::{AssertionId, ConflictId, FlagId, Position, RefusalId, RevisionId},
    log::encode_snapshot,
    module::SealMode,
    phase::{Conditions, Phase},
    quota::Quotas,
    snapshot::{Snapshot, SnapshotCause},
    status::{ConflictCause, Kind, Level, QuoteCheck, Role, Verdict},
    verify::{ProblemKind, verify},
};

use crate::world::{World, digest, name};

/// Writes one event that the rules do not allow and checks that it, and nothing before it, is
/// named.
#[track_caller]
fn check_named(mut world: World, who: &str, event: Event) {
    world.check();
    let position = world.board.position();
    world.write(who, event);
    let report = verify(&world.store()).unwrap();
    let (_, first) = report.first_wrong_entry().expect("something is wrong");
    assert_eq!(first, position, "{report}");
    let unlawful = |it: &pawl_ledger::verify::Problem| {
        matches!(
            it.kind,
            ProblemKind::EntryUnlawful | ProblemKind::EntryNotFollowing
        )
    };
    assert!(report.findings.iter().all(unlawful), "{report}");
}

fn submitted(world: &mut World, revision: RevisionId) -> Submitted {
    Submitted {
        revision,
        module: name("market"),
        level: Level::Statement,
        kind: Kind::Fact,
        confidence: Score::MAX,
        content: world.says("it is so"),
        words: None,
        citations: vec![world.cites(1, QuoteCheck::Exact)],
        supports: Vec::new(),
        replaces: None,
        base: Position(0),
        attribute: None,
        verdict: Verdict::Accepted,
        check: world.says("the check"),
        valid_from: None,
    }
}

fn first() -> RevisionId {
    RevisionId {
        assertion: AssertionId(1),
        revision: 1,
    }
}

#[test]
fn submissions() {
    type Change = fn(&mut World, &mut Submitted);
    let changes: [(&str, Change); 10] = [
        ("rita", |_, _| {}),
        ("ann", |_, it| it.module = name("elsewhere")),
        ("ann", |_, it| it.citations.clear()),
        ("ann", |_, it| it.level = Level::Inference),
        ("ann", |world, it| {
            it.citations[0].source = Digest::of(b"unknown");
            it.citations[0].quote = world.says("a quote");
        }),
        ("ann", |_, it| it.base = Position(9_999)),
        ("ann", |_, it| it.attribute = Some(name("undeclared"))),
        ("ann", |_, it| it.verdict = Verdict::Contested),
        ("ann", |world, it| {
            let gone = world.accepted("ann", "market");
            world.retract("ann", gone).unwrap();
            world.now += 1;
            it.supports = vec![gone];
            it.revision.assertion.0 += 1;
        }),
        ("ann", |world, it| {
            world.declare("own", crate::world::owned_by("ben"));
            it.module = name("own");
        }),
    ];
    for (who, change) in changes {
        let mut world = World::new();
        let mut submitted = submitted(&mut world, first());
        change(&mut world, &mut submitted);
        check_named(world, who, Event::Submitted(Box::new(submitted)));
    }
}

#[test]
fn replacements() {
    for (locked, who) in [(true, "ann"), (true, "axel"), (false, "ben")] {
        let mut world = World::new();
        let old = if locked {
            world.locked("market", SealMode::Hard)
        } else {
            world.accepted("ann", "market")
        };
        let mut submitted = submitted(&mut world, RevisionId { revision: 2, ..old });
        submitted.replaces = Some(old);
        if who == "axel" {
            // An arbiter's replacement alone is half an amendment.
            submitted.verdict = Verdict::Accepted;
        }
        check_named(world, who, Event::Submitted(Box::new(submitted)));
    }
}

#[test]
fn validations() {
    for (who, check) in [
        ("ann", QuoteCheck::Exact),
        ("ben", QuoteCheck::Exact),
        ("vera", QuoteCheck::Unverified),
    ] {
        let mut world = World::new();
        let revision = world.accepted("ann", "market");
        world
            .act(
                "olga",
                pawl_ledger::command::Command::GrantRole(name("ann"), Role::Verifier),
            )
            .unwrap();
        let evidence = vec![world.cites(2, check)];
        check_named(world, who, Event::Validated { revision, evidence });
    }
    let mut world = World::new();
    let standing = world.accepted("ann", "market");
    let (revision, _) = world.contested("ben", standing);
    let evidence = vec![world.cites(2, QuoteCheck::Exact)];
    check_named(world, "vera", Event::Validated { revision, evidence });
}

#[test]
fn retractions() {
    for (who, locked) in [("ben", false), ("ann", true)] {
        let mut world = World::new();
        let revision = if locked {
            world.locked("market", SealMode::Hard)
        } else {
            world.accepted("ann", "market")
        };
        let reason = world.says("gone");
        check_named(world, who, Event::Retracted { revision, reason });
    }
}

#[test]
fn flags() {
    for (who, flag, locked) in [("rita", 1, true), ("ben", 2, true), ("ben", 1, false)] {
        let mut world = World::new();
        let revision = if locked {
            world.locked("market", SealMode::Hard)
        } else {
            world.accepted("ann", "market")
        };
        let event = Event::Flagged {
            flag: FlagId(flag),
            revision,
            reason: world.says("a doubt"),
            citations: Vec::new(),
        };
        check_named(world, who, event);
    }
}

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

#[test]
fn refusals() {
    let mut world = World::new();
    world.locked("market", SealMode::Soft);
    for (refusal, who) in [(1, "rita"), (2, "ann")] {
        let mut world = world.clone();
        let event = Event::Refused {
            refusal: RefusalId(refusal),
            module: name("market"),
            content: world.says("no"),
            check: world.says("the check"),
            earlier_attempts: 0,
        };
        check_named(world, who, event);
    }
}

#[test]
fn conflicts() {
    let mut world = World::new();
    let soft = world.locked("market", SealMode::Soft);
    let (challenger, conflict) = world.contested("ben", soft);
    let open = |number, challenger, cause| Event::ConflictOpened {
        conflict: ConflictId(number),
        challenger: Challenger::Revision(challenger),
        standing: Some(soft),
        reference: None,
        cause,
        score: Score::clamped(100),
        rescan: false,
    };
    let weak = ConflictCause::Finding(FindingKind::Opposite);
    let exact = ConflictCause::Finding(FindingKind::ClaimKey);
    check_named(world.clone(), "ben", open(2, challenger, weak));
    check_named(world.clone(), "ben", open(3, challenger, exact));
    check_named(world.clone(), "ben", open(2, soft, exact));
    check_named(
        world.clone(),
        "ben",
        open(2, challenger, ConflictCause::Ownership),
    );
    for (who, challenger_wins) in [
        ("ben", true),
        ("art", true),
        ("rita", false),
        ("ben", false),
    ] {
        let mut world = world.clone();
        let reason = world.says("so");
        check_named(
            world,
            who,
            Event::ConflictResolved {
                conflict,
                challenger_wins,
                grounds: Grounds::Reason(reason),
            },
        );
    }
    let reason = world.says("none");
    check_named(
        world.clone(),
        "ben",
        Event::ConflictDismissed { conflict, reason },
    );
    check_named(world, "axel", Event::ConflictAppealed { conflict, reason });
}

#[test]
fn rights() {
    let world = World::new();
    let event = Event::RoleRevoked {
        principal: name("rita"),
        role: Role::Reader,
    };
    check_named(world.clone(), "axel", event);
    let policy = world.board.policy;
    check_named(world.clone(), "ann", Event::PolicyChanged { policy });
    let mut declaration = pawl_ledger::event::ModuleDeclaration::default();
    let declared = |declaration| Event::ModuleDeclared {
        module: name("market"),
        declaration,
    };
    check_named(world.clone(), "ann", declared(declaration.clone()));
    for needed in ["market", "outlook", "nowhere"] {
        declaration.depends_on = vec![name(needed)];
        check_named(world.clone(), "olga", declared(declaration.clone()));
    }
}

#[test]
fn seals() {
    type Change = fn(&mut Snapshot);
    let changes: [(&str, Change); 8] = [
        ("axel", |it| it.position = Position(1)),
        ("axel", |it| it.member_count += 1),
        ("axel", |it| it.figures.validated += 1),
        ("axel", |it| it.figures.challengers_left_out += 1),
        ("axel", |it| it.policy.validated = false),
        ("axel", |it| it.parents.clear()),
        ("axel", |it| it.sealed_by = name("olga")),
        ("ann", |it| it.sealed_by = name("ann")),
    ];
    for (who, change) in changes {
        let mut world = World::new();
        world.locked("market", SealMode::Hard);
        let id = world.accepted("ann", "market");
        world.validate(id);
        let mut sealed = world.clone();
        sealed.seal("axel", "market", SealMode::Hard).unwrap();
        let mut snapshot = sealed
            .board
            .snapshots
            .iter()
            .next_back()
            .unwrap()
            .snapshot
            .clone();
        change(&mut snapshot);
        let id = Digest::of(&encode_snapshot(&snapshot));
        let snapshot = Box::new(snapshot);
        check_named(world, who, Event::SnapshotTaken { id, snapshot });
    }
}

#[test]
fn a_seal_of_what_nobody_validated() {
    let mut world = World::new();
    world.accepted("ann", "market");
    let mut lax = world.clone();
    lax.declare("market", crate::world::with_policy(crate::world::lax()));
    lax.seal("axel", "market", SealMode::Hard).unwrap();
    let mut snapshot = lax.board.snapshots.iter().next().unwrap().snapshot.clone();
    snapshot.policy = pawl_ledger::module::SealPolicy::default();
    snapshot.position = world.board.position();
    let id = Digest::of(&encode_snapshot(&snapshot));
    check_named(
        world,
        "axel",
        Event::SnapshotTaken {
            id,
            snapshot: Box::new(snapshot),
        },
    );
}

fn phased() -> World {
    let mut world = World::new();
    let first = Phase {
        levels: vec![Level::Statement],
        modules: vec![name("market")],
        conditions: Conditions {
            sealed: vec![name("market")],
            ..Conditions::default()
        },
        ..Phase::open(name("first"))
    };
    let others = ["second", "third"].map(|it| Phase::open(name(it)));
    let phases = std::iter::once(first).chain(others).collect();
    world.act("olga", Command::DeclarePhases(phases)).unwrap();
    world
}

fn entered(phase: &str) -> Event {
    Event::PhaseEntered {
        phase: name(phase),
        reason: None,
    }
}

#[test]
fn moves_between_phases() {
    for (who, phase) in [("olga", "second"), ("olga", "third")] {
        check_named(phased(), who, entered(phase));
    }
    let mut moved = phased();
    moved.locked("market", SealMode::Hard);
    check_named(moved.clone(), "ann", entered("second"));
    check_named(moved.clone(), "olga", entered("third"));
    let next = Command::EnterPhase {
        phase: name("second"),
        reason: None,
    };
    moved.act("axel", next).unwrap();
    check_named(moved.clone(), "axel", entered("first"));
    let back = Event::PhaseEntered {
        phase: name("first"),
        reason: Some(moved.says("again")),
    };
    check_named(moved, "olga", back);
}

#[test]
fn declarations_of_phases() {
    let declared = |phases: &[Phase]| Event::PhasesDeclared {
        phases: phases.to_vec(),
    };
    let one = Phase::open(name("first"));
    check_named(phased(), "ann", declared(std::slice::from_ref(&one)));
    check_named(phased(), "olga", declared(&[one.clone(), one.clone()]));
    check_named(phased(), "olga", declared(&[Phase::open(name("other"))]));
    let modules = vec![name("nowhere")];
    check_named(phased(), "olga", declared(&[Phase { modules, ..one }]));
}

#[test]
fn submissions_out_of_phase() {
    type Change = fn(&mut Submitted);
    let changes: [Change; 2] = [
        |it| it.level = Level::Data,
        |it| it.module = name("outlook"),
    ];
    for change in changes {
        let mut world = phased();
        let mut submitted = submitted(&mut world, first());
        change(&mut submitted);
        check_named(world, "ann", Event::Submitted(Box::new(submitted)));
    }
    let mut world = World::new();
    let fact = world.accepted("ann", "outlook");
    let phases = vec![Phase {
        modules: vec![name("market")],
        ..Phase::open(name("first"))
    }];
    world.act("olga", Command::DeclarePhases(phases)).unwrap();
    let again = Event::Corroborated {
        revision: fact,
        citations: vec![world.cites(1, QuoteCheck::Exact)],
    };
    check_named(world, "ben", again);
}

#[test]
fn archived_boards_and_quotas() {
    let mut world = World::new();
    let reason = world.says("done");
    check_named(world.clone(), "ann", Event::BoardArchived { reason });
    check_named(world.clone(), "olga", Event::BoardReopened { reason });
    let zero = Quotas {
        sources: Some(0),
        ..Quotas::default()
    };
    check_named(world.clone(), "olga", Event::QuotasSet { quotas: zero });
    let quotas = Quotas::default();
    check_named(world.clone(), "ann", Event::QuotasSet { quotas });
    world.act("olga", Command::Archive { reason }).unwrap();
    check_named(world.clone(), "olga", Event::QuotasSet { quotas });
    check_named(world.clone(), "olga", Event::BoardArchived { reason });
    let revision = submitted(&mut world, first());
    check_named(world, "ann", Event::Submitted(Box::new(revision)));
}

#[test]
fn removals_of_sources() {
    let removed = |number| Event::SourceRemoved {
        source: digest(number),
    };
    let mut world = World::new();
    check_named(world.clone(), "ann", removed(5));
    world.accepted("ann", "market");
    check_named(world, "olga", removed(1));
}
