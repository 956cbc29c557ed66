//! Submissions written in ignorance of what has changed since.

use pawl_proto::v1::{Draft, SubmitRequest};

use crate::world::{Client, World, accepted, capacity, claiming, inference, item_error};

async fn submit_at(client: &Client, draft: Draft, base: u64) -> pawl_proto::v1::Outcome {
    let request = SubmitRequest {
        items: vec![draft],
        base: Some(base),
        ..Default::default()
    };
    client
        .submit_with(request)
        .await
        .unwrap()
        .outcomes
        .remove(0)
}

#[tokio::test]
async fn a_new_fact_with_the_same_claim_key_makes_a_base_stale() {
    let world = World::new().await;
    let base = world.position().await;
    let first = claiming(
        world.ana.draft("What the register says.").await,
        capacity("Nordlys", "5.0"),
    );
    let first = accepted(&world.ana.submit_one(first).await);
    let late = claiming(
        world.ben.draft("What a newspaper says.").await,
        capacity("Nordlys", "5.00"),
    );
    let before = world.position().await;
    let outcome = submit_at(&world.ben, late.clone(), base).await;
    let metadata = item_error(&outcome, "STALE_BASE");
    assert_eq!(metadata["base"], base.to_string());
    assert_eq!(metadata["missed"], first);
    assert_eq!(world.position().await, before);
    let fresh: u64 = metadata["position"].parse().unwrap();
    accepted(&submit_at(&world.ben, late, fresh).await);

    let other = claiming(
        world.ben.draft("What is said of a rival.").await,
        capacity("Sydlys", "9"),
    );
    accepted(&submit_at(&world.ben, other, base).await);
}

#[tokio::test]
async fn a_support_that_ended_makes_a_base_stale() {
    let world = World::new().await;
    let fact = accepted(&world.ana.say("The reservoir is full.").await);
    let base = world.position().await;
    let revised = Draft {
        replaces: fact.clone(),
        ..world.ana.draft("The reservoir is nearly full.").await
    };
    let revised = accepted(&world.ana.submit_one(revised).await);
    let outcome = submit_at(
        &world.ben,
        inference("Supply covers demand.", &[&fact]),
        base,
    )
    .await;
    let metadata = item_error(&outcome, "STALE_BASE");
    assert_eq!(
        (metadata["support"].as_str(), metadata["missed"].as_str()),
        (fact.as_str(), revised.as_str())
    );
    accepted(
        &world
            .ben
            .submit_one(inference("Supply covers demand.", &[&revised]))
            .await,
    );
}

#[tokio::test]
async fn a_seal_of_the_module_makes_a_base_stale() {
    let world = World::new().await;
    let fact = world
        .validated(world.ana.draft("The reservoir is full.").await)
        .await;
    let base = world.position().await;
    world.aron.seal("market").await.unwrap();
    let late = world
        .ben
        .draft("The lighthouse was built of granite.")
        .await;
    let metadata = item_error(
        &submit_at(&world.ben, late.clone(), base).await,
        "STALE_BASE",
    );
    assert_eq!(metadata["missed"], fact);
    let elsewhere = Draft {
        module: "other".into(),
        ..late.clone()
    };
    world.operator.declare_module("other").await;
    accepted(&submit_at(&world.ben, elsewhere, base).await);
    let brief = world.ben.brief(Default::default()).await;
    accepted(&submit_at(&world.ben, late, brief.position).await);
}

#[tokio::test]
async fn a_base_in_the_future_is_denied() {
    let world = World::new().await;
    let draft = world.ana.draft("The reservoir is full.").await;
    let before = world.position().await;
    let outcome = submit_at(&world.ana, draft, before + 1).await;
    let metadata = item_error(&outcome, "BASE_IN_FUTURE");
    assert_eq!(metadata["base"], (before + 1).to_string());
    assert_eq!(metadata["position"], before.to_string());
    assert_eq!(world.position().await, before);
}
