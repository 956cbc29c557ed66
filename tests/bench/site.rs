//! A server in this process, on a fresh store, with a board and people who call it over gRPC.

use std::path::PathBuf;

use pawl_ledger::store::Engine;
use pawl_proto::v1::{self as proto, SubmitRequest, SubmitResponse};
use pawl_server::{
    config::{Config, models_directory},
    serve::{Running, start_with},
};
use tempfile::TempDir;
use tonic::Request;

pub(crate) use crate::caller::{BOARD, Caller, MODULE, draft, submission};
use crate::echo;

/// A quota or a limit that a measurement does not run into.
const NO_LIMIT: u64 = 1 << 50;

/// A server that runs here.
pub(crate) struct Site {
    pub(crate) running: Running,
    pub(crate) directory: TempDir,
    pub(crate) operator: Caller,
}

/// How a server is started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    pub(crate) engine: Engine,
    /// With how many sessions of the sentence model; 0 without it.
    pub(crate) sessions: usize,
}

impl Setting {
    pub(crate) const PLAIN: Self = Self {
        engine: Engine::Fjall,
        sessions: 0,
    };
}

/// The settings of a server on a directory.
pub(crate) fn config(directory: PathBuf, setting: Setting) -> Config {
    let mut config = Config::local(directory);
    config.engine = Some(setting.engine);
    if setting.sessions > 0 {
        config.models = Some(models_directory().unwrap());
        config.embedders = setting.sessions;
    }
    let quotas = &mut config.limits.quotas;
    quotas.entries_per_second = 1_000_000;
    quotas.entries_burst = NO_LIMIT;
    quotas.word_bytes = NO_LIMIT;
    quotas.sources = NO_LIMIT;
    config
}

impl Site {
    /// Starts one on a fresh directory, with a board and a module.
    pub(crate) async fn start(directory: TempDir, setting: Setting) -> Self {
        let site = Self::open(directory, setting).await;
        site.operator.make_board().await;
        site
    }

    /// Starts one on a directory with a store in it.
    pub(crate) async fn open(directory: TempDir, setting: Setting) -> Self {
        let config = config(directory.path().join("data"), setting);
        let answer = answer();
        let running = start_with(config, |routes| echo::add(routes, answer)).await;
        let running = running.unwrap();
        let token = std::fs::read_to_string(&running.operator_token).unwrap();
        let url = format!("http://{}", running.address);
        Self {
            operator: Caller::new(&url, token.trim()),
            running,
            directory,
        }
    }

    /// An agent of its own on the board.
    pub(crate) async fn agent(&self, name: &str) -> Caller {
        self.operator.somebody(name, proto::Role::Agent).await
    }

    /// Stops it and keeps its directory.
    pub(crate) async fn stop(self) -> TempDir {
        self.running.stop();
        self.running.stopped().await.unwrap();
        self.directory
    }
}

/// Calls the echo.
pub(crate) async fn echo(caller: &Caller, request: SubmitRequest) -> SubmitResponse {
    let mut grpc = tonic::client::Grpc::new(caller.carried());
    grpc.ready().await.unwrap();
    let codec = tonic_prost::ProstCodec::default();
    let path = echo::PATH.parse().unwrap();
    let answer = grpc.unary(Request::new(request), path, codec).await;
    answer.unwrap().into_inner()
}

/// An answer of the size that an accepted submission gets.
fn answer() -> SubmitResponse {
    let name = format!("boards/{BOARD}/assertions/a123456@1");
    let outcome = proto::Outcome {
        verdict: proto::Verdict::Accepted.into(),
        assertion: name,
        ..Default::default()
    };
    SubmitResponse {
        outcomes: vec![outcome],
        committed: true,
        position: 1 << 20,
    }
}
