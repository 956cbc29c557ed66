//! Submissions that contradict each other, sent at once: of two never both get in clean.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use pawl_proto::v1::{Outcome as Answer, Role, Verdict};

use crate::{
    Outcome, SETTINGS,
    caller::{Caller, draft},
    process::{Process, verify},
    texts,
};

const CLIENTS: usize = 16;
const FACTS_OF_A_DOCUMENT: usize = 100;

/// Sends pairs from many clients; each pair says two figures of the same thing.
pub(crate) async fn at_once(pairs: usize) -> Vec<Outcome> {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let mut process = Process::start(&data, SETTINGS, &["--no-embedding"]);
    let operator = Caller::new(&process.url(), &process.token());
    operator.make_board().await;
    let next = Arc::new(AtomicUsize::new(0));
    let mut working = Vec::new();
    for number in 0..CLIENTS {
        let one = operator
            .somebody(&format!("one-{number}"), Role::Agent)
            .await;
        let other = operator
            .somebody(&format!("other-{number}"), Role::Agent)
            .await;
        let next = next.clone();
        working.push(tokio::spawn(send(one, other, next, pairs)));
    }
    let (mut lost, mut sent) = (Vec::new(), 0);
    for work in working {
        let (both, pairs) = work.await.unwrap();
        lost.extend(both);
        sent += pairs;
    }
    process.end(false);
    lost.extend(verify(&data).err());
    vec![Outcome {
        what: format!("contradictory pairs at once from {CLIENTS} clients"),
        times: Some(sent),
        looked_at: "that of no pair both were accepted, verify".to_owned(),
        lost,
    }]
}

async fn send(
    one: Caller,
    other: Caller,
    next: Arc<AtomicUsize>,
    pairs: usize,
) -> (Vec<String>, usize) {
    let (mut lost, mut sent) = (Vec::new(), 0);
    loop {
        let first = next.fetch_add(FACTS_OF_A_DOCUMENT, Ordering::Relaxed);
        if first >= pairs {
            return (lost, sent);
        }
        let facts: Vec<[String; 2]> = (first..(first + FACTS_OF_A_DOCUMENT).min(pairs))
            .map(pair)
            .collect();
        let text: Vec<String> = facts.iter().map(|pair| pair.join("\n")).collect();
        let source = one.upload(text.join("\n")).await;
        for [fact, opposite] in facts {
            let (mine, theirs) = tokio::join!(
                one.submit(vec![draft(&fact, &source)]),
                other.submit(vec![draft(&opposite, &source)]),
            );
            let clean = |answer: &Answer| answer.verdict() == Verdict::Accepted;
            if clean(&mine.outcomes[0]) && clean(&theirs.outcomes[0]) {
                lost.push(format!("both in: `{fact}` and `{opposite}`"));
            }
            if !clean(&mine.outcomes[0])
                && !clean(&theirs.outcomes[0])
                && mine.outcomes[0].error.is_some()
            {
                lost.push(format!(
                    "neither could be processed: {:?}",
                    mine.outcomes[0].error
                ));
            }
            sent += 1;
        }
    }
}

/// A fact, and the same with another figure.
fn pair(number: usize) -> [String; 2] {
    let subject = texts::subject_of(number);
    [200, 900].map(|figure| format!("{subject} has an installed capacity of {figure} MW."))
}
