//! Finding revisions by what they mean or by their words.

use std::sync::Arc;

use pawl_ledger::log::wire::WireEnum;
use pawl_proto::v1 as proto;

use super::{
    super::{
        draft::{MAX_CONTENT_CHARACTERS, accept_some},
        views::Teller,
    },
    reading::seen,
};
use crate::{
    app::{
        App,
        boards::LiveBoard,
        error::{AppError, invalid_id},
        search::Asked,
    },
    auth::Caller,
};

/// How many hits there are unless more or fewer are asked for.
const DEFAULT_HITS: usize = 10;
/// The most hits.
const MAX_HITS: usize = 100;

/// Searches what is in force.
pub(super) async fn search(
    app: &Arc<App>,
    caller: &Caller,
    live: &Arc<LiveBoard>,
    request: &proto::SearchAssertionsRequest,
) -> Result<proto::SearchAssertionsResponse, AppError> {
    let (hits, position) = app.search(live, caller, asked(request)?).await?;
    let revisions = app
        .read(live, caller, |board| {
            let seen = hits.iter().map(|hit| seen(board, hit.revision));
            seen.collect::<Result<Vec<_>, AppError>>()
        })
        .await?;
    let teller = Teller { app, live };
    let mut told = Vec::with_capacity(hits.len());
    for (hit, revision) in hits.iter().zip(&revisions) {
        told.push(proto::SearchHit {
            assertion: Some(teller.assertion(revision)?),
            similarity: hit.cosine.map(|cosine| f64::from(cosine) / 10_000.0),
            overlap: f64::from(hit.overlap) / 256.0,
        });
    }
    Ok(proto::SearchAssertionsResponse {
        hits: told,
        position: position.0,
    })
}

fn asked(request: &proto::SearchAssertionsRequest) -> Result<Asked, AppError> {
    use proto::SearchBy;
    let by = SearchBy::try_from(request.by)
        .map_err(|_| AppError::from(pawl_ledger::log::wire::invalid("by")))?;
    let module = match request.module.as_str() {
        "" => None,
        module => Some(
            module
                .parse()
                .map_err(|error| invalid_id("module", &error))?,
        ),
    };
    let levels = request.levels.iter();
    let kinds = request.kinds.iter();
    Ok(Asked {
        query: accept_some("query", &request.query, MAX_CONTENT_CHARACTERS)?.text,
        by_text: by == SearchBy::Text,
        most: hits(request.limit),
        module,
        levels: levels
            .map(|it| Ok(WireEnum::from_wire(*it, "levels")?))
            .collect::<Result<_, AppError>>()?,
        kinds: kinds
            .map(|it| Ok(WireEnum::from_wire(*it, "kinds")?))
            .collect::<Result<_, AppError>>()?,
    })
}

fn hits(limit: u32) -> usize {
    match usize::try_from(limit).unwrap_or(MAX_HITS) {
        0 => DEFAULT_HITS,
        limit => limit.min(MAX_HITS),
    }
}
