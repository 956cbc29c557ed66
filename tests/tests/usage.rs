//! Figures of disk and memory.

use pawl_ledger::{store, store::Engine, store::keys};
use pawl_proto::v1::{self as proto, BoardUsage};

use crate::world::{Client, OwnServer, World, accepted, denied};

async fn usage(client: &Client) -> BoardUsage {
    let board = client.board.clone();
    let request = proto::GetBoardUsageRequest { board };
    client
        .upkeep()
        .get_board_usage(request)
        .await
        .unwrap()
        .into_inner()
}

#[tokio::test]
async fn what_is_told_is_what_lies_in_the_store() {
    let server = OwnServer::start(Engine::Fjall, false).await;
    let world = World::on(server.server.clone()).await;
    for number in 0..20 {
        accepted(
            &world
                .ana
                .say(&format!("Well {number} is {number}0 m deep."))
                .await,
        );
    }
    let told = usage(&world.ben).await;
    let disk = told.disk.unwrap();
    assert_eq!(disk.entries, world.position().await);
    assert_eq!(
        disk.entries,
        told.principals.iter().map(|it| it.entries).sum::<u64>()
    );
    let ana = told
        .principals
        .iter()
        .find(|it| it.principal == world.ana.name)
        .unwrap();
    assert_eq!((ana.entries, ana.sources, ana.refusals), (40, 20, 0));
    assert!(ana.source_bytes > 400 && ana.entries_left <= 10_000);
    let memory = told.memory.unwrap();
    assert_eq!(memory.texts, 20);
    assert!(memory.state_bytes > 5_000 && memory.judge_bytes > 2_000);

    let server = server.restart().await;
    let again = usage(&world.after_restart(server.server.clone()).ben).await;
    let mut disk_again = again.disk.unwrap();
    assert!(
        disk_again.image_bytes > 1_000,
        "an image was written at the stop"
    );
    disk_again.image_bytes = disk.image_bytes;
    assert_eq!(disk_again, disk);

    let (config, _directory) = server.stop().await;
    let store = store::open(&config.data.join("store"), None).unwrap();
    let number = keys::BoardNumber(0);
    let counted = |first: u8| {
        let (from, to) = keys::of_board(first, number);
        let mut bytes = 0;
        let mut visit = |key: &[u8], value: &[u8]| {
            bytes += (key.len() + value.len()) as u64;
            std::ops::ControlFlow::Continue(())
        };
        store.scan(&from, &to, &mut visit).unwrap();
        bytes
    };
    assert_eq!(
        (counted(b'e'), counted(b'w')),
        (disk.entry_bytes, disk.word_bytes)
    );
}

#[tokio::test]
async fn the_server_tells_its_operators_what_it_takes() {
    let server = OwnServer::start(Engine::Fjall, false).await;
    let one = World::on(server.server.clone()).await;
    let other = World::on(server.server.clone()).await;
    accepted(&one.ana.say("The harbour freezes in winter.").await);
    accepted(&other.ana.say("The harbour freezes in winter.").await);
    let request = proto::GetServerUsageRequest {};
    let told = one
        .operator
        .upkeep()
        .get_server_usage(request)
        .await
        .unwrap()
        .into_inner();
    assert_eq!((told.boards, told.open_boards, told.deleting), (2, 2, 0));
    let of = |usage: &BoardUsage| usage.disk.unwrap();
    let (mine, others) = (usage(&one.ana).await, usage(&other.ana).await);
    assert_eq!(told.entries, of(&mine).entries + of(&others).entries);
    assert_eq!(
        told.word_bytes,
        of(&mine).word_bytes + of(&others).word_bytes
    );
    assert!(told.resident_bytes > 1 << 20 && told.document_cache_bytes > 0);
    let status = one
        .ana
        .upkeep()
        .get_server_usage(request)
        .await
        .unwrap_err();
    denied(&status, "ROLE_MISSING");
    server.stop().await;
}
