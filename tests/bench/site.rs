//! A server in this process, on a fresh store, with a board and people who call it over gRPC.

use std::path::PathBuf;

use pawl_ledger::store::Engine;
use pawl_proto::v1::{
    self as proto, Citation, Draft, SubmitRequest, SubmitResponse,
    assertion_service_client::AssertionServiceClient, board_service_client::BoardServiceClient,
    identity_service_client::IdentityServiceClient, source_service_client::SourceServiceClient,
};
use pawl_server::{
    config::{Config, models_directory},
    serve::{Running, start_with},
};
use tempfile::TempDir;
use tonic::{
    Request, Status,
    metadata::{Ascii, MetadataValue},
    service::{Interceptor, interceptor::InterceptedService},
    transport::{Channel, Endpoint},
};

use crate::echo;

pub(crate) const BOARD: &str = "measured";
pub(crate) const MODULE: &str = "facts";

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

/// Somebody with a token and a connection of their own.
#[derive(Clone)]
pub(crate) struct Caller {
    url: String,
    token: String,
    channel: Channel,
}

/// Sends a token along.
#[derive(Clone)]
pub(crate) struct Bearer(MetadataValue<Ascii>);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        let headers = request.metadata_mut();
        headers.insert("authorization", self.0.clone());
        Ok(request)
    }
}

type Carried = InterceptedService<Channel, Bearer>;

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
        let mut boards = BoardServiceClient::new(site.operator.carried());
        let create = proto::CreateBoardRequest {
            board: BOARD.into(),
            policy: None,
        };
        boards.create_board(create).await.unwrap();
        let declare = proto::DeclareModuleRequest {
            board: BOARD.into(),
            module: MODULE.into(),
            ..Default::default()
        };
        boards.declare_module(declare).await.unwrap();
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
        let operator = &self.operator;
        let mut identities = IdentityServiceClient::new(operator.carried());
        let create = proto::CreatePrincipalRequest {
            principal: name.into(),
            ..Default::default()
        };
        identities.create_principal(create).await.unwrap();
        let issue = proto::IssueTokenRequest {
            principal: name.into(),
            ..Default::default()
        };
        let issued = identities.issue_token(issue).await.unwrap().into_inner();
        let grant = proto::GrantRoleRequest {
            board: BOARD.into(),
            principal: name.into(),
            role: proto::Role::Agent.into(),
        };
        let mut boards = BoardServiceClient::new(operator.carried());
        boards.grant_role(grant).await.unwrap();
        Caller::new(&operator.url, &issued.secret)
    }

    /// Stops it and keeps its directory.
    pub(crate) async fn stop(self) -> TempDir {
        self.running.stop();
        self.running.stopped().await.unwrap();
        self.directory
    }
}

impl Caller {
    pub(crate) fn new(url: &str, token: &str) -> Self {
        let endpoint = Endpoint::from_shared(url.to_owned()).unwrap();
        Self {
            url: url.to_owned(),
            token: token.to_owned(),
            channel: endpoint.connect_lazy(),
        }
    }

    pub(crate) fn carried(&self) -> Carried {
        let bearer = Bearer(format!("Bearer {}", self.token).parse().unwrap());
        InterceptedService::new(self.channel.clone(), bearer)
    }

    pub(crate) fn assertions(&self) -> AssertionServiceClient<Carried> {
        AssertionServiceClient::new(self.carried()).max_decoding_message_size(64 << 20)
    }

    /// Uploads a text and gives its digest.
    pub(crate) async fn upload(&self, text: String) -> String {
        use proto::upload_source_request::Part;
        let part = |part| proto::UploadSourceRequest { part: Some(part) };
        let header = proto::SourceHeader {
            board: BOARD.into(),
            media_type: "text/plain".into(),
            ..Default::default()
        };
        let sent = tokio_stream::iter([
            part(Part::Header(header)),
            part(Part::Chunk(text.into_bytes().into())),
            part(Part::End(proto::SourceEnd::default())),
        ]);
        let mut sources = SourceServiceClient::new(self.carried());
        let source = sources.upload_source(sent).await.unwrap().into_inner();
        let name = source.name;
        name.rsplit('/').next().unwrap().to_owned()
    }

    /// Submits drafts and gives the answer.
    pub(crate) async fn submit(&self, items: Vec<Draft>) -> SubmitResponse {
        let request = submission(items);
        self.assertions()
            .submit(request)
            .await
            .unwrap()
            .into_inner()
    }

    /// Calls the echo.
    pub(crate) async fn echo(&self, request: SubmitRequest) -> SubmitResponse {
        let mut grpc = tonic::client::Grpc::new(self.carried());
        grpc.ready().await.unwrap();
        let codec = tonic_prost::ProstCodec::default();
        let path = echo::PATH.parse().unwrap();
        let answer = grpc.unary(Request::new(request), path, codec).await;
        answer.unwrap().into_inner()
    }
}

/// A request as agents make them.
pub(crate) fn submission(items: Vec<Draft>) -> SubmitRequest {
    SubmitRequest {
        board: BOARD.into(),
        items,
        ..Default::default()
    }
}

/// A fact with its quote.
pub(crate) fn draft(content: &str, source: &str) -> Draft {
    Draft {
        module: MODULE.into(),
        content: content.to_owned(),
        confidence: Some(0.95),
        citations: vec![Citation {
            source: source.to_owned(),
            quote: content.to_owned(),
            ..Default::default()
        }],
        ..Default::default()
    }
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
