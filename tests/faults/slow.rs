//! Clients that send a byte a second, many of each kind at once.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use pawl_proto::v1::{self as proto, Role, upload_source_request::Part};
use tokio::{task::JoinSet, time::Instant};
use tonic_types::StatusExt;

use crate::{
    Outcome, SETTINGS,
    caller::{BOARD, Caller, draft, submission},
    calm::Calm,
    process::Process,
    raw::{Slow, Unreading, trickle},
};

/// Of each kind; of uploads as many as a principal may have at once.
const CLIENTS: usize = 40;
const UPLOADS: usize = 4;
/// How much later an end may come on a busy machine.
const LATE: Duration = Duration::from_secs(10);

/// Who is slow in what, and how long a server bears it as shipped.
const CONNECTIONS: [(Slow, u64); 4] = [
    (Slow::Nothing, 15),
    (Slow::Preface, 15),
    (Slow::Head, 15),
    (Slow::Headers, 50),
];
const CALLS: [(&str, u64); 2] = [("call", 60), ("upload", 20)];

/// Lets all of them loose at once while somebody works.
pub(crate) async fn clients() -> Vec<Outcome> {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let process = Process::start(&data, SETTINGS, &["--no-embedding"]);
    let address = SocketAddr::from(([127, 0, 0, 1], process.port()));
    let operator = Caller::new(&process.url(), &process.token());
    operator.make_board().await;
    let slow = operator.somebody("slow", Role::Agent).await;
    let calm = Calm::settle(&operator).await;
    let before = calm.p99().await;

    let mut ends = JoinSet::new();
    for (what, seconds) in CONNECTIONS {
        let most = Duration::from_secs(seconds) + LATE;
        for _ in 0..CLIENTS {
            ends.spawn(async move { (format!("{what:?}"), trickle(address, what, most).await) });
        }
    }
    for (what, _) in CALLS {
        let client = Arc::new(Unreading::connect(address, slow.token()).await);
        let count = if what == "upload" { UPLOADS } else { CLIENTS };
        for _ in 0..count {
            let client = client.clone();
            ends.spawn(async move { (what.to_owned(), call(&client, what).await) });
        }
    }
    let beside = calm.p99().await;
    let figures = calm.compared(before, beside).await;
    let told = ends.join_all().await;

    let connections = CONNECTIONS.map(|(what, seconds)| (format!("{what:?}"), seconds));
    let calls = CALLS.map(|(what, seconds)| (what.to_owned(), seconds));
    let kinds = connections.into_iter().chain(calls);
    let mut outcomes: Vec<Outcome> = kinds
        .map(|(kind, seconds)| {
            let ends = told.iter().filter(|(what, _)| *what == kind);
            outcome(&kind, seconds, ends.map(|(_, end)| *end).collect())
        })
        .collect();
    outcomes.push(Outcome {
        what: "somebody's work beside all of these".into(),
        times: Some(told.len()),
        looked_at: figures.told(),
        lost: figures.lost().into_iter().collect(),
    });
    outcomes
}

fn outcome(kind: &str, seconds: u64, ends: Vec<Option<Duration>>) -> Outcome {
    let last = ends.iter().flatten().max().copied().unwrap_or_default();
    let borne = ends.iter().filter(|it| it.is_none()).count();
    let late = last > Duration::from_secs(seconds) + LATE;
    let mut lost = Vec::new();
    if borne > 0 || late {
        lost.push(format!("{borne} were borne for longer than {seconds} s"));
    }
    Outcome {
        what: format!("a byte a second: {}", kind.to_lowercase()),
        times: Some(ends.len()),
        looked_at: format!(
            "the last was ended after {:.1} s, promised {seconds} s",
            last.as_secs_f64()
        ),
        lost,
    }
}

/// Calls with a message a byte a second; gives when that was refused for its slowness.
async fn call(client: &Unreading, what: &str) -> Option<Duration> {
    let begun = Instant::now();
    let status = if what == "upload" {
        let header = proto::SourceHeader {
            board: BOARD.into(),
            media_type: "text/plain".into(),
            title: "A title that takes a while. ".repeat(9),
            ..Default::default()
        };
        let part = proto::UploadSourceRequest {
            part: Some(Part::Header(header)),
        };
        let path = "/pawl.v1.SourceService/UploadSource";
        client.call_slowly(path, &part).await
    } else {
        let content = "It takes a while to say this. ".repeat(9);
        let submission = submission(vec![draft(&content, "a source")]);
        let path = "/pawl.v1.AssertionService/Submit";
        client.call_slowly(path, &submission).await
    };
    let reason = status.get_details_error_info().map(|it| it.reason);
    (reason.as_deref() == Some("DEADLINE")).then(|| begun.elapsed())
}
