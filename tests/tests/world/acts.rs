//! What somebody who calls does about what was submitted, and reads of it.

use pawl_proto::v1::{self as proto, Citation, Draft};
use tonic::Status;

use super::Client;

impl Client {
    pub(crate) async fn validate(
        &self,
        id: &str,
        evidence: Vec<Citation>,
    ) -> Result<proto::Assertion, Status> {
        let validate = proto::ValidateRequest {
            board: self.board.clone(),
            assertion: id.to_owned(),
            evidence,
            ..Default::default()
        };
        Ok(self.assertions().validate(validate).await?.into_inner())
    }

    /// Validates with the first quote its author gave.
    pub(crate) async fn validate_as_cited(&self, id: &str) {
        let citations = self.assertion(id).await.draft.unwrap().citations;
        let citation = Citation {
            check: 0,
            ..citations[0].clone()
        };
        self.validate(id, vec![citation]).await.unwrap();
    }

    pub(crate) async fn retract(&self, id: &str) -> Result<proto::Assertion, Status> {
        let retract = proto::RetractRequest {
            board: self.board.clone(),
            assertion: id.to_owned(),
            reason: "misread".to_owned(),
            ..Default::default()
        };
        Ok(self.assertions().retract(retract).await?.into_inner())
    }

    pub(crate) async fn reaffirm(
        &self,
        id: &str,
        supports: &[&str],
    ) -> Result<proto::Assertion, Status> {
        let reaffirm = proto::ReaffirmRequest {
            board: self.board.clone(),
            assertion: id.to_owned(),
            supports: supports.iter().map(ToString::to_string).collect(),
            reason: "it still holds".to_owned(),
            ..Default::default()
        };
        Ok(self.assertions().reaffirm(reaffirm).await?.into_inner())
    }

    pub(crate) async fn flag(
        &self,
        id: &str,
        citations: Vec<Citation>,
    ) -> Result<proto::FlagRecord, Status> {
        let flag = proto::FlagRequest {
            board: self.board.clone(),
            assertion: id.to_owned(),
            reason: "a later report says otherwise".to_owned(),
            citations,
            ..Default::default()
        };
        Ok(self.assertions().flag(flag).await?.into_inner())
    }

    pub(crate) async fn seal(&self, module: &str) -> Result<proto::SnapshotRecord, Status> {
        self.seal_as(module, proto::SealMode::Hard).await
    }

    pub(crate) async fn seal_as(
        &self,
        module: &str,
        mode: proto::SealMode,
    ) -> Result<proto::SnapshotRecord, Status> {
        self.seal_with(proto::SealRequest {
            module: module.to_owned(),
            mode: mode.into(),
            ..Default::default()
        })
        .await
    }

    pub(crate) async fn seal_with(
        &self,
        request: proto::SealRequest,
    ) -> Result<proto::SnapshotRecord, Status> {
        let request = proto::SealRequest {
            board: self.board.clone(),
            ..request
        };
        Ok(self.seals().seal(request).await?.into_inner())
    }

    pub(crate) async fn amend(
        &self,
        id: &str,
        draft: Draft,
    ) -> Result<proto::AmendResponse, Status> {
        let amend = proto::AmendRequest {
            board: self.board.clone(),
            assertion: id.to_owned(),
            draft: Some(draft),
            reason: "the figure was revised".to_owned(),
            ..Default::default()
        };
        Ok(self.seals().amend(amend).await?.into_inner())
    }

    pub(crate) async fn rollback(
        &self,
        module: &str,
        to: &str,
    ) -> Result<proto::RollbackResponse, Status> {
        let request = proto::RollbackRequest {
            module: module.to_owned(),
            to: to.to_owned(),
            reason: "the amendment was a mistake".to_owned(),
            ..Default::default()
        };
        self.rollback_with(request).await
    }

    pub(crate) async fn rollback_with(
        &self,
        request: proto::RollbackRequest,
    ) -> Result<proto::RollbackResponse, Status> {
        let request = proto::RollbackRequest {
            board: self.board.clone(),
            ..request
        };
        Ok(self.seals().rollback(request).await?.into_inner())
    }

    pub(crate) async fn snapshot(&self, id: &str) -> proto::SnapshotRecord {
        let get = proto::GetSnapshotRequest {
            board: self.board.clone(),
            snapshot: id.rsplit('/').next().unwrap().to_owned(),
        };
        self.seals().get_snapshot(get).await.unwrap().into_inner()
    }

    pub(crate) async fn conflict(&self, id: &str) -> proto::Conflict {
        let get = proto::GetConflictRequest {
            board: self.board.clone(),
            conflict: id.to_owned(),
        };
        self.conflicts()
            .get_conflict(get)
            .await
            .unwrap()
            .into_inner()
    }

    pub(crate) async fn open_conflicts(&self) -> Vec<proto::Conflict> {
        let list = proto::ListConflictsRequest {
            board: self.board.clone(),
            page_size: 1_000,
            ..Default::default()
        };
        let listed = self.conflicts().list_conflicts(list).await.unwrap();
        listed.into_inner().conflicts
    }

    pub(crate) async fn resolve(
        &self,
        conflict: &str,
        winner: &str,
    ) -> Result<proto::Conflict, Status> {
        let resolve = proto::ResolveRequest {
            board: self.board.clone(),
            conflict: conflict.to_owned(),
            winner: winner.to_owned(),
            reason: "the winner cites the final statistics".to_owned(),
            ..Default::default()
        };
        Ok(self.conflicts().resolve(resolve).await?.into_inner())
    }

    pub(crate) async fn dismiss(&self, conflict: &str) -> Result<proto::Conflict, Status> {
        let dismiss = proto::DismissRequest {
            board: self.board.clone(),
            conflict: conflict.to_owned(),
            reason: "they speak of two things".to_owned(),
            ..Default::default()
        };
        Ok(self.conflicts().dismiss(dismiss).await?.into_inner())
    }

    pub(crate) async fn appeal(&self, conflict: &str) -> Result<proto::Conflict, Status> {
        let appeal = proto::AppealRequest {
            board: self.board.clone(),
            conflict: conflict.to_owned(),
            reason: "it is another plant".to_owned(),
            ..Default::default()
        };
        Ok(self.conflicts().appeal(appeal).await?.into_inner())
    }

    pub(crate) async fn brief(&self, request: proto::GetBriefRequest) -> proto::Brief {
        let request = proto::GetBriefRequest {
            board: self.board.clone(),
            ..request
        };
        self.logs().get_brief(request).await.unwrap().into_inner()
    }

    /// Everything that happened on the board.
    pub(crate) async fn history(&self) -> Vec<proto::Record> {
        self.replay(proto::ReplayRequest::default()).await
    }

    pub(crate) async fn replay(&self, request: proto::ReplayRequest) -> Vec<proto::Record> {
        let request = proto::ReplayRequest {
            board: self.board.clone(),
            ..request
        };
        let mut stream = self.logs().replay(request).await.unwrap().into_inner();
        let mut records = Vec::new();
        while let Some(message) = stream.message().await.unwrap() {
            records.extend(message.records);
        }
        records
    }
}
