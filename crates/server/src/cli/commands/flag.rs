//! `pawl flag` and `pawl flags`

use clap::{Args, Subcommand};
use pawl_proto::v1::{CloseFlagRequest, FlagRequest, ListFlagsRequest};

use super::{citation::Citations, reason::Reason, resource::Resource};
use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Raises a doubt.
#[derive(Args, Debug)]
pub(crate) struct Flag {
    /// The locked revision in doubt, `a3@1`.
    assertion: Resource,
    #[command(flatten)]
    reason: Reason,
    #[command(flatten)]
    citations: Citations,
}

/// Lists doubts, and answers them.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Flags {
    /// The answered ones too.
    #[arg(long)]
    all: bool,
    #[command(subcommand)]
    command: Option<FlagsCommand>,
}

/// What can be done with doubts.
#[derive(Subcommand, Debug)]
enum FlagsCommand {
    /// Answers a doubt.
    Close(Close),
}

/// Answers a doubt.
#[derive(Args, Debug)]
struct Close {
    /// `f1`.
    flag: Resource,
    #[command(flatten)]
    reason: Reason,
}

impl Flag {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = FlagRequest {
            board: self.assertion.board(session)?,
            assertion: self.assertion.id,
            reason: self.reason.reason,
            citations: self.citations.into_messages()?,
            request_id: self.reason.repeat.request_id,
        };
        let flag = session
            .assertions()
            .await?
            .flag(request)
            .await?
            .into_inner();
        session.answer(&flag, render::flag::flag)
    }
}

impl Flags {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        if let Some(FlagsCommand::Close(close)) = self.command {
            return close.run(session).await;
        }
        let request = ListFlagsRequest {
            board: session.board()?,
            all: self.all,
        };
        let flags = session
            .assertions()
            .await?
            .list_flags(request)
            .await?
            .into_inner();
        session.answer(&flags, render::flag::flags)
    }
}

impl Close {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = CloseFlagRequest {
            board: self.flag.board(session)?,
            flag: self.flag.id,
            reason: self.reason.reason,
            request_id: self.reason.repeat.request_id,
        };
        let flag = session
            .assertions()
            .await?
            .close_flag(request)
            .await?
            .into_inner();
        session.answer(&flag, render::flag::flag)
    }
}
