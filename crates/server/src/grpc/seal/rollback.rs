//! Rollbacks on the wire.

use std::{collections::BTreeMap, sync::Arc};

use pawl_ledger::{
    board::Board,
    id::{ModuleName, RevisionId},
};
use pawl_proto::v1 as proto;

use super::super::live;
use super::find;
use crate::{
    app::{
        App,
        boards::{LiveBoard, Repeat},
        error::{AppError, missing},
        rollback::{Rollback, RolledBack},
    },
    auth::Caller,
    grpc::{assertion, draft::citations, names::full, parse, views},
};

pub(super) async fn rollback(
    app: &Arc<App>,
    caller: &Caller,
    request: &proto::RollbackRequest,
) -> Result<proto::RollbackResponse, AppError> {
    let live = live(app, caller, &request.board).await?;
    let rollback = asked(app, &live, request).await?;
    let module = rollback.module.clone();
    if request.validate_only {
        let plan = app.plan_rollback(&live, caller, rollback).await?;
        return Ok(response(&live, &plan, preview(&live, &module, &plan)));
    }
    let repeat = Repeat::new(caller, "Rollback", &request.request_id, request)?;
    let answer = |board: &Board, done: &RolledBack| {
        let node = done.snapshot.and_then(|id| board.snapshots.get(&id));
        let node = node.ok_or_else(|| AppError::Internal("a rollback made no snapshot".into()))?;
        let record = views::snapshot(&live.name, node, true, true);
        Ok(response(&live, done, record))
    };
    app.rollback(&live, caller, repeat, rollback, answer).await
}

async fn asked(
    app: &Arc<App>,
    live: &Arc<LiveBoard>,
    request: &proto::RollbackRequest,
) -> Result<Rollback, AppError> {
    let module = parse::id("module", &request.module)?;
    if request.to.is_empty() {
        return Err(missing("to", "the snapshot to go back to"));
    }
    let digits = parse::on_board(&live.name, "snapshots", &request.to)?;
    let to = find(&live.open.state.read(), digits)?.id;
    let reason = assertion::reason(&request.reason)?;
    let drafts = citations(&request.evidence)?;
    let (evidence, quotes) = assertion::cite(app, live, &drafts).await?;
    let commitment = reason.commitment();
    let words: BTreeMap<_, _> = std::iter::once(reason)
        .chain(quotes)
        .map(|words| (words.commitment(), words))
        .collect();
    Ok(Rollback {
        module,
        to,
        reason: commitment,
        evidence,
        words,
    })
}

/// What the snapshot would hold, which is nowhere yet.
fn preview(live: &LiveBoard, module: &ModuleName, plan: &RolledBack) -> proto::SnapshotRecord {
    let board = live.open.state.read();
    let mut members = pawl_ledger::evolve::locked(&board, module);
    members.retain(|id| plan.plan.exchange.ended.binary_search(id).is_err());
    members.extend(&plan.plan.exchange.reinstated);
    members.sort_unstable();
    proto::SnapshotRecord {
        snapshot: Some(proto::Snapshot {
            module: module.to_string(),
            cause: proto::SnapshotCause::Rollback.into(),
            member_count: u32::try_from(members.len()).unwrap_or(u32::MAX),
            ..Default::default()
        }),
        members: members.iter().map(ToString::to_string).collect(),
        ..Default::default()
    }
}

fn response(
    live: &LiveBoard,
    done: &RolledBack,
    snapshot: proto::SnapshotRecord,
) -> proto::RollbackResponse {
    fn named<'a>(live: &LiveBoard, ids: impl IntoIterator<Item = &'a RevisionId>) -> Vec<String> {
        let ids = ids.into_iter();
        ids.map(|id| full(&live.name, "assertions", id)).collect()
    }
    proto::RollbackResponse {
        snapshot: Some(snapshot),
        reinstated: named(live, &done.plan.exchange.reinstated),
        rolled_back: named(live, &done.plan.exchange.ended),
        support_lost: named(live, &done.plan.support_lost),
        support_restored: named(live, &done.plan.support_back),
        contested: named(live, &done.contested),
    }
}
