//! What is told of snapshots.

use super::super::{names::full, parse::time};
use pawl_ledger::{
    graph::SnapshotNode,
    id::BoardName,
    log::{
        encode_snapshot,
        wire::{seal_figures_to_wire, seal_policy_to_wire},
    },
};
use pawl_proto::v1 as proto;
use prost::Message;

/// Tells a snapshot.
pub(in crate::grpc) fn snapshot(
    board: &BoardName,
    node: &SnapshotNode,
    is_current: bool,
    with_members: bool,
) -> proto::SnapshotRecord {
    let bytes = encode_snapshot(&node.snapshot);
    let members = node.members.iter().filter(|_| with_members);
    proto::SnapshotRecord {
        name: full(board, "snapshots", node.id),
        snapshot: proto::Snapshot::decode(bytes.as_slice()).ok(),
        bytes,
        members: members.map(ToString::to_string).collect(),
        create_time: Some(time(node.snapshot.at)),
        current: is_current,
    }
}

/// Tells what a seal would hold, before there is a snapshot.
pub(in crate::grpc) fn seal_preview(
    module: &str,
    policy: &pawl_ledger::module::SealPolicy,
    report: &pawl_ledger::decide::SealReport,
) -> proto::SnapshotRecord {
    proto::SnapshotRecord {
        snapshot: Some(proto::Snapshot {
            module: module.to_owned(),
            member_count: report.figures.members,
            policy: Some(seal_policy_to_wire(policy)),
            figures: Some(seal_figures_to_wire(report.figures)),
            ..Default::default()
        }),
        members: report.members.iter().map(ToString::to_string).collect(),
        ..Default::default()
    }
}
