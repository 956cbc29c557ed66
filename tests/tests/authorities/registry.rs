//! An authority in this process.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use axum::{
    Router,
    extract::{RawQuery, State},
    http::{HeaderMap, StatusCode, header::LOCATION},
    response::{IntoResponse, Response},
    routing::get,
};

/// An authority in this process, which answers as its path says and counts how often.
pub(super) struct Registry {
    pub(super) address: SocketAddr,
    pub(super) asked: Arc<AtomicUsize>,
}

impl Registry {
    pub(super) async fn start() -> Self {
        let asked = Arc::new(AtomicUsize::new(0));
        let router = Router::new()
            .route("/good", get(good))
            .route("/slow", get(slow))
            .route("/huge", get(|| async { "1".repeat(70_000) }))
            .route("/broken", get(|| async { "{\"value\": " }))
            .route("/nothing", get(|| async { "{\"unit\": \"GW\"}" }))
            .route(
                "/lying",
                get(|| async { "{\"value\": \"a lot\", \"unit\": \"GW\"}" }),
            )
            .route(
                "/hidden",
                get(|| async { "{\"value\": 45, \"authority\": \"\u{202e}x\"}" }),
            )
            .route(
                "/failing",
                get(|| async { StatusCode::INTERNAL_SERVER_ERROR }),
            )
            .route("/moved", get(moved))
            .with_state(asked.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { address, asked }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    pub(super) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

async fn good(State(asked): State<Arc<AtomicUsize>>, RawQuery(query): RawQuery) -> Response {
    asked.fetch_add(1, Ordering::SeqCst);
    let query = query.unwrap();
    if query != "subject=Norway%20%26%20sons&attribute=capacity" {
        return StatusCode::NOT_FOUND.into_response();
    }
    "{\"value\": 45.0, \"unit\": \"GW\", \"authority\": \"Grid Office\", \"as_of\": \"today\"}"
        .into_response()
}

async fn slow(State(asked): State<Arc<AtomicUsize>>) -> &'static str {
    asked.fetch_add(1, Ordering::SeqCst);
    std::future::pending().await
}

async fn moved(State(asked): State<Arc<AtomicUsize>>) -> (StatusCode, HeaderMap) {
    asked.fetch_add(1, Ordering::SeqCst);
    let mut headers = HeaderMap::new();
    headers.insert(LOCATION, "/good?subject=x&attribute=y".parse().unwrap());
    (StatusCode::FOUND, headers)
}
