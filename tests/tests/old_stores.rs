//! Stores that earlier programs wrote: opened, verified, read, and gone on with, by either engine.

use std::path::{Path, PathBuf};

use pawl_ledger::{
    backup::restore,
    store::{Batch, Engine, Store, keys, open},
    verify::verify,
};
use pawl_proto::v1::{self as proto, Role, Status};
use pawl_server::config::Config;

use crate::world::{Client, OwnServer, accepted, cited};

/// What the program of each layout left, as a backup of it.
fn fixtures() -> Vec<PathBuf> {
    let stores = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/stores");
    let found: Vec<PathBuf> = std::fs::read_dir(stores)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    assert!(!found.is_empty());
    found
}

/// Takes the tokens out, whose secrets nobody has: the next start makes a new one.
fn forget_tokens(store: &dyn Store) {
    let (from, to) = keys::tokens();
    let mut batch = Batch::default();
    store
        .scan(&from, &to, &mut |key, _| {
            batch.deletes.push(key.to_vec());
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
    assert!(!batch.deletes.is_empty());
    store.commit(&batch).unwrap();
}

async fn standing(client: &Client) -> Vec<proto::Assertion> {
    let list = proto::ListAssertionsRequest {
        board: client.board.clone(),
        ..Default::default()
    };
    let listed = client.assertions().list_assertions(list).await.unwrap();
    listed.into_inner().assertions
}

async fn go_on(fixture: &Path, engine: Engine) {
    let directory = tempfile::tempdir().unwrap();
    let mut config = Config::local(directory.path().join("data"));
    config.engine = Some(engine);
    let manifest = restore(fixture, &config.data, Some(engine)).unwrap();
    let path = config.data.join("store");
    let store = open(&path, None).unwrap();
    let report = verify(store.as_ref()).unwrap();
    assert!(report.is_clean(), "{report}");
    assert_eq!(report.entries, manifest.ending.boards[0].entries);
    forget_tokens(store.as_ref());
    drop(store);

    let own = OwnServer::again(config, None).await;
    let operator = own.server.operator("demo");
    assert_eq!(operator.board_record().await.entries, report.entries);
    assert_eq!(operator.history().await.len() as u64, report.entries);
    let before = standing(&operator).await;
    let locked = before.iter().filter(|it| it.status() == Status::Locked);
    assert_eq!((before.len(), locked.count()), (14, 13));
    let content = before[0].draft.clone().unwrap().content;
    assert!(content.contains("Solar power capacity"), "{content}");
    // Its people are there; a new entry follows the old ones.
    let issue = proto::IssueTokenRequest {
        principal: "ana".into(),
        lifetime: None,
    };
    let issued = operator.identity().issue_token(issue).await.unwrap();
    let ana = own
        .server
        .client("ana", &issued.into_inner().secret, "demo");
    let source = ana.upload("text/plain", b"Tidal power is scarce.").await;
    let citation = crate::world::cite(&source, "Tidal power is scarce.");
    let draft = proto::Draft {
        module: "world".into(),
        ..cited("Tidal power is scarce.", citation)
    };
    accepted(&ana.submit_one(draft).await);
    operator.grant("ana", Role::Reader).await;
    let after = standing(&operator).await;
    assert_eq!(after[..before.len()], before);
    assert_eq!(after.len(), before.len() + 1);
    own.stop().await;
    let report = verify(open(&path, None).unwrap().as_ref()).unwrap();
    assert!(report.is_clean(), "{report}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_earlier_store_is_gone_on_with_on_fjall() {
    for fixture in fixtures() {
        go_on(&fixture, Engine::Fjall).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_earlier_store_is_gone_on_with_on_sled() {
    for fixture in fixtures() {
        go_on(&fixture, Engine::Sled).await;
    }
}
