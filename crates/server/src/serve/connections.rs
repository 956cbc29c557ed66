//! Connections: HTTP/1 and HTTP/2 on one port, with TLS or without, a bounded number of all and of
//! one address, ended in an orderly way.

mod addresses;
mod handshake;
mod opening;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::Router;
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{
        conn::auto::Builder,
        graceful::{GracefulShutdown, Watcher},
    },
    service::TowerToHyperService,
};
use parking_lot::Mutex;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    task::JoinSet,
};

use self::{
    addresses::{Address, Addresses},
    handshake::{Handshakes, Opened},
    opening::Opening,
};
use crate::{app::App, http};

/// How often an idle HTTP/2 connection is asked whether its other end is still there.
const KEEP_ALIVE: Duration = Duration::from_secs(30);
/// How long the other end may take to say so.
const KEEP_ALIVE_ANSWER: Duration = Duration::from_secs(20);
/// How long a client may take until it is clear which HTTP it speaks, and one of HTTP/1 to send the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(15);
/// How long to wait after an accept failed, for example for want of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How long a client that speaks plain text to a TLS port gets to read why that is refused.
const REFUSAL_TIME: Duration = Duration::from_secs(5);

/// The connections of a server.
pub(super) struct Connections {
    app: Arc<App>,
    router: Router,
    builder: Builder<TokioExecutor>,
    places: Arc<Semaphore>,
    addresses: Arc<Addresses>,
    handshakes: Option<Arc<Handshakes>>,
    shutdown: GracefulShutdown,
    tasks: Mutex<JoinSet<()>>,
}

/// What a connection holds until it ends.
struct Held {
    app: Arc<App>,
    _place: Option<OwnedSemaphorePermit>,
    _address: Address,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.app.metrics.connections.dec();
    }
}

impl Connections {
    pub(super) fn new(router: Router, app: &Arc<App>) -> Self {
        let limits = app.limits();
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
            handshakes: app.certificates.is_some().then(Arc::default),
            app: app.clone(),
            router,
            builder,
            places: Arc::new(Semaphore::new(limits.connections)),
            addresses: Arc::default(),
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
                Ok((stream, peer, place)) => self.serve(stream, peer, place),
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
    ) -> std::io::Result<(TcpStream, SocketAddr, Option<OwnedSemaphorePermit>)> {
        let place = self.places.clone().acquire_owned().await.ok();
        let (stream, peer) = listener.accept().await?;
        stream.set_nodelay(true)?;
        Ok((stream, peer, place))
    }

    fn serve(&self, stream: TcpStream, peer: SocketAddr, place: Option<OwnedSemaphorePermit>) {
        let most = self.app.limits().connections_per_address;
        let Some(address) = self.addresses.take(peer.ip(), most) else {
            let refused = &self.app.metrics.connections_refused;
            refused.with_label_values(&["address"]).inc();
            tracing::debug!(%peer, most, "closed a connection of an address that has as many as it may");
            return;
        };
        self.app.metrics.connections.inc();
        let held = Held {
            app: self.app.clone(),
            _place: place,
            _address: address,
        };
        let serving = Serving {
            app: self.app.clone(),
            builder: self.builder.clone(),
            router: http::from(self.router.clone(), peer),
            watcher: self.shutdown.watcher(),
        };
        let handshakes = self.handshakes.clone();
        let mut tasks = self.tasks.lock();
        while tasks.try_join_next().is_some() {}
        tasks.spawn(async move {
            let _held = held;
            match handshakes {
                None => serving.serve(stream).await,
                Some(handshakes) => serving.open(stream, &handshakes).await,
            }
        });
    }
}

/// What one connection is served with.
struct Serving {
    app: Arc<App>,
    builder: Builder<TokioExecutor>,
    router: Router,
    watcher: Watcher,
}

impl Serving {
    /// Shakes hands first.
    async fn open(self, stream: TcpStream, handshakes: &Handshakes) {
        let mut stopping = self.app.stopping();
        let shaken = tokio::select! {
            shaken = handshakes.shake(stream, &self.app) => shaken,
            _ = stopping.wait_for(|stopping| *stopping) => return,
        };
        match shaken {
            Ok(Opened::Tls(stream)) => self.serve(stream).await,
            Ok(Opened::PlainText(stream)) => {
                let refusing = Self {
                    router: http::refuse_plain_text(),
                    ..self
                };
                // Whoever does not speak TLS is told so, and not waited for.
                let _ = tokio::time::timeout(REFUSAL_TIME, refusing.serve(stream)).await;
            }
            Err(error) => {
                self.app.metrics.handshakes_failed.inc();
                tracing::debug!(%error, "a handshake did not come about");
            }
        }
    }

    async fn serve(self, stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) {
        let service = TowerToHyperService::new(self.router);
        let connection = self
            .builder
            .serve_connection(TokioIo::new(Opening::new(stream, HEAD_TIME)), service)
            .into_owned();
        if let Err(error) = self.watcher.watch(connection).await {
            tracing::debug!(%error, "a connection ended");
        }
    }
}
