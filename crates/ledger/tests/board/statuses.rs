//! The whole table of transitions: every act on a revision of every status.

use pawl_ledger::{
    command::Command,
    decide::{Denied, Reason},
    event::Event,
    id::RevisionId,
    module::SealMode,
    status::{QuoteCheck, Status},
};

use crate::world::World;

/// Makes a revision of ann's with a status.
fn revision(world: &mut World, status: Status) -> RevisionId {
    match status {
        Status::Locked => world.locked("market", SealMode::Hard),
        Status::RolledBack => {
            let first = world.locked("market", SealMode::Hard);
            let id = world.locked("market", SealMode::Hard);
            let first = world.state(first).snapshot.unwrap();
            world.rollback("axel", "market", first).unwrap();
            id
        }
        Status::Contested => {
            let standing = world.accepted("ben", "market");
            world.contested("ann", standing).0
        }
        Status::Rejected => {
            let standing = world.accepted("ben", "market");
            let (challenger, conflict) = world.contested("ann", standing);
            world.resolve("axel", conflict, standing).unwrap();
            challenger
        }
        _ => {
            let id = world.accepted("ann", "market");
            match status {
                Status::Validated => world.validate(id),
                Status::Retracted => drop(world.retract("ann", id).unwrap()),
                Status::Superseded => {
                    let mut proposal = world.statement("market");
                    proposal.replaces = Some(id);
                    world.accept("ann", proposal);
                }
                _ => {}
            }
            id
        }
    }
}

/// An act, and what is to become of a revision of each status: the new status, or the refusal.
struct Act {
    name: &'static str,
    run: fn(&mut World, RevisionId) -> Result<Vec<Event>, Denied>,
    outcome: fn(Status) -> Result<Status, Reason>,
}

const ACTS: [Act; 7] = [
    Act {
        name: "validate",
        run: |world, revision| {
            let evidence = vec![world.cites(2, QuoteCheck::Normalised)];
            world.act("vera", Command::Validate { revision, evidence })
        },
        outcome: |from| match from {
            Status::Proposed => Ok(Status::Validated),
            _ => Err(Reason::TransitionIllegal),
        },
    },
    Act {
        name: "retract",
        run: |world, revision| world.retract("ann", revision),
        outcome: |from| match from {
            Status::Proposed | Status::Validated | Status::Contested => Ok(Status::Retracted),
            Status::Locked => Err(Reason::Locked),
            _ => Err(Reason::TransitionIllegal),
        },
    },
    Act {
        name: "revise",
        run: |world, revision| {
            let mut proposal = world.statement("market");
            proposal.replaces = Some(revision);
            world
                .submit("ann", proposal)
                .map(|decision| decision.events)
        },
        outcome: |from| match from {
            Status::Proposed | Status::Validated | Status::Contested => Ok(Status::Superseded),
            Status::Locked => Err(Reason::Locked),
            _ => Err(Reason::TransitionIllegal),
        },
    },
    Act {
        name: "seal",
        run: |world, revision| {
            world
                .seal_only("axel", "market", Some(revision), SealMode::Hard)
                .map(|_| Vec::new())
        },
        outcome: |from| match from {
            Status::Validated => Ok(Status::Locked),
            Status::Proposed => Err(Reason::SealConditions),
            Status::Locked => Err(Reason::NothingToSeal),
            _ => Err(Reason::TransitionIllegal),
        },
    },
    Act {
        name: "amend",
        run: |world, revision| world.amend("axel", revision).map(|_| Vec::new()),
        outcome: |from| match from {
            Status::Locked => Ok(Status::Superseded),
            _ => Err(Reason::NotLocked),
        },
    },
    Act {
        name: "flag",
        run: |world, revision| {
            let reason = world.says("i doubt it");
            let citations = Vec::new();
            world.act(
                "ben",
                Command::Flag {
                    revision,
                    reason,
                    citations,
                },
            )
        },
        outcome: |from| match from {
            Status::Locked => Ok(Status::Locked),
            _ => Err(Reason::NotLocked),
        },
    },
    Act {
        name: "reaffirm",
        run: |world, revision| {
            let reason = world.says("still so");
            let supports = Vec::new();
            world.act(
                "vera",
                Command::Reaffirm {
                    revision,
                    supports,
                    reason,
                },
            )
        },
        outcome: |from| match from {
            Status::Proposed | Status::Validated | Status::Locked | Status::Contested => {
                Err(Reason::SupportNotLost)
            }
            _ => Err(Reason::TransitionIllegal),
        },
    },
];

#[test]
fn every_act_on_every_status_does_what_the_table_says() {
    for act in &ACTS {
        for from in Status::ALL {
            let mut world = World::new();
            let id = revision(&mut world, *from);
            assert_eq!(world.status(id), *from);
            let before = world.board.clone();
            let result = (act.run)(&mut world, id);
            let told = format!("{} what is {from}", act.name);
            match (act.outcome)(*from) {
                Ok(status) => {
                    result.expect(&told);
                    assert_eq!(world.status(id), status, "{told}");
                }
                Err(reason) => {
                    assert_eq!(result.expect_err(&told).reason, reason, "{told}");
                    assert!(before == world.board, "{told} changed something");
                }
            }
            world.check();
        }
    }
}

#[test]
fn a_refused_transition_names_the_legal_ones() {
    let mut world = World::new();
    let id = revision(&mut world, Status::Contested);
    let evidence = vec![world.cites(2, QuoteCheck::Exact)];
    let denied = world.act(
        "vera",
        Command::Validate {
            revision: id,
            evidence,
        },
    );
    let denied = denied.unwrap_err();
    let legal = Status::Contested.legal_transitions();
    assert!(
        denied.metadata.contains(&("legal", legal.to_owned())),
        "{denied:?}"
    );
    assert!(denied.message.contains(legal), "{denied}");
}

#[test]
fn nobody_confirms_without_a_quote_that_was_found() {
    let mut world = World::new();
    let revision = world.accepted("ann", "market");
    for evidence in [Vec::new(), vec![world.cites(2, QuoteCheck::Unverified)]] {
        let command = Command::Validate { revision, evidence };
        let reason = world.act("vera", command).unwrap_err().reason;
        assert_eq!(reason, Reason::CitationMissing);
    }
}
