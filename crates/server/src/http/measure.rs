//! Counts calls as they begin, answer and end. An answer ends with its trailers; one whose client
//! went away first ends as cancelled.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Instant,
};

use axum::{
    body::{Body, Bytes},
    extract::{Request, State},
    http::HeaderMap,
    middleware::Next,
    response::Response,
};
use http_body::{Frame, SizeHint};
use tonic::{Code, Status};
use tonic_types::StatusExt;

use super::{is_grpc, methods};
use crate::{app::App, metrics::Metrics};

pub(super) async fn measure(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let (method, _) = methods::find(request.uri().path());
    let grpc = is_grpc(request.headers());
    let begun = Instant::now();
    let call = Call {
        metrics: app.metrics.clone(),
        method,
        code: None,
    };
    call.metrics.call_began(method);
    let response = next.run(request).await;
    call.metrics.answer_began(method, begun.elapsed());
    follow(call, response, grpc)
}

/// A call that has not ended. It is counted when it is dropped, whatever became of it.
struct Call {
    metrics: Arc<Metrics>,
    method: &'static str,
    code: Option<&'static str>,
}

impl Call {
    fn ended(&mut self, status: &Status) {
        self.code = Some(code_name(status.code()));
        if status.code() != Code::Ok {
            let reason = status.get_details_error_info().map(|info| info.reason);
            self.metrics.call_failed(&reason.unwrap_or_default());
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let code = self.code.unwrap_or("CANCELLED");
        self.metrics.call_ended(self.method, code);
    }
}

fn follow(mut call: Call, response: Response, grpc: bool) -> Response {
    match Status::from_header_map(response.headers()) {
        Some(status) => call.ended(&status),
        None if !grpc => call.code = Some(page_code(response.status().as_u16())),
        None => {}
    }
    response.map(|inner| {
        Body::new(Followed {
            inner,
            call: Some(call),
        })
    })
}

/// A body whose end is noticed.
struct Followed {
    inner: Body,
    call: Option<Call>,
}

impl http_body::Body for Followed {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.inner).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &polled
            && let Some(trailers) = frame.trailers_ref()
            && let Some(mut call) = self.call.take()
        {
            call.ended(&status_of(trailers));
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

fn status_of(trailers: &HeaderMap) -> Status {
    Status::from_header_map(trailers).unwrap_or_else(|| Status::unknown("no status"))
}

/// The status of a page, as a label.
fn page_code(status: u16) -> &'static str {
    match status {
        200..=299 => "2xx",
        300..=399 => "3xx",
        400..=499 => "4xx",
        _ => "5xx",
    }
}

/// A code as the gRPC documentation writes it.
fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}
