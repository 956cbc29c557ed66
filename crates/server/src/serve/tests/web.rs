//! gRPC-Web as a browser sends it, framed by hand: binary and text, with what CORS asks for.

use pawl_proto::v1 as proto;
use prost::Message;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::harness::Server;

const ORIGIN: &str = "https://boards.example.org";

async fn send(server: &Server, request: Vec<u8>) -> String {
    let mut stream = TcpStream::connect(server.running.address).await.unwrap();
    stream.write_all(&request).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    answer.into_iter().map(char::from).collect()
}

/// A message as gRPC frames it: a flag, a length, the bytes.
fn framed(message: &impl Message) -> Vec<u8> {
    let bytes = message.encode_to_vec();
    let length = u32::try_from(bytes.len()).unwrap().to_be_bytes();
    [&[0], &length[..], &bytes].concat()
}

async fn call(server: &Server, kind: &str, origin: &str, host: &str, body: &[u8]) -> String {
    let secret = std::fs::read_to_string(&server.running.operator_token).unwrap();
    let head = format!(
        "POST /pawl.v1.IdentityService/WhoAmI HTTP/1.1\r\nhost: {host}\r\norigin: {origin}\r\n\
         content-type: {kind}\r\naccept: {kind}\r\nx-grpc-web: 1\r\nauthorization: Bearer {}\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n",
        secret.trim(),
        body.len()
    );
    send(server, [head.as_bytes(), body].concat()).await
}

async fn open() -> Server {
    Server::start_with(|config| config.allowed_origins = vec![ORIGIN.into()]).await
}

#[tokio::test]
async fn a_page_of_an_allowed_origin_calls_in_binary_and_in_text() {
    let server = open().await;
    let body = framed(&proto::WhoAmIRequest {});
    let binary = call(
        &server,
        "application/grpc-web+proto",
        ORIGIN,
        "localhost",
        &body,
    )
    .await;
    let (head, answer) = binary.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{binary}");
    assert!(
        head.contains("content-type: application/grpc-web+proto"),
        "{head}"
    );
    assert!(
        head.contains(&format!("access-control-allow-origin: {ORIGIN}")),
        "{head}"
    );
    assert!(
        head.contains("access-control-expose-headers: grpc-status"),
        "{head}"
    );
    assert!(
        answer.contains("operator") && answer.contains("grpc-status:0"),
        "{answer}"
    );

    // The five bytes of an empty message, in base64.
    let text = call(
        &server,
        "application/grpc-web-text+proto",
        ORIGIN,
        "localhost",
        b"AAAAAAA=",
    )
    .await;
    let (head, answer) = text.split_once("\r\n\r\n").unwrap();
    assert!(
        head.contains("content-type: application/grpc-web-text+proto"),
        "{head}"
    );
    // `operator` in base64, at one of its three places.
    let found = ["b3BlcmF0b3", "9wZXJhdG9y", "vcGVyYXRvc"]
        .iter()
        .any(|it| answer.contains(it));
    assert!(found, "{answer}");
}

#[tokio::test]
async fn errors_reach_a_page_with_their_reason() {
    let server = open().await;
    let head = "POST /pawl.v1.IdentityService/WhoAmI HTTP/1.1\r\nhost: localhost\r\n\
                content-type: application/grpc-web\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    let answer = send(&server, head.into()).await;
    assert!(
        answer.contains("grpc-status: 16") || answer.contains("grpc-status:16"),
        "{answer}"
    );
    assert!(answer.contains("grpc-status-details-bin"), "{answer}");
}

#[tokio::test]
async fn pages_of_other_origins_and_names_that_were_rebound_get_nothing() {
    let server = open().await;
    let body = framed(&proto::WhoAmIRequest {});
    for kind in [
        "application/grpc-web+proto",
        "application/grpc-web-text",
        "application/grpc",
        "text/plain",
    ] {
        for (origin, host) in [
            ("https://evil.example", "localhost"),
            ("null", "localhost"),
            (ORIGIN, "evil.example"),
            ("http://evil.example", "evil.example"),
        ] {
            let answer = call(&server, kind, origin, host, &body).await;
            assert!(
                !answer.contains("access-control-allow-origin"),
                "{kind} {origin}: {answer}"
            );
            assert!(
                !answer.contains("server_operator") && !answer.contains("operator\u{10}"),
                "{answer}"
            );
            let refused = answer.starts_with("HTTP/1.1 403")
                || answer.contains("grpc-status: 3")
                || answer.contains("grpc-status:3");
            assert!(refused, "{kind} {origin} {host}: {answer}");
        }
    }
}

#[tokio::test]
async fn a_preflight_is_answered_to_allowed_origins_alone() {
    let server = open().await;
    let ask = async |origin: &str, host: &str| {
        let request = format!(
            "OPTIONS /pawl.v1.IdentityService/WhoAmI HTTP/1.1\r\nhost: {host}\r\norigin: {origin}\r\n\
             access-control-request-method: POST\r\naccess-control-request-private-network: true\r\n\
             access-control-request-headers: authorization,content-type,x-grpc-web\r\nconnection: close\r\n\r\n"
        );
        send(&server, request.into()).await
    };
    let allowed = ask(ORIGIN, "localhost").await;
    assert!(allowed.starts_with("HTTP/1.1 204"), "{allowed}");
    for header in [
        format!("access-control-allow-origin: {ORIGIN}").as_str(),
        "access-control-allow-methods: GET, POST",
        "access-control-allow-headers: authorization",
        "access-control-allow-private-network: true",
        "vary: origin",
    ] {
        assert!(allowed.contains(header), "{header}: {allowed}");
    }
    for (origin, host) in [
        ("https://evil.example", "localhost"),
        (ORIGIN, "evil.example"),
    ] {
        let refused = ask(origin, host).await;
        assert!(refused.starts_with("HTTP/1.1 403"), "{refused}");
        assert!(!refused.contains("access-control-allow"), "{refused}");
    }
}
