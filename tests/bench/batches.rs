//! Submissions in batches of 100: beside the sum of what they consist of, each measured alone, and with the sentence
//! model beside what the model does on as many threads.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use pawl_checker::{
    compare::scores,
    index::{Index, Indexed, Limits},
    statement::{self, Statement},
    vocabulary::Vocabulary,
};
use pawl_ledger::store::{self, Batch, keys};
use pawl_proto::v1::Draft;

use crate::{
    Scale,
    figure::{Figure, Goal, Report},
    limits,
    site::{Caller, Setting, Site, draft},
    texts,
};

const BATCH: usize = 100;
/// With as many sessions and callers as this machine has cores.
const SESSIONS: usize = 2;

pub(crate) fn measure(scale: &Scale, report: &mut Report) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let batches = scale.of(150, 20);
    let plain = runtime.block_on(whole(scale, Setting::PLAIN, 1, batches));
    let parts = Parts::measure(scale, &plain);
    for (name, seconds) in [
        ("parse", parts.parse),
        ("pairs", parts.pairs),
        ("durable commit", parts.commit),
    ] {
        let name = format!("batches of {BATCH}: {name} alone");
        report.add(Figure::told(name, seconds * 1_000.0 / batches as f64, "ms"));
    }
    let sum = parts.parse + parts.pairs + parts.commit;
    report.add(
        Figure::told(
            "batches of 100, one client",
            rate(batches, plain.seconds),
            "facts/s",
        )
        .beside(
            "facts/s of its parts",
            rate(batches, sum),
            Goal::Least(0.70),
        ),
    );

    let batches = scale.of(12, 2);
    let setting = Setting {
        sessions: SESSIONS,
        ..Setting::PLAIN
    };
    let meant = runtime.block_on(whole(scale, setting, SESSIONS, batches));
    let embedder = limits::embedder(SESSIONS);
    let texts: Vec<String> = (0..batches * BATCH).map(texts::fact).collect();
    let alone = limits::embedded(&embedder, SESSIONS, &texts);
    report.add(
        Figure::told(
            "batches of 100 with embedding",
            rate(batches, meant.seconds),
            "facts/s",
        )
        .beside("embeddings/s alone", alone, Goal::Least(0.80)),
    );
}

fn rate(batches: usize, seconds: f64) -> f64 {
    (batches * BATCH) as f64 / seconds
}

/// A run through the server.
struct Whole {
    seconds: f64,
    batches: usize,
    /// What it wrote, a batch at a time.
    written: Vec<Batch>,
}

/// Submits batches from some callers at a time, and reads back what was written.
async fn whole(scale: &Scale, setting: Setting, callers: usize, batches: usize) -> Whole {
    let site = Site::start(scale.directory(), setting).await;
    let mut work: Vec<(Caller, Vec<Vec<Draft>>)> = Vec::new();
    for number in 0..callers {
        let caller = site.agent(&format!("agent-{number}")).await;
        let mut own = Vec::new();
        for batch in (number..batches).step_by(callers) {
            let facts: Vec<String> = (batch * BATCH..(batch + 1) * BATCH)
                .map(texts::fact)
                .collect();
            let source = caller.upload(facts.join("\n")).await;
            own.push(facts.iter().map(|fact| draft(fact, &source)).collect());
        }
        work.push((caller, own));
    }
    let before = entries(&site);
    let begun = Instant::now();
    let tasks: Vec<_> = work
        .into_iter()
        .map(|(caller, own)| {
            tokio::spawn(async move {
                for items in own {
                    let answer = caller.submit(items).await;
                    assert!(answer.committed, "{answer:?}");
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let seconds = begun.elapsed().as_secs_f64();
    let written = written(&site, before);
    site.stop().await;
    Whole {
        seconds,
        batches,
        written,
    }
}

fn entries(site: &Site) -> u64 {
    let store = site.running.app.ledger.store();
    let head = store
        .get(&keys::head(keys::BoardNumber(0)))
        .unwrap()
        .unwrap();
    u64::from_be_bytes(head[..8].try_into().unwrap())
}

/// The entries from a position on with their words, in batches as they were written.
fn written(site: &Site, from: u64) -> Vec<Batch> {
    let (store, board) = (site.running.app.ledger.store(), keys::BoardNumber(0));
    let mut batches = Vec::new();
    let mut at = from;
    let end = entries(site);
    while at < end {
        let to = (at + BATCH as u64).min(end);
        let mut batch = Batch::default();
        let [first, last] = [at, to].map(pawl_ledger::id::Position);
        for (low, high) in [
            keys::entries(board, first, last),
            keys::words_of(board, first, last),
        ] {
            let mut keep = |key: &[u8], value: &[u8]| {
                batch.put(key.to_vec(), value.to_vec());
                ControlFlow::Continue(())
            };
            store.scan(&low, &high, &mut keep).unwrap();
        }
        batch.put(keys::head(board), vec![0; 40]);
        batches.push(batch);
        at = to;
    }
    batches
}

/// What a batch consists of, each part alone and on one thread, for all batches; in seconds.
struct Parts {
    parse: f64,
    pairs: f64,
    commit: f64,
}

impl Parts {
    fn measure(scale: &Scale, whole: &Whole) -> Self {
        let vocabulary = Vocabulary::shipped();
        let contents: Vec<String> = (0..whole.batches * BATCH).map(texts::fact).collect();
        let begun = Instant::now();
        let statements: Vec<Statement> = contents.iter().map(|it| parse(it, &vocabulary)).collect();
        let parsed = begun.elapsed();
        Self {
            parse: parsed.as_secs_f64(),
            pairs: pairs(&statements, &vocabulary).as_secs_f64(),
            commit: commit(scale, &whole.written).as_secs_f64(),
        }
    }
}

fn parse(content: &str, vocabulary: &Vocabulary) -> Statement {
    let draft = statement::Draft {
        content,
        claim: None,
        entities: &[],
        valid_from: None,
        valid_to: None,
    };
    Statement::parse(&draft, vocabulary)
}

/// Compares each statement with its candidates among those before its batch, and among those before it in its batch.
fn pairs(statements: &[Statement], vocabulary: &Vocabulary) -> Duration {
    let begun = Instant::now();
    let mut before: Index<usize> = Index::new();
    let mut found = 0;
    for batch in 0..statements.len().div_ceil(BATCH) {
        let own = batch * BATCH..((batch + 1) * BATCH).min(statements.len());
        let mut within: Index<usize> = Index::new();
        for key in own.clone() {
            let statement = &statements[key];
            indexed(statement, |indexed| {
                for index in [&before, &within] {
                    for candidate in index.candidates(indexed, &Limits::default()) {
                        let standing = &statements[candidate.key];
                        found += scores(statement, standing, None, vocabulary).len();
                    }
                }
                within.insert(key, indexed);
            });
        }
        for key in own {
            indexed(&statements[key], |indexed| before.insert(key, indexed));
        }
    }
    std::hint::black_box(found);
    begun.elapsed()
}

fn indexed(statement: &Statement, with: impl FnOnce(&Indexed<'_>)) {
    let terms: Vec<u64> = statement.terms().iter().map(|term| term.value()).collect();
    with(&Indexed {
        claim_key: None,
        terms: &terms,
        vector: None,
    });
}

/// Commits the same bytes to another store of the same engine.
fn commit(scale: &Scale, batches: &[Batch]) -> Duration {
    let directory = scale.directory();
    let store = store::open(&directory.path().join("store"), Some(Setting::PLAIN.engine)).unwrap();
    let begun = Instant::now();
    for batch in batches {
        store.commit(batch).unwrap();
    }
    begun.elapsed()
}
