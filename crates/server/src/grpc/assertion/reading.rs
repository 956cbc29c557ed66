//! Reading revisions: one, a page of them, or a chain of evidence.

use super::super::{
    page::{self, Page},
    parse,
    views::{Drifted, SeenRevision, Teller},
};
use crate::{
    app::{self, App, boards::LiveBoard, error::AppError},
    auth::Caller,
};
use pawl_ledger::{
    board::Board,
    decide::{Denied, Reason},
    id::{Position, RevisionId},
    log::wire::WireEnum,
    status::Status as RevisionStatus,
};
use pawl_proto::v1::{self as proto};
use std::sync::Arc;

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

pub(super) async fn list(
    app: &Arc<App>,
    caller: &Caller,
    live: &Arc<LiveBoard>,
    request: &proto::ListAssertionsRequest,
) -> Result<proto::ListAssertionsResponse, AppError> {
    let mut statuses = Vec::new();
    for status in &request.statuses {
        statuses.push(RevisionStatus::from_wire(*status, "statuses")?);
    }
    let module = match request.module.as_str() {
        "" => None,
        module => Some(
            module
                .parse()
                .map_err(|e| app::error::invalid_id("module", &e))?,
        ),
    };
    let size = parse::page_items(request.page_size);
    let list = format!(
        "assertions {} {} {:?}",
        live.name, request.module, request.statuses
    );
    let after = page::parse(&list, &request.page_token)?.map(|page| page.after);
    let (found, position) = app
        .read(live, caller, |board| {
            if let Some(module) = &module
                && !board.modules.contains_key(module)
            {
                return Err(Denied::new(
                    Reason::ModuleUnknown,
                    format!(
                        "board `{}` has no module `{module}`; list the modules",
                        board.name
                    ),
                )
                .with("module", module)
                .into());
            }
            let wanted = |status: RevisionStatus| match statuses.as_slice() {
                [] => status.stands() || status == RevisionStatus::Contested,
                some => some.contains(&status),
            };
            let mut found: Vec<(Position, RevisionId)> = board
                .revisions()
                .filter(|(_, it)| after.is_none_or(|after| it.position.0 > after))
                .filter(|(_, it)| module.as_ref().is_none_or(|module| it.module == *module))
                .filter(|(_, it)| wanted(it.status))
                .map(|(id, it)| (it.position, id))
                .collect();
            found.sort_unstable();
            found.truncate(size + 1);
            let drifted = Drifted::of(board);
            let seen = found
                .iter()
                .filter_map(|(_, id)| SeenRevision::new(board, *id, &drifted));
            Ok((seen.collect::<Vec<_>>(), board.position()))
        })
        .await?;
    let teller = Teller { app, live };
    let last = found
        .get(size.saturating_sub(1))
        .filter(|_| found.len() > size);
    let next = last.map(|last| {
        page::token(
            &list,
            Page {
                view: position.0,
                after: last.state.position.0,
            },
        )
    });
    let assertions = found.iter().take(size).map(|seen| teller.assertion(seen));
    Ok(proto::ListAssertionsResponse {
        assertions: assertions.collect::<Result<_, AppError>>()?,
        next_page_token: next.unwrap_or_default(),
        position: position.0,
    })
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
