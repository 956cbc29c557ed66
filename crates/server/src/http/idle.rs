//! A request whose body stands still is given up, so that a slow client does not hold a place. A
//! stream of requests may stand still; an upload has a limit of its own.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, Bytes},
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http_body::{Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep};
use tonic::Status;

use super::methods;
use crate::app::App;

/// What is told of a body that stands still.
pub(crate) const TOO_SLOW: &str = "the request's next bytes did not come in time; send it again";

pub(super) async fn limit(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let (_, kind) = methods::find(request.uri().path());
    if kind.request_streams {
        return next.run(request).await;
    }
    let most = Duration::from_secs(app.limits().request_idle_seconds);
    let request = request.map(|inner| {
        Body::new(Timed {
            inner,
            most,
            end: Box::pin(sleep(most)),
        })
    });
    next.run(request).await
}

/// A body whose every part has to come in time.
struct Timed {
    inner: Body,
    most: Duration,
    end: Pin<Box<Sleep>>,
}

impl http_body::Body for Timed {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::BoxError>>> {
        match Pin::new(&mut self.inner).poll_frame(context) {
            Poll::Ready(frame) => {
                let next = Instant::now() + self.most;
                self.end.as_mut().reset(next);
                Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
            }
            Poll::Pending if self.end.as_mut().poll(context).is_ready() => {
                Poll::Ready(Some(Err(Status::deadline_exceeded(TOO_SLOW).into())))
            }
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
