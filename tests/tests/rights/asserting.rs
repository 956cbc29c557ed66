//! Makes the calls about what is said on a board.

use pawl_proto::v1::{self as proto};
use tonic::Status;

use super::scene::Scene;
use crate::world::Client;

pub(super) async fn assertions(method: &str, client: &Client, scene: &Scene) -> Result<(), Status> {
    let mut service = client.assertions();
    let board = client.board.clone();
    let quote = || vec![scene.draft.citations[0].clone()];
    match method {
        "GetIntakeSchema" => service
            .get_intake_schema(proto::GetIntakeSchemaRequest {})
            .await
            .map(drop),
        "GetAssertion" => client.try_assertion(&scene.locked).await.map(drop),
        "ListAssertions" => {
            let request = proto::ListAssertionsRequest {
                board,
                ..Default::default()
            };
            service.list_assertions(request).await.map(drop)
        }
        "SearchAssertions" => {
            let request = proto::SearchAssertionsRequest {
                board,
                query: "harbour".into(),
                ..Default::default()
            };
            service.search_assertions(request).await.map(drop)
        }
        "GetEvidence" => {
            let assertion = scene.locked.clone();
            service
                .get_evidence(proto::GetEvidenceRequest {
                    board,
                    assertion,
                    as_of: None,
                })
                .await
                .map(drop)
        }
        "Validate" => client.validate(&scene.proposed, quote()).await.map(drop),
        "Flag" => client.flag(&scene.locked, quote()).await.map(drop),
        "CloseFlag" => {
            let request = proto::CloseFlagRequest {
                board,
                flag: scene.flag.clone(),
                reason: "answered".into(),
                ..Default::default()
            };
            service.close_flag(request).await.map(drop)
        }
        "ListFlags" => service
            .list_flags(proto::ListFlagsRequest { board, all: true })
            .await
            .map(drop),
        "Retract" => client.retract(&scene.proposed).await.map(drop),
        "Reaffirm" => client
            .reaffirm(&scene.lost, &[&scene.locked])
            .await
            .map(drop),
        _ => panic!("no test for {method}"),
    }
}

pub(super) async fn conflicts(method: &str, client: &Client, scene: &Scene) -> Result<(), Status> {
    let mut service = client.conflicts();
    let board = client.board.clone();
    let conflict = scene.conflict.clone();
    match method {
        "ListConflicts" => {
            let request = proto::ListConflictsRequest {
                board,
                ..Default::default()
            };
            service.list_conflicts(request).await.map(drop)
        }
        "GetConflict" => service
            .get_conflict(proto::GetConflictRequest { board, conflict })
            .await
            .map(drop),
        "Resolve" => client.resolve(&conflict, &scene.proposed).await.map(drop),
        "Dismiss" => client.dismiss(&conflict).await.map(drop),
        "Appeal" => client.appeal(&conflict).await.map(drop),
        "Rescan" => {
            let request = proto::RescanRequest {
                board,
                ..Default::default()
            };
            service.rescan(request).await.map(drop)
        }
        _ => panic!("no test for {method}"),
    }
}

pub(super) async fn seals(method: &str, client: &Client, scene: &Scene) -> Result<(), Status> {
    let mut service = client.seals();
    let board = client.board.clone();
    match method {
        "Seal" => client.seal("market").await.map(drop),
        "Amend" => client
            .amend(&scene.locked, scene.draft.clone())
            .await
            .map(drop),
        "GetSnapshot" => {
            let snapshot = scene.snapshot().await;
            service
                .get_snapshot(proto::GetSnapshotRequest { board, snapshot })
                .await
                .map(drop)
        }
        "ListSnapshots" => {
            let module = String::new();
            service
                .list_snapshots(proto::ListSnapshotsRequest {
                    board,
                    module,
                    as_of: None,
                })
                .await
                .map(drop)
        }
        "Rollback" => {
            let request = proto::RollbackRequest {
                board,
                module: "market".into(),
                to: scene.snapshot().await,
                reason: "the figures were better then".into(),
                ..Default::default()
            };
            service.rollback(request).await.map(drop)
        }
        "DiffSnapshots" => {
            let request = proto::DiffSnapshotsRequest {
                board,
                from: scene.snapshot().await,
                to: scene.snapshot().await,
                ..Default::default()
            };
            service.diff_snapshots(request).await.map(drop)
        }
        "GetSnapshotGraph" => {
            let request = proto::GetSnapshotGraphRequest {
                board,
                ..Default::default()
            };
            service.get_snapshot_graph(request).await.map(drop)
        }
        _ => panic!("no test for {method}"),
    }
}

pub(super) async fn sources(method: &str, client: &Client, scene: &Scene) -> Result<(), Status> {
    let mut service = client.sources();
    let board = client.board.clone();
    let source = scene.draft.citations[0].source.clone();
    match method {
        "UploadSource" => {
            let header = proto::SourceHeader {
                media_type: "text/plain".into(),
                ..Default::default()
            };
            client
                .upload_as(header, client.name.as_bytes())
                .await
                .map(drop)
        }
        "RegisterSource" => {
            let request = proto::RegisterSourceRequest {
                board,
                uri: "https://example.org/mine".into(),
                digest: blake3::hash(client.token.as_bytes()).to_hex().to_string(),
                media_type: "text/plain".into(),
                title: String::new(),
                date: String::new(),
            };
            service.register_source(request).await.map(drop)
        }
        "GetSource" => service
            .get_source(proto::GetSourceRequest { board, source })
            .await
            .map(drop),
        "ReadSource" => service
            .read_source(proto::ReadSourceRequest { board, source })
            .await
            .map(drop),
        "ListSources" => {
            let request = proto::ListSourcesRequest {
                board,
                ..Default::default()
            };
            service.list_sources(request).await.map(drop)
        }
        "RemoveSource" => service
            .remove_source(proto::RemoveSourceRequest { board, source })
            .await
            .map(drop),
        _ => panic!("no test for {method}"),
    }
}
