//! What phases do not allow.

use pawl_ledger::{
    command::Command,
    event::{Event, Submitted},
    module::SealMode,
    phase::{Conditions, Phase},
    status::{Level, QuoteCheck},
};

use super::{check_named, first, submitted};
use crate::world::{World, name};

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
