//! Repeated requests, and a store that fails.

use std::sync::Arc;

use pawl_ledger::{command::Command, status::Policy, store::Fault};
use pawl_proto::v1 as proto;

use super::harness::{Server, reason};
use crate::{
    app::{
        App, LiveBoard,
        boards::{Repeat, apply},
        error::AppError,
    },
    auth::Caller,
};

fn operator(server: &Server) -> Caller {
    let secret = std::fs::read_to_string(&server.running.operator_token).unwrap();
    let header = format!("Bearer {}", secret.trim());
    server
        .running
        .app
        .identity
        .authenticate(Some(&header))
        .unwrap()
}

async fn live(server: &Server) -> Arc<LiveBoard> {
    server
        .running
        .app
        .board(&"b".parse().unwrap())
        .await
        .unwrap()
}

/// Sets a threshold under a request id; the answer is the threshold and the log's size.
async fn set(
    app: &App,
    live: &LiveBoard,
    caller: &Caller,
    (id, threshold): (&str, u16),
) -> Result<proto::Board, AppError> {
    let request = proto::SetPolicyRequest {
        board: "b".into(),
        policy: Some(proto::BoardPolicy {
            conflict_threshold: u32::from(threshold),
            note_threshold: 0,
        }),
    };
    let repeat = Repeat::new(caller, "SetPolicy", id, &request)?;
    let policy = Policy {
        conflict: pawl_ledger::finding::Score::clamped(threshold),
        note: pawl_ledger::finding::Score::clamped(0),
    };
    let done = app.execute(live, caller, repeat, |transaction| {
        apply(transaction, &Command::SetPolicy(policy), [])?;
        Ok(proto::Board {
            policy: request.policy,
            entries: transaction.board().position().0,
            ..Default::default()
        })
    });
    Ok(done.await?.answer)
}

#[tokio::test]
async fn a_repeated_request_gets_its_answer_again_even_after_a_restart() {
    let server = Server::start().await;
    server.board("b").await;
    let (app, caller) = (server.running.app.clone(), operator(&server));
    let board = live(&server).await;
    let first = set(&app, &board, &caller, ("id", 9_000)).await.unwrap();
    set(&app, &board, &caller, ("", 8_000)).await.unwrap();
    let again = set(&app, &board, &caller, ("id", 9_000)).await.unwrap();
    assert_eq!(first, again);
    assert_eq!(board.open.state.read().position().0, 4);
    drop((app, board));

    let server = server.restart().await;
    let (app, board) = (server.running.app.clone(), live(&server).await);
    assert_eq!(
        set(&app, &board, &caller, ("id", 9_000)).await.unwrap(),
        first
    );
    assert_eq!(board.open.state.read().position().0, 4);
    let reused = set(&app, &board, &caller, ("id", 7_000)).await.unwrap_err();
    assert_eq!(reason::<()>(Err(reused.into())), "REQUEST_ID_REUSED");
    let long = set(&app, &board, &caller, (&"x".repeat(129), 7_000))
        .await
        .unwrap_err();
    assert_eq!(reason::<()>(Err(long.into())), "FIELD_TOO_LONG");
    assert_eq!(board.open.state.read().position().0, 4);
}

#[tokio::test]
async fn the_same_request_sent_twice_at_once_happens_once() {
    let server = Server::start().await;
    server.board("b").await;
    let (app, caller, board) = (&server.running.app, operator(&server), live(&server).await);
    let (left, right) = tokio::join!(
        set(app, &board, &caller, ("id", 9_000)),
        set(app, &board, &caller, ("id", 9_000)),
    );
    assert_eq!(left.unwrap(), right.unwrap());
    assert_eq!(board.open.state.read().position().0, 3);
}

fn policy(threshold: u32) -> proto::SetPolicyRequest {
    proto::SetPolicyRequest {
        board: "b".into(),
        policy: Some(proto::BoardPolicy {
            conflict_threshold: threshold,
            note_threshold: 0,
        }),
    }
}

#[tokio::test]
async fn after_a_failed_write_the_board_is_read_again() {
    for (fault, entries) in [(Fault::Before, 3), (Fault::After, 4)] {
        let server = Server::start().await;
        server.board("b").await;
        let mut boards = server.operator().board;
        server.store.fail(1, fault);
        let failed = boards.set_policy(policy(9_000)).await;
        assert!(!failed.as_ref().unwrap_err().message().contains("memory"));
        assert_eq!(reason(failed), "STORE_FAILED");
        let after = boards.set_policy(policy(8_000)).await.unwrap().into_inner();
        assert_eq!(
            (after.entries, after.policy),
            (entries, policy(8_000).policy),
            "{fault:?}"
        );
    }
}

#[tokio::test]
async fn a_full_disk_is_told_and_gone_once_there_is_room() {
    let server = Server::start().await;
    server.board("b").await;
    let mut operator = server.operator();
    server.store.set_full(true);
    assert_eq!(
        reason(operator.board.set_policy(policy(9_000)).await),
        "STORE_FULL"
    );
    let create = proto::CreatePrincipalRequest {
        principal: "ana".into(),
        ..Default::default()
    };
    let refused = operator.identity.create_principal(create.clone()).await;
    assert_eq!(reason(refused), "STORE_FULL");
    server.store.set_full(false);
    operator.board.set_policy(policy(9_000)).await.unwrap();
    operator.identity.create_principal(create).await.unwrap();
}
