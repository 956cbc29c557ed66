//! The pages for people and load balancers. They tell nothing of any board.

use std::sync::Arc;

use axum::{
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};

use crate::app::App;

/// Nothing is fetched, run or framed; the page has its few styles inside.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// What is at `/`.
const WELCOME: &str = concat!(
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Pawl</title>\n",
    "<style>body{font-family:sans-serif;max-width:40em;margin:2em auto;padding:0 1em;line-height:1.5}",
    "dt{font-weight:bold}</style>\n</head>\n<body>\n<h1>Pawl</h1>\n",
    "<p>This is a Pawl server, version ",
    env!("CARGO_PKG_VERSION"),
    ": a state store for teams of AI agents.</p>\n<dl>\n",
    "<dt>gRPC and gRPC-Web</dt>\n<dd>Package <code>pawl.v1</code>, with health and reflection, on this port. ",
    "Calls carry <code>authorization: Bearer pawl_…</code>.</dd>\n",
    "<dt><a href=\"/healthz\">/healthz</a></dt>\n<dd>Whether the server runs.</dd>\n",
    "<dt><a href=\"/readyz\">/readyz</a></dt>\n<dd>Whether it should be sent calls: it is not stopping and has room.</dd>\n",
    "<dt><a href=\"/metrics\">/metrics</a></dt>\n<dd>Figures for Prometheus; needs the token of a server operator ",
    "unless the settings open it.</dd>\n",
    "<dt>Documentation</dt>\n<dd>The directory <code>docs</code> of the sources; <code>pawl help</code>.</dd>\n",
    "</dl>\n</body>\n</html>\n"
);

pub(super) async fn welcome() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, WELCOME).into_response()
}

/// Says whether the server runs. Who is told no should start another.
pub(super) async fn health(State(app): State<Arc<App>>) -> (StatusCode, &'static str) {
    if *app.stopping().borrow() {
        (StatusCode::SERVICE_UNAVAILABLE, "stopping\n")
    } else {
        (StatusCode::OK, "serving\n")
    }
}

/// Says whether the server should be sent calls: it runs, and its store takes writes. A server that
/// has no room for a call does not get to say yes.
pub(super) async fn ready(State(app): State<Arc<App>>) -> (StatusCode, &'static str) {
    if *app.stopping().borrow() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n");
    }
    // An empty batch is answered after every batch before it, and writes nothing.
    match app.ledger.write(pawl_ledger::store::Batch::default()).await {
        Ok(()) => (StatusCode::OK, "ready\n"),
        Err(_) => (
            StatusCode::SERVICE_UNAVAILABLE,
            "the store takes no writes\n",
        ),
    }
}

/// The figures, for who was let through.
pub(super) async fn metrics(State(app): State<Arc<App>>) -> Response {
    match app.metrics.page(&app).await {
        Ok(page) => {
            let kind = "text/plain; version=0.0.4; charset=utf-8";
            ([(header::CONTENT_TYPE, kind)], page).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "the figures could not be written");
            let told = "the figures could not be written; the server's log says why\n";
            (StatusCode::INTERNAL_SERVER_ERROR, told).into_response()
        }
    }
}
