//! What browsers need: gRPC-Web, binary and as text, and the headers that let a page of an allowed
//! origin call (CORS). Pages of other origins get no such header, and their calls are refused.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tonic_web::GrpcWebLayer;
use tower::{Layer, Service, ServiceExt};

use super::origin;
use crate::app::App;

/// What a page may send.
const SENT: &str = "authorization, content-type, grpc-timeout, x-grpc-web, x-user-agent";
/// What a page may read of an answer.
const READ: &str = "grpc-status, grpc-message, grpc-status-details-bin";
/// How long a browser may remember what it may do, in seconds.
const REMEMBERED: &str = "600";
/// Asked by browsers before a public page calls a private address.
const PRIVATE_NETWORK_ASKED: &str = "access-control-request-private-network";
const PRIVATE_NETWORK_ALLOWED: HeaderName =
    HeaderName::from_static("access-control-allow-private-network");

/// Answers preflights, and tells browsers which pages may read an answer.
pub(super) async fn share(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let Some(origin) = allowed_origin(&app, &request) else {
        return next.run(request).await;
    };
    let mut response = if is_preflight(&request) {
        preflight(request.headers())
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.append(header::VARY, HeaderValue::from_static("origin"));
    headers.insert(
        header::ACCESS_CONTROL_EXPOSE_HEADERS,
        HeaderValue::from_static(READ),
    );
    response
}

/// The origin of a request that passes all checks of hosts and origins.
fn allowed_origin(app: &App, request: &Request) -> Option<HeaderValue> {
    let origin = request.headers().get(header::ORIGIN)?;
    let refused = origin::refusal(&app.settings(), request).is_some();
    (!refused).then(|| origin.clone())
}

fn is_preflight(request: &Request) -> bool {
    let asked = header::ACCESS_CONTROL_REQUEST_METHOD;
    request.method() == Method::OPTIONS && request.headers().contains_key(asked)
}

fn preflight(asked: &HeaderMap) -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, SENT),
        (header::ACCESS_CONTROL_MAX_AGE, REMEMBERED),
    ];
    let mut response = (StatusCode::NO_CONTENT, headers).into_response();
    if asked.contains_key(PRIVATE_NETWORK_ASKED) {
        let headers = response.headers_mut();
        headers.insert(PRIVATE_NETWORK_ALLOWED, HeaderValue::from_static("true"));
    }
    response
}

/// Translates gRPC-Web to gRPC and back; everything else passes as it is.
pub(super) async fn translate(request: Request, next: Next) -> Response {
    let kind = request.headers().get(header::CONTENT_TYPE);
    if !kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc-web")) {
        return next.run(request).await;
    }
    let inner =
        next.map_request(|request: axum::http::Request<tonic::body::Body>| request.map(Body::new));
    let mut service = GrpcWebLayer::new().layer(inner);
    match service.call(request).await {
        Ok(response) => response.map(Body::new),
        Err(never) => match never {},
    }
}
