//! Stopping: what is being answered is answered, nothing new is taken in, nothing is lost.

use pawl_proto::v1::{self as proto, upload_source_request::Part};
use tokio::sync::mpsc;
use tokio_stream::{StreamExt, wrappers::ReceiverStream};
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

use super::harness::{Server, part, text};

#[tokio::test]
async fn an_open_upload_is_finished_and_found_after_the_next_start() {
    let server = Server::start().await;
    server.board("b").await;
    let mut operator = server.operator();
    let (sender, parts) = mpsc::channel(4);
    let upload = tokio::spawn(async move {
        operator
            .source
            .upload_source(ReceiverStream::new(parts))
            .await
    });
    sender.send(part(Part::Header(text("b")))).await.unwrap();
    while server.running.app.free_uploads() == server.running.app.limits().uploads {
        tokio::task::yield_now().await;
    }
    let mut stopping = server.running.app.stopping();
    server.running.stop();
    stopping.wait_for(|stopping| *stopping).await.unwrap();
    sender
        .send(part(Part::Chunk(b"the last words".to_vec())))
        .await
        .unwrap();
    let end = part(Part::End(Default::default()));
    sender.send(end).await.unwrap();
    drop(sender);
    let kept = upload.await.unwrap().unwrap().into_inner();
    drop(server.channel);
    server.running.stopped().await.unwrap();

    let server = Server::start_on(server.store, server.directory, |_| {}).await;
    let list = proto::ListSourcesRequest {
        board: "b".into(),
        ..Default::default()
    };
    let listed = server
        .operator()
        .source
        .list_sources(list)
        .await
        .unwrap()
        .into_inner();
    assert_eq!(listed.sources, [kept]);
}

#[tokio::test]
async fn a_stream_that_does_not_end_is_cut_and_the_port_is_free() {
    let server = Server::start_with(|config| config.limits.grace_seconds = 0).await;
    server.board("b").await;
    let mut operator = server.operator();
    let (sender, parts) = mpsc::channel(4);
    let upload = tokio::spawn(async move {
        operator
            .source
            .upload_source(ReceiverStream::new(parts))
            .await
    });
    sender.send(part(Part::Header(text("b")))).await.unwrap();
    while server.running.app.free_uploads() == server.running.app.limits().uploads {
        tokio::task::yield_now().await;
    }
    let address = server.running.address;
    server.running.stop();
    server.running.stopped().await.unwrap();
    assert!(upload.await.unwrap().is_err());
    assert!(std::net::TcpListener::bind(address).is_ok());
}

#[tokio::test]
async fn health_says_so_to_who_watches() {
    let server = Server::start().await;
    let mut health = HealthClient::new(server.channel.clone());
    let watched = health.watch(HealthCheckRequest::default()).await.unwrap();
    let mut watched = watched.into_inner();
    let mut next = async || watched.next().await.unwrap().unwrap().status();
    assert_eq!(next().await, ServingStatus::Serving);
    server.running.stop();
    assert_eq!(next().await, ServingStatus::NotServing);
    // The watch itself does not hold the server up.
    assert!(watched.next().await.is_none_or(|end| end.is_err()));
    drop((health, server.channel));
    server.running.stopped().await.unwrap();
}

#[tokio::test]
async fn the_engine_on_the_disk_keeps_what_was_answered() {
    let directory = tempfile::tempdir().unwrap();
    let config = || crate::config::Config::local(directory.path().to_path_buf());
    for round in 0_u64..2 {
        let running = crate::serve::start(config()).await.unwrap();
        let secret = std::fs::read_to_string(&running.operator_token).unwrap();
        let caller = running
            .app
            .identity
            .authenticate(Some(&format!("Bearer {}", secret.trim())));
        let caller = caller.unwrap();
        let name = "b".parse().unwrap();
        if round == 0 {
            running
                .app
                .create_board(&caller, &name, Default::default())
                .await
                .unwrap();
        }
        let live = running.app.board(&name).await.unwrap();
        assert_eq!(live.open.state.read().position().0, 2);
        drop(live);
        running.stop();
        running.stopped().await.unwrap();
    }
}
