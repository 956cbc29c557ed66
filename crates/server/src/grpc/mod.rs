//! The gRPC door: parse, one call of the application, answer. Alone in knowing the wire format.

mod assertion;
mod backup;
mod board;
mod brief;
mod conflict;
pub(crate) mod document;
mod draft;
pub mod error;
mod identity;
mod log;
mod names;
pub mod page;
pub mod parse;
mod phases;
mod rescan;
mod rules;
mod seal;
mod server;
mod source;
mod table;
mod upkeep;
mod verdicts;
mod views;

use std::sync::Arc;

use pawl_proto::v1::{
    DESCRIPTORS, assertion_service_server::AssertionServiceServer,
    backup_service_server::BackupServiceServer, board_service_server::BoardServiceServer,
    conflict_service_server::ConflictServiceServer, document_service_server::DocumentServiceServer,
    identity_service_server::IdentityServiceServer, log_service_server::LogServiceServer,
    seal_service_server::SealServiceServer, server_service_server::ServerServiceServer,
    source_service_server::SourceServiceServer, table_service_server::TableServiceServer,
    upkeep_service_server::UpkeepServiceServer,
};
use tonic::{server::NamedService, service::Routes};
use tonic_health::{ServingStatus, server::HealthReporter};

use crate::{
    app::{App, boards::LiveBoard, error::AppError},
    auth::Caller,
    serve::ServeError,
};

pub use draft::draft;

/// The services of this program, for health.
const SERVICES: &[&str] = &[
    BoardServiceServer::<board::Boards>::NAME,
    IdentityServiceServer::<identity::Identities>::NAME,
    SourceServiceServer::<source::Sources>::NAME,
    AssertionServiceServer::<assertion::Assertions>::NAME,
    ConflictServiceServer::<conflict::Conflicts>::NAME,
    DocumentServiceServer::<document::Documents>::NAME,
    SealServiceServer::<seal::Seals>::NAME,
    TableServiceServer::<table::Tables>::NAME,
    LogServiceServer::<log::Logs>::NAME,
    UpkeepServiceServer::<upkeep::Upkeep>::NAME,
    BackupServiceServer::<backup::Backups>::NAME,
    ServerServiceServer::<server::Servers>::NAME,
];

/// Opens the board that a request names, for its caller.
async fn live(app: &Arc<App>, caller: &Caller, board: &str) -> Result<Arc<LiveBoard>, AppError> {
    app.board_for(caller, &parse::board(board)?).await
}

/// Every service, with reflection and health.
pub async fn routes(app: &Arc<App>, health: &HealthReporter) -> Result<Routes, ServeError> {
    set_health(health, ServingStatus::Serving).await;
    let most = app.limits().message_bytes;
    let boards = BoardServiceServer::new(board::Boards(app.clone()));
    let identities = IdentityServiceServer::new(identity::Identities(app.clone()));
    let sources = SourceServiceServer::new(source::Sources(app.clone()));
    let assertions = AssertionServiceServer::new(assertion::Assertions(app.clone()));
    let conflicts = ConflictServiceServer::new(conflict::Conflicts(app.clone()));
    let documents = DocumentServiceServer::new(document::Documents(app.clone()));
    let seals = SealServiceServer::new(seal::Seals(app.clone()));
    let tables = TableServiceServer::new(table::Tables(app.clone()));
    let servers = ServerServiceServer::new(server::Servers(app.clone()));
    let logs = LogServiceServer::new(log::Logs(app.clone()));
    let upkeep = UpkeepServiceServer::new(upkeep::Upkeep(app.clone()));
    let backups = BackupServiceServer::new(backup::Backups(app.clone()));
    Ok(Routes::new(boards.max_decoding_message_size(most))
        .add_service(identities.max_decoding_message_size(most))
        .add_service(sources.max_decoding_message_size(most))
        .add_service(assertions.max_decoding_message_size(most))
        .add_service(conflicts.max_decoding_message_size(most))
        .add_service(documents.max_decoding_message_size(most))
        .add_service(seals.max_decoding_message_size(most))
        .add_service(tables.max_decoding_message_size(most))
        .add_service(servers.max_decoding_message_size(most))
        .add_service(logs.max_decoding_message_size(most))
        .add_service(upkeep.max_decoding_message_size(most))
        .add_service(backups.max_decoding_message_size(most))
        .add_service(tonic_health::pb::health_server::HealthServer::new(
            tonic_health::server::HealthService::from_health_reporter(health.clone()),
        ))
        .add_service(reflection().build_v1()?)
        .add_service(reflection().build_v1alpha()?))
}

/// Says of every service, and of the server as a whole, whether it serves.
pub async fn set_health(health: &HealthReporter, status: ServingStatus) {
    for service in SERVICES.iter().copied().chain([""]) {
        health.set_service_status(service, status).await;
    }
}

fn reflection<'descriptors>() -> tonic_reflection::server::Builder<'descriptors> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(DESCRIPTORS)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
}
