//! `pawl board`

use clap::{Args, Subcommand};
use pawl_proto::v1::{
    BoardPolicy, CreateBoardRequest, GetBoardRequest, ListBoardsRequest, SetPolicyRequest,
};

use super::{rules::Rules, share::Share, upkeep};
use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Makes, shows and tunes boards.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Creates a board; the caller becomes its operator.
    Create(Create),
    /// Shows a board's figures and settings.
    Show(Show),
    /// Lists the boards the caller has a role on.
    List,
    /// Shows the settings that decide verdicts, or changes them.
    Policy(Policy),
    /// Shows what a board takes of disk, memory and quotas.
    Usage(upkeep::Usage),
    /// Gives a board quotas of its own, in the place of those before.
    Quotas(upkeep::SetQuotas),
    /// Closes a board to writing.
    Archive(upkeep::Archive),
    /// Opens an archived board to writing again.
    Reopen(upkeep::Archive),
    /// Deletes an archived board for good.
    Delete(upkeep::Delete),
    /// Shows the rules by which the board decides conflicts, or sets them.
    Rules(Rules),
}

/// Creates a board.
#[derive(Args, Debug)]
pub(crate) struct Create {
    /// The board: 1–63 of `a–z 0–9 -`, a letter first.
    name: String,
    /// The score from which a scored finding contests, from 0 to 1.
    #[arg(long, value_name = "SHARE", requires = "note_threshold")]
    conflict_threshold: Option<Share>,
    /// The score from which a finding is noted, from 0 to 1.
    #[arg(long, value_name = "SHARE", requires = "conflict_threshold")]
    note_threshold: Option<Share>,
}

/// Shows a board.
#[derive(Args, Debug)]
pub(crate) struct Show {
    /// The board; that of --board unless given.
    name: Option<String>,
    /// As it was after its first so many entries.
    #[arg(long, value_name = "POSITION")]
    as_of: Option<u64>,
}

/// Shows or changes the settings that decide verdicts.
#[derive(Args, Debug)]
pub(crate) struct Policy {
    /// The score from which a scored finding contests, from 0 to 1.
    #[arg(long, value_name = "SHARE")]
    conflict_threshold: Option<Share>,
    /// The score from which a finding is noted, from 0 to 1.
    #[arg(long, value_name = "SHARE")]
    note_threshold: Option<Share>,
}

impl Command {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        match self {
            Self::Create(create) => create.run(session).await,
            Self::Show(show) => show.run(session).await,
            Self::List => list(session).await,
            Self::Policy(policy) => policy.run(session).await,
            Self::Usage(usage) => usage.run(session).await,
            Self::Quotas(quotas) => quotas.run(session).await,
            Self::Archive(archive) => archive.run(session).await,
            Self::Reopen(reopen) => reopen.reopen(session).await,
            Self::Delete(delete) => delete.run(session).await,
            Self::Rules(rules) => rules.run(session).await,
        }
    }
}

impl Create {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let policy = self
            .conflict_threshold
            .zip(self.note_threshold)
            .map(|(conflict, note)| BoardPolicy {
                conflict_threshold: conflict.0,
                note_threshold: note.0,
            });
        let request = CreateBoardRequest {
            board: self.name,
            policy,
        };
        let board = session
            .boards()
            .await?
            .create_board(request)
            .await?
            .into_inner();
        session.answer(&board, render::board::board)
    }
}

impl Show {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let board = self.name.map_or_else(|| session.board(), Ok)?;
        let board = session
            .boards()
            .await?
            .get_board(GetBoardRequest {
                board,
                as_of: self.as_of,
            })
            .await?
            .into_inner();
        session.answer(&board, render::board::board)
    }
}

async fn list(session: &mut Session) -> Result<Answer, Failure> {
    let boards = session
        .boards()
        .await?
        .list_boards(ListBoardsRequest {})
        .await?
        .into_inner();
    session.answer(&boards, render::board::boards)
}

impl Policy {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let name = session.board()?;
        let mut client = session.boards().await?;
        let request = GetBoardRequest {
            board: name.clone(),
            as_of: None,
        };
        let mut board = client.get_board(request).await?.into_inner();
        if self.conflict_threshold.is_some() || self.note_threshold.is_some() {
            let mut policy = board.policy.unwrap_or_default();
            if let Some(Share(threshold)) = self.conflict_threshold {
                policy.conflict_threshold = threshold;
            }
            if let Some(Share(threshold)) = self.note_threshold {
                policy.note_threshold = threshold;
            }
            let request = SetPolicyRequest {
                board: name,
                policy: Some(policy),
            };
            board = client.set_policy(request).await?.into_inner();
        }
        session.answer(&board, render::board::policy)
    }
}
