//! Submissions one at a time: by one client beside the disk's own syncs, and by 64 beside a call that does nothing.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use crate::{
    Scale,
    figure::{Figure, Goal, Report, percentile},
    limits::synced_appends,
    site::{self, Caller, Setting, Site, draft, submission},
    texts,
};

const CLIENTS: usize = 64;
/// How many facts one cited document holds.
const FACTS_OF_A_DOCUMENT: usize = 100;
/// How many facts a client has at hand before it begins.
const AT_HAND: usize = 3_000;

/// What a stretch of calls was.
struct Stretch {
    calls_per_second: f64,
    /// In milliseconds.
    p50: f64,
    p99: f64,
}

pub(crate) fn measure(scale: &Scale, report: &mut Report) {
    let stretch = Duration::from_secs(scale.of(15, 3) as u64);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let directory = scale.directory();
        let syncs = synced_appends(directory.path(), stretch / 3);
        report.add(Figure::told("synced appends of 4 KiB", syncs, "1/s"));
        let site = Site::start(directory, Setting::PLAIN).await;
        let number = Arc::new(AtomicUsize::new(0));

        let one = [site.agent("alone").await];
        let alone = submit(&one, &number, stretch).await;
        report.add(
            Figure::told("submissions, one client", alone.calls_per_second, "1/s").beside(
                "synced appends",
                syncs,
                Goal::Least(0.30),
            ),
        );

        let mut many = Vec::new();
        for client in 0..CLIENTS {
            many.push(site.agent(&format!("agent-{client}")).await);
        }
        let echoed = echo(&many, stretch).await;
        let together = submit(&many, &number, stretch).await;
        let name = "submissions, 64 clients";
        report.add(Figure::told(name, together.calls_per_second, "1/s").beside(
            "echoes",
            echoed.calls_per_second,
            Goal::Least(0.50),
        ));
        let name = "latency p99 of submissions, 64 clients";
        report.add(Figure::told(name, together.p99, "ms").beside(
            "p50",
            together.p50,
            Goal::Most(5.0),
        ));
        let name = "latency p99 of echoes, 64 clients";
        report.add(Figure::told(name, echoed.p99, "ms").beside("p50", echoed.p50, Goal::None));
        site.stop().await;
    });
}

/// Lets each client submit one fact after another.
async fn submit(clients: &[Caller], number: &Arc<AtomicUsize>, stretch: Duration) -> Stretch {
    let number = number.clone();
    call(clients, stretch, move |client| {
        let number = number.clone();
        async move { Submitter::new(client, number) }
    })
    .await
}

/// Lets each client call the echo with what a submission looks like.
async fn echo(clients: &[Caller], stretch: Duration) -> Stretch {
    call(clients, stretch, |client| async move { Echoer(client) }).await
}

/// Something that makes one call after another.
trait Calls: Send + 'static {
    /// Makes what is needed for calls to come, before anybody begins.
    fn prepare(&mut self) -> impl Future<Output = ()> + Send;
    fn call(&mut self) -> impl Future<Output = ()> + Send;
    /// Makes more of it where it is used up; not counted.
    fn again(&mut self) -> impl Future<Output = ()> + Send;
}

struct Submitter {
    client: Caller,
    number: Arc<AtomicUsize>,
    waiting: Vec<(String, String)>,
}

impl Submitter {
    fn new(client: Caller, number: Arc<AtomicUsize>) -> Self {
        Self {
            client,
            number,
            waiting: Vec::new(),
        }
    }
}

impl Submitter {
    /// Uploads a document with facts to submit.
    async fn read(&mut self) {
        let first = self
            .number
            .fetch_add(FACTS_OF_A_DOCUMENT, Ordering::Relaxed);
        let facts: Vec<String> = (first..first + FACTS_OF_A_DOCUMENT)
            .map(texts::fact)
            .collect();
        let source = self.client.upload(facts.join("\n")).await;
        self.waiting
            .extend(facts.into_iter().map(|it| (it, source.clone())));
    }
}

impl Calls for Submitter {
    async fn prepare(&mut self) {
        while self.waiting.len() < AT_HAND {
            self.read().await;
        }
    }

    async fn call(&mut self) {
        let (fact, source) = self.waiting.pop().unwrap();
        let answer = self.client.submit(vec![draft(&fact, &source)]).await;
        assert!(answer.committed, "{fact} was not accepted: {answer:?}");
    }

    async fn again(&mut self) {
        if self.waiting.is_empty() {
            self.read().await;
        }
    }
}

struct Echoer(Caller);

impl Calls for Echoer {
    async fn prepare(&mut self) {}

    async fn call(&mut self) {
        let fact = texts::fact(7);
        let source = "c".repeat(64);
        site::echo(&self.0, submission(vec![draft(&fact, &source)])).await;
    }

    async fn again(&mut self) {}
}

async fn call<C: Calls, F: Future<Output = C>>(
    clients: &[Caller],
    stretch: Duration,
    make: impl Fn(Caller) -> F,
) -> Stretch {
    let (mut ready, mut tasks) = (Vec::new(), Vec::new());
    for client in clients {
        let mut calls = make(client.clone()).await;
        // One after another: a server takes in so many uploads at a time.
        calls.prepare().await;
        ready.push(calls);
    }
    for mut calls in ready {
        tasks.push(async move {
            let mut latencies = Vec::new();
            let mut calling = Duration::ZERO;
            while calling < stretch {
                calls.again().await;
                let begun = Instant::now();
                calls.call().await;
                let took = begun.elapsed();
                calling += took;
                latencies.push(took.as_secs_f64() * 1_000.0);
            }
            latencies
        });
    }
    let tasks: Vec<_> = tasks.into_iter().map(tokio::spawn).collect();
    let mut latencies = Vec::new();
    for task in tasks {
        latencies.extend(task.await.unwrap());
    }
    latencies.sort_by(f64::total_cmp);
    Stretch {
        calls_per_second: latencies.len() as f64 / stretch.as_secs_f64(),
        p50: percentile(&latencies, 0.50),
        p99: percentile(&latencies, 0.99),
    }
}
