//! What server operators see of a server and change while it runs.

use pawl_proto::v1::{self as proto, CheckLevel, Role};
use tonic::Code;

use super::harness::{Server, page, reason};
use crate::config::{Config, ServeArgs};

/// A server whose settings are in a file.
async fn with_file(text: &str) -> (Server, std::path::PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("pawl.toml");
    std::fs::write(
        &file,
        format!("listen = '127.0.0.1:0'\nembedding = false\n{text}"),
    )
    .unwrap();
    let args = ServeArgs {
        data: Some(directory.path().to_owned()),
        config: Some(file.clone()),
        ..ServeArgs::default()
    };
    let resolved = Config::resolve(args).unwrap();
    let store = pawl_ledger::store::MemoryStore::new();
    (
        Server::start_on(store, directory, |config| *config = resolved).await,
        file,
    )
}

#[tokio::test]
async fn an_operator_sees_how_a_server_is() {
    let server = Server::start().await;
    server.board("b").await;
    let mut operator = server.operator();
    let status = operator
        .server
        .get_status(proto::GetStatusRequest {})
        .await
        .unwrap()
        .into_inner();
    assert_eq!(status.version, env!("CARGO_PKG_VERSION"));
    assert_eq!((status.boards, status.boards_open), (1, 1));
    assert!(status.entries_written >= 2 && status.resident_bytes > 0 && status.open_files > 0);
    assert_eq!(status.limits["limits.batch_items"], 256);
    assert_eq!(status.certificate_end_time, None);
    let calls = status
        .usages
        .iter()
        .find(|usage| usage.what == "calls")
        .unwrap();
    assert_eq!((calls.used, calls.limit), (1, Some(1_024)));
    for check in &status.checks {
        assert_ne!(check.level(), CheckLevel::Error, "{check:?}");
    }
}

#[tokio::test]
async fn only_server_operators_see_and_reload() {
    let server = Server::start().await;
    server.board("b").await;
    let mut board_operator = server.member("olga", "b", Role::Operator).await;
    let status = board_operator
        .server
        .get_status(proto::GetStatusRequest {})
        .await;
    assert_eq!(status.as_ref().unwrap_err().code(), Code::PermissionDenied);
    assert_eq!(reason(status), "ROLE_MISSING");
    assert_eq!(
        reason(board_operator.server.reload(proto::ReloadRequest {}).await),
        "ROLE_MISSING"
    );
    let mut nobody = server.client("pawl_00");
    assert_eq!(
        reason(nobody.server.reload(proto::ReloadRequest {}).await),
        "TOKEN_INVALID"
    );
}

#[tokio::test]
async fn settings_change_while_the_server_runs() {
    let (server, file) = with_file("[limits]\nbatch_items = 2\nconnections = 100\n").await;
    let mut operator = server.operator();
    let evil = "host: pawl.example.org\r\n";
    assert!(
        page(&server, "/healthz", evil)
            .await
            .starts_with("HTTP/1.1 403")
    );
    let write = |text: &str| {
        std::fs::write(
            &file,
            format!("listen = '127.0.0.1:0'\nembedding = false\n{text}"),
        )
        .unwrap();
    };
    write("allowed_hosts = ['pawl.example.org']\n[limits]\nbatch_items = 3\nconnections = 7\n");
    let reload = operator
        .server
        .reload(proto::ReloadRequest {})
        .await
        .unwrap()
        .into_inner();
    assert_eq!(reload.applied, ["allowed_hosts", "limits.batch_items"]);
    assert_eq!(reload.needs_restart, ["limits.connections"]);
    assert!(
        page(&server, "/healthz", evil)
            .await
            .starts_with("HTTP/1.1 200")
    );
    assert_eq!(server.running.app.limits().batch_items, 3);
    assert_eq!(server.running.app.limits().connections, 100);

    write("[limits]\nbatch_item = 4\n");
    let failed = operator
        .server
        .reload(proto::ReloadRequest {})
        .await
        .unwrap_err();
    assert_eq!(failed.code(), Code::FailedPrecondition);
    assert!(
        failed
            .message()
            .contains("did you mean `limits.batch_items`"),
        "{failed}"
    );
    assert_eq!(reason::<()>(Err(failed)), "SETTINGS_INVALID");
    assert_eq!(server.running.app.limits().batch_items, 3);
    let status = operator
        .server
        .get_status(proto::GetStatusRequest {})
        .await
        .unwrap()
        .into_inner();
    assert!(status.last_reload.unwrap().failure.contains("batch_item"));
    let told = status
        .checks
        .iter()
        .find(|check| check.name == "reload")
        .unwrap();
    assert_eq!(told.level(), CheckLevel::Error);

    write("[limits]\nconnections = 7\n");
    let again = operator
        .server
        .reload(proto::ReloadRequest {})
        .await
        .unwrap()
        .into_inner();
    assert_eq!(
        again.needs_restart,
        ["limits.connections"],
        "it still takes a restart"
    );
}
