//! A board as JSON lines: whole, the same each time, and enough to check by oneself.

use std::process::Command;

use pawl_ledger::log::tree::{Frontier, leaf_hash};
use pawl_proto::v1::{self as proto, export_response::Part};
use serde_json::Value;
use tokio_stream::StreamExt;

use crate::{
    crash::PAWL,
    world::{Client, World, reason_of},
};

async fn parts(client: &Client, request: proto::ExportRequest) -> Vec<Part> {
    let request = proto::ExportRequest {
        board: client.board.clone(),
        ..request
    };
    let mut stream = client.backups().export(request).await.unwrap().into_inner();
    let mut parts = Vec::new();
    while let Some(part) = stream.next().await {
        parts.push(part.unwrap().part.unwrap());
    }
    parts
}

#[tokio::test]
async fn an_export_can_be_checked_by_its_reader() {
    let world = World::new().await;
    let text = "The harbour freezes in winter.";
    let id = world.locked(world.ana.draft(text).await).await;
    world.ben.flag(&id, vec![]).await.unwrap();
    world
        .ben
        .say("The harbour does not freeze in winter.")
        .await;
    let request = proto::ExportRequest {
        with_sources: true,
        ..Default::default()
    };
    let parts = parts(&world.vera, request).await;
    let (mut tree, mut entries, mut words, mut sources) = (Frontier::default(), 0, 0, Vec::new());
    for part in &parts {
        match part {
            Part::Header(header) => assert_eq!(header.board, world.board),
            Part::Entry(entry) => {
                assert_eq!(entry.position, entries);
                entries += 1;
                tree.push(leaf_hash(&entry.entry));
                for it in &entry.words {
                    words += 1;
                    let mut hasher = blake3::Hasher::new();
                    hasher.update(&it.salt).update(&it.words);
                    assert_eq!(hasher.finalize().as_bytes().as_slice(), it.commitment);
                }
            }
            Part::Source(source) => sources.extend_from_slice(&source.chunk),
            Part::End(end) => {
                assert_eq!(end.entries, entries);
                let root: String = tree.root().0.iter().map(|it| format!("{it:02x}")).collect();
                assert_eq!(end.tree_root, root);
            }
        }
    }
    assert!(matches!(parts.last(), Some(Part::End(_))));
    assert_eq!(entries, world.position().await);
    assert!(words > 8);
    assert!(String::from_utf8(sources).unwrap().contains(text));
}

#[tokio::test]
async fn bad_requests_get_a_reason() {
    let world = World::new().await;
    let export = |client: Client, until| async move {
        let board = client.board.clone();
        let request = proto::ExportRequest {
            board,
            until,
            ..Default::default()
        };
        client
            .backups()
            .export(request)
            .await
            .map(drop)
            .unwrap_err()
    };
    let ahead = export(world.ana.clone(), Some(9_999)).await;
    assert_eq!(reason_of(&ahead), "BASE_IN_FUTURE");
    let stranger = world.principal("stranger", &[]).await;
    assert_eq!(reason_of(&export(stranger, None).await), "BOARD_UNKNOWN");
}

/// Runs `pawl export` for the arbiter; gives the lines.
async fn lines(world: &World, arguments: &[&str]) -> String {
    let mut command = Command::new(PAWL);
    command
        .arg("export")
        .arg(&world.board)
        .args(arguments)
        .args(["--server", &format!("http://{}", world.server.address)])
        .args(["--token", &world.aron.token]);
    let output = tokio::task::spawn_blocking(move || command.output().unwrap());
    let output = output.await.unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_entries_give_the_same_lines() {
    let world = World::new().await;
    world.ana.say("The ferry takes 40 minutes.").await;
    let until = world.position().await.to_string();
    let whole = lines(&world, &[]).await;
    world.ana.say("The museum is open on Monday.").await;
    assert_eq!(lines(&world, &["--until", &until]).await, whole);
    assert_ne!(lines(&world, &[]).await, whole);

    let read: Vec<Value> = whole
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(read[0]["form"], "pawl export");
    assert_eq!(read[0]["version"], 1);
    assert_eq!(read.last().unwrap()["line"], "end");
    let submitted = read
        .iter()
        .find(|line| line["event"]["submitted"].is_object())
        .unwrap();
    let words = submitted["words"].as_array().unwrap();
    assert!(
        words
            .iter()
            .any(|it| it["text"] == "The ferry takes 40 minutes.")
    );
    assert!(
        words
            .iter()
            .any(|it| it["said"]["exact"] == "The ferry takes 40 minutes.")
    );

    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("board.jsonl");
    let said = lines(
        &world,
        &["--until", &until, "--output", file.to_str().unwrap()],
    )
    .await;
    assert_eq!(said, "");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), whole);
}
