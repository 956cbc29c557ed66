//! Clients that do not take what they are sent, and such that send a byte a second.

use std::time::Duration;

use pawl_ledger::store::Engine;
use pawl_proto::v1::{
    ListAssertionsRequest, Record, SourceHeader, SubmitRequest, UploadSourceRequest, WatchRequest,
    upload_source_request::Part,
};
use tokio::time::Instant;
use tonic::transport::Endpoint;

use crate::{
    raw::{Slow, Unreading, trickle},
    world::{Client, MODULE, OwnServer, World, accepted, cite, cited, denied},
};

const LIST: &str = "/pawl.v1.AssertionService/ListAssertions";
const WATCH: &str = "/pawl.v1.LogService/Watch";
/// How much later an end may come on a busy machine.
const LATE: Duration = Duration::from_secs(5);

#[tokio::test]
async fn a_watch_that_nobody_reads_goes_on_where_it_stood() {
    let server = OwnServer::start(Engine::Fjall, false).await;
    let world = World::on(server.server.clone()).await;
    let watch = WatchRequest {
        board: world.board.clone(),
        from: Some(0),
        ..Default::default()
    };
    let endpoint = Endpoint::from_shared(format!("http://{}", server.server.address)).unwrap();
    // As little as HTTP/2 lets it, so that what is written does not fit.
    let small = endpoint
        .initial_stream_window_size(65_535)
        .initial_connection_window_size(65_535);
    let ben = Client {
        channel: small.connect_lazy(),
        ..world.ben.clone()
    };
    let mut watched = ben.logs().watch(watch).await.unwrap().into_inner();
    let words = "the same words again and again ".repeat(100);
    let quote = "What is written.";
    let source = world.ana.upload("text/plain", quote.as_bytes()).await;
    for batch in 0..5 {
        let items = (0..20).map(|number| {
            let content = format!("Line {number} of page {batch}: {words}");
            cited(&content, cite(&source, quote))
        });
        let answer = world.ana.submit(items.collect()).await.unwrap();
        assert!(answer.committed);
    }
    let all = world.position().await;
    let mut records: Vec<Record> = Vec::new();
    while (records.len() as u64) < all {
        let message = watched.message().await.unwrap().unwrap();
        records.extend(message.records);
    }
    let positions: Vec<u64> = records.iter().map(|it| it.position).collect();
    assert_eq!(positions, (0..all).collect::<Vec<_>>());
    drop(watched);
    server.stop().await;
}

#[tokio::test]
async fn who_leaves_answers_unread_is_refused_more_of_them() {
    let most = 4;
    let server = OwnServer::start_with(Engine::Fjall, false, |config| {
        config.limits.calls_per_principal = most;
    })
    .await;
    let world = World::on(server.server.clone()).await;
    let words = "the same words again and again ".repeat(100);
    for number in 0..40 {
        let content = format!("Line {number} of the register: {words}");
        accepted(&world.ana.say(&content).await);
    }
    let list = ListAssertionsRequest {
        board: world.board.clone(),
        ..Default::default()
    };
    let address = server.server.address;
    let mut unread = Unreading::connect(address, &world.ben.token).await;
    for _ in 0..most {
        unread.call(LIST, &list).await.unwrap();
    }
    // Over another connection it is no other.
    let mut again = Unreading::connect(address, &world.ben.token).await;
    let refused = again.call(LIST, &list).await.unwrap_err();
    let metadata = denied(&refused, "OVERLOADED");
    assert_eq!(metadata["what"], "calls");
    // Others are served, and so is the same one once the answers are given up.
    accepted(&world.ana.say("The harbour freezes in winter.").await);
    drop(unread);
    while again.call(LIST, &list).await.is_err() {}
    drop(again);
    server.stop().await;
}

#[tokio::test]
async fn a_call_whose_bytes_trickle_in_is_ended() {
    let server = OwnServer::start_with(Engine::Fjall, false, |config| {
        config.limits.deadline_seconds = 3;
        config.limits.upload_idle_seconds = 2;
    })
    .await;
    let world = World::on(server.server.clone()).await;
    let client = Unreading::connect(server.server.address, &world.ana.token).await;
    let begun = Instant::now();
    let submit = SubmitRequest {
        board: world.board.clone(),
        items: vec![cited("It takes a while to say this.", cite("", ""))],
        ..Default::default()
    };
    let header = SourceHeader {
        board: world.board.clone(),
        media_type: "text/plain".into(),
        title: MODULE.repeat(9),
        ..Default::default()
    };
    let upload = UploadSourceRequest {
        part: Some(Part::Header(header)),
    };
    let (submit, upload) = tokio::join!(
        client.call_slowly("/pawl.v1.AssertionService/Submit", &submit),
        client.call_slowly("/pawl.v1.SourceService/UploadSource", &upload),
    );
    assert_eq!(denied(&submit, "DEADLINE")["limit_ms"], "3000");
    denied(&upload, "DEADLINE");
    assert!(begun.elapsed() < Duration::from_secs(3) + LATE);
    drop(client);
    server.stop().await;
}

#[tokio::test]
async fn a_connection_whose_first_bytes_trickle_in_is_ended() {
    let server = OwnServer::start(Engine::Fjall, false).await;
    let world = World::on(server.server.clone()).await;
    let most = Duration::from_secs(15) + LATE;
    let address = server.server.address;
    let slow = [Slow::Nothing, Slow::Preface, Slow::Head].map(|what| {
        let end = trickle(address, what, most);
        async move { (what, end.await) }
    });
    let [nothing, preface, head] = slow;
    let ended = async { tokio::join!(nothing, preface, head) };
    let working = async {
        // Others notice nothing of it.
        for number in 0..10 {
            accepted(
                &world
                    .ana
                    .say(&format!("Line {number} of the register."))
                    .await,
            );
        }
    };
    let ((nothing, preface, head), ()) = tokio::join!(ended, working);
    for (what, end) in [nothing, preface, head] {
        assert!(end.is_some(), "{what:?} was borne for longer than {most:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn streams_that_stand_still_are_counted_and_given_back() {
    let most = 300;
    let server = OwnServer::start_with(Engine::Fjall, false, |config| {
        config.limits.streams_per_principal = most;
    })
    .await;
    let world = World::on(server.server.clone()).await;
    let watch = WatchRequest {
        board: world.board.clone(),
        ..Default::default()
    };
    // The second time there is room only where all of the first was given back.
    for _ in 0..2 {
        let mut connections = Vec::new();
        for _ in 0..3 {
            let mut one = Unreading::connect(server.server.address, &world.ben.token).await;
            for _ in 0..most / 3 {
                while let Err(status) = one.call(WATCH, &watch).await {
                    assert_eq!(denied(&status, "OVERLOADED")["what"], "streams");
                }
            }
            connections.push(one);
        }
        let refused = connections[0].call(WATCH, &watch).await.unwrap_err();
        let metadata = denied(&refused, "OVERLOADED");
        assert_eq!(
            (metadata["what"].as_str(), metadata["scope"].as_str()),
            ("streams", "principal")
        );
        accepted(
            &world
                .ana
                .say(&format!("The harbour has {} quays.", connections.len()))
                .await,
        );
    }
    server.stop().await;
}
