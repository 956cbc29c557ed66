//! The snapshot graph on the wire.

use std::{collections::BTreeSet, sync::Arc};

use pawl_ledger::{
    board::Board,
    decide::{Denied, Reason},
    digest::Digest,
    graph::SnapshotNode,
    log::wire::WireEnum,
    snapshot::SnapshotCause,
};
use pawl_proto::v1 as proto;

use super::super::live;
use super::{find, is_current};
use crate::{
    app::{
        App,
        error::{AppError, missing},
    },
    auth::Caller,
    grpc::{names::full, parse},
};

/// The most snapshots of a graph, the newest ones; some 200 bytes each.
const MAX_NODES: usize = 5_000;

pub(super) async fn graph(
    app: &Arc<App>,
    caller: &Caller,
    request: &proto::GetSnapshotGraphRequest,
) -> Result<proto::SnapshotGraph, AppError> {
    let live = live(app, caller, &request.board).await?;
    let around = parse::on_board(&live.name, "snapshots", &request.snapshot)?;
    let relation = relation(request.relation)?;
    let graph = app.read(&live, caller, |board| {
        let related = match around {
            "" if relation == proto::SnapshotRelation::Unspecified => None,
            "" => {
                let what = "the snapshot that others are to be related to";
                return Err(missing("snapshot", what));
            }
            digits => Some(related(board, &find(board, digits)?.id, relation)),
        };
        Ok(drawn(board, related.as_ref()))
    });
    graph.await
}

fn relation(number: i32) -> Result<proto::SnapshotRelation, AppError> {
    proto::SnapshotRelation::try_from(number).map_err(|_| {
        Denied::new(
            Reason::FieldInvalid,
            format!("`{number}` is no relation of snapshots; leave `relation` out for both"),
        )
        .with("field", "relation")
        .into()
    })
}

/// A snapshot with what is related to it.
fn related(board: &Board, id: &Digest, relation: proto::SnapshotRelation) -> BTreeSet<Digest> {
    let mut all = BTreeSet::from([*id]);
    if relation != proto::SnapshotRelation::Dependents {
        all.extend(board.snapshots.ancestors(id));
    }
    if relation != proto::SnapshotRelation::Ancestors {
        all.extend(board.snapshots.descendants(id));
    }
    all
}

fn drawn(board: &Board, wanted: Option<&BTreeSet<Digest>>) -> proto::SnapshotGraph {
    let is_wanted = |id: &Digest| wanted.is_none_or(|wanted| wanted.contains(id));
    let count = board
        .snapshots
        .iter()
        .filter(|it| is_wanted(&it.id))
        .count();
    let left_out = count.saturating_sub(MAX_NODES);
    let shown: Vec<&SnapshotNode> = board
        .snapshots
        .iter()
        .filter(|it| is_wanted(&it.id))
        .skip(left_out)
        .collect();
    let ids: BTreeSet<Digest> = shown.iter().map(|it| it.id).collect();
    let edges = shown.iter().flat_map(|child| edges(board, child, &ids));
    proto::SnapshotGraph {
        edges: edges.collect(),
        nodes: shown.iter().map(|it| node(board, it)).collect(),
        left_out: u32::try_from(left_out).unwrap_or(u32::MAX),
    }
}

fn node(board: &Board, node: &SnapshotNode) -> proto::SnapshotNode {
    let snapshot = &node.snapshot;
    proto::SnapshotNode {
        name: full(&board.name, "snapshots", node.id),
        module: snapshot.module.to_string(),
        cause: snapshot.cause.to_wire(),
        mode: snapshot.mode.to_wire(),
        member_count: snapshot.member_count,
        sealed_by: snapshot.sealed_by.to_string(),
        create_time: Some(parse::time(snapshot.at)),
        position: snapshot.position.0,
        current: is_current(board, node),
    }
}

fn edges(
    board: &Board,
    child: &SnapshotNode,
    shown: &BTreeSet<Digest>,
) -> Vec<proto::SnapshotEdge> {
    use proto::SnapshotEdgeKind as Kind;
    let parents = child.snapshot.parents.iter().enumerate();
    let parents = parents.filter(|(_, parent)| shown.contains(parent));
    parents
        .filter_map(|(place, id)| Some((place, board.snapshots.get(id)?)))
        .map(|(place, parent)| {
            let own = parent.snapshot.module == child.snapshot.module;
            let back = child.snapshot.cause == SnapshotCause::Rollback && place == 1;
            let kind = match (own, back) {
                (true, true) => Kind::GoesBackTo,
                (true, false) => Kind::Follows,
                (false, _) => Kind::DependsOn,
            };
            proto::SnapshotEdge {
                child: full(&board.name, "snapshots", child.id),
                parent: full(&board.name, "snapshots", parent.id),
                kind: kind.into(),
            }
        })
        .collect()
}
