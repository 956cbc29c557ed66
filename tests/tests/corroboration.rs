//! The same said again.

use pawl_proto::v1::{Draft, Status};

use crate::world::{World, accepted, capacity, claiming, contested};

#[tokio::test]
async fn the_same_content_again_counts_as_corroboration_with_its_source() {
    let world = World::new().await;
    let first = world.ana.say("The ferry to Bergen takes 40 minutes.").await;
    let id = accepted(&first);
    assert!(!first.corroborated);
    assert_eq!(world.ana.assertion(&id).await.verified_sources, 1);

    let again = world
        .ben
        .say("The ferry to Bergen takes  40 minutes.")
        .await;
    assert!(again.corroborated);
    assert_eq!(accepted(&again), id);
    let stored = world.ana.assertion(&id).await;
    assert_eq!(stored.corroborations, 1);
    assert_eq!(stored.verified_sources, 2);
    assert_eq!(stored.principal, world.ana.name);
    assert_eq!(
        world
            .operator
            .board_record()
            .await
            .figures
            .unwrap()
            .proposed,
        1
    );

    let told = world.ana.history().await;
    let last = told.last().unwrap();
    assert_eq!(
        (last.kind.as_str(), last.principal.as_str()),
        ("corroborated", world.ben.name.as_str())
    );
}

#[tokio::test]
async fn the_same_source_twice_is_one_source() {
    let world = World::new().await;
    let draft = world
        .ana
        .draft("The ferry to Bergen takes 40 minutes.")
        .await;
    let id = accepted(&world.ana.submit_one(draft.clone()).await);
    assert!(world.ben.submit_one(draft).await.corroborated);
    let stored = world.ana.assertion(&id).await;
    assert_eq!((stored.corroborations, stored.verified_sources), (1, 1));
}

#[tokio::test]
async fn the_same_content_in_another_module_or_with_another_claim_is_another_assertion() {
    let world = World::new().await;
    world.operator.declare_module("ferries").await;
    let draft = world
        .ana
        .draft("The ferry to Bergen takes 40 minutes.")
        .await;
    let id = accepted(&world.ana.submit_one(draft.clone()).await);
    let elsewhere = Draft {
        module: "ferries".into(),
        ..draft.clone()
    };
    let other = world.ben.submit_one(elsewhere).await;
    assert!(!other.corroborated);
    assert_ne!(accepted(&other), id);

    let sentence = world.ana.draft("As the annual report states.").await;
    accepted(
        &world
            .ana
            .submit_one(claiming(sentence.clone(), capacity("Nordlys", "1")))
            .await,
    );
    let differs = world
        .ben
        .submit_one(claiming(sentence, capacity("Nordlys", "2")))
        .await;
    assert!(!differs.corroborated, "{differs:#?}");
    contested(&differs);
    let bare = world.ben.draft("As the annual report states.").await;
    assert!(
        world.ben.submit_one(bare).await.corroborated,
        "it claims nothing else"
    );
}

#[tokio::test]
async fn within_a_batch_the_same_counts_once() {
    let world = World::new().await;
    let draft = world
        .ana
        .draft("The ferry to Bergen takes 40 minutes.")
        .await;
    let answer = world.ana.submit(vec![draft.clone(), draft]).await.unwrap();
    assert!(!answer.outcomes[0].corroborated);
    assert!(answer.outcomes[1].corroborated);
    assert_eq!(accepted(&answer.outcomes[0]), accepted(&answer.outcomes[1]));
}

#[tokio::test]
async fn a_locked_fact_may_be_corroborated() {
    let world = World::new().await;
    let id = world
        .locked(
            world
                .ana
                .draft("The ferry to Bergen takes 40 minutes.")
                .await,
        )
        .await;
    let again = world.ben.say("The ferry to Bergen takes 40 minutes.").await;
    assert!(again.corroborated);
    let stored = world.ana.assertion(&id).await;
    assert_eq!(
        (stored.status(), stored.corroborations),
        (Status::Locked, 1)
    );
}
