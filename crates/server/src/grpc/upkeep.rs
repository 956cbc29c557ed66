//! `UpkeepService`: quotas, figures, and the end of boards.

use std::sync::Arc;

use pawl_ledger::log::wire::{quotas, quotas_to_wire};
use pawl_proto::v1::{self as proto, upkeep_service_server::UpkeepService};
use tonic::{Request, Response, Status};

use super::{
    draft::{MAX_REASON_CHARACTERS, accept_some},
    live, parse,
};
use crate::{
    app::{
        App, LiveBoard,
        error::{AppError, missing},
        usage::{BoardUsage, ServerUsage, Taken},
    },
    auth::Caller,
};

/// The service.
pub(super) struct Upkeep(pub(super) Arc<App>);

type Answer<T> = Result<Response<T>, Status>;

impl Upkeep {
    async fn usage(
        &self,
        caller: &Caller,
        live: &Arc<LiveBoard>,
    ) -> Result<proto::BoardUsage, AppError> {
        let usage = self.0.board_usage(live, caller).await?;
        Ok(usage_to_wire(live, &usage))
    }
}

#[tonic::async_trait]
impl UpkeepService for Upkeep {
    async fn set_quotas(
        &self,
        request: Request<proto::SetQuotasRequest>,
    ) -> Answer<proto::BoardUsage> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let asked = asked
            .quotas
            .ok_or_else(|| missing("quotas", "the quotas; an empty message for the server's"))?;
        self.0.set_quotas(&live, &caller, quotas(&asked)).await?;
        Ok(Response::new(self.usage(&caller, &live).await?))
    }

    async fn get_board_usage(
        &self,
        request: Request<proto::GetBoardUsageRequest>,
    ) -> Answer<proto::BoardUsage> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        Ok(Response::new(self.usage(&caller, &live).await?))
    }

    async fn get_server_usage(
        &self,
        request: Request<proto::GetServerUsageRequest>,
    ) -> Answer<proto::ServerUsage> {
        let caller = parse::caller(&request)?;
        let usage = self.0.server_usage(&caller).await?;
        Ok(Response::new(server_to_wire(usage)))
    }

    async fn archive_board(
        &self,
        request: Request<proto::ArchiveBoardRequest>,
    ) -> Answer<proto::ArchiveBoardResponse> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let reason = accept_some("reason", &asked.reason, MAX_REASON_CHARACTERS)?.text;
        let position = self.0.archive(&live, &caller, reason).await?.0;
        Ok(Response::new(proto::ArchiveBoardResponse { position }))
    }

    async fn reopen_board(
        &self,
        request: Request<proto::ReopenBoardRequest>,
    ) -> Answer<proto::ReopenBoardResponse> {
        let (caller, asked) = parse::open(request)?;
        let live = live(&self.0, &caller, &asked.board).await?;
        let reason = accept_some("reason", &asked.reason, MAX_REASON_CHARACTERS)?.text;
        let position = self.0.reopen(&live, &caller, reason).await?.0;
        Ok(Response::new(proto::ReopenBoardResponse { position }))
    }

    async fn delete_board(
        &self,
        request: Request<proto::DeleteBoardRequest>,
    ) -> Answer<proto::DeleteBoardResponse> {
        let (caller, asked) = parse::open(request)?;
        let name = parse::board(&asked.board)?;
        let records = self.0.delete_board(&caller, &name, &asked.confirm).await?;
        Ok(Response::new(proto::DeleteBoardResponse { records }))
    }
}

fn usage_to_wire(live: &LiveBoard, usage: &BoardUsage) -> proto::BoardUsage {
    let principals = usage.principals.iter();
    proto::BoardUsage {
        name: format!("boards/{}", live.name),
        quotas: Some(quotas_to_wire(&usage.quotas.as_quotas())),
        own_quotas: Some(quotas_to_wire(&usage.own)),
        principals: principals
            .map(|(principal, taken)| taken_to_wire(principal.to_string(), taken))
            .collect(),
        disk: Some(proto::DiskUsage {
            entries: usage.written.entries,
            entry_bytes: usage.written.entry_bytes,
            word_bytes: usage.written.word_bytes,
            image_bytes: usage.image_bytes,
            answer_bytes: usage.answer_bytes,
            source_bytes: usage.source_bytes,
            vector_bytes: usage.judge.vector_bytes,
        }),
        memory: Some(proto::MemoryUsage {
            state_bytes: usage.state_bytes,
            judge_bytes: usage.judge.bytes,
            texts: usage.judge.texts,
        }),
    }
}

fn taken_to_wire(principal: String, taken: &Taken) -> proto::PrincipalUsage {
    proto::PrincipalUsage {
        principal,
        entries: taken.written.entries,
        word_bytes: taken.written.word_bytes,
        sources: taken.sources,
        source_bytes: taken.source_bytes,
        refusals: taken.refusals,
        entries_left: taken.entries_left,
        refusals_left: taken.refusals_left,
    }
}

fn server_to_wire(usage: ServerUsage) -> proto::ServerUsage {
    let wide = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    proto::ServerUsage {
        boards: wide(usage.boards),
        open_boards: wide(usage.open_boards),
        entries: usage.written.entries,
        entry_bytes: usage.written.entry_bytes,
        word_bytes: usage.written.word_bytes,
        document_cache_bytes: wide(usage.document_cache_bytes),
        resident_bytes: usage.resident_bytes,
        deleting: wide(usage.deleting),
    }
}
