//! Starting and stopping a server.

mod connections;
pub(crate) mod log;
mod operator_token;

use std::{net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use pawl_checker::embedder::{Embedder, EmbedderError, ModelFiles};
use pawl_ledger::store::{Store, StoreError};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    sync::watch,
    task::JoinHandle,
};
use tonic::service::Routes;
use tonic_health::{ServingStatus, server::HealthReporter};

use crate::{
    app::{App, error::AppError},
    config::{Config, ConfigError, ServeArgs},
    grpc, http,
    tls::{self, Certificates, TlsError},
};

/// Why a server does not start, or ended.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A setting cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The server would be reached from elsewhere without TLS.
    #[error("{0}")]
    PlainText(String),
    /// TLS cannot be spoken.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The data directory cannot be made or written to.
    #[error("cannot use the data directory `{path}`: {source}; choose another with `--data`")]
    Data {
        /// The directory, or the file in it.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The model cannot be used.
    #[error(transparent)]
    Embedder(#[from] EmbedderError),
    /// The address cannot be listened on.
    #[error("cannot listen on `{address}`: {source}; choose another with `--listen`")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// Signals cannot be waited for.
    #[error("cannot wait for signals: {0}")]
    Signal(#[source] std::io::Error),
    /// The application does not start.
    #[error(transparent)]
    App(#[from] AppError),
    /// The descriptors of the API cannot be read: a defect of the build.
    #[error("the api's descriptors cannot be read: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// A task of the server ended with a defect.
    #[error("the server broke off: {0}")]
    Broken(#[from] tokio::task::JoinError),
}

/// A server that runs.
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    /// The file with the first operator's token.
    pub operator_token: PathBuf,
    /// What it works on.
    pub app: Arc<App>,
    stop: watch::Sender<bool>,
    server: JoinHandle<()>,
}

impl Running {
    /// Tells it to stop.
    pub fn stop(&self) {
        self.stop.send_replace(true);
    }

    /// Waits until it has stopped.
    pub async fn stopped(self) -> Result<(), ServeError> {
        Ok(self.server.await?)
    }
}

/// Runs a server until SIGTERM or SIGINT, logging to stderr.
pub async fn run(args: ServeArgs) -> Result<(), ServeError> {
    let config = Config::resolve(args)?;
    log::start(&config);
    for warning in &config.warnings {
        tracing::warn!("{warning}");
    }
    let mut terminate = signal(SignalKind::terminate()).map_err(ServeError::Signal)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(ServeError::Signal)?;
    let mut hang_up = signal(SignalKind::hangup()).map_err(ServeError::Signal)?;
    let running = start(config).await?;
    loop {
        tokio::select! {
            _ = terminate.recv() => break,
            _ = interrupt.recv() => break,
            // What came of it is in the log and in the status.
            _ = hang_up.recv() => drop(running.app.reload()),
        }
    }
    tracing::info!("stopping");
    running.stop();
    running.stopped().await
}

/// Starts a server on its data directory.
pub async fn start(config: Config) -> Result<Running, ServeError> {
    start_with(config, |routes| routes).await
}

/// Starts a server on its data directory with other services beside its own, behind the same doors.
pub async fn start_with(
    config: Config,
    add: impl FnOnce(Routes) -> Routes,
) -> Result<Running, ServeError> {
    // What may fail without a store fails before one is made.
    let ready = Ready::of(&config).await?;
    std::fs::create_dir_all(&config.data).map_err(|source| ServeError::Data {
        path: config.data.clone(),
        source,
    })?;
    let store = pawl_ledger::store::open(&config.data.join("store"), config.engine)?;
    start_ready(store, config, ready, add).await
}

/// Starts a server on a store.
pub async fn start_on(store: Arc<dyn Store>, config: Config) -> Result<Running, ServeError> {
    let ready = Ready::of(&config).await?;
    start_ready(store, config, ready, |routes| routes).await
}

/// What a server needs besides its store.
struct Ready {
    certificates: Option<Certificates>,
    embedder: Option<Embedder>,
    listener: TcpListener,
    address: SocketAddr,
}

impl Ready {
    /// Loads the certificate and the model, then takes the address.
    async fn of(config: &Config) -> Result<Self, ServeError> {
        if let Some(refusal) = config.plain_text_refusal() {
            return Err(ServeError::PlainText(refusal));
        }
        let loaded = config.tls.as_ref().map(tls::load).transpose()?;
        let embedder = match &config.models {
            None => None,
            Some(models) => Some(Embedder::open(
                &ModelFiles::under(models),
                config.embedders,
            )?),
        };
        let listen_error = |source| ServeError::Listen {
            address: config.listen,
            source,
        };
        let listener = TcpListener::bind(config.listen)
            .await
            .map_err(listen_error)?;
        let address = listener.local_addr().map_err(listen_error)?;
        Ok(Self {
            certificates: loaded.map(Certificates::new),
            embedder,
            listener,
            address,
        })
    }
}

async fn start_ready(
    store: Arc<dyn Store>,
    config: Config,
    ready: Ready,
    add: impl FnOnce(Routes) -> Routes,
) -> Result<Running, ServeError> {
    let Ready {
        certificates,
        embedder,
        listener,
        address,
    } = ready;
    let app = App::start(store, embedder, certificates, config.clone())?;
    let operator_token = config.operator_token();
    operator_token::ensure(&app, &operator_token).await?;

    let health = HealthReporter::new();
    let routes = add(grpc::routes(&app, &health).await?);
    let router = http::router(&app, routes);

    let background = [
        tokio::spawn(app.clone().keep_up()),
        tokio::spawn(app.clone().seal_on_time()),
    ];
    let (stop, stopping) = watch::channel(false);
    let server = Server {
        app: app.clone(),
        health,
        listener,
        router,
        stopping,
        background,
    };
    let tls = app.certificates.is_some();
    tracing::info!(%address, tls, data = %config.data.display(), "serving");
    Ok(Running {
        address,
        operator_token,
        app,
        stop,
        server: tokio::spawn(server.run()),
    })
}

struct Server {
    app: Arc<App>,
    health: HealthReporter,
    listener: TcpListener,
    router: axum::Router,
    stopping: watch::Receiver<bool>,
    background: [JoinHandle<()>; 2],
}

impl Server {
    async fn run(self) {
        let connections = connections::Connections::new(self.router, &self.app);
        connections.accept(self.listener, self.stopping).await;
        grpc::set_health(&self.health, ServingStatus::NotServing).await;
        self.app.begin_stop();
        let grace = Duration::from_secs(self.app.limits().grace_seconds);
        connections.finish(grace).await;
        // Whoever starts a server on the same store next finds it free.
        for task in self.background {
            let _ = task.await;
        }
        self.app.write_images().await;
        tracing::info!("stopped");
    }
}

#[cfg(test)]
mod tests;
