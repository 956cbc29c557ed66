//! The figures, read by a parser that is not ours.

use pawl_proto::v1 as proto;
use prometheus_parse::{Scrape, Value};

use super::harness::{Server, page, reason};
use crate::config::MetricsReaders;

/// Scrapes as Prometheus does: with a bearer token.
async fn scrape(server: &Server) -> Scrape {
    let secret = std::fs::read_to_string(&server.running.operator_token).unwrap();
    let headers = format!(
        "host: localhost\r\nauthorization: Bearer {}\r\n",
        secret.trim()
    );
    let answer = page(server, "/metrics", &headers).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(head.contains("text/plain; version=0.0.4"), "{head}");
    Scrape::parse(body.lines().map(|line| Ok(line.to_owned()))).unwrap()
}

/// The value of a series whose labels have these among them.
fn value(scrape: &Scrape, name: &str, labels: &[(&str, &str)]) -> f64 {
    let found = scrape.samples.iter().find(|sample| {
        let has = |(label, value): &(&str, &str)| sample.labels.get(label) == Some(*value);
        sample.metric == name && labels.iter().all(has)
    });
    match found.map(|sample| &sample.value) {
        Some(Value::Counter(value) | Value::Gauge(value) | Value::Untyped(value)) => *value,
        Some(Value::Histogram(buckets)) => buckets.last().unwrap().count,
        other => panic!("{name} {labels:?}: {other:?}"),
    }
}

#[tokio::test]
async fn figures_are_read_by_somebody_elses_parser_and_move() {
    let server = Server::start().await;
    let before = scrape(&server).await;
    server.board("b").await;
    let mut operator = server.operator();
    let list = proto::ListBoardsRequest {};
    for _ in 0..3 {
        operator.board.list_boards(list).await.unwrap();
    }
    let get = proto::GetBoardRequest {
        board: "none".into(),
        ..Default::default()
    };
    assert_eq!(reason(operator.board.get_board(get).await), "BOARD_UNKNOWN");
    let after = scrape(&server).await;

    let method = ("method", "/pawl.v1.BoardService/ListBoards");
    assert_eq!(
        value(&after, "pawl_calls_total", &[method, ("code", "OK")]),
        3.0
    );
    assert_eq!(value(&after, "pawl_call_seconds", &[method]), 3.0);
    assert_eq!(value(&after, "pawl_calls_in_flight", &[method]), 0.0);
    assert_eq!(
        value(&after, "pawl_errors_total", &[("reason", "BOARD_UNKNOWN")]),
        1.0
    );
    assert_eq!(value(&before, "pawl_boards", &[]), 0.0);
    assert_eq!(value(&after, "pawl_boards", &[]), 1.0);
    assert_eq!(value(&after, "pawl_boards_open", &[]), 1.0);
    let grew = |name| value(&after, name, &[]) > value(&before, name, &[]);
    for name in [
        "pawl_entries_total",
        "pawl_commit_bytes_total",
        "pawl_commit_seconds",
        "pawl_commit_batches",
    ] {
        assert!(grew(name), "{name}");
    }
    for name in [
        "process_resident_memory_bytes",
        "process_open_fds",
        "pawl_connections",
        "pawl_build_info",
        "pawl_disk_free_bytes",
    ] {
        assert!(value(&after, name, &[]) >= 1.0, "{name}");
    }
    let refused = [("verdict", "refused")];
    assert_eq!(value(&after, "pawl_submissions_total", &refused), 0.0);
}

#[tokio::test]
async fn what_callers_write_makes_no_series() {
    let server = Server::start().await;
    let strangers = async |numbers: std::ops::Range<u32>| {
        for number in numbers {
            let headers = format!("host: localhost\r\nx-{number}: a\r\n");
            page(&server, &format!("/nowhere/{number}"), &headers).await;
            let mut nobody = server.client(&format!("pawl_{number}"));
            let list = proto::ListBoardsRequest {};
            nobody.board.list_boards(list).await.unwrap_err();
        }
        scrape(&server).await
    };
    // The first look is counted in the second.
    scrape(&server).await;
    let before = strangers(0..1).await;
    let after = strangers(1..50).await;
    let other = value(
        &after,
        "pawl_calls_total",
        &[("method", "other"), ("code", "4xx")],
    );
    assert_eq!(other, 50.0);
    assert_eq!(after.samples.len(), before.samples.len());
}

#[tokio::test]
async fn figures_are_for_server_operators_unless_the_settings_say_otherwise() {
    let local = "host: localhost\r\n";
    let server = Server::start().await;
    let nobody = page(&server, "/metrics", local).await;
    assert!(
        nobody.starts_with("HTTP/1.1 401") && nobody.contains("TOKEN_MISSING"),
        "{nobody}"
    );
    let mut operator = server.operator();
    let create = proto::CreatePrincipalRequest {
        principal: "ana".into(),
        ..Default::default()
    };
    operator.identity.create_principal(create).await.unwrap();
    let issue = proto::IssueTokenRequest {
        principal: "ana".into(),
        lifetime: None,
    };
    let ana = operator
        .identity
        .issue_token(issue)
        .await
        .unwrap()
        .into_inner()
        .secret;
    let headers = format!("{local}authorization: Bearer {ana}\r\n");
    let agent = page(&server, "/metrics", &headers).await;
    assert!(
        agent.starts_with("HTTP/1.1 403") && agent.contains("ROLE_MISSING"),
        "{agent}"
    );

    for readers in [MetricsReaders::Loopback, MetricsReaders::Everybody] {
        let open = Server::start_with(|config| config.metrics = readers).await;
        let answer = page(&open, "/metrics", local).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        let rebound = page(&open, "/metrics", "host: evil.example\r\n").await;
        assert!(rebound.starts_with("HTTP/1.1 403"), "{rebound}");
    }
}
