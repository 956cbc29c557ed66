//! What the tests build their stories from: a server, a board with people on it, facts with sources.
//!
//! Most tests share one server with the sentence model and work on a board of their own; tests that
//! stop a server, or need settings of their own, start another.

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
use pawl_proto::v1::{
    self as proto, Citation, Claim, Draft, Outcome, Role, SubmitRequest, SubmitResponse, Verdict,
    assertion_service_client::AssertionServiceClient, backup_service_client::BackupServiceClient,
    board_service_client::BoardServiceClient, conflict_service_client::ConflictServiceClient,
    identity_service_client::IdentityServiceClient, log_service_client::LogServiceClient,
    seal_service_client::SealServiceClient, server_service_client::ServerServiceClient,
    source_service_client::SourceServiceClient, table_service_client::TableServiceClient,
    upkeep_service_client::UpkeepServiceClient,
};
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
use tonic_types::StatusExt;

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

impl Client {
    fn bearer(&self) -> Bearer {
        Bearer(format!("Bearer {}", self.token).parse().unwrap())
    }

    pub(crate) fn carried(&self) -> Carried {
        InterceptedService::new(self.channel.clone(), self.bearer())
    }

    pub(crate) fn assertions(&self) -> AssertionServiceClient<Carried> {
        AssertionServiceClient::new(self.carried())
    }

    pub(crate) fn backups(&self) -> BackupServiceClient<Carried> {
        BackupServiceClient::new(self.carried())
    }

    pub(crate) fn boards(&self) -> BoardServiceClient<Carried> {
        BoardServiceClient::new(self.carried())
    }

    pub(crate) fn conflicts(&self) -> ConflictServiceClient<Carried> {
        ConflictServiceClient::new(self.carried())
    }

    pub(crate) fn identity(&self) -> IdentityServiceClient<Carried> {
        IdentityServiceClient::new(self.carried())
    }

    pub(crate) fn servers(&self) -> ServerServiceClient<Carried> {
        ServerServiceClient::new(self.carried())
    }

    pub(crate) fn logs(&self) -> LogServiceClient<Carried> {
        LogServiceClient::new(self.carried())
    }

    pub(crate) fn seals(&self) -> SealServiceClient<Carried> {
        SealServiceClient::new(self.carried())
    }

    pub(crate) fn tables(&self) -> TableServiceClient<Carried> {
        TableServiceClient::new(self.carried())
    }

    pub(crate) fn sources(&self) -> SourceServiceClient<Carried> {
        SourceServiceClient::new(self.carried())
    }

    pub(crate) fn upkeep(&self) -> UpkeepServiceClient<Carried> {
        UpkeepServiceClient::new(self.carried())
    }

    /// Makes a principal whose name nobody else has, with a token and roles on the board.
    async fn principal(&self, server: &Server, name: &str, roles: &[Role]) -> Client {
        let name = format!("{name}-{}", self.board);
        let principal = || name.clone();
        let create = proto::CreatePrincipalRequest {
            principal: principal(),
            ..Default::default()
        };
        self.identity().create_principal(create).await.unwrap();
        let issue = proto::IssueTokenRequest {
            principal: principal(),
            lifetime: None,
        };
        let issued = self.identity().issue_token(issue).await.unwrap();
        for role in roles {
            self.grant(&name, *role).await;
        }
        server.client(&name, &issued.into_inner().secret, &self.board)
    }

    pub(crate) async fn grant(&self, principal: &str, role: Role) {
        let grant = proto::GrantRoleRequest {
            board: self.board.clone(),
            principal: principal.to_owned(),
            role: role.into(),
        };
        self.boards().grant_role(grant).await.unwrap();
    }

    /// A module without conditions besides validation and confidence.
    pub(crate) async fn declare_module(&self, module: &str) {
        self.declare(proto::DeclareModuleRequest {
            module: module.to_owned(),
            ..Default::default()
        })
        .await
        .unwrap();
    }

    pub(crate) async fn declare(
        &self,
        request: proto::DeclareModuleRequest,
    ) -> Result<proto::Module, Status> {
        let request = proto::DeclareModuleRequest {
            board: self.board.clone(),
            ..request
        };
        Ok(self.boards().declare_module(request).await?.into_inner())
    }

    pub(crate) async fn declare_decimal(&self, attribute: &str, unit: &str) {
        let declare = proto::DeclareAttributeRequest {
            attribute: attribute.to_owned(),
            r#type: proto::ValueType::Decimal.into(),
            unit: unit.to_owned(),
            ..Default::default()
        };
        self.declare_attribute(declare).await.unwrap();
    }

    pub(crate) async fn declare_attribute(
        &self,
        request: proto::DeclareAttributeRequest,
    ) -> Result<proto::Attribute, Status> {
        let request = proto::DeclareAttributeRequest {
            board: self.board.clone(),
            ..request
        };
        Ok(self.boards().declare_attribute(request).await?.into_inner())
    }

    pub(crate) async fn board_record(&self) -> proto::Board {
        let board = self.board.clone();
        let get = proto::GetBoardRequest { board, as_of: None };
        self.boards().get_board(get).await.unwrap().into_inner()
    }

    /// Uploads a document in one go; gives its digest.
    pub(crate) async fn upload(&self, media_type: &str, bytes: &[u8]) -> String {
        let header = proto::SourceHeader {
            media_type: media_type.to_owned(),
            ..Default::default()
        };
        let source = self.upload_as(header, bytes).await.unwrap();
        source.name.rsplit('/').next().unwrap().to_owned()
    }

    pub(crate) async fn upload_as(
        &self,
        header: proto::SourceHeader,
        bytes: &[u8],
    ) -> Result<proto::Source, Status> {
        use proto::upload_source_request::Part;
        let header = proto::SourceHeader {
            board: self.board.clone(),
            ..header
        };
        let chunks = bytes.chunks(1 << 20).map(|chunk| Part::Chunk(chunk.into()));
        let parts: Vec<_> = std::iter::once(Part::Header(header))
            .chain(chunks)
            .chain([Part::End(proto::SourceEnd {})])
            .map(|part| proto::UploadSourceRequest { part: Some(part) })
            .collect();
        let uploaded = self
            .sources()
            .upload_source(tokio_stream::iter(parts))
            .await?;
        Ok(uploaded.into_inner())
    }

    /// A statement whose source, uploaded for it, says just that.
    pub(crate) async fn draft(&self, content: &str) -> Draft {
        static SOURCES: AtomicU32 = AtomicU32::new(1);
        let number = SOURCES.fetch_add(1, Ordering::Relaxed);
        let text = format!("Report {number}.\n\n{content}\n");
        let source = self.upload("text/plain", text.as_bytes()).await;
        cited(content, cite(&source, content))
    }

    pub(crate) async fn submit(&self, items: Vec<Draft>) -> Result<SubmitResponse, Status> {
        self.submit_with(SubmitRequest {
            items,
            ..Default::default()
        })
        .await
    }

    pub(crate) async fn submit_with(
        &self,
        request: SubmitRequest,
    ) -> Result<SubmitResponse, Status> {
        let request = SubmitRequest {
            board: self.board.clone(),
            ..request
        };
        Ok(self.assertions().submit(request).await?.into_inner())
    }

    pub(crate) async fn submit_one(&self, draft: Draft) -> Outcome {
        let answer = self.submit(vec![draft]).await.unwrap();
        answer.outcomes.into_iter().next().unwrap()
    }

    /// Submits a statement with a source of its own.
    pub(crate) async fn say(&self, content: &str) -> Outcome {
        self.submit_one(self.draft(content).await).await
    }

    pub(crate) async fn check(&self, items: Vec<Draft>) -> Result<SubmitResponse, Status> {
        let request = proto::CheckRequest {
            board: self.board.clone(),
            items,
            base: None,
        };
        Ok(self.assertions().check(request).await?.into_inner())
    }

    pub(crate) async fn assertion(&self, id: &str) -> proto::Assertion {
        self.try_assertion(id).await.unwrap()
    }

    pub(crate) async fn try_assertion(&self, id: &str) -> Result<proto::Assertion, Status> {
        let get = proto::GetAssertionRequest {
            board: self.board.clone(),
            assertion: id.to_owned(),
            as_of: None,
        };
        Ok(self.assertions().get_assertion(get).await?.into_inner())
    }

    pub(crate) async fn status(&self, id: &str) -> proto::Status {
        self.assertion(id).await.status()
    }

    pub(crate) async fn validate(
        &self,
        id: &str,
        evidence: Vec<Citation>,
    ) -> Result<proto::Assertion, Status> {
        let validate = proto::ValidateRequest {
            board: self.board.clone(),
            assertion: id.to_owned(),
            evidence,
            ..Default::default()
        };
        Ok(self.assertions().validate(validate).await?.into_inner())
    }

    /// Validates with the first quote its author gave.
    pub(crate) async fn validate_as_cited(&self, id: &str) {
        let citations = self.assertion(id).await.draft.unwrap().citations;
        let citation = Citation {
            check: 0,
            ..citations[0].clone()
        };
        self.validate(id, vec![citation]).await.unwrap();
    }

    pub(crate) async fn retract(&self, id: &str) -> Result<proto::Assertion, Status> {
        let retract = proto::RetractRequest {
            board: self.board.clone(),
            assertion: id.to_owned(),
            reason: "misread".to_owned(),
            ..Default::default()
        };
        Ok(self.assertions().retract(retract).await?.into_inner())
    }

    pub(crate) async fn reaffirm(
        &self,
        id: &str,
        supports: &[&str],
    ) -> Result<proto::Assertion, Status> {
        let reaffirm = proto::ReaffirmRequest {
            board: self.board.clone(),
            assertion: id.to_owned(),
            supports: supports.iter().map(ToString::to_string).collect(),
            reason: "it still holds".to_owned(),
            ..Default::default()
        };
        Ok(self.assertions().reaffirm(reaffirm).await?.into_inner())
    }

    pub(crate) async fn flag(
        &self,
        id: &str,
        citations: Vec<Citation>,
    ) -> Result<proto::FlagRecord, Status> {
        let flag = proto::FlagRequest {
            board: self.board.clone(),
            assertion: id.to_owned(),
            reason: "a later report says otherwise".to_owned(),
            citations,
            ..Default::default()
        };
        Ok(self.assertions().flag(flag).await?.into_inner())
    }

    pub(crate) async fn seal(&self, module: &str) -> Result<proto::SnapshotRecord, Status> {
        self.seal_as(module, proto::SealMode::Hard).await
    }

    pub(crate) async fn seal_as(
        &self,
        module: &str,
        mode: proto::SealMode,
    ) -> Result<proto::SnapshotRecord, Status> {
        self.seal_with(proto::SealRequest {
            module: module.to_owned(),
            mode: mode.into(),
            ..Default::default()
        })
        .await
    }

    pub(crate) async fn seal_with(
        &self,
        request: proto::SealRequest,
    ) -> Result<proto::SnapshotRecord, Status> {
        let request = proto::SealRequest {
            board: self.board.clone(),
            ..request
        };
        Ok(self.seals().seal(request).await?.into_inner())
    }

    pub(crate) async fn amend(
        &self,
        id: &str,
        draft: Draft,
    ) -> Result<proto::AmendResponse, Status> {
        let amend = proto::AmendRequest {
            board: self.board.clone(),
            assertion: id.to_owned(),
            draft: Some(draft),
            reason: "the figure was revised".to_owned(),
            ..Default::default()
        };
        Ok(self.seals().amend(amend).await?.into_inner())
    }

    pub(crate) async fn rollback(
        &self,
        module: &str,
        to: &str,
    ) -> Result<proto::RollbackResponse, Status> {
        let request = proto::RollbackRequest {
            module: module.to_owned(),
            to: to.to_owned(),
            reason: "the amendment was a mistake".to_owned(),
            ..Default::default()
        };
        self.rollback_with(request).await
    }

    pub(crate) async fn rollback_with(
        &self,
        request: proto::RollbackRequest,
    ) -> Result<proto::RollbackResponse, Status> {
        let request = proto::RollbackRequest {
            board: self.board.clone(),
            ..request
        };
        Ok(self.seals().rollback(request).await?.into_inner())
    }

    pub(crate) async fn snapshot(&self, id: &str) -> proto::SnapshotRecord {
        let get = proto::GetSnapshotRequest {
            board: self.board.clone(),
            snapshot: id.rsplit('/').next().unwrap().to_owned(),
        };
        self.seals().get_snapshot(get).await.unwrap().into_inner()
    }

    pub(crate) async fn conflict(&self, id: &str) -> proto::Conflict {
        let get = proto::GetConflictRequest {
            board: self.board.clone(),
            conflict: id.to_owned(),
        };
        self.conflicts()
            .get_conflict(get)
            .await
            .unwrap()
            .into_inner()
    }

    pub(crate) async fn open_conflicts(&self) -> Vec<proto::Conflict> {
        let list = proto::ListConflictsRequest {
            board: self.board.clone(),
            page_size: 1_000,
            ..Default::default()
        };
        let listed = self.conflicts().list_conflicts(list).await.unwrap();
        listed.into_inner().conflicts
    }

    pub(crate) async fn resolve(
        &self,
        conflict: &str,
        winner: &str,
    ) -> Result<proto::Conflict, Status> {
        let resolve = proto::ResolveRequest {
            board: self.board.clone(),
            conflict: conflict.to_owned(),
            winner: winner.to_owned(),
            reason: "the winner cites the final statistics".to_owned(),
            ..Default::default()
        };
        Ok(self.conflicts().resolve(resolve).await?.into_inner())
    }

    pub(crate) async fn dismiss(&self, conflict: &str) -> Result<proto::Conflict, Status> {
        let dismiss = proto::DismissRequest {
            board: self.board.clone(),
            conflict: conflict.to_owned(),
            reason: "they speak of two things".to_owned(),
            ..Default::default()
        };
        Ok(self.conflicts().dismiss(dismiss).await?.into_inner())
    }

    pub(crate) async fn appeal(&self, conflict: &str) -> Result<proto::Conflict, Status> {
        let appeal = proto::AppealRequest {
            board: self.board.clone(),
            conflict: conflict.to_owned(),
            reason: "it is another plant".to_owned(),
            ..Default::default()
        };
        Ok(self.conflicts().appeal(appeal).await?.into_inner())
    }

    pub(crate) async fn brief(&self, request: proto::GetBriefRequest) -> proto::Brief {
        let request = proto::GetBriefRequest {
            board: self.board.clone(),
            ..request
        };
        self.logs().get_brief(request).await.unwrap().into_inner()
    }

    /// Everything that happened on the board.
    pub(crate) async fn history(&self) -> Vec<proto::Record> {
        self.replay(proto::ReplayRequest::default()).await
    }

    pub(crate) async fn replay(&self, request: proto::ReplayRequest) -> Vec<proto::Record> {
        let request = proto::ReplayRequest {
            board: self.board.clone(),
            ..request
        };
        let mut stream = self.logs().replay(request).await.unwrap().into_inner();
        let mut records = Vec::new();
        while let Some(message) = stream.message().await.unwrap() {
            records.extend(message.records);
        }
        records
    }
}

/// A citation of a whole sentence.
pub(crate) fn cite(source: &str, quote: &str) -> Citation {
    Citation {
        source: source.to_owned(),
        quote: quote.to_owned(),
        ..Default::default()
    }
}

/// A statement with one citation.
pub(crate) fn cited(content: &str, citation: Citation) -> Draft {
    Draft {
        module: MODULE.to_owned(),
        content: content.to_owned(),
        citations: vec![citation],
        confidence: Some(0.95),
        ..Default::default()
    }
}

/// An inference that rests on revisions alone.
pub(crate) fn inference(content: &str, supports: &[&str]) -> Draft {
    Draft {
        module: MODULE.to_owned(),
        content: content.to_owned(),
        level: proto::Level::Inference.into(),
        confidence: Some(0.95),
        supports: supports.iter().map(ToString::to_string).collect(),
        ..Default::default()
    }
}

/// The capacity of something in GW, as a claim.
pub(crate) fn capacity(subject: &str, gigawatts: &str) -> Claim {
    Claim {
        subject: subject.to_owned(),
        attribute: "capacity".to_owned(),
        value: Some(proto::claim::Value::Decimal(proto::DecimalValue {
            value: gigawatts.to_owned(),
            unit: "GW".to_owned(),
        })),
        qualifiers: BTreeMap::new(),
    }
}

/// A draft with a claim.
pub(crate) fn claiming(draft: Draft, claim: Claim) -> Draft {
    Draft {
        claim: Some(claim),
        ..draft
    }
}

/// The last part of a resource name.
pub(crate) fn short(name: &str) -> String {
    name.rsplit('/').next().unwrap().to_owned()
}

/// The revision of an outcome that has to be accepted.
pub(crate) fn accepted(outcome: &Outcome) -> String {
    assert_eq!(outcome.verdict(), Verdict::Accepted, "{outcome:#?}");
    short(&outcome.assertion)
}

/// The revision and the first conflict of an outcome that has to be contested.
pub(crate) fn contested(outcome: &Outcome) -> (String, String) {
    assert_eq!(outcome.verdict(), Verdict::Contested, "{outcome:#?}");
    (short(&outcome.assertion), short(&outcome.conflicts[0]))
}

/// The first conflict of an outcome that has to be refused.
pub(crate) fn refused(outcome: &Outcome) -> String {
    assert_eq!(outcome.verdict(), Verdict::Refused, "{outcome:#?}");
    assert_eq!(outcome.assertion, "");
    short(&outcome.conflicts[0])
}

/// The metadata of an item that could not be processed for this reason.
pub(crate) fn item_error(outcome: &Outcome, reason: &str) -> BTreeMap<String, String> {
    let error = outcome.error.as_ref();
    let error = error.unwrap_or_else(|| panic!("no {reason}: {outcome:#?}"));
    assert_eq!(error.reason, reason, "{error:#?}");
    assert_eq!(outcome.verdict(), Verdict::Unspecified);
    assert_eq!(outcome.assertion, "");
    error.metadata.clone()
}

/// The metadata of a status with this reason.
pub(crate) fn denied(status: &Status, reason: &str) -> HashMap<String, String> {
    assert_eq!(reason_of(status), reason, "{status:?}");
    let info = status.get_details_error_info().unwrap();
    assert_eq!(info.domain, "pawl");
    info.metadata
}

/// The reason code in a status.
pub(crate) fn reason_of(status: &Status) -> String {
    status
        .get_details_error_info()
        .map(|info| info.reason)
        .unwrap_or_default()
}
