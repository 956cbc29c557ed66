//! Boards that are archived, reopened and deleted; sources that go while nothing cites them.

use std::{fs, path::Path};

use pawl_ledger::{store, store::Engine, verify::verify};
use pawl_proto::v1::{self as proto, Role};
use tonic::Status;

use crate::world::{Client, OwnServer, World, accepted, denied, item_error, reason_of};

async fn archive(client: &Client) -> Result<u64, Status> {
    let request = proto::ArchiveBoardRequest {
        board: client.board.clone(),
        reason: "the study is published".into(),
    };
    Ok(client
        .upkeep()
        .archive_board(request)
        .await?
        .into_inner()
        .position)
}

async fn reopen(client: &Client) -> Result<u64, Status> {
    let request = proto::ReopenBoardRequest {
        board: client.board.clone(),
        reason: "an erratum came".into(),
    };
    Ok(client
        .upkeep()
        .reopen_board(request)
        .await?
        .into_inner()
        .position)
}

async fn delete(client: &Client, confirm: &str) -> Result<u64, Status> {
    let request = proto::DeleteBoardRequest {
        board: client.board.clone(),
        confirm: confirm.into(),
    };
    Ok(client
        .upkeep()
        .delete_board(request)
        .await?
        .into_inner()
        .records)
}

async fn remove(client: &Client, source: &str) -> Result<bool, Status> {
    let request = proto::RemoveSourceRequest {
        board: client.board.clone(),
        source: source.into(),
    };
    Ok(client
        .sources()
        .remove_source(request)
        .await?
        .into_inner()
        .bytes_removed)
}

async fn read(client: &Client, source: &str) -> Result<Vec<u8>, Status> {
    let request = proto::ReadSourceRequest {
        board: client.board.clone(),
        source: source.into(),
    };
    let mut chunks = client.sources().read_source(request).await?.into_inner();
    let mut bytes = Vec::new();
    while let Some(part) = chunks.message().await? {
        bytes.extend(part.chunk);
    }
    Ok(bytes)
}

#[tokio::test]
async fn an_archived_board_is_read_and_not_written_to() {
    let world = World::new().await;
    let id = world
        .validated(world.ana.draft("The harbour freezes in winter.").await)
        .await;
    let draft = world.ana.draft("The canal is 12 km long.").await;
    let position = archive(&world.operator).await.unwrap();
    assert_eq!(
        archive(&world.operator).await.unwrap(),
        position,
        "nothing happens twice"
    );
    let told = world
        .denied(world.ana.submit(vec![draft.clone()]), "BOARD_ARCHIVED")
        .await;
    assert_eq!(told["board"], world.board);
    world.denied(world.ana.retract(&id), "BOARD_ARCHIVED").await;
    world
        .denied(world.aron.seal("market"), "BOARD_ARCHIVED")
        .await;
    let header = proto::SourceHeader {
        media_type: "text/plain".into(),
        ..Default::default()
    };
    world
        .denied(world.ana.upload_as(header, b"more"), "BOARD_ARCHIVED")
        .await;
    let declare = proto::DeclareModuleRequest {
        module: "late".into(),
        ..Default::default()
    };
    world
        .denied(world.operator.declare(declare), "BOARD_ARCHIVED")
        .await;
    let check = world.ben.check(vec![draft.clone()]).await.unwrap();
    item_error(&check.outcomes[0], "BOARD_ARCHIVED");

    assert!(world.ben.board_record().await.archive_time.is_some());
    assert_eq!(
        world
            .ben
            .brief(proto::GetBriefRequest::default())
            .await
            .position,
        position
    );
    let told = world.ben.history().await;
    let last = told.last().unwrap();
    assert_eq!(
        (last.kind.as_str(), last.detail.as_str()),
        ("board_archived", "the study is published")
    );

    reopen(&world.operator).await.unwrap();
    assert!(world.ben.board_record().await.archive_time.is_none());
    accepted(&world.ana.submit_one(draft).await);
}

#[tokio::test]
async fn archiving_and_reopening_need_a_reason_and_the_role() {
    let world = World::new().await;
    let mut upkeep = world.operator.upkeep();
    let board = world.board.clone();
    let reason = String::new();
    let silent = proto::ArchiveBoardRequest { board, reason };
    world
        .denied(upkeep.archive_board(silent), "FIELD_MISSING")
        .await;
    world.denied(archive(&world.aron), "ROLE_MISSING").await;
    let stranger = world.principal("stranger", &[]).await;
    denied(&archive(&stranger).await.unwrap_err(), "BOARD_UNKNOWN");
}

const PHRASE: &str = "The heron of Zirbenholz counts to nine.";
const SOURCE: &str = "A source that only this board keeps: the otter of Fahrenbuck sings.";
const SHARED: &str = "A source that two boards keep: the badger of Moosach dances.";

async fn nothing_is_left_of_a_deleted_board(engine: Engine) {
    let server = OwnServer::start(engine, false).await;
    let doomed = World::on(server.server.clone()).await;
    let other = World::on(server.server.clone()).await;
    accepted(&doomed.ana.say(PHRASE).await);
    doomed.ana.upload("text/plain", SOURCE.as_bytes()).await;
    let shared = doomed.ana.upload("text/plain", SHARED.as_bytes()).await;
    other.ana.upload("text/plain", SHARED.as_bytes()).await;

    let olga = doomed.principal("olga", &[Role::Operator]).await;
    denied(
        &delete(&olga, &doomed.board).await.unwrap_err(),
        "ROLE_MISSING",
    );
    denied(
        &delete(&doomed.operator, &doomed.board).await.unwrap_err(),
        "NOT_ARCHIVED",
    );
    archive(&doomed.operator).await.unwrap();
    denied(
        &delete(&doomed.operator, &other.board).await.unwrap_err(),
        "FIELD_INVALID",
    );
    let watch = proto::WatchRequest {
        board: doomed.board.clone(),
        ..Default::default()
    };
    let mut watched = doomed.ben.logs().watch(watch).await.unwrap().into_inner();
    assert!(delete(&doomed.operator, &doomed.board).await.unwrap() > 20);

    let ended = loop {
        match watched.message().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the watch ended without a reason"),
            Err(status) => break status,
        }
    };
    denied(&ended, "BOARD_UNKNOWN");
    assert!(ended.message().contains("deleted"), "{}", ended.message());
    denied(
        &doomed.ana.submit(vec![]).await.unwrap_err(),
        "BOARD_UNKNOWN",
    );
    denied(
        &delete(&doomed.operator, &doomed.board).await.unwrap_err(),
        "BOARD_UNKNOWN",
    );
    assert_eq!(read(&other.ana, &shared).await.unwrap(), SHARED.as_bytes());

    // The name is free again, and nothing of the old board is under it.
    let create = proto::CreateBoardRequest {
        board: doomed.board.clone(),
        policy: None,
    };
    doomed.operator.boards().create_board(create).await.unwrap();
    assert_eq!(doomed.operator.board_record().await.entries, 2);
    assert_eq!(
        reason_of(&read(&doomed.operator, &shared).await.unwrap_err()),
        "SOURCE_UNKNOWN"
    );

    let (config, _directory) = server.stop().await;
    let path = config.data.join("store");
    assert!(
        is_in_a_file(&path, PHRASE),
        "the files still hold what was deleted"
    );
    store::compact(&path).unwrap();
    assert!(!is_in_a_file(&path, PHRASE) && !is_in_a_file(&path, "otter of Fahrenbuck"));
    let store = store::open(&path, None).unwrap();
    let report = verify(store.as_ref()).unwrap();
    assert!(report.is_clean() && report.notes.is_empty(), "{report}");
    assert_eq!(report.boards, 2);
    drop(store);
    let server = OwnServer::again(config, _directory).await;
    let other = other.after_restart(server.server.clone());
    assert_eq!(read(&other.ana, &shared).await.unwrap(), SHARED.as_bytes());
    server.stop().await;
}

/// Looks for a text in every file below.
fn is_in_a_file(path: &Path, text: &str) -> bool {
    fs::read_dir(path).unwrap().any(|item| {
        let path = item.unwrap().path();
        if path.is_dir() {
            return is_in_a_file(&path, text);
        }
        let bytes = fs::read(path).unwrap();
        bytes.windows(text.len()).any(|it| it == text.as_bytes())
    })
}

#[tokio::test]
async fn nothing_is_left_of_a_deleted_board_in_fjall() {
    nothing_is_left_of_a_deleted_board(Engine::Fjall).await;
}

#[tokio::test]
async fn nothing_is_left_of_a_deleted_board_in_sled() {
    nothing_is_left_of_a_deleted_board(Engine::Sled).await;
}

#[tokio::test]
async fn a_source_goes_with_its_bytes_only_if_nothing_cites_it_and_no_board_keeps_it() {
    let server = OwnServer::start(Engine::Fjall, false).await;
    let world = World::on(server.server.clone()).await;
    let other = World::on(server.server.clone()).await;
    let draft = world.ana.draft("The harbour freezes in winter.").await;
    let cited = draft.citations[0].source.clone();
    accepted(&world.ana.submit_one(draft).await);
    let lone = world.ana.upload("text/plain", SOURCE.as_bytes()).await;
    let shared = world.ana.upload("text/plain", SHARED.as_bytes()).await;
    other.ana.upload("text/plain", SHARED.as_bytes()).await;

    let list = proto::ListSourcesRequest {
        board: world.board.clone(),
        uncited: true,
        ..Default::default()
    };
    let listed = world
        .ben
        .sources()
        .list_sources(list)
        .await
        .unwrap()
        .into_inner()
        .sources;
    let names: Vec<&str> = listed
        .iter()
        .map(|it| it.name.rsplit('/').next().unwrap())
        .collect();
    assert_eq!(names, [lone.as_str(), shared.as_str()]);

    let told = world
        .denied(remove(&world.ana, &cited), "SOURCE_CITED")
        .await;
    assert_eq!(told["cited_by"], "a1@1");
    world
        .denied(remove(&world.ben, &lone), "ROLE_MISSING")
        .await;
    world
        .denied(remove(&world.ana, "00000000"), "SOURCE_UNKNOWN")
        .await;
    assert!(
        !remove(&world.ana, &lone[..12]).await.unwrap(),
        "whether another board keeps the bytes is not hers to know"
    );
    assert!(
        !remove(&world.operator, &shared).await.unwrap(),
        "another board keeps them"
    );
    assert_eq!(read(&other.ana, &shared).await.unwrap(), SHARED.as_bytes());
    denied(
        &read(&world.ana, &lone).await.unwrap_err(),
        "SOURCE_UNKNOWN",
    );
    assert!(
        remove(&other.operator, &shared).await.unwrap(),
        "its bytes are gone"
    );
    // Uploaded again it is whole again.
    assert_eq!(
        world.ana.upload("text/plain", SHARED.as_bytes()).await,
        shared
    );
    assert_eq!(read(&world.ana, &shared).await.unwrap(), SHARED.as_bytes());
    let (config, _directory) = server.stop().await;
    let store = store::open(&config.data.join("store"), None).unwrap();
    let report = verify(store.as_ref()).unwrap();
    assert!(report.is_clean() && report.notes.is_empty(), "{report}");
}

#[tokio::test]
async fn an_address_names_what_it_named_before_once_the_later_is_removed() {
    let server = OwnServer::start(Engine::Fjall, false).await;
    let world = World::on(server.server.clone()).await;
    let uri = "https://example.org/report";
    let add = async |bytes: &[u8]| {
        let header = proto::SourceHeader {
            media_type: "text/plain".into(),
            uri: uri.into(),
            ..Default::default()
        };
        world.ana.upload_as(header, bytes).await.unwrap().name
    };
    let first = add(b"first").await;
    let second = add(b"second").await;
    let named = async |client: &Client| {
        let get = proto::GetSourceRequest {
            board: client.board.clone(),
            source: uri.into(),
        };
        client
            .sources()
            .get_source(get)
            .await
            .unwrap()
            .into_inner()
            .name
    };
    assert_eq!(named(&world.ana).await, second);
    remove(&world.ana, uri).await.unwrap();
    assert_eq!(named(&world.ana).await, first);
    let server = server.restart().await;
    let world = world.after_restart(server.server.clone());
    assert_eq!(named(&world.ana).await, first);
}
