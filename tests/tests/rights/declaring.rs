//! Makes the calls that say what a board has.

use pawl_proto::v1::{self as proto, Role};
use tonic::Status;

use super::scene::{Scene, mounting};
use crate::world::Client;

pub(super) async fn boards(method: &str, client: &Client, board: String) -> Result<(), Status> {
    let mut service = client.boards();
    let principal = client.name.clone();
    let role = Role::Auditor.into();
    match method {
        "CreateBoard" => {
            let board = format!("{board}-made");
            let request = proto::CreateBoardRequest {
                board,
                policy: None,
            };
            service.create_board(request).await.map(drop)
        }
        "GetBoard" => service
            .get_board(proto::GetBoardRequest { board, as_of: None })
            .await
            .map(drop),
        "ListBoards" => service
            .list_boards(proto::ListBoardsRequest {})
            .await
            .map(drop),
        "SetPolicy" => {
            let policy = proto::BoardPolicy {
                conflict_threshold: 9_999,
                note_threshold: 1,
            };
            let request = proto::SetPolicyRequest {
                board,
                policy: Some(policy),
            };
            service.set_policy(request).await.map(drop)
        }
        "SetResolutionRules" => {
            let rules = proto::ResolutionRules {
                order: vec![proto::ResolutionRule::Arbiter.into()],
                authority: Vec::new(),
            };
            let request = proto::SetResolutionRulesRequest {
                board,
                rules: Some(rules),
            };
            service.set_resolution_rules(request).await.map(drop)
        }
        "GetResolutionRules" => service
            .get_resolution_rules(proto::GetResolutionRulesRequest { board })
            .await
            .map(drop),
        "DeclareModule" => client
            .declare(proto::DeclareModuleRequest {
                module: "mine".into(),
                ..Default::default()
            })
            .await
            .map(drop),
        "ListModules" => service
            .list_modules(proto::ListModulesRequest { board })
            .await
            .map(drop),
        "DeclareAttribute" => client
            .declare_attribute(proto::DeclareAttributeRequest {
                attribute: "mine".into(),
                r#type: proto::ValueType::Text.into(),
                ..Default::default()
            })
            .await
            .map(drop),
        "ListAttributes" => service
            .list_attributes(proto::ListAttributesRequest { board })
            .await
            .map(drop),
        "GrantRole" => service
            .grant_role(proto::GrantRoleRequest {
                board,
                principal,
                role,
            })
            .await
            .map(drop),
        "RevokeRole" => service
            .revoke_role(proto::RevokeRoleRequest {
                board,
                principal,
                role,
            })
            .await
            .map(drop),
        "ListRoles" => service
            .list_roles(proto::ListRolesRequest { board })
            .await
            .map(drop),
        "DeclarePhases" => crate::phases::declare(client, vec![crate::phases::open("first")])
            .await
            .map(drop),
        "EnterPhase" => crate::phases::enter(client, "second", "").await.map(drop),
        "ListPhases" => service
            .list_phases(proto::ListPhasesRequest { board })
            .await
            .map(drop),
        _ => panic!("no test for {method}"),
    }
}

pub(super) async fn tables(method: &str, client: &Client, scene: &Scene) -> Result<(), Status> {
    let mut service = client.tables();
    let board = client.board.clone();
    let (table, authority) = ("given".to_owned(), "registry".to_owned());
    match method {
        "MountTable" => {
            let request = mounting(board, &scene.table);
            service.mount_table(request).await.map(drop)
        }
        "UnmountTable" => {
            let request = proto::UnmountTableRequest {
                board,
                table,
                reason: "it is out of date".into(),
                ..Default::default()
            };
            service.unmount_table(request).await.map(drop)
        }
        "ListTables" => {
            let request = proto::ListTablesRequest { board };
            service.list_tables(request).await.map(drop)
        }
        "ListRows" => {
            let request = proto::ListRowsRequest {
                board,
                table,
                ..Default::default()
            };
            service.list_rows(request).await.map(drop)
        }
        "DeclareAuthority" => {
            let request = proto::DeclareAuthorityRequest {
                board,
                authority,
                url: "https://example.org/figures".into(),
                attributes: vec!["capacity".into()],
                ..Default::default()
            };
            service.declare_authority(request).await.map(drop)
        }
        "RemoveAuthority" => {
            let request = proto::RemoveAuthorityRequest { board, authority };
            service.remove_authority(request).await.map(drop)
        }
        "ListAuthorities" => {
            let request = proto::ListAuthoritiesRequest { board };
            service.list_authorities(request).await.map(drop)
        }
        "LookUp" => {
            let request = proto::LookUpRequest {
                board,
                subject: "the dam".into(),
                attribute: "capacity".into(),
            };
            service.look_up(request).await.map(drop)
        }
        _ => panic!("no test for {method}"),
    }
}
