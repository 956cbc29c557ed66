//! `pawl board usage`, `quotas`, `archive`, `reopen`, `delete`

use clap::Args;
use pawl_proto::v1::{
    ArchiveBoardRequest, DeleteBoardRequest, GetBoardUsageRequest, GetServerUsageRequest, Quotas,
    ReopenBoardRequest, SetQuotasRequest,
};

use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Shows what a board takes.
#[derive(Args, Debug)]
pub(crate) struct Usage {
    /// The board; that of --board unless given.
    name: Option<String>,
    /// What the whole server takes instead; for server operators.
    #[arg(long, conflicts_with = "name")]
    all: bool,
}

/// Sets quotas for each principal; what is left out is the server's.
#[derive(Args, Debug)]
pub(crate) struct SetQuotas {
    /// Entries a second, on average.
    #[arg(long, value_name = "N")]
    entries_per_second: Option<u64>,
    /// Entries at once, after a pause.
    #[arg(long, value_name = "N")]
    entries_burst: Option<u64>,
    /// Bytes of words.
    #[arg(long, value_name = "BYTES")]
    word_bytes: Option<u64>,
    /// Sources.
    #[arg(long, value_name = "N")]
    sources: Option<u64>,
    /// Bytes of kept sources.
    #[arg(long, value_name = "BYTES")]
    source_bytes: Option<u64>,
    /// Refused submissions that are recorded in an hour.
    #[arg(long, value_name = "N")]
    refusals_per_hour: Option<u64>,
}

/// Closes or reopens a board.
#[derive(Args, Debug)]
pub(crate) struct Archive {
    /// The board; that of --board unless given.
    name: Option<String>,
    /// Why.
    #[arg(long)]
    reason: String,
}

/// Deletes a board.
#[derive(Args, Debug)]
pub(crate) struct Delete {
    /// The board.
    name: String,
    /// The board again.
    #[arg(long, value_name = "NAME")]
    confirm: String,
}

impl Usage {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let mut client = session.upkeep().await?;
        if self.all {
            let usage = client.get_server_usage(GetServerUsageRequest {}).await?;
            let usage = usage.into_inner();
            session.output.message(&usage, render::usage::server)?;
            return Ok(Answer::Yes);
        }
        let board = self.name.map_or_else(|| session.board(), Ok)?;
        let usage = client
            .get_board_usage(GetBoardUsageRequest { board })
            .await?;
        let usage = usage.into_inner();
        session.answer(&usage, render::usage::board)
    }
}

impl SetQuotas {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let quotas = Quotas {
            entries_per_second: self.entries_per_second,
            entries_burst: self.entries_burst,
            word_bytes: self.word_bytes,
            sources: self.sources,
            source_bytes: self.source_bytes,
            refusals_per_hour: self.refusals_per_hour,
        };
        let request = SetQuotasRequest {
            board: session.board()?,
            quotas: Some(quotas),
        };
        let usage = session.upkeep().await?.set_quotas(request).await?;
        let usage = usage.into_inner();
        session.answer(&usage, render::usage::board)
    }
}

impl Archive {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let (board, reason) = self.asked(session)?;
        let request = ArchiveBoardRequest { board, reason };
        let answer = session.upkeep().await?.archive_board(request).await?;
        let answer = answer.into_inner();
        session.answer(&answer, render::usage::archived)
    }

    pub(crate) async fn reopen(self, session: &mut Session) -> Result<Answer, Failure> {
        let (board, reason) = self.asked(session)?;
        let request = ReopenBoardRequest { board, reason };
        let answer = session.upkeep().await?.reopen_board(request).await?;
        let answer = answer.into_inner();
        session.answer(&answer, render::usage::reopened)
    }

    fn asked(self, session: &Session) -> Result<(String, String), Failure> {
        let board = self.name.map_or_else(|| session.board(), Ok)?;
        Ok((board, self.reason))
    }
}

impl Delete {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = DeleteBoardRequest {
            board: self.name,
            confirm: self.confirm,
        };
        let answer = session.upkeep().await?.delete_board(request).await?;
        let answer = answer.into_inner();
        session.answer(&answer, render::usage::deleted)
    }
}
