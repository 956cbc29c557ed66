//! Somebody who calls a server over gRPC, and what agents send.

use pawl_proto::v1::{
    self as proto, Citation, Draft, SubmitRequest, SubmitResponse,
    assertion_service_client::AssertionServiceClient, board_service_client::BoardServiceClient,
    identity_service_client::IdentityServiceClient, source_service_client::SourceServiceClient,
};
use tonic::{
    Request, Status,
    metadata::{Ascii, MetadataValue},
    service::{Interceptor, interceptor::InterceptedService},
    transport::{Channel, Endpoint},
};

pub(crate) const BOARD: &str = "measured";
pub(crate) const MODULE: &str = "facts";

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

impl Caller {
    pub(crate) fn new(url: &str, token: &str) -> Self {
        let endpoint = Endpoint::from_shared(url.to_owned()).unwrap();
        Self {
            url: url.to_owned(),
            token: token.to_owned(),
            channel: endpoint.connect_lazy(),
        }
    }

    /// The same somebody over another connection.
    pub(crate) fn again(&self) -> Self {
        Self::new(&self.url, &self.token)
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    pub(crate) fn carried(&self) -> Carried {
        let bearer = Bearer(format!("Bearer {}", self.token).parse().unwrap());
        InterceptedService::new(self.channel.clone(), bearer)
    }

    pub(crate) fn assertions(&self) -> AssertionServiceClient<Carried> {
        AssertionServiceClient::new(self.carried()).max_decoding_message_size(64 << 20)
    }

    /// Makes the board and its module.
    pub(crate) async fn make_board(&self) {
        let mut boards = BoardServiceClient::new(self.carried());
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
    }

    /// Makes somebody with a role on the board.
    pub(crate) async fn somebody(&self, name: &str, role: proto::Role) -> Self {
        let mut identities = IdentityServiceClient::new(self.carried());
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
            role: role.into(),
        };
        let mut boards = BoardServiceClient::new(self.carried());
        boards.grant_role(grant).await.unwrap();
        Self::new(&self.url, &issued.secret)
    }

    /// Uploads a text and gives its digest.
    pub(crate) async fn upload(&self, text: String) -> String {
        self.try_upload(text).await.unwrap()
    }

    /// Uploads a text; gives its digest, or why it was not taken.
    pub(crate) async fn try_upload(&self, text: String) -> Result<String, Status> {
        use proto::upload_source_request::Part;
        let part = |part| proto::UploadSourceRequest { part: Some(part) };
        let header = proto::SourceHeader {
            board: BOARD.into(),
            media_type: "text/plain".into(),
            ..Default::default()
        };
        let sent = tokio_stream::iter([
            part(Part::Header(header)),
            part(Part::Chunk(text.into_bytes())),
            part(Part::End(proto::SourceEnd::default())),
        ]);
        let mut sources = SourceServiceClient::new(self.carried());
        let source = sources.upload_source(sent).await?.into_inner();
        let name = source.name;
        Ok(name.rsplit('/').next().unwrap().to_owned())
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
