//! `ServerService`: the server itself.

use std::{collections::BTreeMap, sync::Arc};

use pawl_checker::compare::VERSION;
use pawl_ledger::{digest::Digest, store::engine_at};
use pawl_proto::v1::{self as proto, server_service_server::ServerService};
use tonic::{Request, Response, Status};

use super::parse;
use crate::{
    app::{App, Reload, error::AppError, identity::require_server_operator, now},
    checkup,
    metrics::{Process, free_bytes},
};

/// The service.
pub(super) struct Servers(pub(super) Arc<App>);

#[tonic::async_trait]
impl ServerService for Servers {
    async fn get_status(
        &self,
        request: Request<proto::GetStatusRequest>,
    ) -> Result<Response<proto::GetStatusResponse>, Status> {
        require_server_operator(&parse::caller(&request)?).map_err(AppError::from)?;
        Ok(Response::new(status(&self.0).await))
    }

    async fn reload(
        &self,
        request: Request<proto::ReloadRequest>,
    ) -> Result<Response<proto::ReloadResponse>, Status> {
        require_server_operator(&parse::caller(&request)?).map_err(AppError::from)?;
        let app = self.0.clone();
        let reload = tokio::task::spawn_blocking(move || app.reload());
        let reload = reload
            .await
            .map_err(|error| AppError::Internal(format!("reading the settings: {error}")))?
            .map_err(AppError::from)?;
        Ok(Response::new(reload_to_wire(&reload)))
    }
}

async fn status(app: &Arc<App>) -> proto::GetStatusResponse {
    let process = Process::now();
    let settings = app.settings();
    let usages = checkup::usages(app);
    let certificate = app.certificates.as_ref().map(|it| it.current().validity.to);
    let engine = engine_at(&settings.data.join("store")).ok().flatten();
    let model = app
        .embedder
        .as_ref()
        .map(|it| Digest(it.model_digest()).to_string());
    proto::GetStatusResponse {
        time: Some(parse::time(now())),
        start_time: Some(parse::time(app.started)),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        checker: VERSION.to_owned(),
        engine: engine.map(|it| it.to_string()).unwrap_or_default(),
        model_digest: model.unwrap_or_default(),
        boards: app.ledger.board_names().len() as u64,
        boards_open: app.open_boards().await.len() as u64,
        entries_written: app.metrics.entries(),
        commits_waiting: app.ledger.waiting() as u64,
        resident_bytes: process.resident_bytes,
        open_files: process.open_files,
        disk_free_bytes: free_bytes(&settings.data),
        checks: checkup::of_server(app, &usages),
        usages,
        limits: limits(&settings.limits),
        certificate_end_time: certificate.map(parse::time),
        last_reload: app.last_reload.lock().as_ref().map(reload_to_wire),
    }
}

fn limits(limits: &crate::config::Limits) -> BTreeMap<String, u64> {
    let all = limits.values().into_iter();
    all.map(|(name, value)| (name.to_owned(), value)).collect()
}

fn reload_to_wire(reload: &Reload) -> proto::ReloadResponse {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    proto::ReloadResponse {
        time: Some(parse::time(reload.at)),
        applied: names(&reload.applied),
        needs_restart: names(&reload.needs_restart),
        certificate: reload.certificate,
        failure: reload.failure.clone().unwrap_or_default(),
    }
}
