//! Doubts about what is locked.

use pawl_proto::v1::{CloseFlagRequest, GetBriefRequest, ListFlagsRequest, Status};

use crate::world::{World, accepted, cite, refused, short};

#[tokio::test]
async fn a_doubt_is_recorded_and_shown_while_the_lock_stands() {
    let world = World::new().await;
    let locked = world
        .locked(
            world
                .ana
                .draft("The plant in Lyon has 500 employees.")
                .await,
        )
        .await;
    let source = world.ben.upload("text/plain", b"Lyon cut 20 jobs.").await;
    let outcome = world.ben.say("The plant in Lyon has 480 employees.").await;
    refused(&outcome);
    assert!(
        outcome.remedies.iter().any(|it| it.contains("flag")),
        "the way on is told"
    );

    let flag = world
        .ben
        .flag(&locked, vec![cite(&source, "Lyon cut 20 jobs.")])
        .await
        .unwrap();
    assert!(flag.open);
    assert_eq!(flag.principal, world.ben.name);
    assert_eq!(short(&flag.assertion), locked);
    assert_eq!(flag.citations[0].quote, "Lyon cut 20 jobs.");
    assert_eq!(world.ana.status(&locked).await, Status::Locked);
    assert_eq!(world.ana.assertion(&locked).await.flags.len(), 1);

    let list = |all| ListFlagsRequest {
        board: world.board.clone(),
        all,
    };
    let shown = world
        .aron
        .assertions()
        .list_flags(list(false))
        .await
        .unwrap()
        .into_inner()
        .flags;
    assert_eq!(shown.len(), 1);
    let brief = world.ana.brief(GetBriefRequest::default()).await;
    assert_eq!(brief.flags.len(), 1);
    assert!(
        brief.text.contains("a later report says otherwise"),
        "{}",
        brief.text
    );

    let close = CloseFlagRequest {
        board: world.board.clone(),
        flag: short(&flag.name),
        reason: "the report is of another plant".into(),
        ..Default::default()
    };
    let mut ana = world.ana.assertions();
    world
        .denied(ana.close_flag(close.clone()), "ROLE_MISSING")
        .await;
    let mut aron = world.aron.assertions();
    let closed = aron.close_flag(close.clone()).await.unwrap().into_inner();
    assert!(!closed.open);
    assert_eq!(closed.answer, "the report is of another plant");
    world.denied(aron.close_flag(close), "FLAG_CLOSED").await;
    let shown = aron
        .list_flags(list(false))
        .await
        .unwrap()
        .into_inner()
        .flags;
    assert!(shown.is_empty());
    assert_eq!(
        aron.list_flags(list(true))
            .await
            .unwrap()
            .into_inner()
            .flags
            .len(),
        1
    );
}

#[tokio::test]
async fn only_what_is_locked_is_flagged_and_a_quote_in_a_flag_has_to_stand() {
    let world = World::new().await;
    let open = accepted(&world.ana.say("The harbour freezes in winter.").await);
    let metadata = world
        .denied(world.ben.flag(&open, vec![]), "NOT_LOCKED")
        .await;
    assert_eq!(metadata["status"], "proposed");
    world.ana.retract(&open).await.unwrap();
    let locked = world
        .locked(
            world
                .ana
                .draft("The plant in Lyon has 500 employees.")
                .await,
        )
        .await;
    let source = world.ben.upload("text/plain", b"Lyon cut 20 jobs.").await;
    let invented = vec![cite(&source, "Lyon cut 30 jobs.")];
    world
        .denied(world.ben.flag(&locked, invented), "QUOTE_NOT_FOUND")
        .await;
}

#[tokio::test]
async fn a_correction_without_the_right_to_amend_is_told_of_flags() {
    let world = World::new().await;
    let locked = world
        .locked(
            world
                .ana
                .draft("The plant in Lyon has 500 employees.")
                .await,
        )
        .await;
    let revised = pawl_proto::v1::Draft {
        replaces: locked.clone(),
        ..world
            .ana
            .draft("The plant in Lyon has 480 employees.")
            .await
    };
    let metadata = world.item_denied(revised.clone(), "LOCKED").await;
    assert!(metadata["remedy"].contains("flag"));
    let amend = world.ana.amend(
        &locked,
        pawl_proto::v1::Draft {
            replaces: String::new(),
            ..revised
        },
    );
    world.denied(amend, "ROLE_MISSING").await;
}
