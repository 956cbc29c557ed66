//! What is done beside the calls: boards leave memory, and deletions that broke off are gone on with.

use std::time::Duration;

use pawl_ledger::{store::Fault, verify::verify};
use pawl_proto::v1 as proto;

use super::harness::Server;

#[tokio::test]
async fn a_board_that_nobody_uses_leaves_memory_and_comes_back_as_it_was() {
    let server = Server::start().await;
    let mut operator = server.operator();
    server.board("energy").await;
    let get = || proto::GetBoardRequest {
        board: "energy".into(),
        ..Default::default()
    };
    let before = operator.board.get_board(get()).await.unwrap();
    let before = before.into_inner();
    let app = server.running.app.clone();
    let open = async || {
        let name = "energy".parse().unwrap();
        let live = app.board(&name).await.unwrap();
        std::sync::Arc::as_ptr(&live) as usize
    };
    let held = open().await;
    app.close_idle(Duration::from_secs(3_600), Duration::from_secs(3_600))
        .await;
    assert_eq!(open().await, held, "it was used lately");
    let live = app.board(&"energy".parse().unwrap()).await.unwrap();
    app.close_idle(Duration::ZERO, Duration::ZERO).await;
    assert_eq!(open().await, held, "somebody holds it");
    drop(live);
    app.close_idle(Duration::ZERO, Duration::ZERO).await;
    let after = operator.board.get_board(get()).await.unwrap();
    assert_eq!(after.into_inner(), before);
}

#[tokio::test]
async fn a_deletion_that_broke_off_is_gone_on_with_at_the_next_start() {
    let server = Server::start().await;
    server.board("energy").await;
    let mut upkeep = server.operator().upkeep;
    let board = || "energy".to_owned();
    let archive = proto::ArchiveBoardRequest {
        board: board(),
        reason: "done".into(),
    };
    upkeep.archive_board(archive).await.unwrap();
    // The marker is written, what comes after it is not.
    server.store.fail(2, Fault::Before);
    let delete = proto::DeleteBoardRequest {
        board: board(),
        confirm: board(),
    };
    assert!(upkeep.delete_board(delete).await.is_err());
    let left = server.store.crash();
    let report = verify(&left).unwrap();
    assert!(report.is_clean() && report.notes.len() == 1, "{report}");
    let again = Server::start_on(left.clone(), server.directory, |_| {}).await;
    again.running.app.finish_deletions().await.unwrap();
    let report = verify(&left).unwrap();
    assert!(report.is_clean() && report.notes.is_empty(), "{report}");
    assert_eq!(report.boards, 0);
}
