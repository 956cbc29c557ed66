//! `verify` reads the rules for itself: an entry that `decide` would never make is named, though
//! it follows from the log and every hash fits.

mod phases;
mod rollbacks;

use pawl_ledger::{
    command::Command,
    digest::Digest,
    event::{Challenger, Event, Grounds, Submitted},
    finding::{FindingKind, Score},
    id::{AssertionId, ConflictId, FlagId, Position, RefusalId, RevisionId},
    log::encode_snapshot,
    module::SealMode,
    quota::Quotas,
    snapshot::Snapshot,
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
