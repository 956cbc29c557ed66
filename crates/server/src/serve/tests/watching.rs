//! How long a watcher may watch.

use pawl_ledger::decide::Reason;
use pawl_proto::v1 as proto;
use tonic::{Code, Streaming};

use super::harness::{Client, Server, metadata, reason};
use crate::auth::{Caller, digest};

async fn issue(server: &Server, lifetime: Option<prost_types::Duration>) -> (String, String) {
    let issue = proto::IssueTokenRequest {
        principal: "operator".into(),
        lifetime,
    };
    let issued = server.operator().identity.issue_token(issue).await.unwrap();
    let issued = issued.into_inner();
    (issued.token.unwrap().token, issued.secret)
}

async fn revoke(server: &Server, token: &str) {
    let token = token.to_owned();
    server
        .operator()
        .identity
        .revoke_token(proto::RevokeTokenRequest { token })
        .await
        .unwrap();
}

/// Watches board `b` from its start, and reads until the stream waits for news.
async fn idle(mut client: Client) -> Streaming<proto::WatchResponse> {
    let request = proto::WatchRequest {
        board: "b".into(),
        from: Some(0),
        ..Default::default()
    };
    let mut stream = client.log.watch(request).await.unwrap().into_inner();
    let first = stream.message().await.unwrap().unwrap();
    assert!(!first.records.is_empty() && !first.heartbeat);
    stream
}

#[tokio::test]
async fn a_watch_ends_with_its_token_and_the_others_go_on() {
    let server = Server::start().await;
    server.board("b").await;
    let (token, secret) = issue(&server, None).await;
    let mut ending = idle(server.client(&secret)).await;
    let mut lasting = idle(server.operator()).await;

    revoke(&server, &token).await;
    let end = ending.message().await.unwrap_err();
    assert_eq!(end.code(), Code::Unauthenticated);
    assert_eq!(metadata(&end, "token"), token);
    assert_eq!(reason::<()>(Err(end)), "TOKEN_REVOKED");

    let declare = proto::DeclareModuleRequest {
        board: "b".into(),
        module: "m".into(),
        ..Default::default()
    };
    server
        .operator()
        .board
        .declare_module(declare)
        .await
        .unwrap();
    let news = lasting.message().await.unwrap().unwrap();
    assert_eq!(news.records.len(), 1);
}

#[tokio::test]
async fn a_caller_is_good_as_long_as_the_token() {
    let server = Server::start().await;
    let identity = &server.running.app.identity;
    let (_, good) = issue(&server, None).await;
    let caller = identity.authenticate(Some(&format!("Bearer {good}")));
    let caller = caller.unwrap();
    assert!(identity.still_good(&caller).is_ok());

    let at_once = prost_types::Duration {
        seconds: 0,
        nanos: 1,
    };
    let (_, expired) = issue(&server, Some(at_once)).await;
    for (secret, expected) in [
        (expired.as_str(), Reason::TokenExpired),
        ("pawl_0", Reason::TokenInvalid),
    ] {
        let caller = Caller {
            token: digest(secret),
            ..caller.clone()
        };
        let refused = identity.still_good(&caller).unwrap_err();
        assert_eq!(refused.reason, expected);
    }
}
