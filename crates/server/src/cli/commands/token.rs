//! `pawl token`

use clap::{Args, Subcommand};
use pawl_proto::v1::{
    IssueTokenRequest, IssueTokenResponse, ListTokensRequest, RevokeTokenRequest,
};
use prost_types::Duration;

use crate::cli::{
    credentials::{Credential, CredentialsFile},
    exit_code::Answer,
    failure::Failure,
    options::Span,
    render,
    session::Session,
};

/// Issues and revokes what principals call with.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Issues a token and prints its secret, or keeps it.
    Issue(Issue),
    /// Revokes a token.
    Revoke(Revoke),
    /// Lists tokens without their secrets.
    List(List),
}

/// Issues a token.
#[derive(Args, Debug)]
pub(crate) struct Issue {
    /// Whose it will be.
    principal: String,
    /// How long it is good, such as `12h` or `30d`; 90 days unless given.
    #[arg(long, value_name = "TIME")]
    lifetime: Option<Span>,
    /// Keep the secret in the credentials file instead of printing it.
    #[arg(long)]
    keep: bool,
}

/// Revokes a token.
#[derive(Args, Debug)]
pub(crate) struct Revoke {
    /// The token's id, not its secret.
    id: String,
}

/// Lists tokens.
#[derive(Args, Debug)]
pub(crate) struct List {
    /// Of this principal only.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    principal: String,
}

impl Command {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        match self {
            Self::Issue(issue) => issue.run(session).await,
            Self::Revoke(revoke) => revoke.run(session).await,
            Self::List(list) => list.run(session).await,
        }
    }
}

impl Issue {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        if self.keep {
            CredentialsFile::of_this_user()?.prepare()?;
        }
        let mut answer = issue(session, &self.principal, self.lifetime).await?;
        if self.keep {
            keep(session, &answer)?;
            answer.secret = String::new();
            let token = answer.token.clone().unwrap_or_default();
            session.output.message(&token, render::identity::token)?;
        } else {
            // Alone on standard output, so that it can be put into a variable or a file.
            session
                .output
                .message(&answer, |answer, _| format!("{}\n", answer.secret))?;
        }
        Ok(Answer::Yes)
    }
}

/// Issues a token for a principal.
pub(crate) async fn issue(
    session: &Session,
    principal: &str,
    lifetime: Option<Span>,
) -> Result<IssueTokenResponse, Failure> {
    let seconds = lifetime.map(|span| span.0.as_secs());
    let lifetime = seconds.map(|seconds| Duration {
        seconds: i64::try_from(seconds).unwrap_or(i64::MAX),
        nanos: 0,
    });
    let request = IssueTokenRequest {
        principal: principal.to_owned(),
        lifetime,
    };
    Ok(session
        .identities()
        .await?
        .issue_token(request)
        .await?
        .into_inner())
}

/// Keeps an issued token in the credentials file.
pub(crate) fn keep(session: &Session, answer: &IssueTokenResponse) -> Result<(), Failure> {
    let token = answer.token.clone().unwrap_or_default();
    let credential = Credential {
        id: token.token,
        token: answer.secret.clone(),
    };
    let file = CredentialsFile::of_this_user()?;
    Ok(file.keep(&session.options.server, &token.principal, credential)?)
}

impl Revoke {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = RevokeTokenRequest { token: self.id };
        let token = session
            .identities()
            .await?
            .revoke_token(request)
            .await?
            .into_inner();
        session.output.message(&token, render::identity::token)?;
        // Where there is no data directory, nothing was kept in it.
        if let Ok(file) = CredentialsFile::of_this_user() {
            file.forget(&session.options.server, &token.token)?;
        }
        Ok(Answer::Yes)
    }
}

impl List {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = ListTokensRequest {
            principal: self.principal,
        };
        let tokens = session
            .identities()
            .await?
            .list_tokens(request)
            .await?
            .into_inner();
        session.answer(&tokens, render::identity::tokens)
    }
}
