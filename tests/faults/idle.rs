//! As many idle streams as agents of a large team may leave open, over few connections and over many.

use std::time::{Duration, Instant};

use pawl_proto::v1::{
    self as proto, Role, WatchRequest, WatchResponse, board_service_client::BoardServiceClient,
    log_service_client::LogServiceClient,
};
use tonic::Streaming;
use tonic_types::StatusExt;

use crate::{
    Outcome, SETTINGS,
    caller::Caller,
    calm::Calm,
    process::{Held, Process},
};

const STREAMS: usize = 10_000;
/// What an operator raises for so many streams of one principal.
const RAISED: &str = "[limits]\nstreams_per_principal = 10000\n";
/// The streams of one principal as shipped.
const SHIPPED: usize = 64;
/// A board on which nothing happens.
const QUIET: &str = "quiet";
/// Connections: as few as the streams of one allow, nearly as many as one address may have, the few again.
const ROUNDS: [usize; 3] = [40, 500, 40];
/// The most memory that a stream may take, with its part of a connection.
const STREAM_BYTES: u64 = 64 << 10;
/// How much more the same may take when it is done again.
const GROWTH: f64 = 1.2;
/// How long a server may take to notice that streams are gone.
const NOTICED: Duration = Duration::from_secs(20);

/// Opens them, looks at what others notice, closes them, and that again.
pub(crate) async fn streams() -> Vec<Outcome> {
    let directory = tempfile::tempdir().unwrap();
    let settings = format!("{RAISED}{SETTINGS}");
    let data = directory.path().join("data");
    let process = Process::start(&data, &settings, &["--no-embedding"]);
    let operator = Caller::new(&process.url(), &process.token());
    let watcher = settle(&operator).await;
    let calm = Calm::settle(&operator).await;

    let (mut outcomes, mut first) = (Vec::new(), None);
    for connections in ROUNDS {
        let before = calm.p99().await;
        let empty = process.held();
        let streams = open(&watcher, connections, STREAMS).await;
        let full = process.held();
        let beside = calm.p99().await;
        drop(streams);
        let files = files_given_back(&process, empty).await;
        let figures = calm.compared(before, beside).await;

        let taken = full.memory.saturating_sub(empty.memory);
        let mut lost: Vec<String> = figures.lost().into_iter().chain(files).collect();
        if taken > STREAMS as u64 * STREAM_BYTES {
            lost.push(format!("they take {} MiB", taken >> 20));
        }
        let peak = *first.get_or_insert(full.memory);
        if full.memory as f64 > peak as f64 * GROWTH {
            let (now, then) = (full.memory >> 20, peak >> 20);
            lost.push(format!(
                "the server has {now} MiB with them, {then} MiB at first"
            ));
        }
        outcomes.push(Outcome {
            what: format!("{STREAMS} idle streams, {connections} connections"),
            times: Some(STREAMS),
            looked_at: format!(
                "{}; {:.1} KiB a stream; memory {} MiB before, {} MiB with them, {} MiB after",
                figures.told(),
                taken as f64 / 1_024.0 / STREAMS as f64,
                empty.memory >> 20,
                full.memory >> 20,
                process.held().memory >> 20,
            ),
            lost,
        });
    }
    outcomes.push(as_shipped().await);
    outcomes
}

/// Makes a board where nothing happens and somebody who watches it.
async fn settle(operator: &Caller) -> Caller {
    operator.make_board().await;
    let watcher = operator.somebody("watcher", Role::Reader).await;
    let mut boards = BoardServiceClient::new(operator.carried());
    let create = proto::CreateBoardRequest {
        board: QUIET.into(),
        policy: None,
    };
    boards.create_board(create).await.unwrap();
    let grant = proto::GrantRoleRequest {
        board: QUIET.into(),
        principal: "watcher".into(),
        role: Role::Reader.into(),
    };
    boards.grant_role(grant).await.unwrap();
    watcher
}

async fn watch(watcher: &Caller) -> Result<Streaming<WatchResponse>, tonic::Status> {
    let request = WatchRequest {
        board: QUIET.into(),
        ..Default::default()
    };
    let answer = LogServiceClient::new(watcher.carried())
        .watch(request)
        .await;
    answer.map(tonic::Response::into_inner)
}

/// Every one of them is let in: nothing of an earlier round is still counted.
async fn open(watcher: &Caller, connections: usize, count: usize) -> Vec<Streaming<WatchResponse>> {
    let mut streams = Vec::new();
    for _ in 0..connections {
        let watcher = watcher.again();
        for _ in 0..count / connections {
            streams.push(watch(&watcher).await.unwrap());
        }
    }
    streams
}

/// Waits until the server holds as many files as before; says if it does not.
async fn files_given_back(process: &Process, empty: Held) -> Option<String> {
    let begun = Instant::now();
    while process.held().files > empty.files {
        if begun.elapsed() > NOTICED {
            let (now, then) = (process.held().files, empty.files);
            return Some(format!("the server holds {now} files, {then} before"));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    None
}

/// With shipped limits one principal has its share, and is told so.
async fn as_shipped() -> Outcome {
    let directory = tempfile::tempdir().unwrap();
    let process = Process::start(&directory.path().join("data"), "", &["--no-embedding"]);
    let operator = Caller::new(&process.url(), &process.token());
    let watcher = settle(&operator).await;
    let streams = open(&watcher, 1, SHIPPED).await;
    let refused = watch(&watcher.again()).await.map(|_| ()).unwrap_err();
    let told = refused.get_details_error_info();
    let (reason, what) = told.map_or(Default::default(), |mut it| {
        (it.reason, it.metadata.remove("what").unwrap_or_default())
    });
    let fine = (reason.as_str(), what.as_str()) == ("OVERLOADED", "streams");
    Outcome {
        what: "one stream more than a principal may have".into(),
        times: Some(streams.len()),
        looked_at: format!("it is refused as {reason} ({what})"),
        lost: (!fine)
            .then(|| format!("{refused:?}"))
            .into_iter()
            .collect(),
    }
}
