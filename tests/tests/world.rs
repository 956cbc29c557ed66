//! What the tests build their stories from: a server, a board with people on it, facts with sources.
//!
//! Most tests share one server with the sentence model and work on a board of their own; tests that
//! stop a server, or need settings of their own, start another.
mod acts;
mod client;
mod drafts;

use std::{
    collections::{BTreeMap, HashMap},
    net::SocketAddr,
    path::PathBuf,
    sync::{
        LazyLock,
        atomic::{AtomicU32, Ordering},
    },
};

use pawl_ledger::store::Engine;
use pawl_proto::v1::{self as proto, Draft, Role};
use pawl_server::{
    config::{Config, models_directory},
    serve::{Running, start},
};
use tempfile::TempDir;
use tonic::{
    Request, Status,
    metadata::{Ascii, MetadataValue},
    service::{Interceptor, interceptor::InterceptedService},
    transport::{Channel, Endpoint},
};

pub(crate) use self::drafts::{
    accepted, capacity, cite, cited, claiming, contested, denied, inference, item_error, reason_of,
    refused, short,
};

/// The module that facts go to unless a test says otherwise.
pub(crate) const MODULE: &str = "market";

/// A server in this process, and its operator's token.
#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) operator_token: String,
}

/// A server that a test can stop and start again.
pub(crate) struct OwnServer {
    pub(crate) config: Config,
    running: Running,
    pub(crate) server: Server,
    _directory: Option<TempDir>,
}

/// A board with people on it.
pub(crate) struct World {
    pub(crate) server: Server,
    pub(crate) board: String,
    /// The server's first operator, who made the board.
    pub(crate) operator: Client,
    /// An agent.
    pub(crate) ana: Client,
    /// Another agent.
    pub(crate) ben: Client,
    /// A verifier.
    pub(crate) vera: Client,
    /// An arbiter.
    pub(crate) aron: Client,
}

/// Somebody who calls.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) name: String,
    pub(crate) board: String,
    pub(crate) token: String,
    /// For calls that carry their own headers.
    pub(crate) channel: Channel,
}

type Carried = InterceptedService<Channel, Bearer>;

/// Sends the token along.
#[derive(Clone)]
pub(crate) struct Bearer(MetadataValue<Ascii>);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        request
            .metadata_mut()
            .insert("authorization", self.0.clone());
        Ok(request)
    }
}

/// The settings of a server on a fresh directory.
pub(crate) fn config(engine: Engine, with_model: bool) -> (Config, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let mut config = Config::local(directory.path().join("data"));
    config.engine = Some(engine);
    if with_model {
        let models = models_directory().unwrap();
        assert!(
            models.is_dir(),
            "there is no sentence model in `{}`; run `make test`, which fetches it",
            models.display()
        );
        config.models = Some(models);
    }
    (config, directory)
}

/// The server most tests share; it runs on threads of its own until the process ends.
fn shared() -> Server {
    static SHARED: LazyLock<(SocketAddr, String)> = LazyLock::new(|| {
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async move {
                let (config, _directory) = config(Engine::Fjall, true);
                let running = start(config).await.unwrap();
                sender
                    .send((running.address, read_token(&running.operator_token)))
                    .unwrap();
                running.stopped().await.unwrap();
            });
        });
        receiver.recv().expect("the shared server starts")
    });
    Server {
        address: SHARED.0,
        operator_token: SHARED.1.clone(),
    }
}

fn read_token(path: &PathBuf) -> String {
    std::fs::read_to_string(path).unwrap().trim().to_owned()
}

impl OwnServer {
    /// Starts one on a fresh directory.
    pub(crate) async fn start(engine: Engine, with_model: bool) -> Self {
        Self::start_with(engine, with_model, |_| {}).await
    }

    /// Starts one on a fresh directory with other settings.
    pub(crate) async fn start_with(
        engine: Engine,
        with_model: bool,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        let (mut config, directory) = config(engine, with_model);
        change(&mut config);
        let mut server = Self::on(config).await;
        server._directory = Some(directory);
        server
    }

    async fn on(config: Config) -> Self {
        let running = start(config.clone()).await.unwrap();
        Self {
            config,
            server: Server {
                address: running.address,
                operator_token: read_token(&running.operator_token),
            },
            running,
            _directory: None,
        }
    }

    /// Stops it and starts it again on the same directory, on another port.
    pub(crate) async fn restart(self) -> Self {
        let (config, directory) = self.stop().await;
        Self::again(config, directory).await
    }

    /// Starts one on a directory that was used before.
    pub(crate) async fn again(config: Config, directory: Option<TempDir>) -> Self {
        let mut again = Self::on(config).await;
        again._directory = directory;
        again
    }

    /// Stops it.
    pub(crate) async fn stop(self) -> (Config, Option<TempDir>) {
        self.running.stop();
        self.running.stopped().await.unwrap();
        (self.config, self._directory)
    }
}

impl Server {
    /// Somebody with a token.
    pub(crate) fn client(&self, name: &str, token: &str, board: &str) -> Client {
        let endpoint = Endpoint::from_shared(format!("http://{}", self.address)).unwrap();
        Client {
            name: name.to_owned(),
            board: board.to_owned(),
            token: token.to_owned(),
            channel: endpoint.connect_lazy(),
        }
    }

    /// The server's first operator.
    pub(crate) fn operator(&self, board: &str) -> Client {
        self.client("operator", &self.operator_token, board)
    }
}

impl World {
    /// A fresh board on the shared server.
    pub(crate) async fn new() -> Self {
        Self::on(shared()).await
    }

    /// A fresh board on a server.
    pub(crate) async fn on(server: Server) -> Self {
        static BOARDS: AtomicU32 = AtomicU32::new(1);
        let board = format!("b{}", BOARDS.fetch_add(1, Ordering::Relaxed));
        let operator = server.operator(&board);
        operator
            .boards()
            .create_board(proto::CreateBoardRequest {
                board: board.clone(),
                policy: None,
            })
            .await
            .unwrap();
        operator.declare_module(MODULE).await;
        let [ana, ben] = ["ana", "ben"];
        let world = Self {
            ana: operator.principal(&server, ana, &[Role::Agent]).await,
            ben: operator.principal(&server, ben, &[Role::Agent]).await,
            vera: operator.principal(&server, "vera", &[Role::Verifier]).await,
            aron: operator.principal(&server, "aron", &[Role::Arbiter]).await,
            operator,
            board,
            server,
        };
        world.operator.declare_decimal("capacity", "GW").await;
        world
    }

    /// The same people on the same board after a restart.
    pub(crate) fn after_restart(&self, server: Server) -> Self {
        let again = |client: &Client| server.client(&client.name, &client.token, &self.board);
        Self {
            board: self.board.clone(),
            operator: again(&self.operator),
            ana: again(&self.ana),
            ben: again(&self.ben),
            vera: again(&self.vera),
            aron: again(&self.aron),
            server,
        }
    }

    /// Somebody else on the board.
    pub(crate) async fn principal(&self, name: &str, roles: &[Role]) -> Client {
        self.operator.principal(&self.server, name, roles).await
    }

    /// The number of entries in the board's log.
    pub(crate) async fn position(&self) -> u64 {
        self.operator.board_record().await.entries
    }

    /// A fact of `ana` that a verifier confirmed.
    pub(crate) async fn validated(&self, draft: Draft) -> String {
        let id = accepted(&self.ana.submit_one(draft).await);
        self.vera.validate_as_cited(&id).await;
        id
    }

    /// A fact of `ana` in a sealed module.
    pub(crate) async fn locked(&self, draft: Draft) -> String {
        let module = draft.module.clone();
        let id = self.validated(draft).await;
        self.aron.seal(&module).await.unwrap();
        id
    }

    /// Runs a call that has to be denied, and see that it changed nothing; gives the metadata.
    pub(crate) async fn denied<T: std::fmt::Debug>(
        &self,
        call: impl Future<Output = Result<T, Status>>,
        reason: &str,
    ) -> HashMap<String, String> {
        let before = self.position().await;
        let metadata = denied(&call.await.map(|_| ()).unwrap_err(), reason);
        assert_eq!(self.position().await, before, "{reason} changed the log");
        metadata
    }

    /// Submits something that cannot be processed, and see that it changed nothing.
    pub(crate) async fn item_denied(&self, draft: Draft, reason: &str) -> BTreeMap<String, String> {
        let before = self.position().await;
        let answer = self.ana.submit(vec![draft]).await.unwrap();
        assert!(!answer.committed);
        let metadata = item_error(&answer.outcomes[0], reason);
        assert_eq!(self.position().await, before, "{reason} changed the log");
        metadata
    }
}
