//! What every request passes before a door opens: from where it comes, whether there is room, how
//! long it may take, and who is calling. Health and reflection are open to everybody who passes the
//! rest; they tell nothing of any board.

mod deadline;
mod ending;
mod origin;

use std::{sync::Arc, time::Instant};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header},
    middleware::{Next, from_fn, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::get,
};
use pawl_ledger::decide::{Denied, Reason};
use tokio::sync::Semaphore;
use tonic::{Code, Status, service::Routes};

use crate::{
    app::App,
    config::Config,
    grpc::error::{denied, explained},
};

/// Services that need no token.
const OPEN: &[&str] = &[
    "/grpc.health.v1.Health/",
    "/grpc.reflection.v1.ServerReflection/",
    "/grpc.reflection.v1alpha.ServerReflection/",
];
/// Pages that need no token.
const OPEN_PAGES: &[&str] = &["/", "/healthz"];

/// What is at `/`.
const WELCOME: &str = "This is a Pawl server. It speaks gRPC (package pawl.v1) with health and \
                       reflection on this port; /healthz says whether it serves.\n";

/// All doors behind one another.
pub fn router(app: &Arc<App>, routes: Routes, config: &Config) -> Router {
    let places = Arc::new(Semaphore::new(config.limits.calls));
    let allowed = Arc::new(origin::Allowed::new(config));
    // The last layer is the outermost.
    routes
        .into_axum_router()
        .route("/", get(async || WELCOME))
        .route("/healthz", get(health).with_state(app.clone()))
        .fallback(unknown_path)
        .layer(from_fn_with_state(app.clone(), authenticate))
        .layer(from_fn_with_state(app.clone(), ending::end_with_server))
        .layer(from_fn_with_state(
            config.limits.deadline_seconds,
            deadline::limit,
        ))
        .layer(from_fn_with_state((app.clone(), places), admit))
        .layer(from_fn(explain))
        .layer(from_fn_with_state(allowed, origin::check))
        .layer(from_fn(log))
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
        _ => StatusCode::FORBIDDEN,
    };
    (code, format!("{}\n", told.message)).into_response()
}

fn is_grpc(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc"))
}

/// Says whether the server serves.
async fn health(State(app): State<Arc<App>>) -> (StatusCode, &'static str) {
    if *app.stopping().borrow() {
        (StatusCode::SERVICE_UNAVAILABLE, "stopping\n")
    } else {
        (StatusCode::OK, "serving\n")
    }
}

async fn unknown_path(headers: HeaderMap) -> Response {
    if is_grpc(&headers) {
        let text = "there is no such method; see the reflection service for what there is";
        return Status::unimplemented(text).into_http::<Body>();
    }
    (StatusCode::NOT_FOUND, "there is nothing here; see /\n").into_response()
}

/// Finds out who is calling and tells the door behind.
async fn authenticate(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    if is_open(request.uri().path()) {
        return next.run(request).await;
    }
    let header = request.headers().get(header::AUTHORIZATION);
    match app
        .identity
        .authenticate(header.and_then(|header| header.to_str().ok()))
    {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(error) => refuse(request.headers(), &error.told()),
    }
}

/// What tells nothing of any board, so that load balancers and clients need no token for it.
fn is_open(path: &str) -> bool {
    OPEN.iter().any(|open| path.starts_with(open)) || OPEN_PAGES.contains(&path)
}

/// Sheds load, and takes in nothing new once the server is stopping.
async fn admit(
    State((app, places)): State<(Arc<App>, Arc<Semaphore>)>,
    request: Request,
    next: Next,
) -> Response {
    if *app.stopping().borrow() && !is_open(request.uri().path()) {
        let message = "the server is stopping; try again once it is back";
        return refuse(
            request.headers(),
            &Denied::new(Reason::ShuttingDown, message),
        );
    }
    match places.try_acquire() {
        Ok(_place) => next.run(request).await,
        Err(_) => {
            let message = "the server has as many calls as it can work on; try again";
            let told = Denied::new(Reason::Overloaded, message).with("limit", app.limits.calls);
            refuse(request.headers(), &told)
        }
    }
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
