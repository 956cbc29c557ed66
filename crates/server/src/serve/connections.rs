//! Connections: HTTP/1 and HTTP/2 (h2c) on one port, a bounded number, ended in an orderly way.

use std::{sync::Arc, time::Duration};

use axum::Router;
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto::Builder, graceful::GracefulShutdown},
    service::TowerToHyperService,
};
use parking_lot::Mutex;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    task::JoinSet,
};

use crate::config::Limits;

/// How often an idle HTTP/2 connection is asked whether its other end is still there.
const KEEP_ALIVE: Duration = Duration::from_secs(30);
/// How long the other end may take to say so.
const KEEP_ALIVE_ANSWER: Duration = Duration::from_secs(20);
/// How long an HTTP/1 client may take to send the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(15);
/// How long to wait after an accept failed, for example for want of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The connections of a server.
pub(super) struct Connections {
    router: Router,
    builder: Builder<TokioExecutor>,
    places: Arc<Semaphore>,
    shutdown: GracefulShutdown,
    tasks: Mutex<JoinSet<()>>,
}

impl Connections {
    pub(super) fn new(router: Router, limits: &Limits) -> Self {
        let mut builder = Builder::new(TokioExecutor::new());
        builder
            .http1()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIME);
        builder
            .http2()
            .timer(TokioTimer::new())
            .keep_alive_interval(KEEP_ALIVE)
            .keep_alive_timeout(KEEP_ALIVE_ANSWER)
            .max_concurrent_streams(limits.streams_per_connection);
        Self {
            router,
            builder,
            places: Arc::new(Semaphore::new(limits.connections)),
            shutdown: GracefulShutdown::new(),
            tasks: Mutex::default(),
        }
    }

    /// Accepts connections until the server is told to stop; then the port is closed.
    pub(super) async fn accept(&self, listener: TcpListener, mut stopping: watch::Receiver<bool>) {
        // Ends as well when nobody is left who could tell.
        let stop = async move {
            let _ = stopping.wait_for(|stopping| *stopping).await;
        };
        tokio::select! {
            () = stop => {}
            () = self.accept_all(&listener) => {}
        }
    }

    async fn accept_all(&self, listener: &TcpListener) {
        loop {
            match self.next(listener).await {
                Ok((stream, place)) => self.serve(stream, place),
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }

    /// Lets what is being answered finish, for so long; then the connections are cut.
    pub(super) async fn finish(self, grace: Duration) {
        let finished = tokio::time::timeout(grace, self.shutdown.shutdown()).await;
        let mut tasks = self.tasks.into_inner();
        if finished.is_err() {
            tracing::warn!(
                connections = tasks.len(),
                "cut connections that did not end in time"
            );
        }
        tasks.shutdown().await;
    }

    async fn next(
        &self,
        listener: &TcpListener,
    ) -> std::io::Result<(TcpStream, Option<OwnedSemaphorePermit>)> {
        let place = self.places.clone().acquire_owned().await.ok();
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        Ok((stream, place))
    }

    fn serve(&self, stream: TcpStream, place: Option<OwnedSemaphorePermit>) {
        let service = TowerToHyperService::new(self.router.clone());
        let connection = self
            .builder
            .serve_connection(TokioIo::new(stream), service)
            .into_owned();
        let connection = self.shutdown.watch(connection);
        let mut tasks = self.tasks.lock();
        while tasks.try_join_next().is_some() {}
        tasks.spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended");
            }
            drop(place);
        });
    }
}
