//! Where the story plays: a server on a fresh store, a board, and everybody who takes part.

use std::{collections::BTreeMap, path::PathBuf};

use pawl_proto::v1::{
    CreateBoardRequest, CreatePrincipalRequest, GrantRoleRequest, IssueTokenRequest, Role,
};

use super::{
    DemoError,
    act::{Answer, perform},
    agent::{AgentProcess, Order},
    count,
    names::Names,
    story::{Act, Call, House, Member},
};
use crate::{
    cli::{
        commands::verify::verified,
        credentials::{Credential, CredentialsFile},
        failure::Failure,
        options::Options,
        output::Page,
        session::Session,
        text,
    },
    config::{Config, DEFAULT_LISTEN},
    serve::{self, Running},
};

/// The board.
pub(crate) const BOARD: &str = "demo";
/// Who acts as the operator.
pub(crate) const OPERATOR: &str = "operator";

/// Everything that is there while the story plays.
pub(crate) struct Stage {
    directory: PathBuf,
    options: Options,
    server: Option<Running>,
    agents: BTreeMap<String, AgentProcess>,
    others: BTreeMap<String, Session>,
}

impl Stage {
    /// Starts the server, makes the board and lets the operator in.
    pub(crate) async fn set_up(config: Config, options: &Options) -> Result<Self, DemoError> {
        let directory = config.data.clone();
        let server = serve::start(config).await?;
        let token = std::fs::read_to_string(&server.operator_token).map_err(DemoError::Token)?;
        let options = Options {
            server: format!("http://{}", server.address),
            token: Some(token.trim().to_owned()),
            principal: None,
            board: Some(BOARD.to_owned()),
            ..options.clone()
        };
        let operator = Session::new(options.clone());
        let board = CreateBoardRequest {
            board: BOARD.to_owned(),
            policy: None,
        };
        let mut boards = operator.boards().await?;
        boards.create_board(board).await.map_err(Failure::from)?;
        Ok(Self {
            directory,
            options,
            server: Some(server),
            agents: BTreeMap::new(),
            others: [(OPERATOR.to_owned(), operator)].into(),
        })
    }

    /// Makes a principal with its role and token; an agent gets a process of its own. Its number is returned.
    pub(crate) async fn let_in(&mut self, member: &Member) -> Result<Option<u32>, DemoError> {
        let name = member.name.clone();
        let token = self.introduce(member).await?;
        if member.role != Role::Agent.as_str_name() {
            let options = Options {
                token: Some(token),
                ..self.options.clone()
            };
            self.others.insert(name, Session::new(options));
            return Ok(None);
        }
        let variables = BTreeMap::from([
            ("PAWL_SERVER", self.options.server.clone()),
            ("PAWL_BOARD", BOARD.to_owned()),
            ("PAWL_TOKEN", token),
        ]);
        let agent = AgentProcess::start(&name, &variables)?;
        let process = agent.process();
        self.agents.insert(name, agent);
        Ok(process)
    }

    /// Lets somebody act.
    pub(crate) async fn act(
        &mut self,
        who: &str,
        act: &Act,
        names: &Names,
        page: Page,
    ) -> Result<Answer, DemoError> {
        match act {
            Act::House(house) => self.house(*house).await,
            Act::Call(call) => self.call(who, call, names, page).await,
        }
    }

    async fn call(
        &mut self,
        who: &str,
        call: &Call,
        names: &Names,
        page: Page,
    ) -> Result<Answer, DemoError> {
        if let Some(agent) = self.agents.get_mut(who) {
            let order = Order {
                call: call.clone(),
                names: names.clone(),
                width: page.table_width(),
            };
            return agent.ask(&order).await;
        }
        let session = self.others.get(who);
        let session = session.ok_or_else(|| DemoError::Nobody(who.to_owned()))?;
        Ok(perform(call, names, session, page).await)
    }

    async fn house(&mut self, house: House) -> Result<Answer, DemoError> {
        match house {
            House::Count => {
                let server = self.server.as_ref().ok_or(DemoError::Stopped)?;
                count::count(&server.app, BOARD).await
            }
            House::Stop => {
                self.take_down().await?;
                Ok(Answer {
                    value: serde_json::json!({"stopped": true}),
                    text: String::new(),
                })
            }
            House::Verify => {
                let report = verified(&self.directory.join("store"))?;
                Ok(Answer {
                    value: serde_json::to_value(&report)?,
                    text: text::harmless(&format!("{report}\n")),
                })
            }
        }
    }

    /// Ends the agents, then the server.
    pub(crate) async fn take_down(&mut self) -> Result<(), DemoError> {
        for (_, agent) in std::mem::take(&mut self.agents) {
            agent.end().await?;
        }
        self.others.clear();
        if let Some(server) = self.server.take() {
            server.stop();
            server.stopped().await?;
        }
        Ok(())
    }

    /// Makes a principal over the API; its token is kept for later calls from the command line.
    async fn introduce(&self, member: &Member) -> Result<String, DemoError> {
        let role = Role::from_str_name(&member.role);
        let role = role.ok_or_else(|| DemoError::Role(member.role.clone()))?;
        let operator = self.others.get(OPERATOR).ok_or(DemoError::Stopped)?;
        let issued = async {
            let mut identities = operator.identities().await?;
            let principal = CreatePrincipalRequest {
                principal: member.name.clone(),
                description: member.description.clone(),
                server_operator: false,
            };
            identities.create_principal(principal).await?;
            let grant = GrantRoleRequest {
                board: BOARD.to_owned(),
                principal: member.name.clone(),
                role: role.into(),
            };
            operator.boards().await?.grant_role(grant).await?;
            let token = IssueTokenRequest {
                principal: member.name.clone(),
                lifetime: None,
            };
            let issued = identities.issue_token(token).await?.into_inner();
            let credential = Credential {
                id: issued.token.unwrap_or_default().token,
                token: issued.secret.clone(),
            };
            let file = CredentialsFile::in_directory(self.directory.clone());
            file.keep(
                &format!("http://{DEFAULT_LISTEN}"),
                &member.name,
                credential,
            )?;
            Ok(issued.secret)
        };
        let issued: Result<String, Failure> = issued.await;
        Ok(issued?)
    }
}
