//! `pawl authority` and `pawl lookup`

use clap::{Args, Subcommand, ValueEnum};
use pawl_proto::v1::{
    DeclareAuthorityRequest, ListAuthoritiesRequest, LookUpRequest, RemoveAuthorityRequest,
    WhenUnavailable,
};

use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Declares who is asked over HTTP.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Declares an authority, or declares it anew.
    Declare(Declare),
    /// Lists authorities.
    List,
    /// Removes an authority.
    Remove(Remove),
}

/// Declares an authority.
#[derive(Args, Debug)]
pub(crate) struct Declare {
    /// The authority: 1–63 of `a–z 0–9 - _`, a letter first.
    name: String,
    /// The address that is asked, `URL?subject=…&attribute=…`; its host has to be in the server's
    /// settings.
    #[arg(long)]
    url: String,
    /// A declared attribute it is asked about; may be repeated.
    #[arg(
        long = "attribute",
        value_name = "NAME",
        value_delimiter = ',',
        required = true
    )]
    attributes: Vec<String>,
    /// What becomes of a submission while it cannot be asked.
    #[arg(long, value_name = "WHAT", default_value = "note")]
    when_unavailable: Unavailable,
    /// For people.
    #[arg(long, default_value = "", hide_default_value = true)]
    description: String,
}

/// What becomes of a submission while an authority cannot be asked.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum Unavailable {
    /// It goes on, and its author is told.
    Note,
    /// It is not processed.
    Refuse,
}

/// Removes an authority.
#[derive(Args, Debug)]
pub(crate) struct Remove {
    /// The authority.
    name: String,
}

/// Asks what tables and authorities say.
#[derive(Args, Debug)]
pub(crate) struct Lookup {
    /// What is asked about.
    subject: String,
    /// The attribute, by its declared name or an alias.
    attribute: String,
}

impl Command {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        match self {
            Self::Declare(command) => command.run(session).await,
            Self::List => list(session).await,
            Self::Remove(command) => command.run(session).await,
        }
    }
}

impl Declare {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let when_unavailable = match self.when_unavailable {
            Unavailable::Note => WhenUnavailable::Note,
            Unavailable::Refuse => WhenUnavailable::Refuse,
        };
        let request = DeclareAuthorityRequest {
            board: session.board()?,
            authority: self.name,
            url: self.url,
            attributes: self.attributes,
            when_unavailable: when_unavailable.into(),
            description: self.description,
        };
        let authority = session
            .tables()
            .await?
            .declare_authority(request)
            .await?
            .into_inner();
        session.answer(&authority, render::reference::authority)
    }
}

async fn list(session: &mut Session) -> Result<Answer, Failure> {
    let request = ListAuthoritiesRequest {
        board: session.board()?,
    };
    let list = session
        .tables()
        .await?
        .list_authorities(request)
        .await?
        .into_inner();
    session.answer(&list, render::reference::authorities)
}

impl Remove {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let name = self.name.clone();
        let request = RemoveAuthorityRequest {
            board: session.board()?,
            authority: self.name,
        };
        let removed = session
            .tables()
            .await?
            .remove_authority(request)
            .await?
            .into_inner();
        session.answer(&removed, |_, _| format!("removed authority {name}\n"))
    }
}

impl Lookup {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = LookUpRequest {
            board: session.board()?,
            subject: self.subject,
            attribute: self.attribute,
        };
        let found = session.tables().await?.look_up(request).await?.into_inner();
        session.answer(&found, render::reference::found)
    }
}
