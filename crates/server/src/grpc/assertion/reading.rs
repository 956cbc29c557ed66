//! Reading revisions: one, a page of them, or a chain of evidence.

use std::sync::Arc;

use pawl_ledger::{
    board::Board,
    decide::{Denied, Reason},
    digest::Digest,
    id::{Position, RevisionId},
};
use pawl_proto::v1 as proto;
use prost::Message;

use super::{
    super::{
        page::{self, Page},
        parse,
        views::{Drifted, SeenRevision, Teller},
    },
    filter::Filter,
};
use crate::{
    app::{App, boards::LiveBoard, error::AppError, judge::content_at},
    auth::Caller,
};

/// How much of a board one call for a list looks at, in contents read from the store.
const LOOKED_AT: usize = 20_000;
/// What a revision costs of which everything is read: a call reads at most 2,000.
const READ_COST: usize = 10;
/// The most revisions in an evidence chain.
const MAX_EVIDENCE_NODES: usize = 1_000;

/// Takes what is needed of a revision, or says that there is none.
pub(in crate::grpc) fn seen(board: &Board, id: RevisionId) -> Result<SeenRevision, AppError> {
    SeenRevision::new(board, id, &Drifted::of(board)).ok_or_else(|| {
        Denied::new(
            Reason::AssertionUnknown,
            format!(
                "board `{}` has no revision `{id}`; list the board's assertions",
                board.name
            ),
        )
        .with("assertion", id)
        .into()
    })
}

/// Lists the revisions that a request asks for, a page at a time, all pages of one state.
pub(super) async fn list(
    app: &Arc<App>,
    caller: &Caller,
    live: &Arc<LiveBoard>,
    request: &proto::ListAssertionsRequest,
) -> Result<proto::ListAssertionsResponse, AppError> {
    let filter = Filter::read(app, caller, live, request).await?;
    let size = parse::page_items(request.page_size);
    let list = bound(live, request);
    let page = page::parse(&list, &request.page_token)?;
    // A later page is of the state of the first one.
    let as_of = page.map_or(request.as_of, |page| Some(page.view));
    let after = page.map(|page| page.after);
    let (found, position) = app
        .read_as_of(live, caller, as_of, |board| {
            filter.check(board)?;
            Ok((candidates(board, &filter, after), board.position()))
        })
        .await?;
    let (reader, board) = (app.clone(), live.clone());
    let choose = move || chosen(&reader, &board, &filter, found, size);
    let (assertions, more_after) = tokio::task::spawn_blocking(choose)
        .await
        .map_err(|error| AppError::Internal(format!("a list was not read: {error}")))??;
    let next = more_after.map(|after| {
        let (view, after) = (position.0, after.0);
        page::token(&list, Page { view, after })
    });
    Ok(proto::ListAssertionsResponse {
        assertions,
        next_page_token: next.unwrap_or_default(),
        position: position.0,
    })
}

/// Names a list with all that its reader must not change between pages.
fn bound(live: &LiveBoard, request: &proto::ListAssertionsRequest) -> String {
    let asked = proto::ListAssertionsRequest {
        board: String::new(),
        page_size: 0,
        page_token: String::new(),
        ..request.clone()
    };
    format!(
        "assertions {} {}",
        live.name,
        Digest::of(&asked.encode_to_vec())
    )
}

/// The revisions after a position whose state is as asked for, by position, as many as a call looks
/// at and one more.
fn candidates(board: &Board, filter: &Filter, after: Option<u64>) -> Vec<SeenRevision> {
    let mut found: Vec<(Position, RevisionId)> = board
        .revisions()
        .filter(|(_, it)| after.is_none_or(|after| it.position.0 > after))
        .filter(|(id, it)| filter.wants(*id, it))
        .map(|(id, it)| (it.position, id))
        .collect();
    found.sort_unstable();
    found.truncate(LOOKED_AT + 1);
    let drifted = Drifted::of(board);
    found
        .into_iter()
        .filter_map(|(_, id)| SeenRevision::new(board, id, &drifted))
        .collect()
}

/// Reads the words of candidates until a page is full or the call has looked at enough; says after
/// which position the next page begins, where there may be more.
fn chosen(
    app: &App,
    live: &LiveBoard,
    filter: &Filter,
    found: Vec<SeenRevision>,
    size: usize,
) -> Result<(Vec<proto::Assertion>, Option<Position>), AppError> {
    let teller = Teller { app, live };
    let (mut chosen, mut cost, mut last) = (Vec::new(), 0, None);
    for seen in found {
        if chosen.len() == size || cost >= LOOKED_AT {
            return Ok((chosen, last));
        }
        last = Some(seen.state.position);
        if !filter.pieces.is_empty() {
            let content = content_at(&app.ledger, live.open.number, seen.state.position)?;
            if content.is_some_and(|content| !filter.wants_text(&content)) {
                cost += 1;
                continue;
            }
        }
        cost += READ_COST;
        let assertion = teller.assertion(&seen)?;
        let draft = assertion.draft.as_ref();
        let wanted = draft.is_some_and(|draft| {
            filter.wants_text(&draft.content) && filter.wants_words(&seen.state, draft)
        });
        if wanted {
            chosen.push(assertion);
        }
    }
    Ok((chosen, None))
}

/// A revision and everything it rests on, breadth first, with how far each is away.
pub(super) fn chain(board: &Board, id: RevisionId) -> Result<Vec<(u32, SeenRevision)>, AppError> {
    let drifted = Drifted::of(board);
    let mut found = vec![(0, seen(board, id)?)];
    let mut next = 0;
    while let Some((depth, at)) = found.get(next) {
        let (depth, supports) = (*depth, at.state.supports.clone());
        for support in supports {
            let known = found.iter().any(|(_, other)| other.id == support);
            if !known && found.len() < MAX_EVIDENCE_NODES {
                let support = SeenRevision::new(board, support, &drifted);
                found.extend(support.map(|it| (depth + 1, it)));
            }
        }
        next += 1;
    }
    Ok(found)
}
