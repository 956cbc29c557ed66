//! Inferences, what they rest on, and what happens when that goes away.

use pawl_proto::v1::{self as proto, Draft, Level, Status, Verdict};

use crate::world::{World, accepted, capacity, claiming, contested, inference, item_error, short};

#[tokio::test]
async fn an_inference_names_what_supports_it_and_may_go_without_citations() {
    let world = World::new().await;
    let metadata = world
        .item_denied(inference("Supply covers demand.", &[]), "SUPPORT_MISSING")
        .await;
    assert_eq!(metadata["field"], "supports");
    let metadata = world
        .item_denied(
            inference("Supply covers demand.", &["a7@1"]),
            "ASSERTION_UNKNOWN",
        )
        .await;
    assert_eq!(metadata["assertion"], "a7@1");

    let fact = accepted(&world.ana.say("The reservoir is full.").await);
    let drawn = inference("Supply covers demand.", &[&fact]);
    let drawn = accepted(&world.ana.submit_one(drawn).await);
    let stored = world.ana.assertion(&drawn).await.draft.unwrap();
    assert_eq!(stored.level(), Level::Inference);
    assert_eq!(stored.supports, [fact]);
}

#[tokio::test]
async fn a_data_point_stands_by_itself_with_its_typed_value() {
    let world = World::new().await;
    let draft = Draft {
        level: Level::Data.into(),
        ..claiming(
            world.ana.draft("12.50 GW").await,
            capacity("Nordlys", "12.50"),
        )
    };
    let id = accepted(&world.ana.submit_one(draft).await);
    let stored = world.ana.assertion(&id).await.draft.unwrap();
    assert_eq!(stored.level(), Level::Data);
    assert_eq!(stored.claim, Some(capacity("Nordlys", "12.50")));
}

#[tokio::test]
async fn an_item_may_rest_on_items_before_it_and_on_none_after_it() {
    let world = World::new().await;
    let fact = world.ana.draft("The reservoir is full.").await;
    let first = inference("Supply covers demand.", &["#0"]);
    let second = inference("No power has to be bought.", &["#1"]);
    let answer = world.ana.submit(vec![fact, first, second]).await.unwrap();
    let ids: Vec<String> = answer.outcomes.iter().map(accepted).collect();
    let last = world.ana.assertion(&ids[2]).await.draft.unwrap();
    assert_eq!(last.supports, [ids[1].clone()]);

    let before = world.position().await;
    let cycle = vec![
        inference("Prices fall.", &["#1"]),
        inference("Demand rises.", &["#0"]),
    ];
    let answer = world.ana.submit(cycle).await.unwrap();
    assert_eq!(
        item_error(&answer.outcomes[0], "SUPPORT_CYCLE")["support"],
        "#1"
    );
    item_error(&answer.outcomes[1], "SUPPORT_NOT_STANDING");
    let alone = inference("Prices fall because prices fall.", &["#0"]);
    let answer = world.ana.submit(vec![alone]).await.unwrap();
    item_error(&answer.outcomes[0], "SUPPORT_CYCLE");
    assert_eq!(world.position().await, before);
}

#[tokio::test]
async fn a_revision_cannot_rest_on_what_rests_on_it() {
    let world = World::new().await;
    let fact = accepted(&world.ana.say("The reservoir is full.").await);
    let drawn = accepted(
        &world
            .ana
            .submit_one(inference("Supply covers demand.", &[&fact]))
            .await,
    );
    let turned = Draft {
        replaces: fact.clone(),
        ..inference("The reservoir has to be full.", &[&drawn])
    };
    let metadata = world.item_denied(turned, "SUPPORT_CYCLE").await;
    assert_eq!(metadata["support"], drawn);
    let itself = Draft {
        replaces: fact.clone(),
        ..inference("The reservoir is quite full.", &[&fact])
    };
    world.item_denied(itself, "SUPPORT_CYCLE").await;
}

#[tokio::test]
async fn a_reaffirmation_cannot_close_a_cycle() {
    let world = World::new().await;
    let rain = accepted(&world.ana.say("It rained a lot in spring.").await);
    let full = accepted(
        &world
            .ana
            .submit_one(inference("The reservoir is full.", &[&rain]))
            .await,
    );
    let supply = accepted(
        &world
            .ana
            .submit_one(inference("Supply covers demand.", &[&full]))
            .await,
    );
    world.ana.retract(&rain).await.unwrap();
    for above in [&full, &supply] {
        let metadata = world
            .denied(
                world.vera.reaffirm(&full, &[above.as_str()]),
                "SUPPORT_CYCLE",
            )
            .await;
        assert_eq!(metadata["support"], *above);
    }
    let snow = accepted(&world.ana.say("There was much snow in the mountains.").await);
    world.vera.reaffirm(&full, &[&snow]).await.unwrap();
    world.ana.retract(&snow).await.unwrap();
    let other = accepted(&world.ana.say("The dam was raised by two metres.").await);
    world.vera.reaffirm(&supply, &[&other]).await.unwrap();
    // Nothing rests on `full` any more, so the other way round is free.
    world.vera.reaffirm(&full, &[&supply]).await.unwrap();
    world.ana.retract(&other).await.unwrap();
    let metadata = world
        .denied(world.vera.reaffirm(&supply, &[&full]), "SUPPORT_CYCLE")
        .await;
    assert_eq!(metadata["support"], full);
}

/// Builds `fact ◀ middle ◀ top` and gives the three.
async fn chain(world: &World) -> [String; 3] {
    let fact = accepted(&world.ana.say("The plant in Lyon has 500 employees.").await);
    let middle = inference("The plant in Lyon is the largest of the group.", &[&fact]);
    let middle = accepted(&world.ana.submit_one(middle).await);
    let top = inference("Closing Lyon would halve the output.", &[&middle]);
    let top = accepted(&world.ana.submit_one(top).await);
    [fact, middle, top]
}

async fn lost(world: &World, id: &str) -> String {
    world.ben.assertion(id).await.support_lost
}

#[tokio::test]
async fn a_retracted_support_is_lost_to_everything_above_and_shown() {
    let world = World::new().await;
    let [fact, middle, top] = chain(&world).await;
    assert_eq!(lost(&world, &middle).await, "");
    let before = world.position().await;
    world.ana.retract(&fact).await.unwrap();
    assert_eq!(
        world.position().await,
        before + 1,
        "the entry names the cause only"
    );
    for id in [&middle, &top] {
        assert!(lost(&world, id).await.contains(&fact), "{id}");
        assert_eq!(world.ben.status(id).await, Status::Proposed);
    }
    assert_eq!(
        world
            .operator
            .board_record()
            .await
            .figures
            .unwrap()
            .support_lost,
        2
    );
    let evidence = proto::GetEvidenceRequest {
        board: world.board.clone(),
        assertion: top.clone(),
        as_of: None,
    };
    let nodes = world
        .ben
        .assertions()
        .get_evidence(evidence)
        .await
        .unwrap()
        .into_inner()
        .nodes;
    assert!(
        nodes[0]
            .assertion
            .as_ref()
            .unwrap()
            .support_lost
            .contains(&fact)
    );
}

#[tokio::test]
async fn a_superseded_support_is_lost_until_somebody_else_reaffirms() {
    let world = World::new().await;
    world
        .operator
        .grant(&world.ana.name, proto::Role::Verifier)
        .await;
    let [fact, middle, top] = chain(&world).await;
    let revised = Draft {
        replaces: fact.clone(),
        ..world
            .ana
            .draft("The plant in Lyon has 520 employees.")
            .await
    };
    let revised = accepted(&world.ana.submit_one(revised).await);
    assert!(lost(&world, &top).await.contains(&fact));

    world
        .denied(world.ana.reaffirm(&middle, &[]), "OWN_ASSERTION")
        .await;
    world
        .denied(world.ben.reaffirm(&middle, &[]), "ROLE_MISSING")
        .await;
    let affirmed = world.vera.reaffirm(&middle, &[]).await.unwrap();
    assert_eq!(affirmed.support_lost, "");
    assert_eq!(
        lost(&world, &top).await,
        "",
        "what rests on it has its support back"
    );
    let evidence = proto::GetEvidenceRequest {
        board: world.board.clone(),
        assertion: middle.clone(),
        as_of: None,
    };
    let nodes = world
        .ben
        .assertions()
        .get_evidence(evidence)
        .await
        .unwrap()
        .into_inner()
        .nodes;
    let read: Vec<String> = nodes
        .iter()
        .map(|it| short(&it.assertion.as_ref().unwrap().name))
        .collect();
    assert_eq!(read, [middle.clone(), revised]);
    world
        .denied(world.vera.reaffirm(&middle, &[]), "SUPPORT_NOT_LOST")
        .await;
}

#[tokio::test]
async fn a_support_that_loses_its_conflict_is_lost() {
    let world = World::new().await;
    let [fact, middle, top] = chain(&world).await;
    let (rival, conflict) = contested(&world.ben.say("The plant in Lyon has 480 employees.").await);
    assert_eq!(
        lost(&world, &middle).await,
        "",
        "the standing one stays in force"
    );
    world.aron.resolve(&conflict, &rival).await.unwrap();
    assert!(lost(&world, &middle).await.contains(&fact));
    assert!(lost(&world, &top).await.contains(&fact));
}

#[tokio::test]
async fn an_amended_support_is_lost_and_sealed_history_stays_as_it_was() {
    let world = World::new().await;
    let fact = world
        .locked(
            world
                .ana
                .draft("The plant in Lyon has 500 employees.")
                .await,
        )
        .await;
    let drawn = accepted(
        &world
            .ana
            .submit_one(inference("Lyon is a large plant.", &[&fact]))
            .await,
    );
    let sealed = world.ben.assertion(&fact).await;
    let before = world.ben.snapshot(&sealed.snapshot).await;
    let revised = world
        .aron
        .draft("The plant in Lyon has 530 employees.")
        .await;
    let amended = world.aron.amend(&fact, revised).await.unwrap();
    assert_eq!(short(&amended.support_lost[0]), drawn);
    assert_eq!(amended.support_lost.len(), 1);
    assert!(lost(&world, &drawn).await.contains(&fact));
    let after = world.ben.snapshot(&sealed.snapshot).await;
    assert_eq!((before.bytes, before.members), (after.bytes, after.members));
    world.vera.reaffirm(&drawn, &[]).await.unwrap();
    assert_eq!(lost(&world, &drawn).await, "");
}

#[tokio::test]
async fn what_rests_on_a_quarantined_challenger_waits_with_it() {
    let world = World::new().await;
    accepted(&world.ana.say("The plant in Lyon has 500 employees.").await);
    let (rival, conflict) = contested(&world.ben.say("The plant in Lyon has 480 employees.").await);
    let drawn = world
        .ben
        .submit_one(inference("Lyon shrank last year.", &[&rival]))
        .await;
    assert_ne!(drawn.verdict(), Verdict::Refused);
    let drawn = short(&drawn.assertion);
    assert!(
        lost(&world, &drawn).await.contains(&rival),
        "it has no standing support yet"
    );
    world.aron.resolve(&conflict, &rival).await.unwrap();
    assert_eq!(
        lost(&world, &drawn).await,
        "",
        "the support has come into force"
    );
}
