//! `pawl principal`

use clap::{Args, Subcommand};
use pawl_proto::v1::{
    self, CreatePrincipalRequest, GrantRoleRequest, ListPrincipalsRequest, Principal,
};

use super::{token, words::Role};
use crate::cli::{
    credentials::CredentialsFile, exit_code::Answer, failure::Failure, json, options::Span, render,
    session::Session, text, tone::Tone,
};

/// Adds who acts.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Makes a principal with its roles and a token, and keeps the token in the credentials file.
    Add(Add),
    /// Lists principals.
    List,
}

/// Makes a principal.
#[derive(Args, Debug)]
pub(crate) struct Add {
    /// The principal: 1–63 of `a–z 0–9 - _ .`, a letter first.
    name: String,
    /// For people.
    #[arg(long, default_value = "", hide_default_value = true)]
    description: String,
    /// A role on the board of --board, or on another as `ROLE@BOARD`; may be repeated.
    #[arg(long = "role", value_name = "ROLE[@BOARD]")]
    roles: Vec<RoleOn>,
    /// May create boards, principals and tokens, and give roles on every board
    #[arg(long)]
    server_operator: bool,
    /// How long its token is good, such as `12h` or `30d`; 90 days unless given.
    #[arg(long, value_name = "TIME")]
    lifetime: Option<Span>,
}

/// A role, and the board it is on where that is said.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RoleOn {
    role: Role,
    board: Option<String>,
}

/// Why a role could not be read.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{0}` is no role: write reader, agent, verifier, arbiter, auditor or operator, with `@BOARD` where it is on another board"
)]
struct RoleError(String);

impl std::str::FromStr for RoleOn {
    type Err = RoleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refuse = || RoleError(text.to_owned());
        let (role, board) = match text.split_once('@') {
            Some((_, "")) => return Err(refuse()),
            Some((role, board)) => (role, Some(board.to_owned())),
            None => (text, None),
        };
        let role = <Role as clap::ValueEnum>::from_str(role, false).map_err(|_| refuse())?;
        Ok(Self { role, board })
    }
}

impl Command {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        match self {
            Self::Add(add) => add.run(session).await,
            Self::List => list(session).await,
        }
    }
}

impl Add {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        // Whatever can be wrong on this side shows before anything is made on the other.
        let grants = self.grants(session)?;
        let file = CredentialsFile::of_this_user()?;
        file.prepare()?;

        let request = CreatePrincipalRequest {
            principal: self.name.clone(),
            description: self.description,
            server_operator: self.server_operator,
        };
        let mut identities = session.identities().await?;
        let made = identities.create_principal(request).await;
        let made = made.map_err(|status| taken(status.into(), &self.name))?;
        let principal = made.into_inner();
        let issued = async {
            let mut boards = session.boards().await?;
            for grant in &grants {
                boards.grant_role(grant.clone()).await?;
            }
            let issued = token::issue(session, &self.name, self.lifetime).await?;
            token::keep(session, &issued)
        };
        issued.await.map_err(|failure: Failure| {
            let name = &self.name;
            failure.with_remedy(format!(
                "`{name}` was made: go on with `pawl role grant {name} ROLE` and `pawl token issue {name} --keep`"
            ))
        })?;
        tell(session, &principal, &grants, &file)
    }

    fn grants(&self, session: &Session) -> Result<Vec<GrantRoleRequest>, Failure> {
        let grant = |on: &RoleOn| {
            Ok(GrantRoleRequest {
                board: on.board.clone().map_or_else(|| session.board(), Ok)?,
                principal: self.name.clone(),
                role: v1::Role::from(on.role).into(),
            })
        };
        self.roles.iter().map(grant).collect()
    }
}

/// Says what to do where the name is taken: most often by the one who is meant.
fn taken(failure: Failure, name: &str) -> Failure {
    match &failure {
        Failure::Server(error) if error.reason() == "ALREADY_EXISTS" => {
            failure.with_remedy(format!(
                "choose another name; `pawl role grant {name} ROLE` gives an existing principal a \
                 role on another board, named by --board"
            ))
        }
        _ => failure,
    }
}

fn tell(
    session: &mut Session,
    principal: &Principal,
    grants: &[GrantRoleRequest],
    file: &CredentialsFile,
) -> Result<Answer, Failure> {
    let path = file.path().display().to_string();
    if session.output.is_json() {
        let roles: Vec<_> = grants.iter().map(json::from_message).collect();
        session.output.document(&serde_json::json!({
            "principal": json::from_message(principal),
            "roles": roles,
            "credentials": path,
        }))?;
        return Ok(Answer::Yes);
    }
    let name = text::harmless(&principal.principal);
    let mut told = format!("added {}\n", Tone::Strong.paint(&name));
    for grant in grants {
        told.push_str(&format!(
            "  {} on {}\n",
            render::role(grant.role),
            grant.board
        ));
    }
    told.push_str(&format!(
        "  its token is kept in {path}: call as it with --as {name}\n"
    ));
    session.output.print(&told)?;
    Ok(Answer::Yes)
}

async fn list(session: &mut Session) -> Result<Answer, Failure> {
    let request = ListPrincipalsRequest {};
    let principals = session
        .identities()
        .await?
        .list_principals(request)
        .await?
        .into_inner();
    session.answer(&principals, render::identity::principals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_name_points_to_the_roles_of_who_has_it() {
        let check = |reason: &str, expected: bool| {
            use tonic_types::StatusExt;
            let details = tonic_types::ErrorDetails::with_error_info(
                reason,
                "pawl",
                std::collections::HashMap::new(),
            );
            let status =
                tonic::Status::with_error_details(tonic::Code::AlreadyExists, "no", details);
            let Failure::Server(error) = taken(status.into(), "ana") else {
                panic!("the server said it");
            };
            let remedy = error.remedy().unwrap_or_default();
            let found = remedy.contains("`pawl role grant ana ROLE` gives an existing principal");
            assert_eq!(found, expected, "{remedy}");
        };
        check("ALREADY_EXISTS", true);
        check("ROLE_MISSING", false);
    }

    #[test]
    fn roles_are_read_with_their_board() {
        let check = |text: &str, expected: Option<(Role, Option<&str>)>| {
            let read = text.parse::<RoleOn>().ok().map(|on| (on.role, on.board));
            assert_eq!(
                read,
                expected.map(|(role, board)| (role, board.map(str::to_owned))),
                "{text}"
            );
        };
        check("agent", Some((Role::Agent, None)));
        check("verifier@energy", Some((Role::Verifier, Some("energy"))));
        check("king", None);
        check("agent@", None);
    }
}
