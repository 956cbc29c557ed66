//! Requests that are sent again.

use pawl_ledger::store::Engine;
use pawl_proto::v1::{self as proto, SubmitRequest};

use crate::world::{OwnServer, World, accepted, denied};

fn request(items: Vec<proto::Draft>, request_id: &str) -> SubmitRequest {
    SubmitRequest {
        items,
        request_id: request_id.to_owned(),
        ..Default::default()
    }
}

#[tokio::test]
async fn a_request_sent_again_gets_the_same_answer_and_changes_nothing() {
    let world = World::new().await;
    let ask = request(
        vec![world.ana.draft("The canal is 12 km long.").await],
        "r-1",
    );
    let first = world.ana.submit_with(ask.clone()).await.unwrap();
    accepted(&first.outcomes[0]);
    let position = world.position().await;
    let again = world.ana.submit_with(ask.clone()).await.unwrap();
    assert_eq!(again, first);
    assert_eq!(world.position().await, position);
    assert!(!again.outcomes[0].corroborated);

    // The id belongs to its caller.
    let other = world.ben.submit_with(ask).await.unwrap();
    assert!(other.outcomes[0].corroborated);
}

#[tokio::test]
async fn the_same_id_with_another_body_is_denied() {
    let world = World::new().await;
    let ask = request(
        vec![world.ana.draft("The canal is 12 km long.").await],
        "r-1",
    );
    world.ana.submit_with(ask).await.unwrap();
    let other = request(vec![world.ana.draft("The canal is 8 m deep.").await], "r-1");
    let metadata = world
        .denied(world.ana.submit_with(other), "REQUEST_ID_REUSED")
        .await;
    assert_eq!(metadata["request_id"], "r-1");
    let long = request(
        vec![world.ana.draft("The canal is 8 m deep.").await],
        &"r".repeat(129),
    );
    world
        .denied(world.ana.submit_with(long), "FIELD_TOO_LONG")
        .await;
}

#[tokio::test]
async fn many_copies_of_one_request_at_once_are_one() {
    let world = World::new().await;
    let ask = request(
        vec![world.ana.draft("The canal is 12 km long.").await],
        "r-1",
    );
    let before = world.position().await;
    let copies = (0..16).map(|_| {
        let (ana, ask) = (world.ana.clone(), ask.clone());
        tokio::spawn(async move { ana.submit_with(ask).await.unwrap() })
    });
    let copies: Vec<_> = copies.collect();
    for copy in copies {
        let answer = copy.await.unwrap();
        assert!(!answer.outcomes[0].corroborated);
        assert_eq!(accepted(&answer.outcomes[0]), "a1@1");
    }
    assert_eq!(world.position().await, before + 1);
}

async fn survives_a_restart(engine: Engine) {
    let server = OwnServer::start(engine, false).await;
    let world = World::on(server.server.clone()).await;
    let ask = request(
        vec![world.ana.draft("The canal is 12 km long.").await],
        "r-1",
    );
    let first = world.ana.submit_with(ask.clone()).await.unwrap();
    let server = server.restart().await;
    let world = world.after_restart(server.server.clone());
    let position = world.position().await;
    assert_eq!(world.ana.submit_with(ask).await.unwrap(), first);
    let other = request(vec![world.ana.draft("The canal is 8 m deep.").await], "r-1");
    let status = world.ana.submit_with(other).await.unwrap_err();
    denied(&status, "REQUEST_ID_REUSED");
    assert_eq!(world.position().await, position + 1, "the upload alone");
    server.stop().await;
}

#[tokio::test]
async fn a_request_is_remembered_over_a_restart_on_fjall() {
    survives_a_restart(Engine::Fjall).await;
}

#[tokio::test]
async fn a_request_is_remembered_over_a_restart_on_sled() {
    survives_a_restart(Engine::Sled).await;
}

#[tokio::test]
async fn every_call_that_writes_can_be_repeated() {
    let world = World::new().await;
    let id = accepted(&world.ana.say("The canal is 12 km long.").await);
    let evidence = world.ana.assertion(&id).await.draft.unwrap().citations;
    let validate = proto::ValidateRequest {
        board: world.board.clone(),
        assertion: id.clone(),
        evidence,
        request_id: "v".into(),
    };
    let mut vera = world.vera.assertions();
    vera.validate(validate.clone()).await.unwrap();
    vera.validate(validate)
        .await
        .expect("not an illegal transition");

    let seal = proto::SealRequest {
        module: "market".into(),
        request_id: "s".into(),
        ..Default::default()
    };
    let first = world.aron.seal_with(seal.clone()).await.unwrap();
    let again = world.aron.seal_with(seal).await.unwrap();
    assert_eq!(first.name, again.name);

    let amend = proto::AmendRequest {
        board: world.board.clone(),
        assertion: id.clone(),
        draft: Some(world.aron.draft("The canal is 13 km long.").await),
        reason: "measured anew".into(),
        request_id: "a".into(),
        ..Default::default()
    };
    let first = world
        .aron
        .seals()
        .amend(amend.clone())
        .await
        .unwrap()
        .into_inner();
    let again = world.aron.seals().amend(amend).await.unwrap().into_inner();
    assert_eq!(first.snapshot.unwrap().name, again.snapshot.unwrap().name);

    let flag = proto::FlagRequest {
        board: world.board.clone(),
        assertion: "a1@2".into(),
        reason: "doubtful".into(),
        request_id: "f".into(),
        ..Default::default()
    };
    let first = world
        .ben
        .assertions()
        .flag(flag.clone())
        .await
        .unwrap()
        .into_inner();
    let again = world
        .ben
        .assertions()
        .flag(flag)
        .await
        .unwrap()
        .into_inner();
    assert_eq!(first.name, again.name);
    assert_eq!(
        world
            .operator
            .board_record()
            .await
            .figures
            .unwrap()
            .open_flags,
        1
    );
}
