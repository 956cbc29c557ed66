//! Conflicts and their resolution.

use std::sync::Arc;

use pawl_ledger::{
    board::Board,
    command::Command,
    decide::{Denied, Reason},
    digest::Words,
    event::Challenger,
    id::{ConflictId, RevisionId},
    status::{ConflictState, Status},
};
use pawl_proto::v1::{self as proto, conflict_service_server::ConflictService};
use tonic::{Request, Response};

use super::{
    assertion::reason,
    live, names,
    page::{self, Page},
    parse, rescan,
    views::{SeenConflict, Teller},
};
use crate::{
    app::{
        App,
        boards::{LiveBoard, Repeat, apply},
        error::AppError,
        settling,
    },
    auth::Caller,
};

type Answer<T> = Result<Response<T>, tonic::Status>;

/// The conflict service.
pub(super) struct Conflicts(pub(super) Arc<App>);

#[tonic::async_trait]
impl ConflictService for Conflicts {
    async fn list_conflicts(
        &self,
        request: Request<proto::ListConflictsRequest>,
    ) -> Answer<proto::ListConflictsResponse> {
        let (caller, request) = parse::open(request)?;
        let live = live(&self.0, &caller, &request.board).await?;
        let size = parse::page_items(request.page_size);
        let list = format!(
            "conflicts {} {} {:?}",
            live.name, request.all, request.as_of
        );
        let page = page::parse(&list, &request.page_token)?;
        let after = page.map_or(0, |page| page.after);
        // A later page is of the state of the first one.
        let as_of = page.map_or(request.as_of, |page| Some(page.view));
        let (found, position) = self
            .0
            .read_as_of(&live, &caller, as_of, |board| {
                let numbered = (1..).map(ConflictId).zip(&board.conflicts);
                let wanted = numbered
                    .filter(|(id, _)| u64::from(id.0) > after)
                    .filter(|(_, it)| request.all || it.state == ConflictState::Open)
                    .filter_map(|(id, _)| Some((id, SeenConflict::new(board, id)?)));
                Ok((wanted.take(size + 1).collect::<Vec<_>>(), board.position()))
            })
            .await?;
        let last = found
            .get(size.saturating_sub(1))
            .filter(|_| found.len() > size);
        let next = last.map(|(id, _)| {
            let page = Page {
                view: position.0,
                after: u64::from(id.0),
            };
            page::token(&list, page)
        });
        let teller = Teller {
            app: &self.0,
            live: &live,
        };
        let conflicts = found
            .iter()
            .take(size)
            .map(|(_, seen)| teller.conflict(seen));
        Ok(Response::new(proto::ListConflictsResponse {
            conflicts: conflicts.collect::<Result<_, AppError>>()?,
            next_page_token: next.unwrap_or_default(),
        }))
    }

    async fn get_conflict(
        &self,
        request: Request<proto::GetConflictRequest>,
    ) -> Answer<proto::Conflict> {
        let (caller, request) = parse::open(request)?;
        let live = live(&self.0, &caller, &request.board).await?;
        let conflict = names::conflict(&live.name, &request.conflict)?;
        Ok(Response::new(
            told(&self.0, &live, &caller, conflict).await?,
        ))
    }

    async fn resolve(&self, request: Request<proto::ResolveRequest>) -> Answer<proto::Conflict> {
        let (caller, request) = parse::open(request)?;
        let live = live(&self.0, &caller, &request.board).await?;
        let conflict = names::conflict(&live.name, &request.conflict)?;
        let winner = names::revision(&live.name, "winner", &request.winner)?;
        let reason = reason(&request.reason)?;
        let command = Command::Resolve {
            conflict,
            winner,
            reason: reason.commitment(),
        };
        let repeat = Repeat::new(&caller, "Resolve", &request.request_id, &request)?;
        Ok(Response::new(
            act(&self.0, &live, &caller, repeat, conflict, command, reason).await?,
        ))
    }

    async fn dismiss(&self, request: Request<proto::DismissRequest>) -> Answer<proto::Conflict> {
        let (caller, request) = parse::open(request)?;
        let live = live(&self.0, &caller, &request.board).await?;
        let conflict = names::conflict(&live.name, &request.conflict)?;
        let reason = reason(&request.reason)?;
        let command = Command::Dismiss {
            conflict,
            reason: reason.commitment(),
        };
        let repeat = Repeat::new(&caller, "Dismiss", &request.request_id, &request)?;
        Ok(Response::new(
            act(&self.0, &live, &caller, repeat, conflict, command, reason).await?,
        ))
    }

    async fn appeal(&self, request: Request<proto::AppealRequest>) -> Answer<proto::Conflict> {
        let (caller, request) = parse::open(request)?;
        let live = live(&self.0, &caller, &request.board).await?;
        let conflict = names::conflict(&live.name, &request.conflict)?;
        let reason = reason(&request.reason)?;
        let command = Command::Appeal {
            conflict,
            reason: reason.commitment(),
        };
        let repeat = Repeat::new(&caller, "Appeal", &request.request_id, &request)?;
        Ok(Response::new(
            act(&self.0, &live, &caller, repeat, conflict, command, reason).await?,
        ))
    }

    type RescanStream = rescan::Answers;

    async fn rescan(&self, request: Request<proto::RescanRequest>) -> Answer<Self::RescanStream> {
        let (caller, request) = parse::open(request)?;
        let answers = rescan::rescan(self.0.clone(), caller, request).await?;
        Ok(Response::new(answers))
    }
}

/// Carries out a command on one conflict and tells what became of it.
async fn act(
    app: &Arc<App>,
    live: &Arc<LiveBoard>,
    caller: &Caller,
    repeat: Option<Repeat>,
    conflict: ConflictId,
    command: Command,
    reason: Words,
) -> Result<proto::Conflict, AppError> {
    let done = app.execute(live, caller, repeat, |transaction| {
        let mut judge = live.judge.write();
        let since = transaction.board().position();
        if let Command::Resolve { winner, .. } = &command
            && takes_lock(transaction.board(), conflict, *winner)
        {
            settling::check_beside(transaction.board(), &judge, *winner)?;
        }
        apply(transaction, &command, [reason])?;
        settling::follow(transaction, &mut judge, since)?;
        Ok(proto::Conflict {
            name: names::full(&live.name, "conflicts", conflict),
            ..Default::default()
        })
    });
    done.await?;
    told(app, live, caller, conflict).await
}

/// The challenger wins over what is locked, and so is locked in its place.
fn takes_lock(board: &Board, conflict: ConflictId, winner: RevisionId) -> bool {
    board.conflict(conflict).is_some_and(|conflict| {
        let standing = conflict.standing.and_then(|id| board.revision(id));
        conflict.challenger == Challenger::Revision(winner)
            && !conflict.rescan
            && standing.is_some_and(|state| state.status == Status::Locked)
    })
}

async fn told(
    app: &Arc<App>,
    live: &Arc<LiveBoard>,
    caller: &Caller,
    id: ConflictId,
) -> Result<proto::Conflict, AppError> {
    let seen = app
        .read(live, caller, |board| Ok(SeenConflict::new(board, id)))
        .await?;
    let seen = seen.ok_or_else(|| {
        Denied::new(
            Reason::ConflictUnknown,
            format!(
                "board `{}` has no conflict `{id}`; list the conflicts",
                live.name
            ),
        )
        .with("conflict", id)
    })?;
    Teller { app, live }.conflict(&seen)
}
