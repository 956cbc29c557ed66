//! Makes a call of any service.

use pawl_proto::v1::{self as proto};
use tonic::Status;

use super::{
    asserting::{assertions, conflicts, seals, sources},
    declaring::{boards, tables},
    scene::Scene,
    serving::{backups, identity, logs, server, upkeep},
};
use crate::{
    documents_checked,
    world::{Client, reason_of},
};

/// Makes a call as a caller; gives the reason it was denied for, if it was.
pub(super) async fn attempt(call: &str, client: &Client, scene: &Scene) -> Option<String> {
    let reason = |status: Status| {
        let reason = reason_of(&status);
        if reason.is_empty() {
            format!("{status:?}")
        } else {
            reason
        }
    };
    let board = client.board.clone();
    let result: Result<Option<String>, Status> = async {
        let item_reason = |answer: proto::SubmitResponse| {
            answer
                .outcomes
                .into_iter()
                .next()?
                .error
                .map(|error| error.reason)
        };
        let (service, method) = call.split_once('/').unwrap();
        match service {
            "IdentityService" => identity(method, client).await?,
            "ServerService" => server(method, client).await?,
            "BoardService" => boards(method, client, board).await?,
            "AssertionService" => match method {
                "Submit" => {
                    return Ok(item_reason(client.submit(vec![scene.draft.clone()]).await?));
                }
                "Check" => return Ok(item_reason(client.check(vec![scene.draft.clone()]).await?)),
                "SubmitIntake" => {
                    let citation = &scene.draft.citations[0];
                    let document = serde_json::json!({"assertions": [{
                        "content": "The museum opens on Monday.", "source": citation.source,
                        "quote": citation.quote, "confidence": 0.9,
                    }]});
                    let request = proto::SubmitIntakeRequest {
                        board,
                        module: "market".into(),
                        document: document.to_string().into_bytes(),
                        ..Default::default()
                    };
                    let answer = client.assertions().submit_intake(request).await?;
                    return Ok(item_reason(answer.into_inner()));
                }
                _ => assertions(method, client, scene).await?,
            },
            "ConflictService" => conflicts(method, client, scene).await?,
            "DocumentService" => documents_checked::ask(client).await?,
            "SealService" => seals(method, client, scene).await?,
            "SourceService" => sources(method, client, scene).await?,
            "TableService" => tables(method, client, scene).await?,
            "UpkeepService" => upkeep(method, client, board).await?,
            "LogService" => logs(method, client, board).await?,
            "BackupService" => backups(method, client, board).await?,
            _ => panic!("no test for {call}"),
        }
        Ok(None)
    }
    .await;
    result.unwrap_or_else(|status| Some(reason(status)))
}
