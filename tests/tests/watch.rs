//! Following what happens.

use pawl_ledger::store::Engine;
use pawl_proto::v1::{Draft, Record, WatchRequest, WatchResponse};
use tonic::Streaming;

use crate::world::{Client, OwnServer, World, accepted, cited, denied};

async fn watch(client: &Client, request: WatchRequest) -> Streaming<WatchResponse> {
    let request = WatchRequest {
        board: client.board.clone(),
        ..request
    };
    client.logs().watch(request).await.unwrap().into_inner()
}

fn from(position: u64) -> WatchRequest {
    WatchRequest {
        from: Some(position),
        ..Default::default()
    }
}

/// Reads until so many records have come; gives them and the last cursor.
async fn read(stream: &mut Streaming<WatchResponse>, count: usize) -> (Vec<Record>, String) {
    let (mut records, mut cursor) = (Vec::new(), String::new());
    while records.len() < count {
        let message = stream.message().await.unwrap().expect("the stream goes on");
        assert!(message.records.len() <= 256);
        assert!(!message.cursor.is_empty());
        records.extend(message.records);
        cursor = message.cursor;
    }
    (records, cursor)
}

fn positions(records: &[Record]) -> Vec<u64> {
    records.iter().map(|it| it.position).collect()
}

#[tokio::test]
async fn a_watch_tells_what_was_and_what_comes() {
    let world = World::new().await;
    let before = world.position().await;
    let mut stream = watch(&world.ben, from(0)).await;
    let (records, _) = read(&mut stream, before as usize).await;
    assert_eq!(positions(&records), (0..before).collect::<Vec<_>>());
    let id = accepted(&world.ana.say("The harbour freezes in winter.").await);
    let (records, _) = read(&mut stream, 2).await;
    let kinds: Vec<_> = records.iter().map(|it| it.kind.as_str()).collect();
    assert_eq!(kinds, ["source_registered", "submitted"]);
    let told = &records[1];
    assert_eq!(
        (told.principal.as_str(), told.module.as_str()),
        (world.ana.name.as_str(), "market")
    );
    assert_eq!(told.assertions, [id]);
    assert!(told.detail.contains("freezes") && told.time.is_some() && !told.summary.is_empty());
}

#[tokio::test]
async fn without_a_start_only_what_comes_is_told() {
    let world = World::new().await;
    let mut stream = watch(&world.ben, WatchRequest::default()).await;
    let before = world.position().await;
    accepted(&world.ana.say("The harbour freezes in winter.").await);
    let (records, _) = read(&mut stream, 2).await;
    assert_eq!(positions(&records), [before, before + 1]);
}

#[tokio::test]
async fn a_cursor_resumes_without_a_gap() {
    let world = World::new().await;
    for content in ["The harbour freezes in winter.", "The canal is 12 km long."] {
        accepted(&world.ana.say(content).await);
    }
    let end = world.position().await;
    let mut seen = Vec::new();
    let mut request = from(0);
    while seen.len() < end as usize {
        let mut stream = watch(&world.ben, request.clone()).await;
        let (records, cursor) = read(&mut stream, 1).await;
        seen.extend(positions(&records));
        request = WatchRequest {
            cursor,
            ..Default::default()
        };
    }
    assert_eq!(seen, (0..end).collect::<Vec<_>>());
    let mut stream = watch(&world.ben, request).await;
    accepted(&world.ana.say("The lighthouse was built of granite.").await);
    let (records, _) = read(&mut stream, 2).await;
    assert_eq!(positions(&records), [end, end + 1]);
}

#[tokio::test]
async fn a_watch_is_filtered_by_module_and_kind() {
    let world = World::new().await;
    world.operator.declare_module("other").await;
    let elsewhere = Draft {
        module: "other".into(),
        ..world.ana.draft("The canal is 12 km long.").await
    };
    let here = accepted(&world.ana.say("The harbour freezes in winter.").await);
    let there = accepted(&world.ana.submit_one(elsewhere).await);
    world.ana.retract(&here).await.unwrap();
    world.ana.retract(&there).await.unwrap();
    let filter = |modules: &[&str], kinds: &[&str]| WatchRequest {
        modules: modules.iter().map(ToString::to_string).collect(),
        kinds: kinds.iter().map(ToString::to_string).collect(),
        ..from(0)
    };
    let (records, _) = read(&mut watch(&world.ben, filter(&["other"], &[])).await, 3).await;
    let kinds: Vec<_> = records.iter().map(|it| it.kind.as_str()).collect();
    assert_eq!(kinds, ["module_declared", "submitted", "retracted"]);
    let (records, _) = read(&mut watch(&world.ben, filter(&[], &["retracted"])).await, 2).await;
    assert!(records.iter().all(|it| it.kind == "retracted"));
    let both = filter(&["market"], &["retracted"]);
    let (records, _) = read(&mut watch(&world.ben, both).await, 1).await;
    assert_eq!(records[0].assertions, [here]);
}

#[tokio::test]
async fn a_start_ahead_of_the_log_and_a_foreign_cursor_are_errors() {
    let world = World::new().await;
    let end = world.position().await;
    let ask = async |request: WatchRequest| {
        let request = WatchRequest {
            board: world.board.clone(),
            ..request
        };
        world.ben.logs().watch(request).await.unwrap_err()
    };
    let metadata = denied(&ask(from(end + 1)).await, "CURSOR_IN_FUTURE");
    assert_eq!(metadata["position"], end.to_string());
    let nonsense = WatchRequest {
        cursor: "nonsense".into(),
        ..Default::default()
    };
    denied(&ask(nonsense).await, "CURSOR_INVALID");
    let other = World::new().await;
    accepted(&other.ana.say("The harbour freezes in winter.").await);
    let (_, cursor) = read(&mut watch(&other.ben, from(0)).await, 1).await;
    denied(
        &ask(WatchRequest {
            cursor,
            ..Default::default()
        })
        .await,
        "CURSOR_INVALID",
    );
}

#[tokio::test]
async fn an_idle_watch_is_told_that_it_is_alive() {
    let world = World::new().await;
    let end = world.position().await;
    let mut stream = watch(&world.ben, from(end)).await;
    let message = stream.message().await.unwrap().unwrap();
    assert!(message.heartbeat && message.records.is_empty() && !message.cursor.is_empty());
    let resumed = WatchRequest {
        cursor: message.cursor,
        ..Default::default()
    };
    let mut stream = watch(&world.ben, resumed).await;
    accepted(&world.ana.say("The harbour freezes in winter.").await);
    assert_eq!(positions(&read(&mut stream, 2).await.0), [end, end + 1]);
}

#[tokio::test]
async fn a_slow_reader_loses_nothing_and_the_end_of_the_server_is_told() {
    let server = OwnServer::start(Engine::Sled, false).await;
    let world = World::on(server.server.clone()).await;
    let start = world.position().await;
    let mut stream = watch(&world.ben, from(start)).await;
    let draft = world.ana.draft("The harbour freezes in winter.").await;
    let citation = draft.citations[0].clone();
    for batch in 0..8 {
        let items = (0..200).map(|item| {
            cited(
                &format!("Cabin {} of batch {batch} is empty.", "i".repeat(item + 1)),
                citation.clone(),
            )
        });
        let answer = world.ana.submit(items.collect()).await.unwrap();
        assert!(answer.committed);
    }
    let end = world.position().await;
    assert!(end - start > 1_600);
    let (records, _) = read(&mut stream, (end - start) as usize).await;
    assert_eq!(positions(&records), (start..end).collect::<Vec<_>>());
    let stopped = tokio::spawn(server.stop());
    let status = loop {
        match stream.message().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the stream ended without a word"),
            Err(status) => break status,
        }
    };
    denied(&status, "SHUTTING_DOWN");
    drop(stopped.await.unwrap());
}
