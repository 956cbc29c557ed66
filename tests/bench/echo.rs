//! A call that does nothing: the same messages through the same server, and no board.

use std::{
    convert::Infallible,
    task::{Context, Poll},
};

use axum::http;
use pawl_proto::v1::{SubmitRequest, SubmitResponse};
use tonic::{
    Request, Response, Status,
    body::Body,
    server::{Grpc, NamedService, UnaryService},
    service::Routes,
};
use tonic_prost::ProstCodec;

/// Where it is called.
pub(crate) const PATH: &str = "/pawl.bench.Echo/Echo";

/// Answers every submission with the same answer.
#[derive(Clone)]
struct Echo(SubmitResponse);

impl NamedService for Echo {
    const NAME: &'static str = "pawl.bench.Echo";
}

/// Adds it to the services of a server; `answer` is what it says, so that messages have the same size both ways.
pub(crate) fn add(routes: Routes, answer: SubmitResponse) -> Routes {
    routes.add_service(Echo(answer))
}

impl UnaryService<SubmitRequest> for Echo {
    type Response = SubmitResponse;
    type Future = std::future::Ready<Result<Response<SubmitResponse>, Status>>;

    fn call(&mut self, request: Request<SubmitRequest>) -> Self::Future {
        let _read = request.into_inner();
        std::future::ready(Ok(Response::new(self.0.clone())))
    }
}

impl tower::Service<http::Request<Body>> for Echo {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future =
        std::pin::Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let echo = self.clone();
        Box::pin(async move {
            let mut grpc = Grpc::new(ProstCodec::default());
            Ok(grpc.unary(echo, request).await)
        })
    }
}
