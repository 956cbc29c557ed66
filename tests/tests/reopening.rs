//! A board that is opened again: what finds its texts is read from the store, and made anew where it does not serve.

use pawl_ledger::{
    id::Position,
    store::{Batch, Engine, Store, keys, open},
};
use pawl_proto::v1::{self as proto, Verdict};

use crate::world::{Client, OwnServer, World, accepted};

const STANDING: [&str; 4] = [
    "The plant in Lyon has 500 employees.",
    "The Harbour Bridge is 1149 metres long.",
    "The reservoir at Dunmere holds 40 million litres.",
    "The depot in Carrowin opened in 1987.",
];
const AGAINST: [&str; 4] = [
    "The plant in Lyon has 530 employees.",
    "The Harbour Bridge is 950 metres long.",
    "The reservoir at Dunmere holds 70 million litres.",
    "The depot in Carrowin opened in 1991.",
];

type Rows = Vec<(Vec<u8>, Vec<u8>)>;

fn rows(store: &dyn Store) -> Rows {
    let (from, to) = keys::all_found_by(keys::BoardNumber(0));
    let mut rows = Vec::new();
    let mut keep = |key: &[u8], value: &[u8]| {
        rows.push((key.to_vec(), value.to_vec()));
        std::ops::ControlFlow::Continue(())
    };
    store.scan(&from, &to, &mut keep).unwrap();
    rows
}

async fn verdicts(client: &Client) -> Vec<i32> {
    let mut verdicts = Vec::new();
    for text in AGAINST {
        let draft = client.draft(text).await;
        let checked = client.check(vec![draft]).await.unwrap();
        verdicts.push(checked.outcomes[0].verdict);
    }
    verdicts
}

/// Stops a server, does something to its store, and starts it again.
async fn again(own: OwnServer, change: impl FnOnce(&dyn Store, Rows) -> Batch) -> OwnServer {
    let (config, directory) = own.stop().await;
    let store = open(&config.data.join("store"), None).unwrap();
    let batch = change(store.as_ref(), rows(store.as_ref()));
    store.commit(&batch).unwrap();
    drop(store);
    OwnServer::again(config, directory).await
}

async fn find_all_again(engine: Engine) {
    let own = OwnServer::start(engine, true).await;
    let mut world = World::on(own.server.clone()).await;
    for text in STANDING {
        accepted(&world.ana.say(text).await);
    }
    let contested = vec![i32::from(Verdict::Contested); AGAINST.len()];
    assert_eq!(verdicts(&world.ana).await, contested);

    let mut kept = Rows::new();
    let own = again(own, |_, rows| {
        assert_eq!(rows.len(), STANDING.len());
        kept = rows;
        // One is gone, one was damaged, one belongs to another text; the last one is as it was.
        let mut batch = Batch::default();
        batch.deletes.push(kept[0].0.clone());
        let mut damaged = kept[1].1.clone();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 0x20;
        batch.put(kept[1].0.clone(), damaged);
        batch.put(kept[2].0.clone(), b"what no program of ours wrote".to_vec());
        batch
    })
    .await;
    world = world.after_restart(own.server.clone());
    assert_eq!(verdicts(&world.ana).await, contested);

    // They were made anew, and the texts that have one are not read when the board is opened.
    let own = again(own, |store, rows| {
        assert_eq!(rows, kept);
        let mut batch = Batch::default();
        let (position, _) = keys::read::position(&kept[3].0).unwrap();
        let (from, to) = keys::words_of(keys::BoardNumber(0), position, Position(position.0 + 1));
        let mut forget = |key: &[u8], _: &[u8]| {
            batch.deletes.push(key.to_vec());
            std::ops::ControlFlow::Continue(())
        };
        store.scan(&from, &to, &mut forget).unwrap();
        batch
    })
    .await;
    world = world.after_restart(own.server.clone());
    let request = proto::GetBoardUsageRequest {
        board: world.board.clone(),
    };
    let usage = world.operator.upkeep().get_board_usage(request).await;
    let memory = usage.unwrap().into_inner().memory.unwrap();
    assert_eq!(memory.texts, STANDING.len() as u64);
    assert_eq!(verdicts(&world.ana).await[..3], contested[..3]);
    own.stop().await;
}

#[tokio::test]
async fn what_finds_texts_is_read_or_made_anew_on_fjall() {
    find_all_again(Engine::Fjall).await;
}

#[tokio::test]
async fn what_finds_texts_is_read_or_made_anew_on_sled() {
    find_all_again(Engine::Sled).await;
}
