//! A server on a free port, and clients that say who they are.

use std::sync::Arc;

use pawl_ledger::store::{MemoryStore, Store};
use pawl_proto::v1::{
    self as proto, assertion_service_client::AssertionServiceClient,
    board_service_client::BoardServiceClient, identity_service_client::IdentityServiceClient,
    log_service_client::LogServiceClient, server_service_client::ServerServiceClient,
    source_service_client::SourceServiceClient, upkeep_service_client::UpkeepServiceClient,
    upload_source_request::Part,
};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use tokio_stream::iter;
use tonic::{
    Request, Status,
    metadata::AsciiMetadataValue,
    service::{Interceptor, interceptor::InterceptedService},
    transport::Channel,
};
use tonic_types::StatusExt;

use crate::{
    config::Config,
    serve::{Running, start_on},
};

/// A server with what it stands on.
pub(crate) struct Server {
    pub(crate) running: Running,
    pub(crate) channel: Channel,
    pub(crate) store: MemoryStore,
    pub(crate) directory: TempDir,
}

impl Server {
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    pub(crate) async fn start_with(change: impl FnOnce(&mut Config)) -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self::start_on(MemoryStore::new(), directory, change).await
    }

    /// Starts a server on a store and a directory that were used before.
    pub(crate) async fn start_on(
        store: MemoryStore,
        directory: TempDir,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        let mut config = Config::local(directory.path().to_path_buf());
        change(&mut config);
        let shared: Arc<dyn Store> = Arc::new(store.clone());
        let running = start_on(shared, config).await.unwrap();
        let address = format!("http://{}", running.address);
        let channel = Channel::from_shared(address).unwrap().connect_lazy();
        Self {
            running,
            channel,
            store,
            directory,
        }
    }

    /// Stops it in an orderly way and starts it again on what it left.
    pub(crate) async fn restart(self) -> Self {
        drop(self.channel);
        self.running.stop();
        self.running.stopped().await.unwrap();
        Self::start_on(self.store, self.directory, |_| {}).await
    }

    /// The first operator.
    pub(crate) fn operator(&self) -> Client {
        let secret = std::fs::read_to_string(&self.running.operator_token).unwrap();
        self.client(secret.trim())
    }

    /// Whoever holds a secret.
    pub(crate) fn client(&self, secret: &str) -> Client {
        Client::new(self.channel.clone(), &format!("Bearer {secret}"))
    }

    /// Somebody whose calls carry this as `authorization`.
    pub(crate) fn client_with(&self, authorization: &str) -> Client {
        Client::new(self.channel.clone(), authorization)
    }

    /// Makes a principal and logs it in.
    pub(crate) async fn principal(&self, name: &str) -> Client {
        let mut operator = self.operator();
        let create = proto::CreatePrincipalRequest {
            principal: name.into(),
            ..Default::default()
        };
        operator.identity.create_principal(create).await.unwrap();
        let issue = proto::IssueTokenRequest {
            principal: name.into(),
            lifetime: None,
        };
        let issued = operator.identity.issue_token(issue).await.unwrap();
        self.client(&issued.into_inner().secret)
    }

    /// Makes a board whose operator is the first operator.
    pub(crate) async fn board(&self, name: &str) {
        let create = proto::CreateBoardRequest {
            board: name.into(),
            policy: None,
        };
        self.operator().board.create_board(create).await.unwrap();
    }

    /// Makes a principal with a role on a board.
    pub(crate) async fn member(&self, name: &str, board: &str, role: proto::Role) -> Client {
        let client = self.principal(name).await;
        let grant = proto::GrantRoleRequest {
            board: board.into(),
            principal: name.into(),
            role: role.into(),
        };
        self.operator().board.grant_role(grant).await.unwrap();
        client
    }
}

type Service = InterceptedService<Channel, Bearer>;

/// One client of each service.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) assertion: AssertionServiceClient<Service>,
    pub(crate) board: BoardServiceClient<Service>,
    pub(crate) identity: IdentityServiceClient<Service>,
    pub(crate) source: SourceServiceClient<Service>,
    pub(crate) log: LogServiceClient<Service>,
    pub(crate) upkeep: UpkeepServiceClient<Service>,
    pub(crate) server: ServerServiceClient<Service>,
}

impl Client {
    pub(crate) fn new(channel: Channel, authorization: &str) -> Self {
        let service = InterceptedService::new(channel, Bearer(authorization.parse().ok()));
        Self {
            assertion: AssertionServiceClient::new(service.clone()),
            board: BoardServiceClient::new(service.clone()),
            identity: IdentityServiceClient::new(service.clone()),
            source: SourceServiceClient::new(service.clone()),
            server: ServerServiceClient::new(service.clone()),
            log: LogServiceClient::new(service.clone()),
            upkeep: UpkeepServiceClient::new(service),
        }
    }

    /// Uploads a document whole.
    pub(crate) async fn upload(
        &mut self,
        header: proto::SourceHeader,
        bytes: &[u8],
    ) -> Result<proto::Source, Status> {
        let mut parts = vec![Part::Header(header)];
        parts.extend(
            bytes
                .chunks(1 << 20)
                .map(|chunk| Part::Chunk(chunk.to_vec())),
        );
        self.send(parts).await
    }

    /// Sends the parts of an upload, and the end.
    pub(crate) async fn send(&mut self, mut parts: Vec<Part>) -> Result<proto::Source, Status> {
        parts.push(Part::End(proto::SourceEnd {}));
        self.send_unfinished(parts).await
    }

    /// Sends the parts of an upload.
    pub(crate) async fn send_unfinished(
        &mut self,
        parts: Vec<Part>,
    ) -> Result<proto::Source, Status> {
        let requests = parts.into_iter().map(part);
        let answer = self
            .source
            .upload_source(iter(requests.collect::<Vec<_>>()));
        answer.await.map(tonic::Response::into_inner)
    }
}

pub(crate) fn part(part: Part) -> proto::UploadSourceRequest {
    proto::UploadSourceRequest { part: Some(part) }
}

/// The header of a text for a board.
pub(crate) fn text(board: &str) -> proto::SourceHeader {
    proto::SourceHeader {
        board: board.into(),
        media_type: "text/plain".into(),
        ..Default::default()
    }
}

/// Speaks HTTP/1 by hand, as a browser would; the headers end with a line feed each.
pub(crate) async fn page(server: &Server, path: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(server.running.address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nconnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

/// Sends a header with every call; none where the text is empty.
#[derive(Clone)]
pub(crate) struct Bearer(Option<AsciiMetadataValue>);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(value) = self.0.clone().filter(|value| !value.is_empty()) {
            request.metadata_mut().insert("authorization", value);
        }
        Ok(request)
    }
}

/// The reason of an error.
#[track_caller]
pub(crate) fn reason<T: std::fmt::Debug>(answer: Result<T, Status>) -> String {
    let status = answer.expect_err("an error");
    let details = status.get_error_details();
    let info = details
        .error_info()
        .unwrap_or_else(|| panic!("no reason in {status:?}"));
    assert_eq!(info.domain, "pawl");
    info.reason.clone()
}

/// A value of an error's metadata.
#[track_caller]
pub(crate) fn metadata(status: &Status, key: &str) -> String {
    let details = status.get_error_details();
    let info = details
        .error_info()
        .unwrap_or_else(|| panic!("no reason in {status:?}"));
    info.metadata
        .get(key)
        .cloned()
        .unwrap_or_else(|| panic!("no `{key}` in {info:?}"))
}
