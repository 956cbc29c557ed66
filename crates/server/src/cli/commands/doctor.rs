//! `pawl doctor`

use clap::Args;
use pawl_proto::v1::{Check, CheckLevel, GetStatusRequest, GetStatusResponse};

use crate::{
    app::now,
    checkup::{self, error, ok, warning},
    cli::{exit_code::Answer, failure::Failure, json, render, session::Session},
    config::{Report, ServeArgs},
};

/// By how many seconds the clocks of two machines may differ before it is told.
const CLOCK_DIFFERENCE: i64 = 5;

/// Looks at how a server is set up and how it fares: what is configured, what is missing, what is
/// near a limit. Asks the server where one runs, else looks at its settings and directory; opens no
/// store. Ends with 1 where something does not work.
#[derive(Args, Debug)]
pub(crate) struct Doctor {
    #[command(flatten)]
    args: ServeArgs,
    /// Looks at settings and directory only, and asks no server.
    #[arg(long)]
    offline: bool,
}

impl Doctor {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let mut checks = Vec::new();
        let status = if self.offline {
            None
        } else {
            asked(session, &mut checks).await
        };
        match status {
            Some(status) => checks.extend(status.checks),
            None => checks.extend(of_directory(self.args)),
        }
        // What does not work first; the order is kept otherwise.
        checks.sort_by_key(|check| std::cmp::Reverse(check.level));
        if session.output.is_json() {
            let checks: Vec<_> = checks.iter().map(json::from_message).collect();
            let document = serde_json::json!({ "checks": checks });
            session.output.document(&document)?;
        } else {
            let shown = render::server::checks(&checks);
            session.output.print(&shown)?;
        }
        let fails = |check: &Check| check.level() == CheckLevel::Error;
        Ok(if checks.iter().any(fails) {
            Answer::No
        } else {
            Answer::Yes
        })
    }
}

/// Asks the server how it is; what stands in the way is a check too.
async fn asked(session: &Session, checks: &mut Vec<Check>) -> Option<GetStatusResponse> {
    let server = &session.options.server;
    let answer = async {
        let mut client = session.servers().await?;
        let status = client.get_status(GetStatusRequest {}).await?;
        Ok::<_, Failure>(status.into_inner())
    };
    match answer.await {
        Ok(status) => {
            checks.push(ok(
                "server",
                format!("`{server}` runs pawl {}", status.version),
            ));
            checks.extend(clocks(&status));
            Some(status)
        }
        Err(
            failure @ (Failure::Unreachable { .. } | Failure::Tls { .. } | Failure::Credentials(_)),
        ) => {
            let remedy = "what follows is about the directory alone; ask a server with `--server`, as one of its operators";
            checks.push(warning("server", failure.to_string(), remedy));
            None
        }
        Err(failure @ (Failure::File { .. } | Failure::Input(_) | Failure::Address { .. })) => {
            let remedy = "mend what `--server`, `--ca` or the client certificate's options name; what follows is about the directory alone";
            checks.push(error("server", failure.to_string(), remedy));
            None
        }
        Err(failure) => {
            let remedy = "call it as a server operator, with `--as` or `--token`; what follows is about the directory alone";
            checks.push(error("server", failure.to_string(), remedy));
            None
        }
    }
}

fn clocks(status: &GetStatusResponse) -> Option<Check> {
    let here = i64::try_from(now().0 / 1_000).ok()?;
    let apart = (here - status.time.as_ref()?.seconds).abs();
    (apart > CLOCK_DIFFERENCE).then(|| {
        let message = format!("the server's clock and this one are {apart} s apart");
        warning("clocks", message, "keep both right with NTP")
    })
}

/// Looks at settings and directory.
fn of_directory(args: ServeArgs) -> Vec<Check> {
    const REMEDY: &str = "mend the settings; `pawl config check` shows each with where it is from";
    let (report, config) = match Report::of(args) {
        Ok(report) => report,
        Err(failure) => return vec![error("settings", failure.to_string(), REMEDY)],
    };
    let wrong = report.problems.iter().map(|problem| {
        let message = format!("{} ({})", problem.message, problem.origin);
        match problem.fatal {
            true => error("settings", message, REMEDY),
            false => warning("settings", message, REMEDY),
        }
    });
    let mut checks: Vec<_> = wrong.collect();
    if checks.is_empty() {
        checks.push(ok("settings", "the settings are valid"));
    }
    if let Some(config) = config {
        checks.extend(checkup::of_config(&config));
    }
    checks
}
