//! Phases: what may be submitted when, and how a board moves on.

use pawl_proto::v1::{
    self as proto, EnterPhaseRequest, Kind, Level, ListPhasesResponse, Phase, Role,
};
use tonic::Status;

use crate::world::{Client, World, accepted, denied, inference, item_error};

/// A phase that leaves everything open.
pub(crate) fn open(name: &str) -> Phase {
    Phase {
        phase: name.into(),
        ..Phase::default()
    }
}

pub(crate) async fn declare(
    client: &Client,
    phases: Vec<Phase>,
) -> Result<ListPhasesResponse, Status> {
    let board = client.board.clone();
    let request = proto::DeclarePhasesRequest { board, phases };
    Ok(client.boards().declare_phases(request).await?.into_inner())
}

pub(crate) async fn enter(
    client: &Client,
    phase: &str,
    reason: &str,
) -> Result<ListPhasesResponse, Status> {
    let request = EnterPhaseRequest {
        board: client.board.clone(),
        phase: phase.into(),
        reason: reason.into(),
    };
    Ok(client.boards().enter_phase(request).await?.into_inner())
}

/// Statements about the market until it is sealed and quiet; then inferences anywhere.
async fn phased() -> World {
    let world = World::new().await;
    world.operator.declare_module("outlook").await;
    let extraction = Phase {
        levels: vec![Level::Data.into(), Level::Statement.into()],
        kinds: vec![Kind::Fact.into()],
        modules: vec!["market".into()],
        mover_roles: vec![Role::Verifier.into()],
        sealed: vec!["market".into()],
        no_open_conflicts: true,
        no_open_flags: true,
        ..open("extraction")
    };
    let synthesis = Phase {
        levels: vec![Level::Inference.into()],
        ..open("synthesis")
    };
    let list = declare(&world.operator, vec![extraction, synthesis])
        .await
        .unwrap();
    assert!(list.phases[0].current && !list.phases[1].current);
    assert_eq!(list.phases[0].unmet, ["module `market` is not sealed"]);
    world
}

#[tokio::test]
async fn a_submission_out_of_phase_is_told_what_is_taken_now_and_a_check_the_same() {
    let world = phased().await;
    let fact = world.ana.draft("The harbour freezes in winter.").await;
    let support = accepted(&world.ana.submit_one(fact.clone()).await);
    let wrong = [
        (
            "module",
            proto::Draft {
                module: "outlook".into(),
                ..fact.clone()
            },
        ),
        (
            "kind",
            proto::Draft {
                kind: Kind::Forecast.into(),
                ..fact.clone()
            },
        ),
        (
            "level",
            inference("The port closes in winter.", &[&support]),
        ),
    ];
    for (field, draft) in wrong {
        let told = world.item_denied(draft.clone(), "OUT_OF_PHASE").await;
        assert_eq!(
            (told["field"].as_str(), told["phase"].as_str()),
            (field, "extraction")
        );
        assert_eq!(
            (told["levels"].as_str(), told["kinds"].as_str()),
            ("data,statement", "fact")
        );
        assert_eq!(told["modules"], "market");
        let check = world.ben.check(vec![draft]).await.unwrap();
        assert_eq!(item_error(&check.outcomes[0], "OUT_OF_PHASE"), told);
        let message = &check.outcomes[0].error.as_ref().unwrap().message;
        assert!(
            message.contains("data,statement") && message.contains("market"),
            "{message}"
        );
    }
}

#[tokio::test]
async fn a_board_moves_on_once_its_conditions_hold_and_a_brief_says_where_it_is() {
    let world = phased().await;
    let fact = accepted(&world.ana.say("The harbour freezes in winter.").await);
    let early = enter(&world.vera, "synthesis", "");
    let told = world.denied(early, "PHASE_CONDITIONS").await;
    assert_eq!(told["unsealed"], "market");
    world
        .denied(enter(&world.operator, "synthesis", ""), "ROLE_MISSING")
        .await;
    world
        .denied(enter(&world.vera, "drafting", ""), "PHASE_UNKNOWN")
        .await;
    world.vera.validate_as_cited(&fact).await;
    world.aron.seal("market").await.unwrap();
    let flag = world.ben.flag(&fact, vec![]).await.unwrap();
    let told = world
        .denied(enter(&world.vera, "synthesis", ""), "PHASE_CONDITIONS")
        .await;
    assert_eq!(told["open_flags"], "1");
    let close = proto::CloseFlagRequest {
        board: world.board.clone(),
        flag: flag.name,
        reason: "it holds".into(),
        ..Default::default()
    };
    world.aron.assertions().close_flag(close).await.unwrap();
    let list = enter(&world.vera, "synthesis", "all is read")
        .await
        .unwrap();
    assert!(list.phases[1].current);
    let before = world.position().await;
    enter(&world.ana, "synthesis", "").await.unwrap();
    assert_eq!(world.position().await, before, "it is there already");

    accepted(
        &world
            .ana
            .submit_one(inference("The port closes in winter.", &[&fact]))
            .await,
    );
    let statement = world.ana.draft("The canal is 12 km long.").await;
    world.item_denied(statement, "OUT_OF_PHASE").await;
    assert_eq!(world.ben.board_record().await.phase, "synthesis");
    let brief = world.ben.brief(proto::GetBriefRequest::default()).await;
    assert_eq!(brief.phase, "synthesis");
    assert!(brief.text.contains("in phase synthesis"), "{}", brief.text);
    let told = world.ben.history().await;
    let entered = told.iter().find(|it| it.kind == "phase_entered").unwrap();
    assert_eq!(entered.detail, "all is read");
}

#[tokio::test]
async fn only_an_arbiter_goes_back_and_an_amendment_is_of_no_phase() {
    let world = World::new().await;
    let fact = world
        .locked(world.ana.draft("The canal is 12 km long.").await)
        .await;
    let narrow = Phase {
        levels: vec![Level::Inference.into()],
        ..open("second")
    };
    declare(&world.operator, vec![open("first"), narrow])
        .await
        .unwrap();
    enter(&world.operator, "second", "").await.unwrap();
    let revised = world.ana.draft("The canal is 13 km long.").await;
    world.aron.amend(&fact, revised).await.unwrap();
    world
        .denied(
            enter(&world.operator, "first", "a report was missed"),
            "ROLE_MISSING",
        )
        .await;
    world
        .denied(enter(&world.aron, "first", ""), "FIELD_MISSING")
        .await;
    enter(&world.aron, "first", "a report was missed")
        .await
        .unwrap();
    accepted(&world.ana.say("The lighthouse was built of granite.").await);
}

#[tokio::test]
async fn phases_that_no_board_could_follow_are_not_declared() {
    let world = phased().await;
    let declare = |phases| declare(&world.operator, phases);
    let unknown = Phase {
        modules: vec!["nowhere".into()],
        ..open("extraction")
    };
    world.denied(declare(vec![unknown]), "MODULE_UNKNOWN").await;
    let stranger = Phase {
        movers: vec!["nobody".into()],
        ..open("extraction")
    };
    world
        .denied(declare(vec![stranger]), "PRINCIPAL_UNKNOWN")
        .await;
    world
        .denied(declare(vec![open("other")]), "FIELD_INVALID")
        .await;
    let twice = vec![open("extraction"), open("extraction")];
    world.denied(declare(twice), "FIELD_INVALID").await;
    let nameless = world.denied(declare(vec![open("")]), "FIELD_MISSING").await;
    assert_eq!(nameless["field"], "phase");
    world
        .denied(declare(vec![open("Not a name")]), "FIELD_INVALID")
        .await;
    let wordless = Phase {
        levels: vec![99],
        ..open("extraction")
    };
    let told = world.denied(declare(vec![wordless]), "FIELD_INVALID").await;
    assert_eq!(told["field"], "levels");
    let many = (0..65).map(|it| open(&format!("p{it}"))).collect();
    world.denied(declare(many), "FIELD_TOO_LONG").await;

    declare(Vec::new()).await.unwrap();
    assert_eq!(world.ben.board_record().await.phase, "");
    let outlook = world.ana.draft("It will rain.").await;
    let outlook = proto::Draft {
        module: "outlook".into(),
        ..outlook
    };
    accepted(&world.ana.submit_one(outlook).await);
    let status = enter(&world.operator, "extraction", "").await.unwrap_err();
    denied(&status, "PHASE_UNKNOWN");
}
