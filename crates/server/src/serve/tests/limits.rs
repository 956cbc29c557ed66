//! Uploads and messages that are too large, broken or too many.

use pawl_proto::v1::{self as proto, Role, upload_source_request::Part};
use prost::Message;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::mpsc,
};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Request};

use super::harness::{Server, metadata, part, reason, text};

async fn sources(server: &Server) -> usize {
    let list = proto::ListSourcesRequest {
        board: "b".into(),
        ..Default::default()
    };
    let answer = server.operator().source.list_sources(list).await.unwrap();
    answer.into_inner().sources.len()
}

#[tokio::test]
async fn an_upload_that_is_not_whole_and_right_stores_nothing() {
    let server = Server::start_with(|config| config.limits.source_bytes = 3 << 20).await;
    server.board("b").await;
    let mut operator = server.operator();
    let chunk = |bytes: &[u8]| Part::Chunk(bytes.to_vec());
    let header = |change: fn(&mut proto::SourceHeader)| {
        let mut header = text("b");
        change(&mut header);
        Part::Header(header)
    };
    let mib = vec![b'x'; 1 << 20];
    let before = server.store.commits();
    for (parts, expected) in [
        (vec![], "FIELD_MISSING"),
        (vec![chunk(b"x")], "FIELD_MISSING"),
        (vec![header(|_| {})], "FIELD_MISSING"),
        (vec![header(|_| {}), header(|_| {})], "FIELD_INVALID"),
        (
            vec![header(|it| it.media_type.clear()), chunk(b"x")],
            "FIELD_MISSING",
        ),
        (
            vec![header(|it| it.digest = "00".repeat(32)), chunk(b"x")],
            "DIGEST_MISMATCH",
        ),
        (
            vec![header(|it| it.digest = "00".into()), chunk(b"x")],
            "FIELD_INVALID",
        ),
        (vec![header(|_| {}), chunk(b"caf\xe9")], "TEXT_INVALID"),
        (
            vec![
                header(|it| it.media_type = "application/json".into()),
                chunk(b"{"),
            ],
            "FIELD_INVALID",
        ),
        (
            vec![header(|_| {}), chunk(&[b'x'; (1 << 20) + 1])],
            "FIELD_TOO_LONG",
        ),
        (
            vec![
                header(|_| {}),
                chunk(&mib),
                chunk(&mib),
                chunk(&mib),
                chunk(b"x"),
            ],
            "SOURCE_TOO_LARGE",
        ),
    ] {
        assert_eq!(reason(operator.send(parts).await), expected);
    }
    assert_eq!(server.store.commits(), before);
    let exact = vec![header(|_| {}), chunk(&mib), chunk(&mib), chunk(&mib)];
    assert!(operator.send(exact).await.is_ok());
    let unread = header(|it| it.media_type = "application/pdf".into());
    assert!(
        operator
            .send(vec![unread, chunk(b"%PDF\xe9")])
            .await
            .is_ok()
    );
    assert_eq!(sources(&server).await, 2);
}

#[tokio::test]
async fn who_may_not_register_sources_may_not_send_their_bytes() {
    let server = Server::start().await;
    server.board("b").await;
    let mut reader = server.member("rita", "b", Role::Reader).await;
    // Refused on the header: no byte of the document has to be sent.
    let (sender, parts) = mpsc::channel(1);
    sender.send(part(Part::Header(text("b")))).await.unwrap();
    let answer = reader
        .source
        .upload_source(ReceiverStream::new(parts))
        .await;
    assert_eq!(reason(answer), "ROLE_MISSING");
}

#[tokio::test]
async fn who_may_not_submit_has_no_document_read() {
    let server = Server::start().await;
    server.board("b").await;
    let reader = server.member("rita", "b", Role::Reader).await;
    let submit = |validate_only| {
        let request = proto::SubmitIntakeRequest {
            board: "b".into(),
            document: b"{".to_vec(),
            validate_only,
            ..Default::default()
        };
        let mut client = reader.assertion.clone();
        async move { client.submit_intake(request).await }
    };
    assert_eq!(reason(submit(false).await), "ROLE_MISSING");
    assert_eq!(reason(submit(true).await), "INTAKE_MALFORMED");
}

#[tokio::test]
async fn an_upload_without_its_end_stores_nothing() {
    let server = Server::start().await;
    server.board("b").await;
    let commits = server.store.commits();
    let parts = vec![Part::Header(text("b")), Part::Chunk(b"half".to_vec())];
    let refused = server.operator().send_unfinished(parts).await;
    assert_eq!(reason(refused), "FIELD_MISSING");
    assert_eq!(server.store.commits(), commits);
}

#[tokio::test]
async fn a_stream_that_breaks_off_stores_nothing_and_frees_its_place() {
    let server = Server::start_with(|config| config.limits.uploads = 1).await;
    server.board("b").await;
    let commits = server.store.commits();
    let mut operator = server.operator();
    let (sender, parts) = mpsc::channel(4);
    let mut broken = operator.clone();
    let upload = tokio::spawn(async move {
        broken
            .source
            .upload_source(ReceiverStream::new(parts))
            .await
    });
    sender.send(part(Part::Header(text("b")))).await.unwrap();
    sender
        .send(part(Part::Chunk(b"half".to_vec())))
        .await
        .unwrap();
    // The place is taken as soon as the server has read the header.
    while server.running.app.free_uploads() > 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(
        reason(operator.upload(text("b"), b"whole").await),
        "OVERLOADED"
    );
    upload.abort();
    assert!(upload.await.unwrap_err().is_cancelled());
    while server.running.app.free_uploads() == 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(server.store.commits(), commits);
    assert!(operator.upload(text("b"), b"whole").await.is_ok());
    assert_eq!(sources(&server).await, 1);
}

#[tokio::test]
async fn an_upload_that_stands_still_ends_and_frees_its_place() {
    let server = Server::start_with(|config| {
        config.limits.uploads = 1;
        config.limits.upload_idle_seconds = 1;
    })
    .await;
    server.board("b").await;
    let commits = server.store.commits();
    let mut operator = server.operator();
    let (sender, parts) = mpsc::channel(4);
    for sent in [Part::Header(text("b")), Part::Chunk(b"half".to_vec())] {
        sender.send(part(sent)).await.unwrap();
    }
    let answer = operator.source.upload_source(ReceiverStream::new(parts));
    let status = answer.await.unwrap_err();
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert_eq!(metadata(&status, "limit_ms"), "1000");
    assert!(status.message().contains("no part of the upload came"));
    assert_eq!(reason::<()>(Err(status)), "DEADLINE");
    assert_eq!(server.store.commits(), commits);
    assert_eq!(server.running.app.free_uploads(), 1);
    assert!(operator.upload(text("b"), b"whole").await.is_ok());
    drop(sender);
}

#[tokio::test]
async fn the_servers_deadline_ends_a_call() {
    let server = Server::start_with(|config| config.limits.deadline_seconds = 1).await;
    server.board("b").await;
    let (sender, parts) = mpsc::channel(1);
    sender.send(part(Part::Header(text("b")))).await.unwrap();
    let mut operator = server.operator();
    let answer = operator.source.upload_source(ReceiverStream::new(parts));
    let status = answer.await.unwrap_err();
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert_eq!(metadata(&status, "limit_ms"), "1000");
    assert_eq!(reason::<()>(Err(status)), "DEADLINE");
}

/// A client that asked for less would itself give up at that time; so this one is spoken by hand.
#[tokio::test]
async fn the_clients_deadline_ends_a_call() {
    let server = Server::start().await;
    let secret = std::fs::read_to_string(&server.running.operator_token).unwrap();
    let request = format!(
        "POST /pawl.v1.SourceService/UploadSource HTTP/1.1\r\nhost: localhost\r\n\
         content-type: application/grpc\r\ngrpc-timeout: 20m\r\ntransfer-encoding: chunked\r\n\
         authorization: Bearer {}\r\nconnection: close\r\n\r\n",
        secret.trim()
    );
    let mut stream = TcpStream::connect(server.running.address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.contains("grpc-status: 4\r\n"), "{answer}");
    assert!(answer.contains("longer%20than%2020%20ms"), "{answer}");
}

/// `GetBoardRequest`, but for bytes where there should be text.
#[derive(Clone, PartialEq, Message)]
struct AnyBytes {
    #[prost(bytes = "vec", tag = "1")]
    board: Vec<u8>,
}

async fn get_board(server: &Server, board: Vec<u8>) -> tonic::Status {
    let secret = std::fs::read_to_string(&server.running.operator_token).unwrap();
    let mut request = Request::new(AnyBytes { board });
    let bearer = format!("Bearer {}", secret.trim());
    request
        .metadata_mut()
        .insert("authorization", bearer.parse().unwrap());
    let mut client = tonic::client::Grpc::new(server.channel.clone());
    client.ready().await.unwrap();
    let codec: tonic_prost::ProstCodec<AnyBytes, proto::Board> = tonic_prost::ProstCodec::default();
    let path = "/pawl.v1.BoardService/GetBoard".parse().unwrap();
    client.unary(request, path, codec).await.unwrap_err()
}

#[tokio::test]
async fn messages_that_cannot_be_read_have_a_reason() {
    let server = Server::start().await;
    let large = get_board(&server, vec![b'x'; (4 << 20) + 1]).await;
    assert_eq!(large.code(), Code::ResourceExhausted);
    assert_eq!(reason::<()>(Err(large)), "MESSAGE_TOO_LARGE");
    let broken = get_board(&server, b"caf\xe9".to_vec()).await;
    assert_eq!(broken.code(), Code::InvalidArgument);
    assert_eq!(reason::<()>(Err(broken)), "TEXT_INVALID");
}

#[tokio::test]
async fn more_calls_than_there_is_room_for_are_told_to_come_back() {
    let server = Server::start_with(|config| config.limits.calls = 1).await;
    server.board("b").await;
    let mut operator = server.operator();
    let (sender, parts) = mpsc::channel(1);
    let mut other = operator.clone();
    let upload =
        tokio::spawn(async move { other.source.upload_source(ReceiverStream::new(parts)).await });
    sender.send(part(Part::Header(text("b")))).await.unwrap();
    while server.running.app.free_uploads() == server.running.app.limits().uploads {
        tokio::task::yield_now().await;
    }
    let refused = operator
        .board
        .list_boards(proto::ListBoardsRequest {})
        .await;
    assert_eq!(
        refused.as_ref().unwrap_err().code(),
        Code::ResourceExhausted
    );
    assert_eq!(reason(refused), "OVERLOADED");
    drop(sender);
    assert_eq!(reason(upload.await.unwrap()), "FIELD_MISSING");
    assert!(
        operator
            .board
            .list_boards(proto::ListBoardsRequest {})
            .await
            .is_ok()
    );
}
