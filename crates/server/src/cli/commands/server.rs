//! `pawl server`

use clap::Subcommand;
use pawl_proto::v1::{GetStatusRequest, ReloadRequest};
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Looks after a server that runs.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Tells what it runs on and how full it is; server operators only.
    Status,
    /// Reads settings and certificates again; server operators only.
    Reload,
    /// Asks whether it serves, without a token; ends with 1 where it does not.
    Health,
}

impl Command {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        match self {
            Self::Status => {
                let mut client = session.servers().await?;
                let status = client.get_status(GetStatusRequest {}).await?.into_inner();
                session.answer(&status, render::server::status)
            }
            Self::Reload => {
                let mut client = session.servers().await?;
                let reload = client.reload(ReloadRequest {}).await?.into_inner();
                session.answer(&reload, render::server::reload)
            }
            Self::Health => health(session).await,
        }
    }
}

async fn health(session: &mut Session) -> Result<Answer, Failure> {
    let mut client = HealthClient::new(session.connect().await?);
    let mut request = tonic::Request::new(HealthCheckRequest::default());
    request.set_timeout(session.options.timeout.0);
    let status = client.check(request).await?.into_inner().status();
    let serves = status == ServingStatus::Serving;
    if session.output.is_json() {
        let document = serde_json::json!({ "serving": serves });
        session.output.document(&document)?;
    } else {
        session
            .output
            .print(if serves { "serving\n" } else { "not serving\n" })?;
    }
    Ok(if serves { Answer::Yes } else { Answer::No })
}
