//! `pawl conflicts`, `resolve`, `dismiss` and `appeal`

use clap::Args;
use pawl_proto::v1::{
    AppealRequest, DismissRequest, GetConflictRequest, ListConflictsRequest, ListConflictsResponse,
    ResolveRequest,
};

use super::{paging::Paging, reason::Reason, resource::Resource};
use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Lists conflicts, or shows one.
#[derive(Args, Debug)]
pub(crate) struct Conflicts {
    /// Show this one, `c1`.
    conflict: Option<Resource>,
    /// The decided ones too.
    #[arg(long)]
    all: bool,
    /// As they were after the board's first so many entries.
    #[arg(long, value_name = "POSITION")]
    as_of: Option<u64>,
    #[command(flatten)]
    paging: Paging,
}

/// Decides a conflict for one side.
#[derive(Args, Debug)]
pub(crate) struct Resolve {
    /// `c1`.
    conflict: Resource,
    /// The revision that wins, `a3@1`: one of the two sides.
    #[arg(long, value_name = "REVISION")]
    winner: Resource,
    #[command(flatten)]
    reason: Reason,
}

/// Finds a conflict to be none.
#[derive(Args, Debug)]
pub(crate) struct Dismiss {
    /// `c1`.
    conflict: Resource,
    #[command(flatten)]
    reason: Reason,
}

/// Asks for another look.
#[derive(Args, Debug)]
pub(crate) struct Appeal {
    /// `c1`.
    conflict: Resource,
    #[command(flatten)]
    reason: Reason,
}

impl Conflicts {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let mut client = session.conflicts().await?;
        if let Some(conflict) = self.conflict {
            let board = conflict.board(session)?;
            let request = GetConflictRequest {
                board,
                conflict: conflict.id,
            };
            let conflict = client.get_conflict(request).await?.into_inner();
            session
                .output
                .message(&conflict, render::conflict::conflict)?;
            return Ok(Answer::Yes);
        }
        let board = session.board()?;
        let mut list = ListConflictsResponse::default();
        let mut next = Some(self.paging.first());
        while let Some(page_token) = next {
            let (all, page_size, as_of) = (self.all, self.paging.size(), self.as_of);
            let request = ListConflictsRequest {
                board: board.clone(),
                all,
                page_size,
                page_token,
                as_of,
            };
            let page = client.list_conflicts(request).await?.into_inner();
            list.conflicts.extend(page.conflicts);
            list.next_page_token = page.next_page_token;
            next = self.paging.after(&list.next_page_token);
        }
        session.answer(&list, render::conflict::conflicts)
    }
}

impl Resolve {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let board = self.conflict.board(session)?;
        let request = ResolveRequest {
            conflict: self.conflict.id,
            winner: self.winner.id_on(&board)?,
            board,
            reason: self.reason.reason,
            request_id: self.reason.repeat.request_id,
        };
        let conflict = session
            .conflicts()
            .await?
            .resolve(request)
            .await?
            .into_inner();
        session.answer(&conflict, render::conflict::conflict)
    }
}

impl Dismiss {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = DismissRequest {
            board: self.conflict.board(session)?,
            conflict: self.conflict.id,
            reason: self.reason.reason,
            request_id: self.reason.repeat.request_id,
        };
        let conflict = session
            .conflicts()
            .await?
            .dismiss(request)
            .await?
            .into_inner();
        session.answer(&conflict, render::conflict::conflict)
    }
}

impl Appeal {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = AppealRequest {
            board: self.conflict.board(session)?,
            conflict: self.conflict.id,
            reason: self.reason.reason,
            request_id: self.reason.repeat.request_id,
        };
        let conflict = session
            .conflicts()
            .await?
            .appeal(request)
            .await?
            .into_inner();
        session.answer(&conflict, render::conflict::conflict)
    }
}
