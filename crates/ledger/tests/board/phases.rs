//! Phases: what may be submitted in each, who moves the board, and what has to hold before.

use pawl_ledger::{
    command::Command,
    decide::{Denied, Pending, Reason, decide_submission},
    event::Event,
    module::SealMode,
    phase::{Conditions, Movers, Phase},
    status::{Kind, Level, Role},
};

use crate::world::{World, denied, name};

/// Extraction of data and statements into `market`; then inferences; then everything.
fn phases() -> Vec<Phase> {
    let first = Phase {
        levels: vec![Level::Data, Level::Statement],
        kinds: vec![Kind::Fact, Kind::Estimate],
        modules: vec![name("market")],
        ..Phase::open(name("extraction"))
    };
    let second = Phase {
        levels: vec![Level::Inference],
        movers: Movers {
            roles: vec![Role::Verifier],
            principals: vec![name("ben")],
        },
        conditions: Conditions {
            sealed: vec![name("market")],
            no_open_conflicts: true,
            no_open_flags: true,
        },
        ..Phase::open(name("alignment"))
    };
    vec![first, second, Phase::open(name("synthesis"))]
}

fn world() -> World {
    let mut world = World::new();
    world.act("olga", Command::DeclarePhases(phases())).unwrap();
    world
}

fn enter(world: &mut World, who: &str, phase: &str) -> Result<Vec<Event>, Denied> {
    let command = Command::EnterPhase {
        phase: name(phase),
        reason: None,
    };
    world.act(who, command)
}

fn current(world: &World) -> &str {
    world.board.phase.as_ref().unwrap().name.as_str()
}

#[test]
fn only_what_the_phase_takes_gets_in_and_a_check_says_the_same() {
    let mut world = world();
    let taken = world.accepted("ann", "market");
    let mut forecast = world.statement("market");
    forecast.kind = Kind::Forecast;
    let wrong = [
        ("module", world.statement("outlook")),
        ("level", world.inference("market", &[taken])),
        ("kind", forecast),
    ];
    for (field, proposal) in wrong {
        let context = world.context("ann");
        let asked = decide_submission(&world.board, &context, &proposal, &mut Pending::asking());
        let asked = asked.unwrap_err();
        assert_eq!(asked.reason, Reason::OutOfPhase);
        assert_eq!(asked.metadata[0], ("field", field.to_owned()));
        let told = |name: &str| asked.metadata.iter().find(|it| it.0 == name).unwrap();
        assert_eq!(told("phase").1, "extraction");
        assert_eq!(told("levels").1, "data,statement");
        assert_eq!(told("modules").1, "market");
        let refused = world.submit("ann", proposal).unwrap_err();
        assert_eq!(refused, asked);
    }
    enter(&mut world, "olga", "alignment").unwrap();
    let proposal = world.statement("market");
    assert_eq!(denied(world.submit("ann", proposal)), Reason::OutOfPhase);
    let proposal = world.inference("outlook", &[taken]);
    world.accept("ann", proposal);
    world.check();
}

#[test]
fn a_board_is_moved_on_one_step_at_a_time_by_who_may_once_the_conditions_hold() {
    let mut world = world();
    let fact = world.accepted("ann", "market");
    let skipped = enter(&mut world, "olga", "synthesis");
    assert_eq!(denied(skipped), Reason::TransitionIllegal);
    assert_eq!(
        denied(enter(&mut world, "ann", "alignment")),
        Reason::RoleMissing
    );
    assert_eq!(
        denied(enter(&mut world, "olga", "drafting")),
        Reason::PhaseUnknown
    );
    enter(&mut world, "axel", "alignment").unwrap();
    assert!(enter(&mut world, "axel", "alignment").unwrap().is_empty());

    let unsealed = enter(&mut world, "vera", "synthesis").unwrap_err();
    assert_eq!(unsealed.reason, Reason::PhaseConditions);
    assert!(
        unsealed
            .metadata
            .contains(&("unsealed", "market".to_owned()))
    );
    assert_eq!(
        denied(enter(&mut world, "olga", "synthesis")),
        Reason::RoleMissing
    );
    world.validate(fact);
    world.seal("axel", "market", SealMode::Hard).unwrap();
    let reason = world.says("i doubt it");
    let flag = Command::Flag {
        revision: fact,
        reason,
        citations: Vec::new(),
    };
    world.act("ben", flag).unwrap();
    assert_eq!(
        denied(enter(&mut world, "ben", "synthesis")),
        Reason::PhaseConditions
    );
    let flag = pawl_ledger::id::FlagId(1);
    world
        .act("axel", Command::CloseFlag { flag, reason })
        .unwrap();
    enter(&mut world, "ben", "synthesis").unwrap();
    assert_eq!(current(&world), "synthesis");
    world.check();
}

#[test]
fn only_an_arbiter_goes_back_and_says_why() {
    let mut world = world();
    enter(&mut world, "olga", "alignment").unwrap();
    assert_eq!(
        denied(enter(&mut world, "axel", "extraction")),
        Reason::FieldMissing
    );
    let back = Command::EnterPhase {
        phase: name("extraction"),
        reason: Some(world.says("a report was missed")),
    };
    assert_eq!(denied(world.act("olga", back.clone())), Reason::RoleMissing);
    world.act("axel", back).unwrap();
    assert_eq!(current(&world), "extraction");
    world.accepted("ann", "market");
    world.check();
}

#[test]
fn an_amendment_is_of_no_phase() {
    let mut world = world();
    let fact = world.locked("market", SealMode::Hard);
    enter(&mut world, "olga", "alignment").unwrap();
    world.amend("axel", fact).unwrap();
    world.check();
}

#[test]
fn phases_declared_anew_keep_the_present_one_and_none_end_them() {
    let mut world = world();
    enter(&mut world, "olga", "alignment").unwrap();
    let without: Vec<Phase> = phases()
        .into_iter()
        .filter(|it| it.name.as_str() != "alignment")
        .collect();
    let result = world.act("olga", Command::DeclarePhases(without));
    assert_eq!(denied(result), Reason::FieldInvalid);
    let mut changed = phases();
    changed[1].levels.clear();
    changed.remove(0);
    world.act("olga", Command::DeclarePhases(changed)).unwrap();
    assert_eq!(current(&world), "alignment");
    world.accepted("ann", "outlook");
    world
        .act("olga", Command::DeclarePhases(Vec::new()))
        .unwrap();
    assert!(world.board.phase.is_none());
    world.accepted("ann", "outlook");
    world.act("olga", Command::DeclarePhases(phases())).unwrap();
    assert_eq!(current(&world), "extraction");
    world.check();
}

#[test]
fn what_no_board_could_follow_is_not_declared() {
    let mut world = World::new();
    let mut unknown = phases();
    unknown[1].conditions.sealed = vec![name("nowhere")];
    let twice = vec![Phase::open(name("one")), Phase::open(name("one"))];
    let many = (0..65)
        .map(|it| Phase::open(name(&format!("p{it}"))))
        .collect();
    let mut long = phases();
    long[0].levels = vec![Level::Data; 257];
    for (phases, reason) in [
        (unknown, Reason::ModuleUnknown),
        (twice, Reason::FieldInvalid),
        (many, Reason::FieldTooLong),
        (long, Reason::FieldTooLong),
    ] {
        assert_eq!(
            denied(world.act("olga", Command::DeclarePhases(phases))),
            reason
        );
    }
    let nowhere = enter(&mut world, "olga", "extraction");
    assert_eq!(denied(nowhere), Reason::PhaseUnknown);
}
