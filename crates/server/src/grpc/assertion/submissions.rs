//! Submissions off the wire.

use super::super::{
    draft::{draft, intake_item},
    live, parse, verdicts,
};
use crate::{
    app::{
        App,
        boards::{LiveBoard, Repeat},
        error::{AppError, missing},
        submission::{Batch, Draft, blocking},
    },
    auth::Caller,
};
use pawl_checker::intake;
use pawl_ledger::{
    decide::{Denied, Reason, may_submit},
    id::{BoardName, Position},
};
use pawl_proto::v1 as proto;
use std::sync::Arc;

pub(super) async fn submit(
    app: &Arc<App>,
    caller: &Caller,
    request: proto::SubmitRequest,
) -> Result<proto::SubmitResponse, AppError> {
    let live = live(app, caller, &request.board).await?;
    let base = base(&live, request.base, &request.base_snapshot)?;
    let batch = batch(app, &live.name, &request.items, base, request.all_or_none)?;
    if request.validate_only {
        let outcome = app.check(&live, caller, batch).await?;
        return Ok(verdicts::response(&live.name, &outcome));
    }
    let repeat = Repeat::new(caller, "Submit", &request.request_id, &request)?;
    let name = live.name.clone();
    let answer = move |outcome: &_| verdicts::response(&name, outcome);
    app.submit(&live, caller, repeat, batch, answer).await
}

pub(super) async fn submit_intake(
    app: &Arc<App>,
    caller: &Caller,
    request: proto::SubmitIntakeRequest,
) -> Result<proto::SubmitResponse, AppError> {
    let live = live(app, caller, &request.board).await?;
    if !request.validate_only {
        may_submit(&live.open.state.read(), &caller.context())?;
    }
    let limits = intake::Limits {
        assertions: app.limits().batch_items,
        ..Default::default()
    };
    // A document of megabytes takes long enough to hold up what else its thread answers.
    let (request, document) = blocking(move || {
        let document = intake::parse(&request.document, &limits).map_err(|it| malformed(&it))?;
        Ok((request, document))
    })
    .await?;
    let items = drafts(&live.name, &request.module, &document);
    let batch = Batch {
        items,
        base: base(&live, request.base, &request.base_snapshot)?,
        all_or_none: request.all_or_none,
    };
    if request.validate_only {
        let outcome = app.check(&live, caller, batch).await?;
        return Ok(verdicts::response(&live.name, &outcome));
    }
    let repeat = Repeat::new(caller, "SubmitIntake", &request.request_id, &request)?;
    let name = live.name.clone();
    let answer = move |outcome: &_| verdicts::response(&name, outcome);
    app.submit(&live, caller, repeat, batch, answer).await
}

fn malformed(problems: &intake::Problems) -> Denied {
    let told = serde_json::to_string(&problems).unwrap_or_default();
    Denied::new(
        Reason::IntakeMalformed,
        format!("the intake document is not well formed: {problems}"),
    )
    .with("problems", told)
}

/// Makes the drafts of a document, each with what was taken out of it.
fn drafts(
    board: &BoardName,
    module: &str,
    document: &intake::Intake,
) -> Vec<Result<Draft, Denied>> {
    let mut items: Vec<_> = document
        .items
        .iter()
        .map(|item| intake_item(board, module, item))
        .collect();
    for notice in &document.notices {
        let stripped: Vec<String> = notice.stripped.iter().map(ToString::to_string).collect();
        let place = notice
            .pointer
            .split('/')
            .nth(2)
            .and_then(|place| place.parse::<usize>().ok());
        if let Some(Ok(draft)) = place.and_then(|place| items.get_mut(place)) {
            draft.warnings.push(format!(
                "invisible characters were taken out of `{}`: {}",
                notice.pointer,
                stripped.join(", ")
            ));
        }
    }
    items
}

pub(super) fn batch(
    app: &App,
    board: &BoardName,
    items: &[proto::Draft],
    base: Option<Position>,
    all_or_none: bool,
) -> Result<Batch, AppError> {
    let limit = app.limits().batch_items;
    if items.is_empty() {
        return Err(missing("items", "at least one assertion"));
    }
    if items.len() > limit {
        return Err(Denied::new(
            Reason::BatchTooLarge,
            format!(
                "the batch has {} items, at most {limit}; send it in parts",
                items.len()
            ),
        )
        .with("items", items.len())
        .with("limit", limit)
        .into());
    }
    Ok(Batch {
        items: items.iter().map(|item| draft(board, item)).collect(),
        base,
        all_or_none,
    })
}

/// What an author had read up to: a log position, or a snapshot, which stands for the position after
/// its entry.
pub(super) fn base(
    live: &LiveBoard,
    position: Option<u64>,
    snapshot: &str,
) -> Result<Option<Position>, AppError> {
    if snapshot.is_empty() {
        return Ok(position.map(Position));
    }
    if position.is_some() {
        return Err(Denied::new(
            Reason::FieldInvalid,
            "both `base` and `base_snapshot` are given; give one of them",
        )
        .with("field", "base_snapshot")
        .into());
    }
    let digits = parse::on_board(&live.name, "snapshots", snapshot)?;
    let board = live.open.state.read();
    let node = super::super::seal::find(&board, digits)?;
    Ok(Some(Position(node.snapshot.position.0 + 1)))
}
