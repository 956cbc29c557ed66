//! Clients that do not take what they are sent: watches, exports and lists, and connections that nobody reads from.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use pawl_proto::v1::{ExportRequest, ListAssertionsRequest, Role, WatchRequest};
use tonic_types::StatusExt;

use crate::{
    Outcome, SETTINGS,
    caller::{BOARD, Caller, draft},
    calm::Calm,
    process::Process,
    raw::Unreading,
    texts,
};

/// What is written while nobody reads.
const ENTRIES: usize = 20_000;
const BATCH: usize = 200;
/// The streams of one principal as shipped, and its calls.
const STREAMS: usize = 64;
const CALLS: usize = 256;
/// The most that a server holds for an answer that stands still: a message and what its connection buffers.
const STREAM_BYTES: u64 = 4 << 20;
/// A page of the largest size here is half a MiB, and nearly as much again while it is turned into bytes.
const LIST_BYTES: u64 = 4 << 20;
/// Connections that nobody reads from.
const SILENT: usize = 50;
/// How long a connection may be silent: half a minute until it is asked, 20 s until it has to have answered.
const SILENCE: Duration = Duration::from_secs(50);
/// How much later that may be noticed on a busy machine.
const LATE: Duration = Duration::from_secs(10);

/// A server with somebody who works, somebody who writes and somebody who does not read.
struct Served {
    process: Process,
    address: SocketAddr,
    calm: Calm,
    writer: Caller,
    source: String,
    deaf: Caller,
    _directory: tempfile::TempDir,
}

/// Leaves answers unread, one kind after the other.
pub(crate) async fn answers() -> Vec<Outcome> {
    let served = Served::start().await;
    let plain = served.write(0).await;
    vec![
        served.watches(plain).await,
        served.exports().await,
        served.lists().await,
        served.silence().await,
    ]
}

impl Served {
    async fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let data = directory.path().join("data");
        let process = Process::start(&data, SETTINGS, &["--no-embedding"]);
        let operator = Caller::new(&process.url(), &process.token());
        operator.make_board().await;
        let writer = operator.somebody("writer", Role::Agent).await;
        Self {
            address: SocketAddr::from(([127, 0, 0, 1], process.port())),
            source: writer.upload("What is written.".to_owned()).await,
            writer,
            deaf: operator.somebody("deaf", Role::Reader).await,
            calm: Calm::settle(&operator).await,
            process,
            _directory: directory,
        }
    }

    /// Writes as many facts as are to be written while nobody reads; gives by how much the server grew.
    async fn write(&self, first: usize) -> u64 {
        let before = self.process.held().memory;
        for batch in 0..ENTRIES / BATCH {
            let numbers = (0..BATCH).map(|place| 10_000_000 + first + batch * BATCH + place);
            let items = numbers.map(|number| {
                let mut draft = draft(&texts::fact(number), &self.source);
                draft.citations[0].quote = "What is written.".to_owned();
                draft
            });
            assert!(self.writer.submit(items.collect()).await.committed);
        }
        self.process.held().memory.saturating_sub(before)
    }

    async fn connect(&self) -> Unreading {
        Unreading::connect(self.address, self.deaf.token()).await
    }

    /// What the server holds for watches, when as much is written as before without them.
    async fn watches(&self, plain: u64) -> Outcome {
        let before = self.calm.p99().await;
        let mut deaf = self.connect().await;
        let watch = WatchRequest {
            board: BOARD.into(),
            from: Some(0),
            ..Default::default()
        };
        for _ in 0..STREAMS {
            let opened = deaf.call("/pawl.v1.LogService/Watch", &watch).await;
            opened.unwrap();
        }
        let grew = self.write(ENTRIES).await.saturating_sub(plain);
        let beside = self.calm.p99().await;
        drop(deaf);
        let figures = self.calm.compared(before, beside).await;
        let most = STREAMS as u64 * STREAM_BYTES;
        let held = (grew > most).then(|| format!("the server holds {} MiB more", grew >> 20));
        Outcome {
            what: format!("{STREAMS} watches unread while {ENTRIES} entries are written"),
            times: Some(STREAMS),
            looked_at: format!(
                "{}; {} KiB a watch",
                figures.told(),
                grew / STREAMS as u64 >> 10
            ),
            lost: figures.lost().into_iter().chain(held).collect(),
        }
    }

    async fn exports(&self) -> Outcome {
        let before = self.calm.p99().await;
        let empty = self.process.held().memory;
        let mut deaf = self.connect().await;
        let export = ExportRequest {
            board: BOARD.into(),
            ..Default::default()
        };
        for _ in 0..STREAMS {
            let opened = deaf.call("/pawl.v1.BackupService/Export", &export).await;
            opened.unwrap();
        }
        let beside = self.calm.p99().await;
        let grew = self.process.held().memory.saturating_sub(empty);
        drop(deaf);
        let figures = self.calm.compared(before, beside).await;
        let most = STREAMS as u64 * STREAM_BYTES;
        let held = (grew > most).then(|| format!("the server holds {} MiB more", grew >> 20));
        Outcome {
            what: format!("{STREAMS} exports of {} entries unread", 2 * ENTRIES),
            times: Some(STREAMS),
            looked_at: format!(
                "{}; {} KiB an export",
                figures.told(),
                grew / STREAMS as u64 >> 10
            ),
            lost: figures.lost().into_iter().chain(held).collect(),
        }
    }

    /// Asks for pages over one connection after the other, and takes none.
    async fn lists(&self) -> Outcome {
        let before = self.calm.p99().await;
        let empty = self.process.held().memory;
        let list = ListAssertionsRequest {
            board: BOARD.into(),
            page_size: 1_000,
            ..Default::default()
        };
        let (mut connections, mut taken, mut lost) = (Vec::new(), 0, Vec::new());
        let refused = 'refused: loop {
            let mut deaf = self.connect().await;
            for _ in 0..CALLS / 4 {
                let asked = deaf.call("/pawl.v1.AssertionService/ListAssertions", &list);
                match asked.await {
                    Ok(()) => taken += 1,
                    Err(status) => break 'refused Some(status),
                }
            }
            connections.push(deaf);
            if taken >= CALLS * 3 / 2 {
                break None;
            }
        };
        let reason = refused.and_then(|it| it.get_details_error_info());
        let reason = reason.map(|it| it.reason).unwrap_or_default();
        if reason != "OVERLOADED" {
            lost.push(format!(
                "{taken} pages are asked for and not taken: `{reason}`"
            ));
        }
        let beside = self.calm.p99().await;
        let grew = self.process.held().memory.saturating_sub(empty);
        if grew > CALLS as u64 * LIST_BYTES {
            lost.push(format!("the server holds {} MiB more", grew >> 20));
        }
        drop(connections);
        let figures = self.calm.compared(before, beside).await;
        lost.extend(figures.lost());
        Outcome {
            what: format!(
                "pages of lists unread over {} connections",
                taken * 4 / CALLS
            ),
            times: Some(taken),
            looked_at: format!(
                "{}; {} KiB a page, the next is refused as {reason}",
                figures.told(),
                grew / taken.max(1) as u64 >> 10
            ),
            lost,
        }
    }

    /// Connections on which nobody reads, not even pings.
    async fn silence(&self) -> Outcome {
        let before = self.calm.p99().await;
        let empty = self.process.held().files;
        let watch = WatchRequest {
            board: BOARD.into(),
            from: Some(0),
            ..Default::default()
        };
        let begun = Instant::now();
        let mut silent = Vec::new();
        for _ in 0..SILENT {
            let mut one = self.connect().await;
            one.call("/pawl.v1.LogService/Watch", &watch).await.unwrap();
            one.fall_silent();
            silent.push(one);
        }
        let beside = self.calm.p99().await;
        while self.process.held().files > empty && begun.elapsed() < SILENCE + LATE {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        let ended = begun.elapsed();
        let figures = self.calm.compared(before, beside).await;
        let left = self.process.held().files.saturating_sub(empty);
        let left = (left > 0).then(|| format!("{left} connections are still there"));
        Outcome {
            what: format!("{SILENT} connections that nobody reads from"),
            times: Some(SILENT),
            looked_at: format!(
                "{}; the last ended after {:.0} s",
                figures.told(),
                ended.as_secs_f64()
            ),
            lost: figures.lost().into_iter().chain(left).collect(),
        }
    }
}
