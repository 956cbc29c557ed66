//! Each role tries each act; only those that may get past the rules.

use pawl_ledger::{
    command::Command,
    decide::{Denied, Reason},
    event::{Event, ModuleDeclaration},
    id::RevisionId,
    module::SealMode,
    phase::Phase,
    quota::Quotas,
    status::{Policy, QuoteCheck, Role},
};

use crate::world::{World, denied, digest, name};

/// What an act is done to.
struct Things {
    proposed: RevisionId,
    validated: RevisionId,
    locked: RevisionId,
    lost: RevisionId,
    conflict: pawl_ledger::id::ConflictId,
    standing: RevisionId,
    flag: pawl_ledger::id::FlagId,
    first: pawl_ledger::digest::Digest,
}

fn things() -> (World, Things) {
    let mut world = World::new();
    let locked = world.locked("market", SealMode::Hard);
    let first = world.state(locked).snapshot.unwrap();
    world.locked("market", SealMode::Hard);
    let (proposed, validated) = (
        world.accepted("ann", "market"),
        world.accepted("ann", "market"),
    );
    world.validate(validated);
    let support = world.accepted("ann", "market");
    let inference = world.inference("market", &[support]);
    let lost = world.accept("ann", inference);
    world.retract("ann", support).unwrap();
    let standing = world.accepted("ben", "market");
    let (_, conflict) = world.contested("ann", standing);
    let reason = world.says("i doubt it");
    let command = Command::Flag {
        revision: locked,
        reason,
        citations: Vec::new(),
    };
    world.act("ben", command).unwrap();
    let phases = ["first", "second"].map(|it| Phase::open(name(it)));
    world
        .act("olga", Command::DeclarePhases(phases.to_vec()))
        .unwrap();
    let things = Things {
        proposed,
        validated,
        locked,
        lost,
        conflict,
        standing,
        flag: pawl_ledger::id::FlagId(1),
        first,
    };
    (world, things)
}

type Try = fn(&mut World, &Things, &str) -> Result<Vec<Event>, Denied>;

/// Every act with the roles that may do it.
const ACTS: [(&str, &[Role], Try); 21] = [
    ("set the policy", &[Role::Operator], |world, _, who| {
        let policy = Policy {
            note: world.board.policy.conflict,
            ..world.board.policy
        };
        world.act(who, Command::SetPolicy(policy))
    }),
    ("grant", &[Role::Operator], |world, _, who| {
        world.act(who, Command::GrantRole(name("zoe"), Role::Reader))
    }),
    ("revoke", &[Role::Operator], |world, _, who| {
        world.act(who, Command::RevokeRole(name("rita"), Role::Reader))
    }),
    ("declare a module", &[Role::Operator], |world, _, who| {
        let declaration = ModuleDeclaration::default();
        world.act(who, Command::DeclareModule(name("new"), declaration))
    }),
    (
        "register a source",
        &[Role::Agent, Role::Verifier, Role::Arbiter, Role::Operator],
        |world, _, who| {
            let command = world.source(6);
            world.act(who, command)
        },
    ),
    ("submit", &[Role::Agent], |world, _, who| {
        let proposal = world.statement("market");
        world.submit(who, proposal).map(|it| it.events)
    }),
    ("validate", &[Role::Verifier], |world, things, who| {
        let evidence = vec![world.cites(2, QuoteCheck::Exact)];
        let revision = things.proposed;
        world.act(who, Command::Validate { revision, evidence })
    }),
    ("reaffirm", &[Role::Verifier], |world, things, who| {
        let command = Command::Reaffirm {
            revision: things.lost,
            supports: vec![things.standing],
            reason: world.says("still so"),
        };
        world.act(who, command)
    }),
    (
        "flag",
        &[Role::Agent, Role::Verifier, Role::Arbiter],
        |world, things, who| {
            let command = Command::Flag {
                revision: things.locked,
                reason: world.says("i doubt it"),
                citations: Vec::new(),
            };
            world.act(who, command)
        },
    ),
    ("close a flag", &[Role::Arbiter], |world, things, who| {
        let reason = world.says("it holds");
        let flag = things.flag;
        world.act(who, Command::CloseFlag { flag, reason })
    }),
    ("resolve", &[Role::Arbiter], |world, things, who| {
        world.resolve(who, things.conflict, things.standing)
    }),
    ("dismiss", &[Role::Arbiter], |world, things, who| {
        world.dismiss(who, things.conflict)
    }),
    ("seal", &[Role::Arbiter], |world, things, who| {
        let (only, mode) = (Some(things.validated), SealMode::Hard);
        let module = name("market");
        world.act(who, Command::Seal { module, only, mode })
    }),
    ("amend", &[Role::Arbiter], |world, things, who| {
        world.amend(who, things.locked).map(|_| Vec::new())
    }),
    ("roll back", &[Role::Arbiter], |world, things, who| {
        world.rollback(who, "market", things.first)
    }),
    (
        "declare an attribute",
        &[Role::Operator],
        |world, _, who| {
            let command = Command::DeclareAttribute {
                attribute: name("revenue"),
                value_type: pawl_ledger::status::ValueType::Decimal,
                multi_valued: false,
                definition: world.says("revenue"),
            };
            world.act(who, command)
        },
    ),
    ("declare phases", &[Role::Operator], |world, _, who| {
        let phases = vec![Phase::open(name("first"))];
        world.act(who, Command::DeclarePhases(phases))
    }),
    (
        "move the board on",
        &[Role::Operator, Role::Arbiter],
        |world, _, who| {
            let command = Command::EnterPhase {
                phase: name("second"),
                reason: None,
            };
            world.act(who, command)
        },
    ),
    ("set quotas", &[Role::Operator], |world, _, who| {
        let quotas = Quotas {
            sources: Some(7),
            ..Quotas::default()
        };
        world.act(who, Command::SetQuotas(quotas))
    }),
    ("archive", &[Role::Operator], |world, _, who| {
        let reason = world.says("the work is done");
        world.act(who, Command::Archive { reason })
    }),
    (
        "remove another's source",
        &[Role::Operator],
        |world, _, who| world.act(who, Command::RemoveSource(digest(5))),
    ),
];

#[test]
fn each_role_does_what_it_may_and_nothing_else() {
    for (act, may, run) in &ACTS {
        for role in Role::ALL {
            let (mut world, things) = things();
            world
                .act("olga", Command::GrantRole(name("new.one"), *role))
                .unwrap();
            let before = world.board.clone();
            let result = run(&mut world, &things, "new.one");
            if may.contains(role) {
                result.unwrap_or_else(|denied| panic!("{role} may {act}: {denied}"));
            } else {
                assert_eq!(denied(result), Reason::RoleMissing, "{role} may not {act}");
                assert!(before == world.board, "{role} changed something");
            }
            world.check();
        }
    }
}

#[test]
fn who_has_no_role_does_nothing() {
    for (act, _, run) in &ACTS {
        let (mut world, things) = things();
        let result = run(&mut world, &things, "stranger");
        assert_eq!(denied(result), Reason::RoleMissing, "{act}");
    }
}

#[test]
fn the_last_operator_stays() {
    let mut world = World::new();
    let revoke = Command::RevokeRole(name("olga"), Role::Operator);
    assert_eq!(denied(world.act("olga", revoke)), Reason::FieldInvalid);
}

#[test]
fn nobody_confirms_their_own() {
    let mut world = World::new();
    for (role, who) in [(Role::Verifier, "ann"), (Role::Agent, "vera")] {
        world
            .act("olga", Command::GrantRole(name(who), role))
            .unwrap();
    }
    let own = world.accepted("vera", "market");
    let evidence = vec![world.cites(2, QuoteCheck::Exact)];
    let command = Command::Validate {
        revision: own,
        evidence,
    };
    assert_eq!(
        denied(world.act("vera", command.clone())),
        Reason::OwnAssertion
    );
    world.act("ann", command).unwrap();
    world.check();
}

#[test]
fn the_right_counts_at_the_moment_of_the_act() {
    let mut world = World::new();
    let id = world.accepted("ann", "market");
    let revoke = Command::RevokeRole(name("vera"), Role::Verifier);
    world.act("olga", revoke).unwrap();
    let evidence = vec![world.cites(2, QuoteCheck::Exact)];
    let command = Command::Validate {
        revision: id,
        evidence,
    };
    assert_eq!(denied(world.act("vera", command)), Reason::RoleMissing);
    world.check();
}

#[test]
fn thresholds_that_no_entry_could_hold_are_refused() {
    let mut world = World::new();
    let policy = Policy {
        conflict: pawl_ledger::finding::Score::clamped(1),
        note: pawl_ledger::finding::Score::clamped(2),
    };
    let result = world.act("olga", Command::SetPolicy(policy));
    assert_eq!(denied(result), Reason::FieldInvalid);
}
