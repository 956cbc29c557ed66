//! What every request passes before a door opens: from where it comes, whether there is room, how
//! long it may take, and who is calling. Health and reflection are open to everybody who passes the
//! rest; they tell nothing of any board.

mod admit;
mod deadline;
mod ending;
mod idle;
mod measure;
mod methods;
mod origin;
mod pace;
mod page;
mod taken;
mod web;

use std::{net::SocketAddr, sync::Arc, time::Instant};

use axum::{
    Extension, Router,
    body::Body,
    extract::Request,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::{Next, from_fn, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::get,
};
use pawl_ledger::decide::{Denied, Reason};
use tonic::{Code, Status, service::Routes};

use crate::{
    app::App,
    grpc::error::{denied, explained, name, pause},
};

pub use self::{deadline::timeout, origin::refusal};
pub(crate) use idle::TOO_SLOW;

/// Services that need no token.
const OPEN: &[&str] = &[
    "/grpc.health.v1.Health/",
    "/grpc.reflection.v1.ServerReflection/",
    "/grpc.reflection.v1alpha.ServerReflection/",
];
/// Pages that need no token.
const OPEN_PAGES: &[&str] = &["/", "/healthz", "/readyz"];
/// The page with the figures.
const METRICS: &str = "/metrics";
/// All pages.
const PAGES: &[&str] = &["/", "/healthz", "/readyz", METRICS];

/// All doors behind one another.
pub fn router(app: &Arc<App>, routes: Routes) -> Router {
    // The last layer is the outermost.
    routes
        .into_axum_router()
        .route("/", get(page::welcome))
        .route("/healthz", get(page::health).with_state(app.clone()))
        .route("/readyz", get(page::ready).with_state(app.clone()))
        .route(METRICS, get(page::metrics).with_state(app.clone()))
        .fallback(unknown_path)
        .layer(from_fn_with_state(app.clone(), idle::limit))
        .layer(from_fn_with_state(app.clone(), admit::authenticate))
        .layer(from_fn_with_state(app.clone(), ending::end_with_server))
        .layer(from_fn_with_state(app.clone(), deadline::limit))
        .layer(from_fn_with_state(app.clone(), admit::admit))
        .layer(from_fn(explain))
        .layer(from_fn(pace::pace))
        .layer(from_fn_with_state(app.clone(), origin::check))
        .layer(from_fn_with_state(app.clone(), measure::measure))
        .layer(from_fn(log))
        .layer(from_fn(web::translate))
        .layer(from_fn_with_state(app.clone(), web::share))
}

/// The doors for a connection, which tells them where it comes from.
pub(crate) fn from(router: Router, peer: SocketAddr) -> Router {
    router.layer(Extension(admit::Peer(peer)))
}

/// What plain text gets on a port that speaks TLS: the reason, whatever it asks for.
pub(crate) fn refuse_plain_text() -> Router {
    let message = "this port speaks TLS; call it by `https://`";
    Router::new().fallback(async move |headers: HeaderMap| {
        refuse(
            &headers,
            &Denied::new(Reason::FieldInvalid, message).with("field", "scheme"),
        )
    })
}

/// Answers a request that goes no further, in the form its sender reads.
fn refuse(headers: &HeaderMap, told: &Denied) -> Response {
    let status = denied(told);
    if is_grpc(headers) {
        return status.into_http::<Body>();
    }
    let code = match status.code() {
        Code::Unauthenticated => StatusCode::UNAUTHORIZED,
        Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Code::DeadlineExceeded => StatusCode::GATEWAY_TIMEOUT,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::ResourceExhausted => StatusCode::TOO_MANY_REQUESTS,
        _ => StatusCode::FORBIDDEN,
    };
    let reason = name(told.reason);
    let mut response = (code, format!("{} ({reason})\n", told.message)).into_response();
    if let Some(pause) = pause(told.reason) {
        let headers = response.headers_mut();
        headers.insert(header::RETRY_AFTER, HeaderValue::from(pause.as_secs()));
    }
    response
}

fn is_grpc(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc"))
}

async fn unknown_path(headers: HeaderMap) -> Response {
    if is_grpc(&headers) {
        let text = "there is no such method; see the reflection service for what there is";
        return Status::unimplemented(text).into_http::<Body>();
    }
    (StatusCode::NOT_FOUND, "there is nothing here; see /\n").into_response()
}

/// What tells nothing of any board, so that load balancers and clients need no token for it.
fn is_open(path: &str) -> bool {
    OPEN.iter().any(|open| path.starts_with(open)) || OPEN_PAGES.contains(&path)
}

/// Gives a reason to errors that come from the transport and have none.
async fn explain(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    match Status::from_header_map(response.headers()) {
        Some(status) if status.code() != Code::Ok && status.details().is_empty() => {
            explained(status).into_http::<Body>()
        }
        _ => response,
    }
}

/// Logs one line a call; never what is in it.
async fn log(request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let path = request.uri().path().to_owned();
    let response = next.run(request).await;
    let code = Status::from_header_map(response.headers()).map(|status| status.code());
    tracing::debug!(
        path,
        http = response.status().as_u16(),
        grpc = code.map(|code| code as i32),
        elapsed_ms = begun.elapsed().as_millis(),
        "call"
    );
    response
}
