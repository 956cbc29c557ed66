//! One principal that floods a server, and what the others notice.

mod client;

use pawl_proto::v1::Role;

pub(crate) use client::run as flood_from_here;

use crate::{Outcome, caller::Caller, calm::Calm, process::Process};
use client::{FLOODING, Flood};

/// Floods with calls of one principal while another goes on with its work.
pub(crate) async fn flood() -> Outcome {
    let directory = tempfile::tempdir().unwrap();
    // As shipped: the limits are what is tried.
    let process = Process::start(&directory.path().join("data"), "", &["--no-embedding"]);
    let operator = Caller::new(&process.url(), &process.token());
    operator.make_board().await;
    let wild = operator.somebody("wild", Role::Agent).await;
    let source = wild.upload("What floods.".to_owned()).await;
    let calm = Calm::settle(&operator).await;
    let before = calm.p99().await;

    let flood = Flood::start(&wild, &source);
    let served = process.processor_seconds();
    let beside = calm.p99().await;
    let served = process.processor_seconds() - served;
    let sent = flood.end();

    let figures = calm.compared(before, beside).await;
    Outcome {
        what: format!("a flood of one principal over {FLOODING} connections"),
        times: Some(sent.calls),
        looked_at: format!(
            "{}; {:.0} calls a second; processors: {:.0} % for the server, {:.0} % for the flood",
            figures.told(),
            sent.calls as f64 / sent.seconds,
            served / sent.seconds * 100.0,
            sent.processor_seconds / sent.seconds * 100.0,
        ),
        lost: figures.lost().into_iter().collect(),
    }
}
