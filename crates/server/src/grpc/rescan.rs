//! A rescan on the wire: how far it is, and what it found.

use std::{pin::Pin, sync::Arc};

use async_stream::try_stream;
use pawl_ledger::id::{BoardName, ModuleName};
use pawl_proto::v1 as proto;
use tokio_stream::Stream;
use tonic::Status;

use super::{live, names::full, parse, verdicts};
use crate::{
    app::{
        App,
        error::AppError,
        rescan::{Contradiction, Scan},
        submission::{ReportedFinding, Standing},
    },
    auth::Caller,
};

/// What a rescan answers with.
pub(super) type Answers = Pin<Box<dyn Stream<Item = Result<proto::RescanResponse, Status>> + Send>>;

/// Compares, and tells after every so many facts. Who stops listening stops it; what was opened stays.
pub(super) async fn rescan(
    app: Arc<App>,
    caller: Caller,
    asked: proto::RescanRequest,
) -> Result<Answers, AppError> {
    let live = live(&app, &caller, &asked.board).await?;
    let module: Option<ModuleName> = match asked.module.as_str() {
        "" => None,
        module => Some(parse::id("module", module)?),
    };
    let mut scan = app.begin_rescan(&live, &caller, module, asked.validate_only)?;
    Ok(Box::pin(try_stream! {
        while !scan.done {
            let found = app.rescan_some(&live, &caller, &mut scan).await?;
            yield answer(&live.name, &scan, found);
        }
    }))
}

fn answer(board: &BoardName, scan: &Scan, found: Vec<Contradiction>) -> proto::RescanResponse {
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    proto::RescanResponse {
        facts: count(scan.facts),
        total: count(scan.total),
        compared: scan.compared,
        found: found.into_iter().map(|it| told(board, it)).collect(),
        opened: scan.opened,
        done: scan.done,
    }
}

fn told(board: &BoardName, found: Contradiction) -> proto::RescanFinding {
    let reported = ReportedFinding {
        standing: Standing::Revision(found.standing),
        standing_content: found.standing_content,
        judgement: found.judgement,
        is_conflict: true,
    };
    proto::RescanFinding {
        conflict: found
            .conflict
            .map(|id| full(board, "conflicts", id))
            .unwrap_or_default(),
        finding: Some(verdicts::finding(board, &reported)),
        challenger: full(board, "assertions", found.challenger),
        challenger_content: found.challenger_content,
    }
}
