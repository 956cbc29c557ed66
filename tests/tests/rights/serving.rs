//! Makes the calls about the server and about what it keeps.

use pawl_proto::v1::{self as proto};
use tonic::Status;

use crate::world::Client;

pub(super) async fn backups(method: &str, client: &Client, board: String) -> Result<(), Status> {
    let mut service = client.backups();
    match method {
        "Backup" => service.backup(proto::BackupRequest {}).await.map(drop),
        "Export" => {
            let request = proto::ExportRequest {
                board,
                ..Default::default()
            };
            service.export(request).await.map(drop)
        }
        _ => panic!("no test for {method}"),
    }
}

pub(super) async fn identity(method: &str, client: &Client) -> Result<(), Status> {
    let mut service = client.identity();
    let principal = || client.name.clone();
    match method {
        "CreatePrincipal" => {
            let principal = format!("{}-made", client.name);
            let request = proto::CreatePrincipalRequest {
                principal,
                ..Default::default()
            };
            service.create_principal(request).await.map(drop)
        }
        "ListPrincipals" => service
            .list_principals(proto::ListPrincipalsRequest {})
            .await
            .map(drop),
        "IssueToken" => {
            let request = proto::IssueTokenRequest {
                principal: principal(),
                lifetime: None,
            };
            service.issue_token(request).await.map(drop)
        }
        "RevokeToken" => service
            .revoke_token(proto::RevokeTokenRequest { token: "t1".into() })
            .await
            .map(drop),
        "ListTokens" => service
            .list_tokens(proto::ListTokensRequest {
                principal: principal(),
            })
            .await
            .map(drop),
        "WhoAmI" => service.who_am_i(proto::WhoAmIRequest {}).await.map(drop),
        _ => panic!("no test for {method}"),
    }
}

pub(super) async fn upkeep(method: &str, client: &Client, board: String) -> Result<(), Status> {
    let mut service = client.upkeep();
    let reason = "the work is done".to_owned();
    match method {
        "SetQuotas" => {
            let quotas = proto::Quotas {
                sources: Some(77),
                ..Default::default()
            };
            let request = proto::SetQuotasRequest {
                board,
                quotas: Some(quotas),
            };
            service.set_quotas(request).await.map(drop)
        }
        "GetBoardUsage" => service
            .get_board_usage(proto::GetBoardUsageRequest { board })
            .await
            .map(drop),
        "GetServerUsage" => service
            .get_server_usage(proto::GetServerUsageRequest {})
            .await
            .map(drop),
        "ArchiveBoard" => service
            .archive_board(proto::ArchiveBoardRequest { board, reason })
            .await
            .map(drop),
        "ReopenBoard" => service
            .reopen_board(proto::ReopenBoardRequest { board, reason })
            .await
            .map(drop),
        "DeleteBoard" => {
            let confirm = board.clone();
            let request = proto::DeleteBoardRequest { board, confirm };
            service.delete_board(request).await.map(drop)
        }
        _ => panic!("no test for {method}"),
    }
}

pub(super) async fn server(method: &str, client: &Client) -> Result<(), Status> {
    let mut service = client.servers();
    match method {
        "GetStatus" => service
            .get_status(proto::GetStatusRequest {})
            .await
            .map(drop),
        "Reload" => service.reload(proto::ReloadRequest {}).await.map(drop),
        _ => panic!("no test for {method}"),
    }
}

pub(super) async fn logs(method: &str, client: &Client, board: String) -> Result<(), Status> {
    let mut service = client.logs();
    match method {
        "GetBrief" => service
            .get_brief(proto::GetBriefRequest {
                board,
                ..Default::default()
            })
            .await
            .map(drop),
        "Watch" => service
            .watch(proto::WatchRequest {
                board,
                ..Default::default()
            })
            .await
            .map(drop),
        "Replay" => service
            .replay(proto::ReplayRequest {
                board,
                ..Default::default()
            })
            .await
            .map(drop),
        _ => panic!("no test for {method}"),
    }
}
