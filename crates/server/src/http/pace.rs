//! Refusals of whoever sends too much leave after a pause: a client that asks again at once would else keep the server
//! busy refusing. It holds no place meanwhile, and nobody else waits.

use std::time::Duration;

use axum::{extract::Request, http::StatusCode, middleware::Next, response::Response};
use tonic::{Code, Status};

/// How long such a refusal is held back; shorter than what its `RetryInfo` says.
const PAUSE: Duration = Duration::from_millis(500);

pub(super) async fn pace(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    if is_too_much(&response) {
        tokio::time::sleep(PAUSE).await;
    }
    response
}

fn is_too_much(response: &Response) -> bool {
    let status = Status::from_header_map(response.headers());
    response.status() == StatusCode::TOO_MANY_REQUESTS
        || status.is_some_and(|status| status.code() == Code::ResourceExhausted)
}
