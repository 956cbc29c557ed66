//! How long a call may take until its answer begins: what its client asked for (`grpc-timeout`), at
//! most what the server allows. Streams may go on after their answer began.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    http::HeaderMap,
    middleware::Next,
    response::Response,
};
use pawl_ledger::decide::{Denied, Reason};

use super::refuse;
use crate::app::App;

/// The header of the gRPC protocol over HTTP/2: up to eight digits and a unit.
const HEADER: &str = "grpc-timeout";

pub(super) async fn limit(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let most = Duration::from_secs(app.limits().deadline_seconds);
    let asked = request.headers().get(HEADER);
    let asked = asked.and_then(|header| timeout(header.to_str().ok()?));
    let limit = asked.map_or(most, |asked| asked.min(most));
    // The answer's form depends on the request, which is gone by then.
    let mut headers = HeaderMap::new();
    if let Some(kind) = request.headers().get("content-type") {
        headers.insert("content-type", kind.clone());
    }
    match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => refuse(&headers, &over(limit)),
    }
}

fn over(limit: Duration) -> Denied {
    Denied::new(
        Reason::Deadline,
        format!(
            "the call took longer than {} ms; what it wrote stands: read it, or send the call \
             again with the same request id",
            limit.as_millis()
        ),
    )
    .with("limit_ms", limit.as_millis())
}

/// Reads a timeout; none where it has another form.
pub fn timeout(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|digit| digit.is_ascii_digit())
    {
        return None;
    }
    let count: u64 = digits.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(count * 3_600),
        "M" => Duration::from_secs(count * 60),
        "S" => Duration::from_secs(count),
        "m" => Duration::from_millis(count),
        "u" => Duration::from_micros(count),
        "n" => Duration::from_nanos(count),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_is_digits_and_a_unit() {
        assert_eq!(timeout("5S"), Some(Duration::from_secs(5)));
        assert_eq!(timeout("250m"), Some(Duration::from_millis(250)));
        assert_eq!(
            timeout("99999999H"),
            Some(Duration::from_secs(359_999_996_400))
        );
        for text in ["", "S", "5", "+5S", "5 S", "123456789S", "5é", "5s"] {
            assert_eq!(timeout(text), None, "{text}");
        }
    }
}
