//! Comparing every pair of standing facts finds what got in while the board was less strict.

#![allow(clippy::indexing_slicing, reason = "tests")]

use std::sync::Arc;

use pawl_proto::v1::{
    BoardPolicy, Citation, CreateBoardRequest, CreatePrincipalRequest, DeclareModuleRequest, Draft,
    GrantRoleRequest, IssueTokenRequest, RegisterSourceRequest, Role, SetPolicyRequest,
    SubmitRequest, Verdict, assertion_service_client::AssertionServiceClient,
    board_service_client::BoardServiceClient, identity_service_client::IdentityServiceClient,
    source_service_client::SourceServiceClient,
};
use pawl_server::{
    app::pairs::Pairs,
    config::Config,
    serve::{self, Running},
};
use tonic::{Request, transport::Channel};

const DIGEST: &str = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";

struct Served {
    _directory: tempfile::TempDir,
    server: Running,
    channel: Channel,
    operator: String,
    agent: String,
}

fn asked<T>(message: T, token: &str) -> Request<T> {
    let mut request = Request::new(message);
    let bearer = format!("Bearer {token}").parse().expect("can be sent");
    request.metadata_mut().insert("authorization", bearer);
    request
}

/// A board that lets scored contradictions in: nothing reaches its threshold.
async fn lenient_board() -> Served {
    let directory = tempfile::tempdir().expect("a directory");
    let config = Config::local(directory.path().to_owned());
    let server = serve::start(config).await.expect("it starts");
    let token = std::fs::read_to_string(&server.operator_token).expect("a token");
    let operator = token.trim().to_owned();
    let address = format!("http://{}", server.address);
    let channel = Channel::from_shared(address).expect("an address");
    let channel = channel.connect().await.expect("a connection");

    let mut boards = BoardServiceClient::new(channel.clone());
    let mut identities = IdentityServiceClient::new(channel.clone());
    let board = "pairs".to_owned();
    let create = CreateBoardRequest {
        board: board.clone(),
        policy: Some(policy(10_000)),
    };
    boards
        .create_board(asked(create, &operator))
        .await
        .expect("made");
    let module = DeclareModuleRequest {
        board: board.clone(),
        module: "facts".to_owned(),
        ..DeclareModuleRequest::default()
    };
    boards
        .declare_module(asked(module, &operator))
        .await
        .expect("declared");
    let principal = CreatePrincipalRequest {
        principal: "ana".to_owned(),
        ..CreatePrincipalRequest::default()
    };
    identities
        .create_principal(asked(principal, &operator))
        .await
        .expect("made");
    let grant = GrantRoleRequest {
        board: board.clone(),
        principal: "ana".to_owned(),
        role: Role::Agent.into(),
    };
    boards
        .grant_role(asked(grant, &operator))
        .await
        .expect("granted");
    let issue = IssueTokenRequest {
        principal: "ana".to_owned(),
        lifetime: None,
    };
    let issued = identities
        .issue_token(asked(issue, &operator))
        .await
        .expect("issued");
    let agent = issued.into_inner().secret;
    let source = RegisterSourceRequest {
        board,
        uri: "https://example.org/report".to_owned(),
        digest: DIGEST.to_owned(),
        media_type: "text/plain".to_owned(),
        title: String::new(),
        date: String::new(),
    };
    let mut sources = SourceServiceClient::new(channel.clone());
    sources
        .register_source(asked(source, &agent))
        .await
        .expect("registered");
    Served {
        _directory: directory,
        server,
        channel,
        operator,
        agent,
    }
}

fn policy(conflict_threshold: u32) -> BoardPolicy {
    BoardPolicy {
        conflict_threshold,
        note_threshold: 3_500,
    }
}

impl Served {
    async fn submit(&self, content: &str) {
        let draft = Draft {
            module: "facts".to_owned(),
            content: content.to_owned(),
            confidence: Some(0.9),
            citations: vec![Citation {
                source: DIGEST.to_owned(),
                quote: content.to_owned(),
                ..Citation::default()
            }],
            ..Draft::default()
        };
        let request = SubmitRequest {
            board: "pairs".to_owned(),
            items: vec![draft],
            ..SubmitRequest::default()
        };
        let mut assertions = AssertionServiceClient::new(self.channel.clone());
        let answer = assertions.submit(asked(request, &self.agent)).await;
        let outcomes = answer.expect("answered").into_inner().outcomes;
        assert_eq!(outcomes[0].verdict(), Verdict::Accepted, "{outcomes:?}");
    }

    async fn set_threshold(&self, conflict_threshold: u32) {
        let request = SetPolicyRequest {
            board: "pairs".to_owned(),
            policy: Some(policy(conflict_threshold)),
        };
        let mut boards = BoardServiceClient::new(self.channel.clone());
        boards
            .set_policy(asked(request, &self.operator))
            .await
            .expect("set");
    }

    async fn pairs(&self) -> Pairs {
        let app = Arc::clone(&self.server.app);
        let name = "pairs".parse().expect("a name");
        app.compare_all(&name).await.expect("compared")
    }
}

#[tokio::test]
async fn what_got_in_is_found() {
    let served = lenient_board().await;
    served
        .submit("House prices in the north rose last year.")
        .await;
    served.submit("The old harbour has nine cranes.").await;
    served
        .submit("House prices in the north fell last year.")
        .await;

    let pairs = served.pairs().await;
    assert_eq!((pairs.standing, pairs.compared), (3, 3));
    assert_eq!(pairs.contradictions, [], "nothing reaches the threshold");

    served.set_threshold(6_000).await;
    let found: Vec<_> = served
        .pairs()
        .await
        .contradictions
        .iter()
        .map(|(new, old)| (new.to_string(), old.to_string()))
        .collect();
    assert_eq!(found, [("a3@1".to_owned(), "a1@1".to_owned())]);
}
