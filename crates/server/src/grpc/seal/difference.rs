//! What changed from one snapshot to another, on the wire.

use std::sync::Arc;

use pawl_ledger::{
    board::Board,
    decide::{Denied, Reason},
    digest::Digest,
    graph::{Difference, difference},
    id::{Position, RevisionId},
    status::Policy,
};
use pawl_proto::v1 as proto;

use super::super::live;
use super::find;
use crate::{
    app::{
        App,
        boards::LiveBoard,
        error::{AppError, missing},
        snapshots::{Texts, findings_between},
    },
    auth::Caller,
    grpc::{
        names::full,
        page::{self, Page},
        parse, verdicts,
    },
};

/// A change: the revision before, and the one after.
type Change = (Option<RevisionId>, Option<RevisionId>);

/// What was seen under the lock.
struct Seen {
    from: Digest,
    to: Digest,
    counts: [usize; 4],
    policy: Policy,
    changes: Vec<Change>,
    positions: Vec<(RevisionId, Position)>,
    more: bool,
}

pub(super) async fn diff(
    app: &Arc<App>,
    caller: &Caller,
    request: &proto::DiffSnapshotsRequest,
) -> Result<proto::DiffSnapshotsResponse, AppError> {
    let live = live(app, caller, &request.board).await?;
    let size = parse::page_items(request.page_size);
    let list = format!("diff {} {} {}", live.name, request.from, request.to);
    let after = page::parse(&list, &request.page_token)?.map_or(0, |page| page.after);
    let seen = app.read(&live, caller, |board| see(board, request, after, size));
    let seen = seen.await?;
    let texts = app.texts(&live, seen.positions.clone()).await?;
    let last = seen.changes.last().filter(|_| seen.more);
    let next = last.map(|change| {
        let after = key(*change);
        page::token(&list, Page { view: 0, after })
    });
    let [added, amended, gone, kept] = seen.counts.map(|it| u32::try_from(it).unwrap_or(u32::MAX));
    let changes = seen.changes.iter();
    Ok(proto::DiffSnapshotsResponse {
        from: full(&live.name, "snapshots", seen.from),
        to: full(&live.name, "snapshots", seen.to),
        changes: changes
            .map(|change| told(&live, seen.policy, *change, &texts))
            .collect(),
        added,
        amended,
        gone,
        kept,
        next_page_token: next.unwrap_or_default(),
    })
}

fn see(
    board: &Board,
    request: &proto::DiffSnapshotsRequest,
    after: u64,
    size: usize,
) -> Result<Seen, AppError> {
    let named = |field, text: &str| match parse::on_board(&board.name, "snapshots", text)? {
        "" => Err(missing(field, "a snapshot's id")),
        digits => find(board, digits),
    };
    let (from, to) = (named("from", &request.from)?, named("to", &request.to)?);
    let (one, other) = (&from.snapshot.module, &to.snapshot.module);
    if one != other {
        return Err(Denied::new(
            Reason::FieldInvalid,
            format!(
                "the snapshots are of modules `{one}` and `{other}`; compare two of one module"
            ),
        )
        .with("field", "to")
        .into());
    }
    let difference = difference(board, from, to);
    let counts = [
        difference.added.len(),
        difference.amended.len(),
        difference.gone.len(),
        difference.kept,
    ];
    let mut changes = changes(&difference);
    changes.retain(|change| key(*change) > after);
    let more = changes.len() > size;
    changes.truncate(size);
    let revisions = changes.iter().flat_map(|(old, new)| old.iter().chain(new));
    let positions = revisions.filter_map(|id| Some((*id, board.revision(*id)?.position)));
    Ok(Seen {
        from: from.id,
        to: to.id,
        counts,
        policy: board.policy,
        positions: positions.collect(),
        changes,
        more,
    })
}

/// Every change, by the revision it is about.
fn changes(difference: &Difference) -> Vec<Change> {
    let added = difference.added.iter().map(|new| (None, Some(*new)));
    let gone = difference.gone.iter().map(|old| (Some(*old), None));
    let amended = difference.amended.iter();
    let amended = amended.map(|(old, new)| (Some(*old), Some(*new)));
    let mut all: Vec<Change> = added.chain(gone).chain(amended).collect();
    all.sort_unstable_by_key(|change| key(*change));
    all
}

/// The place of a change in the order of all.
fn key((old, new): Change) -> u64 {
    let id = old.or(new);
    id.map_or(0, |id| {
        (u64::from(id.assertion.0) << 32) | u64::from(id.revision)
    })
}

fn told(
    live: &LiveBoard,
    policy: Policy,
    (old, new): Change,
    texts: &Texts,
) -> proto::SnapshotChange {
    let text = |id: Option<RevisionId>| Some((id?, texts.get(&id?)?));
    let content = |id: Option<RevisionId>| {
        let text = text(id).map(|(_, it)| it.statement.content().to_owned());
        text.unwrap_or_default()
    };
    let name =
        |id: Option<RevisionId>| id.map_or(String::new(), |id| full(&live.name, "assertions", id));
    let kind = match (old, new) {
        (None, _) => proto::SnapshotChangeKind::Added,
        (Some(_), Some(_)) => proto::SnapshotChangeKind::Amended,
        (Some(_), None) => proto::SnapshotChangeKind::Gone,
    };
    let findings = match (text(old), text(new)) {
        (Some(old), Some((_, new))) => findings_between(live, policy, old, new),
        _ => Vec::new(),
    };
    proto::SnapshotChange {
        kind: kind.into(),
        old: name(old),
        new: name(new),
        old_content: content(old),
        new_content: content(new),
        findings: findings
            .iter()
            .map(|it| verdicts::finding(&live.name, it))
            .collect(),
    }
}
