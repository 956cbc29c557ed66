//! Backups made while many write, restored with the other engine, damaged, broken off.

use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use pawl_ledger::store::Engine;
use pawl_proto::v1::{self as proto, BackupRequest};
use tokio_stream::StreamExt;

use crate::{
    crash::PAWL,
    world::{
        Client, OwnServer, Server, World, accepted, capacity, cite, cited, claiming, reason_of,
    },
};

const WRITERS: usize = 32;
const BOARDS: usize = 2;

fn pawl(arguments: &[&str]) -> Command {
    let mut command = Command::new(PAWL);
    command
        .args(arguments)
        .env_remove("PAWL_HOME")
        .env_remove("PAWL_TOKEN")
        .env_remove("PAWL_AS")
        .env_remove("RUST_LOG");
    command
}

/// Runs `pawl`, which has to end with a status; gives what it said.
#[track_caller]
fn ends(status: i32, arguments: &[&str]) -> String {
    let Output {
        status: found,
        stdout,
        stderr,
    } = pawl(arguments).output().unwrap();
    let said = String::from_utf8([stdout, stderr].concat()).unwrap();
    assert_eq!(found.code(), Some(status), "{arguments:?}: {said}");
    said
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Runs `pawl backup` against a server.
async fn back_up(server: &Server, to: &Path) -> String {
    let (address, to) = (format!("http://{}", server.address), text(to).to_owned());
    let token = server.operator_token.clone();
    let run = move || ends(0, &["backup", &to, "--server", &address, "--token", &token]);
    tokio::task::spawn_blocking(run).await.unwrap()
}

/// Writes one assertion after the other until told to stop; counts what was acknowledged.
async fn write(
    client: Client,
    source: String,
    writer: usize,
    stop: Arc<AtomicBool>,
    done: Arc<AtomicUsize>,
) {
    for number in 0.. {
        if stop.load(Ordering::SeqCst) {
            return;
        }
        let name = format!("{writer}-{number}");
        let citation = cite(&source, "Some register says so.");
        let draft = cited(&format!("Entry {name} of the register."), citation);
        let draft = claiming(draft, capacity(&format!("plant {name}"), "1"));
        accepted(&client.submit_one(draft).await);
        done.fetch_add(1, Ordering::SeqCst);
    }
}

async fn entries(client: &Client) -> Vec<Vec<u8>> {
    let history = client.history().await;
    history.into_iter().map(|record| record.entry).collect()
}

async fn cursor(client: &Client) -> String {
    let watch = proto::WatchRequest {
        board: client.board.clone(),
        from: Some(0),
        ..Default::default()
    };
    let mut stream = client.logs().watch(watch).await.unwrap().into_inner();
    stream.message().await.unwrap().unwrap().cursor
}

async fn under_writers(from: Engine, to: Engine) {
    let directory = tempfile::tempdir().unwrap();
    let own = OwnServer::start(from, false).await;
    let (mut worlds, mut sources) = (Vec::new(), Vec::new());
    for _ in 0..BOARDS {
        let world = World::on(own.server.clone()).await;
        let source = world
            .ana
            .upload("text/plain", b"Some register says so.")
            .await;
        sources.push(source);
        worlds.push(world);
    }
    let (stop, done) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicUsize::new(0)),
    );
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let (client, source) = (&worlds[writer % BOARDS].ana, &sources[writer % BOARDS]);
            let (stop, done) = (stop.clone(), done.clone());
            tokio::spawn(write(client.clone(), source.clone(), writer, stop, done))
        })
        .collect();
    while done.load(Ordering::SeqCst) < WRITERS {
        tokio::task::yield_now().await;
    }
    let cursor = cursor(&worlds[0].ana).await;
    let mut acknowledged = Vec::new();
    for world in &worlds {
        acknowledged.push(world.position().await);
    }
    let backup = directory.path().join("backup");
    let before = done.load(Ordering::SeqCst);
    back_up(&own.server, &backup).await;
    let during = done.load(Ordering::SeqCst) - before;
    assert!(during > 0, "nobody wrote anything while it was backed up");
    stop.store(true, Ordering::SeqCst);
    for writer in writers {
        writer.await.unwrap();
    }

    let mut config = own.config.clone();
    config.data = directory.path().join("restored");
    config.engine = Some(to);
    let engine = to.name();
    let said = ends(0, &["verify", text(&backup)]);
    assert!(said.contains("everything agrees"), "{said}");
    let data = config.data.clone();
    ends(
        0,
        &[
            "restore",
            text(&backup),
            "--data",
            text(&data),
            "--engine",
            engine,
        ],
    );
    ends(0, &["verify", text(&data.join("store"))]);
    fs::write(data.join("operator.token"), &own.server.operator_token).unwrap();
    let restored = OwnServer::again(config, None).await;
    for (world, acknowledged) in worlds.iter().zip(acknowledged) {
        let there = world.after_restart(restored.server.clone());
        let (all, kept) = (entries(&world.ana).await, entries(&there.ana).await);
        assert!(
            kept.len() as u64 >= acknowledged,
            "something acknowledged is gone"
        );
        assert!(all.starts_with(&kept), "another history was restored");
        accepted(&there.ana.say("The restored board goes on.").await);
    }
    let again = worlds[0].after_restart(restored.server.clone());
    let watch = proto::WatchRequest {
        board: again.board.clone(),
        cursor,
        ..Default::default()
    };
    let mut stream = again.ana.logs().watch(watch).await.unwrap().into_inner();
    let first = stream.message().await.unwrap().unwrap();
    assert!(!first.records.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_under_writers_is_a_prefix_and_goes_from_fjall_to_sled() {
    under_writers(Engine::Fjall, Engine::Sled).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_under_writers_is_a_prefix_and_goes_from_sled_to_fjall() {
    under_writers(Engine::Sled, Engine::Fjall).await;
}

/// A server with some MiB of sources on a board.
async fn filled(sources: u8) -> (OwnServer, World) {
    let own = OwnServer::start_with(Engine::Fjall, false, |config| {
        config.limits.upload_idle_seconds = 1;
    })
    .await;
    let world = World::on(own.server.clone()).await;
    for number in 0..sources {
        let bytes = vec![number; 8 << 20];
        world.ana.upload("application/octet-stream", &bytes).await;
    }
    accepted(&world.ana.say("The harbour freezes in winter.").await);
    (own, world)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damage_is_found_and_nothing_is_restored_from_it() {
    let (own, _world) = filled(0).await;
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    back_up(&own.server, &at("good")).await;
    let used = ["backup", text(&at("good")), "--token", "pawl_x"].map(str::to_owned);
    let said = ends(3, &used.each_ref().map(String::as_str));
    assert!(said.contains("is not empty"), "{said}");
    let data = fs::read(at("good").join("data-0001")).unwrap();
    let manifest = fs::read(at("good").join("MANIFEST")).unwrap();
    let flipped = |bytes: &[u8], place: usize| {
        let mut bytes = bytes.to_vec();
        bytes[place] ^= 0x20;
        bytes
    };
    let damages: [(&str, Vec<u8>, &str); 5] = [
        ("data-0001", flipped(&data, data.len() / 2), "digest"),
        (
            "data-0001",
            data[..data.len() - 1].to_vec(),
            "bytes, the manifest says",
        ),
        ("data-0001", Vec::new(), "bytes, the manifest says"),
        (
            "MANIFEST",
            flipped(&manifest, manifest.len() - 40),
            "digest",
        ),
        ("MANIFEST", manifest[..50].to_vec(), "MANIFEST"),
    ];
    for (number, (name, bytes, told)) in damages.into_iter().enumerate() {
        let bad = at(&format!("bad{number}"));
        fs::create_dir(&bad).unwrap();
        fs::write(bad.join("data-0001"), &data).unwrap();
        fs::write(bad.join("MANIFEST"), &manifest).unwrap();
        fs::write(bad.join(name), bytes).unwrap();
        let said = ends(1, &["verify", text(&bad)]);
        assert!(said.contains(told), "{number}: {said}");
        let into = at(&format!("into{number}"));
        ends(3, &["restore", text(&bad), "--data", text(&into)]);
        assert!(!into.join("store/FORMAT").exists());
        fs::remove_file(bad.join(name)).unwrap();
        let said = ends(1, &["verify", text(&bad)]);
        assert!(
            said.contains("missing") || said.contains("MANIFEST"),
            "{said}"
        );
    }
    let said = ends(
        3,
        &["restore", text(directory.path()), "--data", text(&at("x"))],
    );
    assert!(said.contains("holds no backup"), "{said}");
    let used = own.config.data.clone();
    let said = ends(3, &["restore", text(&at("good")), "--data", text(&used)]);
    assert!(said.contains("holds a store already"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_restore_is_refused_and_begun_anew() {
    let (own, world) = filled(6).await;
    let directory = tempfile::tempdir().unwrap();
    let (backup, data) = (
        directory.path().join("backup"),
        directory.path().join("data"),
    );
    back_up(&own.server, &backup).await;
    let mut restoring = pawl(&["restore", text(&backup), "--data", text(&data)])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let marker = data.join("store/RESTORING");
    while !data.join("store/FORMAT").exists() {
        assert!(restoring.try_wait().unwrap().is_none(), "it ended too soon");
        tokio::task::yield_now().await;
    }
    restoring.kill().unwrap();
    restoring.wait().unwrap();
    assert!(marker.exists(), "it was killed too late");
    let serve = [
        "serve",
        "--no-embedding",
        "--listen",
        "127.0.0.1:0",
        "--data",
        text(&data),
    ];
    // Within limits: a server that starts after all would never end.
    let served = Command::new("timeout")
        .args(["60", PAWL])
        .args(serve)
        .output();
    let served = served.unwrap();
    let said = String::from_utf8(served.stderr).unwrap();
    assert_eq!(served.status.code(), Some(5), "{said}");
    assert!(said.contains("half restored"), "{said}");
    let said = ends(5, &["verify", text(&data.join("store"))]);
    assert!(said.contains("half restored"), "{said}");
    ends(0, &["restore", text(&backup), "--data", text(&data)]);
    assert!(!marker.exists());
    let mut config = own.config.clone();
    config.data = data;
    fs::write(config.operator_token(), &own.server.operator_token).unwrap();
    let restored = OwnServer::again(config, None).await;
    let there = world.after_restart(restored.server.clone());
    assert_eq!(entries(&there.ana).await, entries(&world.ana).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_backup_at_a_time_and_none_for_a_reader_that_stands_still() {
    let (_own, world) = filled(6).await;
    let operator = &world.operator;
    let begin = || async { operator.backups().backup(BackupRequest {}).await };
    let mut still = begin().await.unwrap().into_inner();
    let second = begin().await.map(drop).unwrap_err();
    assert_eq!(reason_of(&second), "OVERLOADED");
    // Nobody reads the first one; its place is free again once it is given up.
    let mut again = loop {
        match begin().await {
            Ok(again) => break again.into_inner(),
            Err(status) => assert_eq!(reason_of(&status), "OVERLOADED"),
        }
    };
    let mut ended = Ok(());
    while let Some(part) = still.next().await {
        ended = part.map(drop);
    }
    assert_eq!(reason_of(&ended.unwrap_err()), "DEADLINE");
    let mut last = None;
    while let Some(part) = again.next().await {
        last = part.unwrap().part;
    }
    assert!(matches!(last, Some(proto::backup_response::Part::End(_))));
}
