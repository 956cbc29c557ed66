//! A hundred watchers while 500 entries a second are written: how long after it was sent each sees an entry.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use pawl_proto::v1::{WatchRequest, log_service_client::LogServiceClient};
use tokio_stream::StreamExt;

use crate::{
    Scale,
    figure::{Figure, Goal, Report, percentile},
    site::{BOARD, Setting, Site, draft},
    texts,
};

const WATCHERS: usize = 100;
const STREAMS_OF_ONE: usize = 25;
const ENTRIES_PER_SECOND: usize = 500;
/// How many entries a call writes.
const TOGETHER: usize = 10;

pub(crate) fn measure(scale: &Scale, report: &mut Report) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let calls = scale.of(10, 2) * ENTRIES_PER_SECOND / TOGETHER;
    let (commits, lags, missed) = runtime.block_on(watch(scale, calls));
    let commit = percentile(&commits, 0.5);
    report.add(Figure::told(
        "a submission of 10 while 100 watch, median",
        commit,
        "ms",
    ));
    report.add(
        Figure::told(
            "delivery lag p99, 100 watchers at 500 entries/s",
            percentile(&lags, 0.99),
            "ms",
        )
        .beside("the submission's own", commit, Goal::Most(10.0)),
    );
    report.add(Figure {
        goal: Goal::Most(0.0),
        ..Figure::told("entries that a watcher did not see", missed as f64, "")
    });
}

/// When each position was sent.
type Sent = Arc<Mutex<HashMap<u64, Instant>>>;

async fn watch(scale: &Scale, calls: usize) -> (Vec<f64>, Vec<f64>, usize) {
    let site = Site::start(scale.directory(), Setting::PLAIN).await;
    let agent = site.agent("writer").await;
    let facts: Vec<String> = (0..calls * TOGETHER).map(texts::fact).collect();
    let mut batches = Vec::new();
    for some in facts.chunks(TOGETHER) {
        let source = agent.upload(some.join("\n")).await;
        batches.push(
            some.iter()
                .map(|fact| draft(fact, &source))
                .collect::<Vec<_>>(),
        );
    }
    // One principal may have so many streams and no more.
    let mut audience = Vec::new();
    for number in 0..WATCHERS.div_ceil(STREAMS_OF_ONE) {
        audience.push(site.agent(&format!("watcher-{number}")).await);
    }
    let from = agent
        .submit(vec![draft(
            &texts::fact(9_999_990),
            &agent.upload(texts::fact(9_999_990)).await,
        )])
        .await
        .position;
    let last = from + (calls * TOGETHER) as u64;

    let mut watchers = Vec::new();
    for number in 0..WATCHERS {
        let mut logs = LogServiceClient::new(audience[number / STREAMS_OF_ONE].carried());
        let request = WatchRequest {
            board: BOARD.into(),
            from: Some(from),
            ..Default::default()
        };
        let mut stream = logs.watch(request).await.unwrap().into_inner();
        watchers.push(tokio::spawn(async move {
            let mut seen = Vec::new();
            let mut next = from;
            while next < last {
                let Some(Ok(answer)) = stream.next().await else {
                    break;
                };
                let now = Instant::now();
                for record in answer.records {
                    assert_eq!(record.position, next);
                    seen.push((record.position, now));
                    next += 1;
                }
            }
            seen
        }));
    }

    let sent = Sent::default();
    let mut commits = Vec::new();
    let mut pace =
        tokio::time::interval(Duration::from_secs(1) * TOGETHER as u32 / ENTRIES_PER_SECOND as u32);
    for (number, items) in batches.into_iter().enumerate() {
        pace.tick().await;
        let begun = Instant::now();
        let first = from + (number * TOGETHER) as u64;
        sent.lock()
            .extend((first..first + TOGETHER as u64).map(|position| (position, begun)));
        let answer = agent.submit(items).await;
        assert!(answer.committed);
        commits.push(begun.elapsed().as_secs_f64() * 1_000.0);
    }
    let sent = sent.lock().clone();
    let (mut lags, mut missed) = (Vec::new(), 0);
    for watcher in watchers {
        let seen = watcher.await.unwrap();
        missed += calls * TOGETHER - seen.len();
        lags.extend(
            seen.into_iter()
                .map(|(position, at)| at.duration_since(sent[&position]).as_secs_f64() * 1_000.0),
        );
    }
    site.stop().await;
    commits.sort_by(f64::total_cmp);
    lags.sort_by(f64::total_cmp);
    (commits, lags, missed)
}
