//! Every call there is, tried by everybody who may not make it.

use pawl_proto::v1::{self as proto, DESCRIPTORS, Role};
use prost::Message;
use tonic::Status;

use crate::{
    documents_checked,
    world::{Client, World, accepted, contested, inference, reason_of, short},
};

const READ: &[Role] = &[
    Role::Reader,
    Role::Agent,
    Role::Verifier,
    Role::Arbiter,
    Role::Auditor,
    Role::Operator,
];
const NOBODY: &[Role] = &[];
const SOURCES: &[Role] = &[Role::Agent, Role::Verifier, Role::Arbiter, Role::Operator];

/// Who may make a call, and what everybody else is told. Without a role on the board a caller is
/// told that there is no such board.
const CALLS: &[(&str, &[Role], &str)] = &[
    ("IdentityService/CreatePrincipal", NOBODY, "ROLE_MISSING"),
    ("IdentityService/ListPrincipals", NOBODY, "ROLE_MISSING"),
    ("IdentityService/IssueToken", NOBODY, "ROLE_MISSING"),
    ("IdentityService/RevokeToken", NOBODY, "ROLE_MISSING"),
    ("IdentityService/ListTokens", NOBODY, "ROLE_MISSING"),
    ("ServerService/GetStatus", NOBODY, "ROLE_MISSING"),
    ("ServerService/Reload", NOBODY, "ROLE_MISSING"),
    ("BoardService/CreateBoard", NOBODY, "ROLE_MISSING"),
    ("BoardService/GetBoard", READ, ""),
    ("BoardService/SetPolicy", &[Role::Operator], "ROLE_MISSING"),
    (
        "BoardService/SetResolutionRules",
        &[Role::Operator],
        "ROLE_MISSING",
    ),
    ("BoardService/GetResolutionRules", READ, ""),
    (
        "BoardService/DeclareModule",
        &[Role::Operator],
        "ROLE_MISSING",
    ),
    ("BoardService/ListModules", READ, ""),
    (
        "BoardService/DeclareAttribute",
        &[Role::Operator],
        "ROLE_MISSING",
    ),
    ("BoardService/ListAttributes", READ, ""),
    ("BoardService/GrantRole", &[Role::Operator], "ROLE_MISSING"),
    ("BoardService/RevokeRole", &[Role::Operator], "ROLE_MISSING"),
    ("BoardService/ListRoles", READ, ""),
    (
        "BoardService/DeclarePhases",
        &[Role::Operator],
        "ROLE_MISSING",
    ),
    (
        "BoardService/EnterPhase",
        &[Role::Operator, Role::Arbiter],
        "ROLE_MISSING",
    ),
    ("BoardService/ListPhases", READ, ""),
    ("UpkeepService/SetQuotas", &[Role::Operator], "ROLE_MISSING"),
    ("UpkeepService/GetBoardUsage", READ, ""),
    ("UpkeepService/GetServerUsage", NOBODY, "ROLE_MISSING"),
    (
        "UpkeepService/ArchiveBoard",
        &[Role::Operator],
        "ROLE_MISSING",
    ),
    (
        "UpkeepService/ReopenBoard",
        &[Role::Operator],
        "ROLE_MISSING",
    ),
    ("UpkeepService/DeleteBoard", NOBODY, "ROLE_MISSING"),
    ("AssertionService/Submit", &[Role::Agent], "ROLE_MISSING"),
    (
        "AssertionService/SubmitIntake",
        &[Role::Agent],
        "ROLE_MISSING",
    ),
    ("AssertionService/Check", READ, ""),
    ("AssertionService/GetAssertion", READ, ""),
    ("AssertionService/ListAssertions", READ, ""),
    ("AssertionService/SearchAssertions", READ, ""),
    ("AssertionService/GetEvidence", READ, ""),
    (
        "AssertionService/Validate",
        &[Role::Verifier],
        "ROLE_MISSING",
    ),
    (
        "AssertionService/Flag",
        &[Role::Agent, Role::Verifier, Role::Arbiter],
        "ROLE_MISSING",
    ),
    (
        "AssertionService/CloseFlag",
        &[Role::Arbiter],
        "ROLE_MISSING",
    ),
    ("AssertionService/ListFlags", READ, ""),
    (
        "AssertionService/Retract",
        &[Role::Agent, Role::Arbiter],
        "ROLE_MISSING",
    ),
    (
        "AssertionService/Reaffirm",
        &[Role::Verifier],
        "ROLE_MISSING",
    ),
    ("ConflictService/ListConflicts", READ, ""),
    ("ConflictService/GetConflict", READ, ""),
    ("ConflictService/Resolve", &[Role::Arbiter], "ROLE_MISSING"),
    ("ConflictService/Dismiss", &[Role::Arbiter], "ROLE_MISSING"),
    ("ConflictService/Appeal", NOBODY, "NOT_AUTHOR"),
    (
        "ConflictService/Rescan",
        &[Role::Arbiter, Role::Operator],
        "ROLE_MISSING",
    ),
    ("DocumentService/CheckDocument", READ, ""),
    ("SealService/Seal", &[Role::Arbiter], "ROLE_MISSING"),
    ("SealService/Amend", &[Role::Arbiter], "ROLE_MISSING"),
    ("SealService/GetSnapshot", READ, ""),
    ("SealService/ListSnapshots", READ, ""),
    ("SealService/Rollback", &[Role::Arbiter], "ROLE_MISSING"),
    ("SealService/DiffSnapshots", READ, ""),
    ("SealService/GetSnapshotGraph", READ, ""),
    ("TableService/MountTable", &[Role::Operator], "ROLE_MISSING"),
    (
        "TableService/UnmountTable",
        &[Role::Operator],
        "ROLE_MISSING",
    ),
    ("TableService/ListTables", READ, ""),
    ("TableService/ListRows", READ, ""),
    (
        "TableService/DeclareAuthority",
        &[Role::Operator],
        "ROLE_MISSING",
    ),
    (
        "TableService/RemoveAuthority",
        &[Role::Operator],
        "ROLE_MISSING",
    ),
    ("TableService/ListAuthorities", READ, ""),
    ("TableService/LookUp", READ, ""),
    ("SourceService/UploadSource", SOURCES, "ROLE_MISSING"),
    ("SourceService/RegisterSource", SOURCES, "ROLE_MISSING"),
    ("SourceService/GetSource", READ, ""),
    ("SourceService/ReadSource", READ, ""),
    ("SourceService/ListSources", READ, ""),
    (
        "SourceService/RemoveSource",
        &[Role::Operator],
        "ROLE_MISSING",
    ),
    ("LogService/GetBrief", READ, ""),
    ("LogService/Watch", READ, ""),
    ("LogService/Replay", READ, ""),
    ("BackupService/Backup", NOBODY, "ROLE_MISSING"),
    ("BackupService/Export", READ, ""),
];

/// What anybody with a token may ask, since it tells of nothing but the caller.
const FREE: &[&str] = &[
    "IdentityService/WhoAmI",
    "BoardService/ListBoards",
    "AssertionService/GetIntakeSchema",
];

/// Every method of the package, `Service/Method`.
pub(crate) fn methods() -> Vec<String> {
    let files = prost_types::FileDescriptorSet::decode(DESCRIPTORS)
        .unwrap()
        .file;
    let ours = files.iter().filter(|file| file.package() == "pawl.v1");
    let services = ours.flat_map(|file| &file.service);
    services
        .flat_map(|service| {
            let named = |method: &prost_types::MethodDescriptorProto| {
                format!("{}/{}", service.name(), method.name())
            };
            service.method.iter().map(named).collect::<Vec<_>>()
        })
        .collect()
}

/// A reference table.
const TABLE: &[u8] = b"subject,attribute,value,unit\nthe dam,capacity,3,GW\n";

/// A board with one of everything.
struct Scene {
    world: World,
    locked: String,
    proposed: String,
    lost: String,
    conflict: String,
    flag: String,
    draft: proto::Draft,
    /// The source of a mounted table.
    table: String,
}

impl Scene {
    async fn set() -> Self {
        let world = World::new().await;
        let locked = world
            .locked(world.ana.draft("The harbour freezes in winter.").await)
            .await;
        let flag = short(&world.ben.flag(&locked, vec![]).await.unwrap().name);
        let draft = world.ana.draft("The museum is open on Monday.").await;
        let proposed = accepted(&world.ana.submit_one(draft.clone()).await);
        let (_, conflict) = contested(&world.ben.say("The museum is not open on Monday.").await);
        let rain = accepted(&world.ana.say("It rained a lot in spring.").await);
        let lost = accepted(
            &world
                .ana
                .submit_one(inference("The reservoir is full.", &[&rain]))
                .await,
        );
        world.ana.retract(&rain).await.unwrap();
        let table = world.operator.upload("text/csv", TABLE).await;
        let mount = mounting(world.board.clone(), &table);
        world.operator.tables().mount_table(mount).await.unwrap();
        let phases = ["first", "second"].map(crate::phases::open);
        let operator = &world.operator;
        crate::phases::declare(operator, phases.to_vec())
            .await
            .unwrap();
        Self {
            world,
            locked,
            proposed,
            lost,
            conflict,
            flag,
            draft,
            table,
        }
    }
}

impl Scene {
    async fn snapshot(&self) -> String {
        short(&self.world.operator.assertion(&self.locked).await.snapshot)
    }
}

fn mounting(board: String, source: &str) -> proto::MountTableRequest {
    proto::MountTableRequest {
        board,
        table: "given".into(),
        source: source.to_owned(),
        format: proto::TableFormat::Csv.into(),
        ..Default::default()
    }
}

/// Makes a call as a caller; gives the reason it was denied for, if it was.
async fn attempt(call: &str, client: &Client, scene: &Scene) -> Option<String> {
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

async fn backups(method: &str, client: &Client, board: String) -> Result<(), Status> {
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

async fn identity(method: &str, client: &Client) -> Result<(), Status> {
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

async fn boards(method: &str, client: &Client, board: String) -> Result<(), Status> {
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

async fn assertions(method: &str, client: &Client, scene: &Scene) -> Result<(), Status> {
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

async fn conflicts(method: &str, client: &Client, scene: &Scene) -> Result<(), Status> {
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

async fn seals(method: &str, client: &Client, scene: &Scene) -> Result<(), Status> {
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

async fn tables(method: &str, client: &Client, scene: &Scene) -> Result<(), Status> {
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

async fn sources(method: &str, client: &Client, scene: &Scene) -> Result<(), Status> {
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

async fn upkeep(method: &str, client: &Client, board: String) -> Result<(), Status> {
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

async fn server(method: &str, client: &Client) -> Result<(), Status> {
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

async fn logs(method: &str, client: &Client, board: String) -> Result<(), Status> {
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

#[test]
fn the_table_names_every_call() {
    let mut named: Vec<String> = CALLS.iter().map(|(call, ..)| (*call).to_owned()).collect();
    named.extend(FREE.iter().map(ToString::to_string));
    named.sort_unstable();
    let mut methods = methods();
    methods.sort_unstable();
    assert_eq!(named, methods);
}

#[tokio::test]
async fn nobody_makes_a_call_that_their_role_does_not_allow() {
    let scene = Scene::set().await;
    for role in READ {
        let name = format!(
            "only-{}",
            role.as_str_name().to_lowercase().replace('_', "-")
        );
        let client = scene.world.principal(&name, &[*role]).await;
        let before = scene.world.position().await;
        for (call, may, otherwise) in CALLS {
            if !may.contains(role) {
                let reason = attempt(call, &client, &scene).await;
                assert_eq!(reason.as_deref(), Some(*otherwise), "{role:?} {call}");
            }
        }
        assert_eq!(
            scene.world.position().await,
            before,
            "{role:?} changed the board"
        );
    }
}

#[tokio::test]
async fn whoever_has_a_role_reads_everything() {
    let scene = Scene::set().await;
    for role in READ {
        let name = format!(
            "reads-{}",
            role.as_str_name().to_lowercase().replace('_', "-")
        );
        let client = scene.world.principal(&name, &[*role]).await;
        let free = FREE.iter().copied();
        let read = CALLS
            .iter()
            .filter(|(_, may, _)| *may == READ)
            .map(|(call, ..)| *call);
        for call in read.chain(free) {
            assert_eq!(
                attempt(call, &client, &scene).await,
                None,
                "{role:?} {call}"
            );
        }
    }
}

#[tokio::test]
async fn without_a_role_there_is_no_such_board() {
    let scene = Scene::set().await;
    let stranger = scene.world.principal("stranger", &[]).await;
    let before = scene.world.position().await;
    for (call, may, otherwise) in CALLS {
        let server_wide = *may == NOBODY && *otherwise == "ROLE_MISSING";
        let expected = if server_wide {
            "ROLE_MISSING"
        } else {
            "BOARD_UNKNOWN"
        };
        let reason = attempt(call, &stranger, &scene).await;
        assert_eq!(reason.as_deref(), Some(expected), "{call}");
    }
    for call in FREE {
        assert_eq!(attempt(call, &stranger, &scene).await, None, "{call}");
    }
    assert_eq!(scene.world.position().await, before);
}

#[tokio::test]
async fn a_role_taken_back_is_gone_at_once() {
    let world = World::new().await;
    accepted(&world.ben.say("The harbour freezes in winter.").await);
    let revoke = proto::RevokeRoleRequest {
        board: world.board.clone(),
        principal: world.ben.name.clone(),
        role: Role::Agent.into(),
    };
    let draft = world.ben.draft("The canal is 12 km long.").await;
    world.operator.boards().revoke_role(revoke).await.unwrap();
    let before = world.position().await;
    let status = world.ben.submit(vec![draft]).await.unwrap_err();
    assert_eq!(reason_of(&status), "BOARD_UNKNOWN");
    assert_eq!(world.position().await, before);
    let kinds: Vec<_> = world
        .ana
        .history()
        .await
        .into_iter()
        .map(|it| it.kind)
        .collect();
    assert!(kinds.contains(&"role_granted".to_owned()));
    assert_eq!(kinds.last().unwrap(), "role_revoked");
}

#[tokio::test]
async fn writes_into_another_s_module_wait_until_an_owner_or_an_arbiter_agrees() {
    let world = World::new().await;
    let owned = proto::DeclareModuleRequest {
        module: "own".into(),
        owners: vec![world.ana.name.clone()],
        ..Default::default()
    };
    world.operator.declare(owned).await.unwrap();
    let draft = |draft: proto::Draft| proto::Draft {
        module: "own".into(),
        ..draft
    };
    let mine = draft(world.ana.draft("The harbour freezes in winter.").await);
    accepted(&world.ana.submit_one(mine).await);
    let mut waiting = Vec::new();
    for content in [
        "The lighthouse was built of granite.",
        "Beekeepers harvest honey in July.",
    ] {
        let outcome = world
            .ben
            .submit_one(draft(world.ben.draft(content).await))
            .await;
        let (id, conflict) = contested(&outcome);
        let finding = world.ana.conflict(&conflict).await.finding.unwrap();
        assert_eq!(
            (finding.kind(), finding.standing.as_str()),
            (proto::FindingKind::Ownership, "")
        );
        assert!(
            outcome.remedies.iter().any(|it| it.contains("own")),
            "{:?}",
            outcome.remedies
        );
        waiting.push((id, conflict));
    }
    let (first, conflict) = &waiting[0];
    assert_eq!(
        reason_of(&world.ben.resolve(conflict, first).await.unwrap_err()),
        "ROLE_MISSING"
    );
    world.ana.resolve(conflict, first).await.unwrap();
    assert_eq!(world.ana.status(first).await, proto::Status::Proposed);
    let (second, conflict) = &waiting[1];
    world.aron.dismiss(conflict).await.unwrap();
    assert_eq!(world.ana.status(second).await, proto::Status::Proposed);
}

#[tokio::test]
async fn a_revision_of_another_s_assertion_waits_too() {
    let world = World::new().await;
    let first = accepted(&world.ana.say("The harbour freezes in winter.").await);
    let change = proto::Draft {
        replaces: first.clone(),
        ..world.ben.draft("The harbour freezes in January.").await
    };
    let (second, conflict) = contested(&world.ben.submit_one(change).await);
    assert_eq!(
        world.ana.conflict(&conflict).await.finding.unwrap().kind(),
        proto::FindingKind::Replacement
    );
    assert_eq!(world.ana.status(&first).await, proto::Status::Proposed);
    world.aron.resolve(&conflict, &second).await.unwrap();
    assert_eq!(world.ana.status(&first).await, proto::Status::Superseded);
    assert_eq!(world.ana.status(&second).await, proto::Status::Proposed);
}

#[tokio::test]
async fn the_last_operator_cannot_be_removed() {
    let world = World::new().await;
    let revoke = proto::RevokeRoleRequest {
        board: world.board.clone(),
        principal: world
            .operator
            .identity()
            .who_am_i(proto::WhoAmIRequest {})
            .await
            .unwrap()
            .into_inner()
            .principal
            .unwrap()
            .principal,
        role: Role::Operator.into(),
    };
    let mut operator = world.operator.boards();
    world
        .denied(operator.revoke_role(revoke), "FIELD_INVALID")
        .await;
}
