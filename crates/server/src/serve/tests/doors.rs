//! What everybody reaches: pages, health, reflection; and from where.

use pawl_proto::v1 as proto;
use tokio_stream::{StreamExt, iter};
use tonic::Request;
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};
use tonic_reflection::pb::v1::{
    ServerReflectionRequest, server_reflection_client::ServerReflectionClient,
    server_reflection_request::MessageRequest, server_reflection_response::MessageResponse,
};

use super::harness::{Server, metadata, page, reason};

#[tokio::test]
async fn pages_are_plain_and_open() {
    let server = Server::start().await;
    let health = page(&server, "/healthz", "host: localhost\r\n").await;
    assert!(
        health.starts_with("HTTP/1.1 200") && health.ends_with("serving\n"),
        "{health}"
    );
    let welcome = page(&server, "/", "host: 127.0.0.1:1\r\n").await;
    assert!(welcome.contains("pawl.v1"), "{welcome}");
    assert!(
        welcome.contains("default-src 'none'") && !welcome.contains("<script"),
        "{welcome}"
    );
    let ready = page(&server, "/readyz", "host: localhost\r\n").await;
    assert!(
        ready.starts_with("HTTP/1.1 200") && ready.ends_with("ready\n"),
        "{ready}"
    );
    let guarded = page(
        &server,
        "/pawl.v1.BoardService/GetBoard",
        "host: localhost\r\n",
    )
    .await;
    assert!(guarded.starts_with("HTTP/1.1 401"), "{guarded}");
    let nowhere = page(&server, "/nowhere", "host: localhost\r\n").await;
    assert!(nowhere.starts_with("HTTP/1.1 401"), "{nowhere}");
}

#[tokio::test]
async fn a_web_page_does_not_reach_the_server() {
    let origin = "https://boards.example.org";
    let server = Server::start_with(|config| {
        config.allowed_hosts = vec!["pawl.example.org".into()];
        config.allowed_origins = vec![origin.into()];
    })
    .await;
    for (headers, code) in [
        ("host: localhost\r\n", "200"),
        ("host: pawl.example.org\r\n", "200"),
        (
            "host: localhost\r\norigin: https://boards.example.org\r\n",
            "200",
        ),
        ("host: evil.example\r\n", "403"),
        ("host: localhost\r\norigin: https://evil.example\r\n", "403"),
        ("host: localhost\r\norigin: null\r\n", "403"),
        ("host: localhost\r\norigin: http://localhost\r\n", "403"),
        (
            "host: evil.example\r\norigin: https://boards.example.org\r\n",
            "403",
        ),
    ] {
        let answer = page(&server, "/healthz", headers).await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {code}")),
            "{headers} {answer}"
        );
    }
    let mut request = Request::new(proto::WhoAmIRequest {});
    request
        .metadata_mut()
        .insert("origin", "https://evil.example".parse().unwrap());
    let status = server
        .operator()
        .identity
        .who_am_i(request)
        .await
        .unwrap_err();
    assert_eq!(metadata(&status, "field"), "origin");
    assert_eq!(reason::<()>(Err(status)), "FIELD_INVALID");
}

#[tokio::test]
async fn health_tells_of_every_service_without_a_token() {
    let server = Server::start().await;
    let mut health = HealthClient::new(server.channel.clone());
    for service in ["", "pawl.v1.BoardService", "pawl.v1.SourceService"] {
        let request = HealthCheckRequest {
            service: service.into(),
        };
        let answer = health.check(request).await.unwrap().into_inner();
        assert_eq!(answer.status(), ServingStatus::Serving, "{service}");
    }
}

#[tokio::test]
async fn reflection_lists_every_service_without_a_token() {
    let server = Server::start().await;
    let mut reflection = ServerReflectionClient::new(server.channel.clone());
    let request = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let mut answers = reflection
        .server_reflection_info(iter([request]))
        .await
        .unwrap()
        .into_inner();
    let answer = answers.next().await.unwrap().unwrap();
    let Some(MessageResponse::ListServicesResponse(list)) = answer.message_response else {
        panic!("{answer:?}");
    };
    let names: Vec<String> = list
        .service
        .into_iter()
        .map(|service| service.name)
        .collect();
    for service in [
        "grpc.health.v1.Health",
        "pawl.v1.BoardService",
        "pawl.v1.IdentityService",
        "pawl.v1.SourceService",
    ] {
        assert!(
            names.iter().any(|name| name == service),
            "{service} in {names:?}"
        );
    }
}
