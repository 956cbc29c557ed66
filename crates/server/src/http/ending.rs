//! Streams that never end by themselves end when the server stops, and say why, so that a watcher
//! neither holds the server up nor wonders what became of it.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::{
    body::{Body, Bytes},
    extract::{Request, State},
    http::HeaderMap,
    middleware::Next,
    response::Response,
};
use http_body::Frame;
use pawl_ledger::decide::{Denied, Reason};

use crate::{app::App, grpc::error::denied};

/// The methods whose streams have no end of their own.
const ENDLESS: &[&str] = &[
    "/grpc.health.v1.Health/Watch",
    "/grpc.reflection.v1.ServerReflection/",
    "/grpc.reflection.v1alpha.ServerReflection/",
    "/pawl.v1.LogService/Watch",
];

pub(super) async fn end_with_server(
    State(app): State<Arc<App>>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    let is_endless = ENDLESS.iter().any(|method| path.starts_with(method));
    let response = next.run(request).await;
    if !is_endless {
        return response;
    }
    let mut stopping = app.stopping();
    let stop = async move {
        // Also when nobody is left who could tell.
        let _ = stopping.wait_for(|stopping| *stopping).await;
    };
    let (parts, inner) = response.into_parts();
    let ending = Ending {
        inner,
        stop: Some(Box::pin(stop)),
    };
    Response::from_parts(parts, Body::new(ending))
}

/// A body that ends when the server stops, once what is ready of it was sent.
struct Ending {
    inner: Body,
    /// None once the end was told.
    stop: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl http_body::Body for Ending {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let Some(mut stop) = self.stop.take() else {
            return Poll::Ready(None);
        };
        let frame = Pin::new(&mut self.inner).poll_frame(context);
        if frame.is_pending() && stop.as_mut().poll(context).is_ready() {
            return Poll::Ready(Some(Ok(Frame::trailers(trailers()))));
        }
        self.stop = Some(stop);
        frame
    }

    /// An answer without a body, such as an error, has none here either: some clients take an empty
    /// frame after the headers for a stream that broke off, and lose the status.
    fn is_end_stream(&self) -> bool {
        self.stop.is_none() || self.inner.is_end_stream()
    }
}

fn trailers() -> HeaderMap {
    let told = Denied::new(
        Reason::ShuttingDown,
        "the server is stopping; go on from your last cursor once it is back",
    );
    let mut trailers = HeaderMap::new();
    if denied(&told).add_header(&mut trailers).is_err() {
        tracing::error!("a status does not fit into trailers");
    }
    trailers
}
