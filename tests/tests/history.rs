//! The log as the only truth: its bytes, its order, its story, and what is derived from it.

use std::collections::BTreeMap;

use pawl_ledger::{
    store::{Batch, Engine, Store, keys, open},
    verify::verify,
};
use pawl_proto::v1::{self as proto, Draft, ReplayRequest, entry::Event};
use prost::Message;

use crate::world::{
    Client, MODULE, OwnServer, World, accepted, capacity, claiming, contested, inference, refused,
    short,
};

/// One of everything that can happen.
async fn live_through(world: &World) -> String {
    let plant = world
        .locked(
            world
                .ana
                .draft("The plant in Lyon has 500 employees.")
                .await,
        )
        .await;
    refused(&world.ben.say("The plant in Lyon has 480 employees.").await);
    let drawn = accepted(
        &world
            .ana
            .submit_one(inference("Lyon is a large plant.", &[&plant]))
            .await,
    );
    let flag = world.ben.flag(&plant, vec![]).await.unwrap();
    let close = proto::CloseFlagRequest {
        board: world.board.clone(),
        flag: short(&flag.name),
        reason: "looked into".into(),
        ..Default::default()
    };
    world.aron.assertions().close_flag(close).await.unwrap();
    let draft = world
        .aron
        .draft("The plant in Lyon has 530 employees.")
        .await;
    world.aron.amend(&plant, draft).await.unwrap();
    world.vera.reaffirm(&drawn, &[]).await.unwrap();
    let open = accepted(&world.ana.say("The museum is open on Monday.").await);
    let (_, conflict) = contested(&world.ben.say("The museum is not open on Monday.").await);
    world.aron.resolve(&conflict, &open).await.unwrap();
    assert!(
        world
            .ben
            .say("The museum is open on Monday.")
            .await
            .corroborated
    );
    let claimed = claiming(
        world.ana.draft("What the register says.").await,
        capacity("Nordlys", "5.0"),
    );
    let claimed = accepted(&world.ana.submit_one(claimed).await);
    let rival = claiming(
        world.ben.draft("What a rival says.").await,
        capacity("Nordlys", "9"),
    );
    let (_, conflict) = contested(&world.ben.submit_one(rival).await);
    world.aron.dismiss(&conflict).await.unwrap();
    let revised = Draft {
        replaces: open,
        ..world
            .ana
            .draft("The museum is open on Monday and Tuesday.")
            .await
    };
    accepted(&world.ana.submit_one(revised).await);
    world.ana.retract(&claimed).await.unwrap();
    world.ana.seal(MODULE).await.unwrap_err();
    plant
}

/// All that a reader sees of a board.
async fn seen(client: &Client) -> Vec<String> {
    let statuses = (1..=7).collect();
    let list = proto::ListAssertionsRequest {
        board: client.board.clone(),
        statuses,
        page_size: 1_000,
        ..Default::default()
    };
    let listed = client
        .assertions()
        .list_assertions(list)
        .await
        .unwrap()
        .into_inner();
    let board = client.board_record().await;
    let conflicts = proto::ListConflictsRequest {
        board: client.board.clone(),
        all: true,
        ..Default::default()
    };
    let conflicts = client
        .conflicts()
        .list_conflicts(conflicts)
        .await
        .unwrap()
        .into_inner();
    let brief = client.brief(proto::GetBriefRequest::default()).await;
    let history = client.history().await;
    vec![
        format!("{listed:#?}"),
        format!("{board:#?}"),
        format!("{conflicts:#?}"),
        format!("{brief:#?}"),
        format!("{history:#?}"),
    ]
}

/// Removes every image of folded state from a store.
fn drop_images(store: &dyn Store) -> usize {
    let mut batch = Batch::default();
    for number in 0..64 {
        let (from, to) = keys::images(keys::BoardNumber(number));
        store
            .scan(&from, &to, &mut |key, _| {
                batch.deletes.push(key.to_vec());
                std::ops::ControlFlow::Continue(())
            })
            .unwrap();
    }
    let count = if batch.is_empty() { 0 } else { 1 };
    store.commit(&batch).unwrap();
    count
}

async fn rebuilt_and_verified(engine: Engine) {
    let server = OwnServer::start(engine, true).await;
    let world = World::on(server.server.clone()).await;
    live_through(&world).await;
    let before = seen(&world.ben).await;
    let (config, directory) = server.stop().await;
    {
        let store = open(&config.data.join("store"), None).unwrap();
        let report = verify(store.as_ref()).unwrap();
        assert!(report.is_clean(), "{report}");
        assert!(report.entries > 30, "{report}");
        assert_eq!(drop_images(store.as_ref()), 1, "a stop writes an image");
    }
    let server = OwnServer::again(config, directory).await;
    let world = world.after_restart(server.server.clone());
    for (now, then) in seen(&world.ben).await.iter().zip(&before) {
        assert!(now == then, "{now}\n\nbefore:\n{then}");
    }
    let outcome = world.ben.say("The plant in Lyon has 610 employees.").await;
    refused(&outcome);
    let reworded = world.ben.say("The plant in Lyon has 480 employees.").await;
    assert!(
        reworded
            .remedies
            .iter()
            .any(|it| it.contains("time(s) before")),
        "{reworded:#?}"
    );
    server.stop().await;
}

#[tokio::test]
async fn everything_is_rebuilt_from_the_log_to_the_same_result_on_fjall() {
    rebuilt_and_verified(Engine::Fjall).await;
}

#[tokio::test]
async fn everything_is_rebuilt_from_the_log_to_the_same_result_on_sled() {
    rebuilt_and_verified(Engine::Sled).await;
}

#[tokio::test]
async fn entries_hold_commitments_and_none_of_the_words() {
    let world = World::new().await;
    live_through(&world).await;
    let words = [
        "Lyon",
        "museum",
        "register",
        "looked into",
        "final statistics",
        "Nordlys",
        "revised",
    ];
    let history = world.ben.history().await;
    let mut events = BTreeMap::new();
    for (position, record) in history.iter().enumerate() {
        assert!(record.entry.len() <= 65_535);
        let entry = proto::Entry::decode(record.entry.as_slice()).unwrap();
        assert_eq!(entry.position, position as u64);
        assert_eq!(
            (entry.board.as_str(), entry.principal.as_str()),
            (world.board.as_str(), record.principal.as_str())
        );
        for word in words {
            let found = record
                .entry
                .windows(word.len())
                .any(|window| window == word.as_bytes());
            assert!(!found, "`{word}` is in entry {position}, {}", record.kind);
        }
        if let Some(Event::Submitted(submitted)) = &entry.event {
            assert_eq!(submitted.content.len(), 32);
            assert_eq!(submitted.check.len(), 32);
        }
        *events.entry(record.kind.clone()).or_insert(0) += 1;
    }
    for kind in [
        "submitted",
        "refused",
        "corroborated",
        "amended",
        "snapshot_taken",
        "reaffirmed",
        "flag_closed",
        "retracted",
        "conflict_resolved",
        "conflict_dismissed",
    ] {
        assert!(events.contains_key(kind), "{kind}: {events:?}");
    }
}

#[tokio::test]
async fn an_entry_s_bytes_are_the_same_by_every_door_and_after_a_restart() {
    let server = OwnServer::start(Engine::Sled, false).await;
    let world = World::on(server.server.clone()).await;
    world
        .locked(
            world
                .ana
                .draft("The plant in Lyon has 500 employees.")
                .await,
        )
        .await;
    let bytes = |records: Vec<proto::Record>| -> Vec<Vec<u8>> {
        records.into_iter().map(|it| it.entry).collect()
    };
    let replayed = bytes(world.ben.history().await);
    let watch = proto::WatchRequest {
        board: world.board.clone(),
        from: Some(0),
        ..Default::default()
    };
    let mut stream = world.ben.logs().watch(watch).await.unwrap().into_inner();
    let mut watched = Vec::new();
    while watched.len() < replayed.len() {
        watched.extend(bytes(stream.message().await.unwrap().unwrap().records));
    }
    assert_eq!(watched, replayed);
    drop(stream);
    let server = server.restart().await;
    let world = world.after_restart(server.server.clone());
    assert_eq!(bytes(world.ben.history().await), replayed);
    server.stop().await;
}

#[tokio::test]
async fn a_replay_tells_who_did_what_why_and_when_to_any_position() {
    let world = World::new().await;
    let plant = live_through(&world).await;
    let all = world.ben.history().await;
    let amended = all.iter().find(|it| it.kind == "amended").unwrap();
    assert_eq!(amended.principal, world.aron.name);
    assert_eq!(amended.detail, "the figure was revised");
    assert!(amended.summary.contains(&plant), "{}", amended.summary);
    assert!(amended.time.is_some());
    for record in &all {
        assert!(!record.summary.is_empty(), "{record:?}");
    }

    let to = world
        .ben
        .replay(ReplayRequest {
            to: Some(amended.position),
            ..Default::default()
        })
        .await;
    assert_eq!(to.as_slice(), &all[..amended.position as usize]);
    let of_one = world
        .ben
        .replay(ReplayRequest {
            assertion: "a1".into(),
            ..Default::default()
        })
        .await;
    assert!(
        of_one
            .iter()
            .all(|it| it.assertions.iter().any(|id| id.starts_with("a1@")))
    );
    let kinds: Vec<_> = of_one.iter().map(|it| it.kind.as_str()).collect();
    for kind in ["submitted", "validated", "flagged", "amended"] {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }
    world.operator.declare_module("other").await;
    let of_other = world
        .ben
        .replay(ReplayRequest {
            module: "other".into(),
            ..Default::default()
        })
        .await;
    assert_eq!(of_other.len(), 1);
    let nowhere = ReplayRequest {
        board: world.board.clone(),
        module: "nowhere".into(),
        ..Default::default()
    };
    let error = world.ben.logs().replay(nowhere).await.unwrap_err();
    crate::world::denied(&error, "MODULE_UNKNOWN");
}

#[tokio::test]
async fn a_damaged_entry_is_found() {
    let server = OwnServer::start(Engine::Fjall, false).await;
    let world = World::on(server.server.clone()).await;
    world
        .locked(
            world
                .ana
                .draft("The plant in Lyon has 500 employees.")
                .await,
        )
        .await;
    let position = world.position().await;
    drop(world);
    let (config, _directory) = server.stop().await;
    let store = open(&config.data.join("store"), None).unwrap();
    let mut key = None;
    let (from, to) = (vec![b'e'], vec![b'e' + 1]);
    store
        .scan(&from, &to, &mut |found, bytes| {
            key = Some((found.to_vec(), bytes.to_vec()));
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
    let (key, mut bytes) = key.unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    let mut batch = Batch::default();
    batch.put(key, bytes);
    store.commit(&batch).unwrap();
    let report = verify(store.as_ref()).unwrap();
    assert!(!report.is_clean());
    let (_, first) = report.first_wrong_entry().expect("it is named");
    assert_eq!(first.0, position - 1);
}
