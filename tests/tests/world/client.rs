//! Somebody who calls: makes principals, declares, uploads and submits.

use std::sync::atomic::{AtomicU32, Ordering};

use pawl_proto::v1::{
    self as proto, Draft, Outcome, Role, SubmitRequest, SubmitResponse,
    assertion_service_client::AssertionServiceClient, backup_service_client::BackupServiceClient,
    board_service_client::BoardServiceClient, conflict_service_client::ConflictServiceClient,
    identity_service_client::IdentityServiceClient, log_service_client::LogServiceClient,
    seal_service_client::SealServiceClient, server_service_client::ServerServiceClient,
    source_service_client::SourceServiceClient, table_service_client::TableServiceClient,
    upkeep_service_client::UpkeepServiceClient,
};
use tonic::{Status, service::interceptor::InterceptedService};

use super::{Bearer, Carried, Client, Server, cite, cited};

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
    pub(super) async fn principal(&self, server: &Server, name: &str, roles: &[Role]) -> Client {
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
}
