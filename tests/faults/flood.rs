//! One principal that floods a server, and what the others notice.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Instant,
};

use pawl_proto::v1::Role;

use crate::{
    Outcome,
    caller::{Caller, draft, submission},
    process::Process,
    texts,
};

const FLOODING: usize = 200;
const CALLS: usize = 400;
/// How much slower the slowest calls of others may get.
const MOST: f64 = 3.0;

/// Floods with calls of one principal while another goes on with its work.
pub(crate) async fn flood() -> Outcome {
    let directory = tempfile::tempdir().unwrap();
    // As shipped: the limits are what is tried.
    let process = Process::start(&directory.path().join("data"), "", &["--no-embedding"]);
    let operator = Caller::new(&process.url(), &process.token());
    operator.make_board().await;
    let (calm, wild) = (
        operator.somebody("calm", Role::Agent).await,
        operator.somebody("wild", Role::Agent).await,
    );
    let number = AtomicUsize::new(0);
    let alone = p99(&calm, &number).await;

    let end = Arc::new(AtomicBool::new(false));
    let mut flooding = Vec::new();
    let source = wild.upload("What floods.".to_owned()).await;
    for place in 0..FLOODING {
        // A connection of its own each.
        let (wild, source, end) = (wild.again(), source.clone(), end.clone());
        flooding.push(tokio::spawn(async move {
            let mut sent = 0;
            while !end.load(Ordering::Relaxed) {
                let mut draft = draft(&texts::fact(1_000_000 + place * 10_000 + sent), &source);
                draft.citations[0].quote = "What floods.".to_owned();
                let _ = wild.assertions().submit(submission(vec![draft])).await;
                sent += 1;
            }
            sent
        }));
    }
    let flooded = p99(&calm, &number).await;
    end.store(true, Ordering::Relaxed);
    let mut sent = 0;
    for flood in flooding {
        sent += flood.await.unwrap();
    }
    let ratio = flooded / alone;
    let slow =
        (ratio > MOST).then(|| format!("the others' p99 grew {ratio:.1} times, at most {MOST}"));
    Outcome {
        what: format!("a flood of one principal over {FLOODING} connections"),
        times: Some(sent),
        looked_at: format!(
            "p99 of another's submissions: {alone:.1} ms alone, {flooded:.1} ms beside it"
        ),
        lost: slow.into_iter().collect(),
    }
}

/// The time that all but a hundredth of calls are under, in milliseconds.
async fn p99(caller: &Caller, number: &AtomicUsize) -> f64 {
    let mut took = Vec::new();
    let source = caller.upload("What is measured.".to_owned()).await;
    for _ in 0..CALLS {
        let mut draft = draft(
            &texts::fact(number.fetch_add(1, Ordering::Relaxed)),
            &source,
        );
        draft.citations[0].quote = "What is measured.".to_owned();
        let begun = Instant::now();
        caller.submit(vec![draft]).await;
        took.push(begun.elapsed().as_secs_f64() * 1_000.0);
    }
    took.sort_by(f64::total_cmp);
    took[CALLS - CALLS / 100 - 1]
}
