//! Amendments on the wire.

use std::sync::Arc;

use pawl_ledger::{digest::Digest, id::Position};
use pawl_proto::v1 as proto;

use super::super::live;
use super::is_current;
use crate::{
    app::{
        App,
        boards::{LiveBoard, Repeat},
        error::{AppError, missing},
        submission::{Amended, Amendment},
    },
    auth::Caller,
    grpc::{
        assertion::{self, seen},
        draft::{self, citations},
        names, parse, verdicts,
        views::{self, Teller},
    },
};

pub(super) async fn amend(
    app: &Arc<App>,
    caller: &Caller,
    request: &proto::AmendRequest,
) -> Result<proto::AmendResponse, AppError> {
    let live = live(app, caller, &request.board).await?;
    let old = names::revision(&live.name, "assertion", &request.assertion)?;
    let mut wire = request
        .draft
        .clone()
        .ok_or_else(|| missing("draft", "what takes its place"))?;
    wire.module = {
        let board = live.open.state.read();
        seen(&board, old)?.state.module.to_string()
    };
    wire.replaces = old.to_string();
    let amendment = Amendment {
        old,
        draft: draft::draft(&live.name, &wire)?,
        reason: accepted_reason(&request.reason)?,
        evidence: citations(&request.evidence)?,
        base: request.base.map(Position),
    };
    let repeat = Repeat::new(caller, "Amend", &request.request_id, request)?;
    let answer = |amended: &Amended| short_answer(&live, amended);
    let kept = app.amend(&live, caller, repeat, amendment, answer).await?;
    full_answer(app, &live, caller, kept).await
}

fn accepted_reason(text: &str) -> Result<String, AppError> {
    let words = assertion::reason(text)?;
    Ok(String::from_utf8_lossy(words.bytes()).into_owned())
}

/// What is kept for a repeated request: names, and the findings.
fn short_answer(live: &LiveBoard, amended: &Amended) -> proto::AmendResponse {
    proto::AmendResponse {
        assertion: Some(proto::Assertion {
            name: amended.revision.to_string(),
            ..Default::default()
        }),
        snapshot: Some(proto::SnapshotRecord {
            name: amended.snapshot.to_string(),
            ..Default::default()
        }),
        support_lost: amended
            .support_lost
            .iter()
            .map(|id| names::full(&live.name, "assertions", id))
            .collect(),
        findings: amended
            .findings
            .iter()
            .map(|it| verdicts::finding(&live.name, it))
            .collect(),
    }
}

/// Tells what the names stand for.
async fn full_answer(
    app: &Arc<App>,
    live: &Arc<LiveBoard>,
    caller: &Caller,
    kept: proto::AmendResponse,
) -> Result<proto::AmendResponse, AppError> {
    let revision = kept
        .assertion
        .as_ref()
        .map(|it| it.name.as_str())
        .unwrap_or_default();
    let revision = names::revision(&live.name, "assertion", revision)?;
    let snapshot: Digest = parse::digest(
        "snapshot",
        kept.snapshot
            .as_ref()
            .map(|it| it.name.as_str())
            .unwrap_or_default(),
    )?;
    let (seen, snapshot) = app
        .read(live, caller, |board| {
            let node = board.snapshots.get(&snapshot);
            let node = node.ok_or_else(|| AppError::Internal("a snapshot is gone".into()))?;
            let record = views::snapshot(&board.name, node, is_current(board, node), true);
            Ok((seen(board, revision)?, record))
        })
        .await?;
    Ok(proto::AmendResponse {
        assertion: Some(Teller { app, live }.assertion(&seen)?),
        snapshot: Some(snapshot),
        ..kept
    })
}
