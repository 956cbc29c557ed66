//! Seals, amendments, rollbacks and the snapshot graph.

mod amend;
mod difference;
mod graph;
mod rollback;

use std::sync::Arc;

use pawl_ledger::{
    board::Board,
    command::Command,
    decide::{Denied, Reason, decide, seal_report},
    event::Event,
    graph::SnapshotNode,
    id::{ModuleName, RevisionId},
    log::wire::WireEnum,
    module::SealMode,
};
use pawl_proto::v1::{self as proto, seal_service_server::SealService};
use tonic::{Request, Response, Status};

use super::{assertion::seen, live, names, parse, views};
use crate::{
    app::{
        App,
        boards::{LiveBoard, Repeat, apply},
        error::{AppError, missing},
        settling,
    },
    auth::Caller,
};

type Answer<T> = Result<Response<T>, Status>;

/// The seal service.
pub(super) struct Seals(pub(super) Arc<App>);

#[tonic::async_trait]
impl SealService for Seals {
    async fn seal(&self, request: Request<proto::SealRequest>) -> Answer<proto::SnapshotRecord> {
        let (caller, request) = parse::open(request)?;
        Ok(Response::new(seal(&self.0, &caller, &request).await?))
    }

    async fn amend(&self, request: Request<proto::AmendRequest>) -> Answer<proto::AmendResponse> {
        let (caller, request) = parse::open(request)?;
        Ok(Response::new(
            amend::amend(&self.0, &caller, &request).await?,
        ))
    }

    async fn rollback(
        &self,
        request: Request<proto::RollbackRequest>,
    ) -> Answer<proto::RollbackResponse> {
        let (caller, request) = parse::open(request)?;
        let answer = rollback::rollback(&self.0, &caller, &request).await?;
        Ok(Response::new(answer))
    }

    async fn diff_snapshots(
        &self,
        request: Request<proto::DiffSnapshotsRequest>,
    ) -> Answer<proto::DiffSnapshotsResponse> {
        let (caller, request) = parse::open(request)?;
        let answer = difference::diff(&self.0, &caller, &request).await?;
        Ok(Response::new(answer))
    }

    async fn get_snapshot_graph(
        &self,
        request: Request<proto::GetSnapshotGraphRequest>,
    ) -> Answer<proto::SnapshotGraph> {
        let (caller, request) = parse::open(request)?;
        Ok(Response::new(
            graph::graph(&self.0, &caller, &request).await?,
        ))
    }

    async fn get_snapshot(
        &self,
        request: Request<proto::GetSnapshotRequest>,
    ) -> Answer<proto::SnapshotRecord> {
        let (caller, request) = parse::open(request)?;
        let live = live(&self.0, &caller, &request.board).await?;
        let digits = parse::on_board(&live.name, "snapshots", &request.snapshot)?.to_owned();
        let record = self.0.read(&live, &caller, |board| {
            let node = find(board, &digits)?;
            Ok(views::snapshot(
                &board.name,
                node,
                is_current(board, node),
                true,
            ))
        });
        Ok(Response::new(record.await?))
    }

    async fn list_snapshots(
        &self,
        request: Request<proto::ListSnapshotsRequest>,
    ) -> Answer<proto::ListSnapshotsResponse> {
        let (caller, request) = parse::open(request)?;
        let live = live(&self.0, &caller, &request.board).await?;
        let module = optional_module(&request.module)?;
        let snapshots = self.0.read_as_of(&live, &caller, request.as_of, |board| {
            let wanted = board.snapshots.iter().filter(|node| {
                module
                    .as_ref()
                    .is_none_or(|module| node.snapshot.module == *module)
            });
            Ok(wanted
                .map(|node| views::snapshot(&board.name, node, is_current(board, node), false))
                .collect())
        });
        let snapshots = snapshots.await?;
        Ok(Response::new(proto::ListSnapshotsResponse { snapshots }))
    }
}

fn optional_module(text: &str) -> Result<Option<ModuleName>, AppError> {
    if text.is_empty() {
        Ok(None)
    } else {
        parse::id("module", text).map(Some)
    }
}

fn is_current(board: &Board, node: &SnapshotNode) -> bool {
    let module = board.modules.get(&node.snapshot.module);
    module.is_some_and(|module| module.current == Some(node.id))
}

/// Finds a snapshot by its id or the first digits of it.
pub(super) fn find<'a>(board: &'a Board, digits: &str) -> Result<&'a SnapshotNode, AppError> {
    let refused = |reason, what: &str| {
        Denied::new(
            reason,
            format!("`{digits}` {what}; list the board's snapshots"),
        )
        .with("snapshot", digits)
        .into()
    };
    let is_id = digits.bytes().all(|byte| byte.is_ascii_hexdigit()) && digits.len() <= 64;
    if !is_id || digits.len() < 8 {
        return Err(refused(
            Reason::FieldInvalid,
            "is no id of a snapshot, nor its first 8 digits",
        ));
    }
    match board
        .snapshots
        .with_prefix(&digits.to_ascii_lowercase())
        .as_slice()
    {
        [node] => Ok(node),
        [] => Err(refused(
            Reason::SnapshotUnknown,
            "names no snapshot of this board",
        )),
        _ => Err(refused(Reason::FieldInvalid, "is the start of several ids")),
    }
}

/// What a seal is asked for.
struct Asked {
    module: ModuleName,
    only: Option<RevisionId>,
    mode: SealMode,
}

async fn seal(
    app: &Arc<App>,
    caller: &Caller,
    request: &proto::SealRequest,
) -> Result<proto::SnapshotRecord, AppError> {
    let live = live(app, caller, &request.board).await?;
    let asked = asked(&live, request)?;
    if request.validate_only {
        return preview(app, &live, caller, &asked).await;
    }
    let repeat = Repeat::new(caller, "Seal", &request.request_id, request)?;
    let command = Command::Seal {
        module: asked.module,
        only: asked.only,
        mode: asked.mode,
    };
    compare_first(app, &live, caller, &command).await?;
    let done = app.execute(&live, caller, repeat, |transaction| {
        let mut judge = live.judge.write();
        let since = transaction.board().position();
        let recorded = apply(transaction, &command, [])?;
        settling::follow(transaction, &mut judge, since)?;
        let id = recorded.iter().find_map(|recorded| match &recorded.event {
            Event::SnapshotTaken { id, .. } => Some(*id),
            _ => None,
        });
        let node = id.and_then(|id| transaction.board().snapshots.get(&id));
        let node = node.ok_or_else(|| AppError::Internal("a seal made no snapshot".into()))?;
        Ok(views::snapshot(&live.name, node, true, true))
    });
    Ok(done.await?.answer)
}

/// Compares what would be sealed by the rules in force, where it was not since they changed.
async fn compare_first(
    app: &Arc<App>,
    live: &Arc<LiveBoard>,
    caller: &Caller,
    command: &Command,
) -> Result<(), AppError> {
    let Command::Seal { module, .. } = command else {
        return Ok(());
    };
    let decided = decide(&live.open.state.read(), &caller.context(), command);
    let stale = decided.is_err_and(|denied| {
        denied.reason == Reason::SealConditions
            && denied
                .metadata
                .iter()
                .any(|(name, _)| *name == "not_compared")
    });
    if stale {
        app.rescan_module(live, caller, module).await?;
    }
    Ok(())
}

fn asked(live: &LiveBoard, request: &proto::SealRequest) -> Result<Asked, AppError> {
    let mode = match request.mode {
        0 => SealMode::Hard,
        mode => SealMode::from_wire(mode, "mode")?,
    };
    if request.assertion.is_empty() {
        if request.module.is_empty() {
            return Err(missing("module", "the module to seal, or one assertion"));
        }
        let module = parse::id("module", &request.module)?;
        return Ok(Asked {
            module,
            only: None,
            mode,
        });
    }
    let only = names::revision(&live.name, "assertion", &request.assertion)?;
    let board = live.open.state.read();
    let module = seen(&board, only)?.state.module;
    if let Some(named) = optional_module(&request.module)?
        && named != module
    {
        return Err(Denied::new(
            Reason::FieldInvalid,
            format!("`{only}` belongs to module `{module}`, not to `{named}`"),
        )
        .with("field", "module")
        .into());
    }
    Ok(Asked {
        module,
        only: Some(only),
        mode,
    })
}

async fn preview(
    app: &Arc<App>,
    live: &LiveBoard,
    caller: &Caller,
    asked: &Asked,
) -> Result<proto::SnapshotRecord, AppError> {
    let context = caller.context();
    let command = Command::Seal {
        module: asked.module.clone(),
        only: asked.only,
        mode: asked.mode,
    };
    let preview = app.read(live, caller, |board| {
        decide(board, &context, &command)?;
        let report = seal_report(board, &asked.module, asked.only, context.now);
        let module = board.modules.get(&asked.module);
        let (Some(report), Some(module)) = (report, module) else {
            return Err(AppError::Internal("a module without a report".into()));
        };
        Ok(views::seal_preview(
            asked.module.as_str(),
            &module.declaration.policy,
            &report,
        ))
    });
    preview.await
}
