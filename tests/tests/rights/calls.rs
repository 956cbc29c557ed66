//! Every call there is, with who may make it.

use pawl_proto::v1::{DESCRIPTORS, Role};
use prost::Message;

pub(super) const READ: &[Role] = &[
    Role::Reader,
    Role::Agent,
    Role::Verifier,
    Role::Arbiter,
    Role::Auditor,
    Role::Operator,
];
pub(super) const NOBODY: &[Role] = &[];
const SOURCES: &[Role] = &[Role::Agent, Role::Verifier, Role::Arbiter, Role::Operator];

/// Who may make a call, and what everybody else is told. Without a role on the board a caller is
/// told that there is no such board.
pub(super) const CALLS: &[(&str, &[Role], &str)] = &[
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
pub(super) const FREE: &[&str] = &[
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
