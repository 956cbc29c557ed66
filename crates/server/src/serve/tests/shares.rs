//! What one principal may use at once, so that it does not keep the others out.

use std::time::Duration;

use pawl_proto::v1::{self as proto, Role, upload_source_request::Part};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::mpsc,
};
use tokio_stream::{StreamExt, wrappers::ReceiverStream};
use tonic::Code;
use tonic_types::StatusExt;

use super::harness::{Client, Server, metadata, part, reason, text};
use crate::app::What;

async fn server(change: impl FnOnce(&mut crate::config::Limits)) -> (Server, Client, Client) {
    let server = Server::start_with(|config| change(&mut config.limits)).await;
    server.board("b").await;
    let greedy = server.member("greedy", "b", Role::Agent).await;
    let other = server.member("other", "b", Role::Agent).await;
    (server, greedy, other)
}

/// Begins an upload and leaves it standing.
async fn stand(server: &Server, client: &Client) -> mpsc::Sender<proto::UploadSourceRequest> {
    let before = server.running.app.places.used(What::Upload);
    let (sender, parts) = mpsc::channel(1);
    let mut client = client.clone();
    tokio::spawn(async move {
        client
            .source
            .upload_source(ReceiverStream::new(parts))
            .await
    });
    sender.send(part(Part::Header(text("b")))).await.unwrap();
    while server.running.app.places.used(What::Upload) == before {
        tokio::task::yield_now().await;
    }
    sender
}

#[tokio::test]
async fn a_flood_of_calls_of_one_does_not_keep_another_out() {
    let (server, mut greedy, mut other) = server(|limits| limits.calls_per_principal = 2).await;
    let get = || proto::GetBoardRequest {
        board: "b".into(),
        ..Default::default()
    };
    let held = [stand(&server, &greedy).await, stand(&server, &greedy).await];
    for _ in 0..20 {
        let refused = greedy.board.get_board(get()).await.unwrap_err();
        assert_eq!(refused.code(), Code::ResourceExhausted);
        assert_eq!(metadata(&refused, "scope"), "principal");
        assert_eq!(metadata(&refused, "principal"), "greedy");
        let pause = refused.get_details_retry_info().unwrap().retry_delay;
        assert!(pause.is_some_and(|pause| pause.as_millis() > 0));
        other.board.get_board(get()).await.unwrap();
    }
    drop(held);
    while server.running.app.places.used(What::Call) > 0 {
        tokio::task::yield_now().await;
    }
    greedy.board.get_board(get()).await.unwrap();
}

#[tokio::test]
async fn uploads_of_one_leave_room_for_others() {
    let (server, mut greedy, mut other) = server(|limits| {
        limits.uploads = 3;
        limits.uploads_per_principal = 2;
    })
    .await;
    let _held = [stand(&server, &greedy).await, stand(&server, &greedy).await];
    let refused = greedy.upload(text("b"), b"one more").await.unwrap_err();
    assert_eq!(metadata(&refused, "what"), "uploads");
    assert_eq!(reason::<()>(Err(refused)), "OVERLOADED");
    other.upload(text("b"), b"another's").await.unwrap();
}

#[tokio::test]
async fn watches_of_one_leave_room_for_others_and_are_given_back() {
    let (server, mut greedy, mut other) = server(|limits| limits.streams_per_principal = 2).await;
    let watch = || proto::WatchRequest {
        board: "b".into(),
        ..Default::default()
    };
    let mut first = greedy.log.watch(watch()).await.unwrap().into_inner();
    first.next().await.unwrap().unwrap();
    let second = greedy.log.watch(watch()).await.unwrap();
    let refused = greedy.log.watch(watch()).await.unwrap_err();
    assert_eq!(metadata(&refused, "what"), "streams");
    assert_eq!(metadata(&refused, "limit"), "2");
    assert_eq!(reason::<()>(Err(refused)), "OVERLOADED");
    other.log.watch(watch()).await.unwrap();
    greedy
        .board
        .get_board(proto::GetBoardRequest {
            board: "b".into(),
            ..Default::default()
        })
        .await
        .unwrap();
    drop((first, second));
    while server.running.app.places.most_used_by_one(What::Stream) > 1 {
        tokio::task::yield_now().await;
    }
    greedy.log.watch(watch()).await.unwrap();
}

#[tokio::test]
async fn connections_of_one_address_are_bounded() {
    let server = Server::start_with(|config| config.limits.connections_per_address = 2).await;
    let connect = || TcpStream::connect(server.running.address);
    let mut open = Vec::new();
    for _ in 0..2 {
        let mut stream = connect().await.unwrap();
        let request = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";
        stream.write_all(request).await.unwrap();
        assert!(stream.read(&mut [0; 512]).await.unwrap() > 0);
        open.push(stream);
    }
    let mut refused = connect().await.unwrap();
    let mut byte = [0; 8];
    let closed = tokio::time::timeout(Duration::from_secs(10), refused.read(&mut byte));
    assert_eq!(closed.await.expect("closed at once").unwrap_or(0), 0);
    drop(open);
    while server.running.app.metrics.connections.get() > 0 {
        tokio::task::yield_now().await;
    }
    let mut again = connect().await.unwrap();
    again
        .write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n")
        .await
        .unwrap();
    assert!(again.read(&mut [0; 512]).await.unwrap() > 0);
}

#[tokio::test]
async fn a_request_that_stands_still_is_given_up() {
    let server = Server::start_with(|config| config.limits.request_idle_seconds = 1).await;
    let secret = std::fs::read_to_string(&server.running.operator_token).unwrap();
    let mut stream = TcpStream::connect(server.running.address).await.unwrap();
    let head = format!(
        "POST /pawl.v1.BoardService/GetBoard HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n\
         content-type: application/grpc-web+proto\r\ncontent-length: 100\r\nconnection: close\r\n\r\n",
        secret.trim()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer);
    assert!(
        answer.contains("grpc-status: 4") || answer.contains("grpc-status:4"),
        "{answer}"
    );
    assert!(
        answer.contains("did not come in time") || answer.contains("did%20not%20come"),
        "{answer}"
    );
}
