//! A board's own quotas, archived and reopened; sources that go while nothing cites them.

use pawl_ledger::{
    command::Command,
    decide::{Pending, Reason, decide_submission},
    digest::Digest,
    module::SealMode,
    quota::Quotas,
    status::Role,
};

use crate::world::{World, denied, digest, name};

#[test]
fn an_archived_board_takes_nothing_until_it_is_reopened() {
    let mut world = World::new();
    let fact = world.accepted("ann", "market");
    let reason = world.says("done");
    world.act("olga", Command::Archive { reason }).unwrap();
    assert!(
        world
            .act("olga", Command::Archive { reason })
            .unwrap()
            .is_empty()
    );

    let proposal = world.statement("market");
    let context = world.context("ann");
    let asked = decide_submission(&world.board, &context, &proposal, &mut Pending::asking());
    assert_eq!(denied(asked), Reason::BoardArchived);
    assert_eq!(denied(world.submit("ann", proposal)), Reason::BoardArchived);
    let evidence = vec![world.cites(2, pawl_ledger::status::QuoteCheck::Exact)];
    let source = world.source(6);
    for (who, command) in [
        (
            "vera",
            Command::Validate {
                revision: fact,
                evidence,
            },
        ),
        (
            "ann",
            Command::Retract {
                revision: fact,
                reason,
            },
        ),
        ("ann", source),
        ("olga", Command::GrantRole(name("zoe"), Role::Reader)),
        (
            "olga",
            Command::SetQuotas(Quotas {
                sources: Some(1),
                ..Quotas::default()
            }),
        ),
        ("olga", Command::RemoveSource(digest(5))),
        (
            "axel",
            Command::Seal {
                module: name("market"),
                only: None,
                mode: SealMode::Hard,
            },
        ),
    ] {
        assert_eq!(denied(world.act(who, command)), Reason::BoardArchived);
    }
    assert_eq!(
        denied(world.act("ann", Command::Reopen { reason })),
        Reason::RoleMissing
    );
    world.act("olga", Command::Reopen { reason }).unwrap();
    assert!(
        world
            .act("olga", Command::Reopen { reason })
            .unwrap()
            .is_empty()
    );
    world.validate(fact);
    world.check();
}

#[test]
fn archiving_seals_nothing_by_itself() {
    let mut world = World::new();
    let policy = pawl_ledger::module::SealPolicy {
        automatic: Some(SealMode::Hard),
        stable_seconds: 60,
        ..crate::world::lax()
    };
    world.declare("market", crate::world::with_policy(policy));
    world.accepted("ann", "market");
    world.now += 120_000;
    let reason = world.says("done");
    let events = world.act("olga", Command::Archive { reason }).unwrap();
    assert_eq!(events.len(), 1, "{events:?}");
    world.check();
}

#[test]
fn a_quota_is_within_bounds_and_set_once() {
    let mut world = World::new();
    for wrong in [0, Quotas::MOST + 1] {
        let quotas = Quotas {
            word_bytes: Some(wrong),
            ..Quotas::default()
        };
        let result = world.act("olga", Command::SetQuotas(quotas)).unwrap_err();
        assert_eq!(result.reason, Reason::FieldInvalid);
        assert_eq!(result.metadata[0], ("field", "word_bytes".to_owned()));
    }
    let quotas = Quotas {
        word_bytes: Some(10),
        ..Quotas::default()
    };
    assert_eq!(
        world.act("olga", Command::SetQuotas(quotas)).unwrap().len(),
        1
    );
    assert!(
        world
            .act("olga", Command::SetQuotas(quotas))
            .unwrap()
            .is_empty()
    );
    world.check();
}

#[test]
fn a_source_goes_only_if_nothing_ever_cited_it() {
    let mut world = World::new();
    let fact = world.accepted("ann", "market");
    world.validate(fact);
    world.retract("ann", fact).unwrap();
    for cited in [1, 2] {
        let denied = world
            .act("olga", Command::RemoveSource(digest(cited)))
            .unwrap_err();
        assert_eq!(denied.reason, Reason::SourceCited);
        assert!(denied.metadata.contains(&("cited_by", "a1@1".to_owned())));
    }
    let unknown = world.act("olga", Command::RemoveSource(Digest::of(b"unknown")));
    assert_eq!(denied(unknown), Reason::SourceUnknown);
    let own = world.source(6);
    world.act("ben", own).unwrap();
    assert_eq!(
        denied(world.act("ann", Command::RemoveSource(digest(6)))),
        Reason::RoleMissing
    );
    world.act("ben", Command::RemoveSource(digest(6))).unwrap();
    world.act("olga", Command::RemoveSource(digest(5))).unwrap();
    let mut citing = world.statement("market");
    citing.citations = vec![world.cites(5, pawl_ledger::status::QuoteCheck::Exact)];
    assert_eq!(denied(world.submit("ann", citing)), Reason::SourceUnknown);
    world.check();
    let again = world.source(5);
    world.act("ann", again).unwrap();
    assert_eq!(world.board.sources[&digest(5)].principal, name("ann"));
    world.check();
}
