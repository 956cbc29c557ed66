//! Tables and authorities: mounted and declared by operators, stood against like a hard lock where
//! the structured parts exclude each other, and gone with all that was only about them.

mod authorities;

use pawl_ledger::{
    command::{Command, Proposal},
    decide::Reason,
    digest::Digest,
    event::{Challenger, Event, ModuleDeclaration},
    finding::{FindingKind, Score},
    id::{ConflictId, RefusalId, RevisionId},
    reference::{Against, MAX_ROWS, Reference, ReferenceFinding, RowRef},
    status::{ConflictCause, ConflictState, Status, Verdict},
};

use crate::world::{World, digest, name};

fn mounting(world: &mut World, table: &str, source: u8, rows: u32) -> Command {
    Command::MountTable {
        table: name(table),
        source: digest(source),
        rows,
        parsed: Digest::of(&[source]),
        definition: world.says("as it is"),
    }
}

/// Mounts a table, and gives its third line.
fn mount(world: &mut World, source: u8) -> Reference {
    let command = mounting(world, "figures", source, 10);
    world.act("olga", command).unwrap();
    let mounted = world.board.tables[&name("figures")].current().unwrap();
    Reference::Row(RowRef {
        mounted: mounted.position,
        line: 3,
    })
}

fn unmount(world: &mut World) -> Vec<Event> {
    let reason = world.says("out of date");
    let table = name("figures");
    world
        .act("olga", Command::UnmountTable { table, reason })
        .unwrap()
}

fn against(world: &mut World, reference: Against, kind: FindingKind) -> Proposal {
    let mut proposal = world.statement("market");
    proposal.report.references = vec![ReferenceFinding {
        against: reference,
        kind,
        score: Score::MAX,
    }];
    proposal
}

/// Submits something that stands against a row.
fn submit(world: &mut World, row: Reference, kind: FindingKind) -> pawl_ledger::decide::Decision {
    let proposal = against(world, Against::Known(row), kind);
    world.submit("ann", proposal).unwrap()
}

#[test]
fn a_structured_finding_against_a_row_refuses_and_any_other_contests() {
    let mut world = World::new();
    let row = mount(&mut world, 1);
    let refused = submit(&mut world, row, FindingKind::ClaimKey);
    assert_eq!(refused.verdict, Verdict::Refused);
    let conflict = world.board.conflict(refused.conflicts[0]).unwrap();
    assert_eq!((conflict.standing, conflict.reference), (None, Some(row)));
    for kind in [FindingKind::Quantity, FindingKind::Number] {
        assert_eq!(submit(&mut world, row, kind).verdict, Verdict::Contested);
    }
    let mut weak = against(&mut world, Against::Known(row), FindingKind::Number);
    weak.report.references[0].score = Score::clamped(6_999);
    assert_eq!(
        world.submit("ann", weak).unwrap().verdict,
        Verdict::Accepted
    );
    world.check();
}

#[test]
fn a_dismissed_finding_lets_the_same_words_pass_until_the_table_changes() {
    let mut world = World::new();
    let row = mount(&mut world, 1);
    let refused = submit(&mut world, row, FindingKind::ClaimKey);
    world.dismiss("axel", refused.conflicts[0]).unwrap();
    let mut again = against(&mut world, Against::Known(row), FindingKind::ClaimKey);
    again.report.repeats = vec![pawl_ledger::command::Repeat {
        refusal: RefusalId(1),
        same_words: true,
    }];
    assert_eq!(
        world.submit("ann", again.clone()).unwrap().verdict,
        Verdict::Accepted
    );
    let newer = mount(&mut world, 2);
    again.report.references[0].against = Against::Known(newer);
    let decision = world.submit("ann", again).unwrap();
    assert_eq!(decision.verdict, Verdict::Refused);
    world.check();
}

#[test]
fn a_rewording_of_what_a_row_refused_is_contested() {
    let mut world = World::new();
    let row = mount(&mut world, 1);
    submit(&mut world, row, FindingKind::ClaimKey);
    let mut reworded = world.statement("market");
    reworded.report.repeats = vec![pawl_ledger::command::Repeat {
        refusal: RefusalId(1),
        same_words: false,
    }];
    let decision = world.submit("ann", reworded.clone()).unwrap();
    let conflict = world.board.conflict(decision.conflicts[0]).unwrap();
    assert_eq!(
        (conflict.cause, conflict.reference),
        (ConflictCause::Rewording, Some(row))
    );
    unmount(&mut world);
    assert_eq!(
        world.submit("ann", reworded).unwrap().verdict,
        Verdict::Accepted
    );
    world.check();
}

#[test]
fn an_arbiter_may_let_a_challenger_stand_beside_a_row() {
    let mut world = World::new();
    let row = mount(&mut world, 1);
    for dismiss in [true, false] {
        let decision = submit(&mut world, row, FindingKind::Quantity);
        let (id, conflict) = (decision.revision.unwrap(), decision.conflicts[0]);
        if dismiss {
            world.dismiss("axel", conflict).unwrap();
        } else {
            world.resolve("axel", conflict, id).unwrap();
        }
        assert_eq!(world.status(id), Status::Proposed);
    }
    let decision = submit(&mut world, row, FindingKind::Quantity);
    world.retract("axel", decision.revision.unwrap()).unwrap();
    let conflict = world.board.conflict(decision.conflicts[0]).unwrap();
    assert_eq!(conflict.state, ConflictState::Resolved);
    world.check();
}

#[test]
fn what_is_only_against_a_table_stands_once_that_is_gone() {
    let mut world = World::new();
    let row = mount(&mut world, 1);
    let standing = world.accepted("ben", "market");
    let only = submit(&mut world, row, FindingKind::Quantity)
        .revision
        .unwrap();
    let mut both = against(&mut world, Against::Known(row), FindingKind::Quantity);
    let other = world.against("market", &[(standing, FindingKind::Opposite)]);
    both.report.findings = other.report.findings;
    let both = world.submit("ann", both).unwrap().revision.unwrap();
    let refused = submit(&mut world, row, FindingKind::ClaimKey);
    unmount(&mut world);
    assert_eq!(world.status(only), Status::Proposed);
    assert_eq!(world.status(both), Status::Contested);
    let conflict = world.board.conflict(refused.conflicts[0]).unwrap();
    assert_eq!(conflict.state, ConflictState::Resolved);
    // A finding that was made before the table went does not count.
    assert_eq!(
        submit(&mut world, row, FindingKind::ClaimKey).verdict,
        Verdict::Accepted
    );
    world.check();
}

#[test]
fn a_table_is_no_module() {
    let mut world = World::new();
    mount(&mut world, 1);
    let proposal = world.statement("figures");
    let denied = world.submit("ann", proposal).unwrap_err();
    assert_eq!(denied.reason, Reason::TableReadOnly);
    let declare = Command::DeclareModule(name("figures"), ModuleDeclaration::default());
    let denied = world.act("olga", declare).unwrap_err();
    assert_eq!(denied.reason, Reason::AlreadyExists);
    let command = mounting(&mut world, "market", 1, 1);
    let denied = world.act("olga", command).unwrap_err();
    assert_eq!(denied.reason, Reason::AlreadyExists);
    unmount(&mut world);
    let declare = Command::DeclareModule(name("figures"), ModuleDeclaration::default());
    let denied = world.act("olga", declare).unwrap_err();
    assert_eq!(denied.reason, Reason::AlreadyExists);
}

#[test]
fn versions_are_kept_and_their_sources_are_in_use() {
    let mut world = World::new();
    let first = mount(&mut world, 1);
    let entries = world.board.position();
    assert_eq!(mount(&mut world, 1), first);
    assert_eq!(world.board.position(), entries, "the same again is nothing");
    let second = mount(&mut world, 2);
    assert!(!world.board.is_given(first) && world.board.is_given(second));
    let Reference::Row(row) = first else {
        unreachable!()
    };
    let (table, version) = world.board.table_mounted_at(row.mounted).unwrap();
    assert_eq!((table.as_str(), version.source), ("figures", digest(1)));
    unmount(&mut world);
    for source in [1, 2] {
        let remove = Command::RemoveSource(digest(source));
        let denied = world.act("olga", remove).unwrap_err();
        assert_eq!(denied.reason, Reason::SourceCited);
        assert!(denied.metadata.contains(&("table", "figures".into())));
    }
    world.check();
}

#[test]
fn mounting_has_its_conditions() {
    let mut world = World::new();
    let too_many = mounting(&mut world, "figures", 1, MAX_ROWS + 1);
    assert_eq!(
        world.act("olga", too_many).unwrap_err().reason,
        Reason::BoardLimit
    );
    let unknown = mounting(&mut world, "figures", 9, 1);
    assert_eq!(
        world.act("olga", unknown).unwrap_err().reason,
        Reason::SourceUnknown
    );
    let gone = Command::UnmountTable {
        table: name("figures"),
        reason: world.says("why not"),
    };
    assert_eq!(
        world.act("olga", gone).unwrap_err().reason,
        Reason::TableUnknown
    );
    for number in 0..4 {
        let command = mounting(&mut world, &format!("t{number}"), 1, MAX_ROWS);
        world.act("olga", command).unwrap();
    }
    let full = mounting(&mut world, "figures", 1, 1);
    assert_eq!(
        world.act("olga", full).unwrap_err().reason,
        Reason::BoardLimit
    );
    for who in ["ann", "vera", "axel", "rita", "aude"] {
        let command = mounting(&mut world, "t0", 2, 1);
        let denied = world.act(who, command).unwrap_err();
        assert_eq!(denied.reason, Reason::RoleMissing, "{who}");
    }
    world.check();
}

#[test]
fn an_amendment_may_not_contradict_a_row() {
    let mut world = World::new();
    let locked = world.locked("market", pawl_ledger::module::SealMode::Hard);
    let row = mount(&mut world, 1);
    let mut proposal = against(&mut world, Against::Known(row), FindingKind::ClaimKey);
    proposal.replaces = Some(locked);
    let denied = world.amend_with("axel", locked, proposal).unwrap_err();
    assert_eq!(denied.reason, Reason::ContradictsLocked);
    assert!(denied.message.contains("figures#3"), "{denied}");
}

/// What `verify` finds in a log that goes on with one event that the rules do not allow.
#[track_caller]
fn check_unlawful(mut world: World, who: &str, event: Event) {
    world.check();
    let position = world.board.position();
    world.write(who, event);
    let report = pawl_ledger::verify::verify(&world.store()).unwrap();
    let (_, first) = report.first_wrong_entry().expect("something is wrong");
    assert_eq!(first, position, "{report}");
}

#[test]
fn verify_names_what_was_never_given() {
    let mounted = |world: &mut World, table: &str, source| Event::TableMounted {
        table: name(table),
        source: digest(source),
        rows: 1,
        parsed: Digest::of(b"rows"),
        definition: world.says("as it is"),
    };
    for (who, table, source) in [
        ("ann", "figures", 1),
        ("olga", "market", 1),
        ("olga", "figures", 9),
    ] {
        let mut world = World::new();
        let event = mounted(&mut world, table, source);
        check_unlawful(world, who, event);
    }
    let mut world = World::new();
    mount(&mut world, 1);
    let reason = world.says("why not");
    let table = name("figures");
    check_unlawful(world, "ann", Event::TableUnmounted { table, reason });

    let refusal = |world: &mut World, kind, reference| {
        let refused = Event::Refused {
            refusal: RefusalId(1),
            module: name("market"),
            content: world.says("it is so"),
            check: world.says("the check"),
            earlier_attempts: 0,
        };
        world.apply("ann", vec![refused]);
        Event::ConflictOpened {
            conflict: ConflictId(1),
            challenger: Challenger::Refusal(RefusalId(1)),
            standing: None,
            reference,
            cause: ConflictCause::Finding(kind),
            score: Score::MAX,
            rescan: false,
        }
    };
    for (kind, gone) in [
        (FindingKind::Quantity, false),
        (FindingKind::ClaimKey, true),
    ] {
        let mut world = World::new();
        let row = mount(&mut world, 1);
        if gone {
            unmount(&mut world);
        }
        let event = refusal(&mut world, kind, Some(row));
        let position = world.board.position();
        world.write("ann", event);
        let report = pawl_ledger::verify::verify(&world.store()).unwrap();
        let (_, first) = report.first_wrong_entry().expect("something is wrong");
        assert_eq!(first, position, "{report}");
    }
}

#[test]
fn nobody_waits_for_a_table_that_no_revision_is_against() {
    let mut world = World::new();
    let row = mount(&mut world, 1);
    let decision = submit(&mut world, row, FindingKind::Quantity);
    let id: RevisionId = decision.revision.unwrap();
    // A newer version ends what was against the old one; the checker looks at the new one itself.
    mount(&mut world, 2);
    assert_eq!(world.status(id), Status::Proposed);
    world.check();
}
