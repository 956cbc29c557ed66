//! Searches by meaning and by words.

use pawl_ledger::store::Engine;
use pawl_proto::v1::{SearchAssertionsRequest, SearchBy};

use crate::world::{Client, OwnServer, World, accepted, reason_of, short};

async fn search(client: &Client, query: &str, by: SearchBy) -> Vec<String> {
    let request = SearchAssertionsRequest {
        board: client.board.clone(),
        query: query.to_owned(),
        by: by.into(),
        limit: 2,
        ..Default::default()
    };
    let found = client
        .assertions()
        .search_assertions(request)
        .await
        .unwrap();
    let hits = found.into_inner().hits;
    hits.into_iter()
        .map(|hit| short(&hit.assertion.unwrap().name))
        .collect()
}

#[tokio::test]
async fn a_search_finds_what_is_in_force_by_meaning_and_by_words() {
    let world = World::new().await;
    let mut ids = Vec::new();
    for content in [
        "The ferry to Bergen takes 40 minutes.",
        "The museum is open on Monday.",
        "Cats sleep for most of the day.",
        "Wind turbines in the north produce 3 TWh a year.",
    ] {
        ids.push(accepted(&world.ana.say(content).await));
    }
    let by_meaning = search(
        &world.ben,
        "How long does the boat trip last?",
        SearchBy::Meaning,
    )
    .await;
    assert_eq!(by_meaning[0], ids[0]);
    assert_eq!(by_meaning.len(), 2);
    let by_words = search(&world.ben, "turbines of the north", SearchBy::Text).await;
    assert_eq!(by_words[0], ids[3]);
    assert_eq!(
        search(&world.ben, "zeppelin", SearchBy::Text).await,
        Vec::<String>::new()
    );
    let common = search(&world.ben, "most turbines of Monday", SearchBy::Text).await;
    assert_eq!(common.len(), 2, "at most as many as asked for");
    world.ana.retract(&ids[0]).await.unwrap();
    let without = search(
        &world.ben,
        "How long does the boat trip last?",
        SearchBy::Meaning,
    )
    .await;
    assert!(!without.contains(&ids[0]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_model_a_search_is_by_words_only() {
    let own = OwnServer::start(Engine::Fjall, false).await;
    let world = World::on(own.server.clone()).await;
    let id = accepted(
        &world
            .ana
            .say("Wind turbines in the north stand still.")
            .await,
    );
    let request = SearchAssertionsRequest {
        board: world.board.clone(),
        query: "turbines".into(),
        ..Default::default()
    };
    let refused = world.ana.assertions().search_assertions(request).await;
    assert_eq!(reason_of(&refused.map(drop).unwrap_err()), "EMBEDDING_OFF");
    assert_eq!(search(&world.ana, "turbines", SearchBy::Text).await, [id]);
}
