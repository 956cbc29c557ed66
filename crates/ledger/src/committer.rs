//! Group commit: many waiting writers, of many boards, share one sync.
//!
//! A board's batches are committed in the order they were handed in. Once one of them failed,
//! none that was handed in after it is written: what is in the store is always a prefix.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

use tokio::sync::{oneshot, watch};

use crate::{
    id::Position,
    store::{Batch, Store, StoreError, keys},
};

/// The most batches that wait for a sync; a writer beyond waits for room.
const MAX_WAITING: usize = 4_096;
/// The most batches that share one sync.
const MAX_GROUP: usize = 1_024;
/// The most bytes that share one sync, but for a single batch that is larger.
const MAX_GROUP_BYTES: usize = 16 << 20;

/// Why a batch is not in the store, or perhaps not.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CommitError {
    /// The store failed.
    #[error(transparent)]
    Store(Arc<StoreError>),
    /// An earlier batch of the same board failed, or the server is stopping.
    #[error("an earlier write of this board failed; read again, then try again")]
    Aborted,
}

/// How far a board's log is durable.
#[derive(Debug)]
pub struct Line {
    durable: watch::Sender<Position>,
    failed: AtomicBool,
}

impl Line {
    /// Starts with what is in the store.
    pub fn new(durable: Position) -> Self {
        Self {
            durable: watch::Sender::new(durable),
            failed: AtomicBool::new(false),
        }
    }

    /// The number of entries that are durable.
    pub fn durable(&self) -> Position {
        *self.durable.borrow()
    }

    /// Says whether a batch of the board failed, so that its state has to be read again.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }

    /// Waits until that many entries are durable.
    pub async fn reached(&self, entries: Position) -> Result<(), CommitError> {
        let mut durable = self.durable.subscribe();
        let reached = durable
            .wait_for(|durable| *durable >= entries || self.has_failed())
            .await;
        match reached {
            Ok(durable) if *durable >= entries => Ok(()),
            _ => Err(CommitError::Aborted),
        }
    }

    /// Notices every advance.
    pub fn subscribe(&self) -> watch::Receiver<Position> {
        self.durable.subscribe()
    }

    pub(crate) fn fail(&self) {
        self.failed.store(true, Ordering::Release);
        self.durable.send_modify(|_| {});
    }
}

/// Waits for one batch.
pub type Done = oneshot::Receiver<Result<(), CommitError>>;

/// What one commit was: several batches that shared a sync.
#[derive(Clone, Copy, Debug)]
pub struct Commit {
    /// The batches.
    pub batches: usize,
    /// The entries in them.
    pub entries: usize,
    /// Their bytes, keys and values.
    pub bytes: usize,
    /// How long the store took, sync included.
    pub took: Duration,
    /// The store took it.
    pub succeeded: bool,
}

/// Is told of each commit, on the thread that makes them: it has to be quick.
pub type Observer = Box<dyn Fn(&Commit) + Send>;

struct Job {
    batch: Batch,
    line: Option<(Arc<Line>, Position)>,
    done: oneshot::Sender<Result<(), CommitError>>,
}

/// The one thread that writes to a store.
#[derive(Debug)]
pub struct Committer {
    jobs: Option<SyncSender<Job>>,
    waiting: Arc<AtomicUsize>,
    thread: Option<JoinHandle<()>>,
}

impl Committer {
    /// Starts the thread.
    pub fn start(store: Arc<dyn Store>, observer: Observer) -> std::io::Result<Self> {
        let (jobs, receiver) = sync_channel(MAX_WAITING);
        let waiting = Arc::new(AtomicUsize::new(0));
        let queue = Queue {
            jobs: receiver,
            waiting: waiting.clone(),
        };
        let thread = std::thread::Builder::new()
            .name("committer".into())
            .spawn(move || run(store.as_ref(), &queue, &observer))?;
        Ok(Self {
            jobs: Some(jobs),
            waiting,
            thread: Some(thread),
        })
    }

    /// Hands in a batch. With a line, the line reaches `Position` entries once the batch is durable.
    pub fn commit(&self, batch: Batch, line: Option<(Arc<Line>, Position)>) -> Done {
        let (done, receiver) = oneshot::channel();
        let job = Job { batch, line, done };
        self.waiting.fetch_add(1, Ordering::Relaxed);
        if let Some(jobs) = &self.jobs
            && let Err(unsent) = jobs.send(job)
        {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            answer(unsent.0, &Err(CommitError::Aborted));
        }
        receiver
    }

    /// How many batches wait for a sync.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

/// Where batches wait, and how many do.
struct Queue {
    jobs: Receiver<Job>,
    waiting: Arc<AtomicUsize>,
}

impl Queue {
    /// Waits for a job; none once nobody can hand one in.
    fn next(&self) -> Option<Job> {
        self.taken(self.jobs.recv().ok())
    }

    /// Takes a job if one is there.
    fn ready(&self) -> Option<Job> {
        self.taken(self.jobs.try_recv().ok())
    }

    fn taken(&self, job: Option<Job>) -> Option<Job> {
        if job.is_some() {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
        }
        job
    }
}

impl Drop for Committer {
    /// Writes what is waiting, then ends the thread.
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the committer thread panicked");
        }
    }
}

fn run(store: &dyn Store, queue: &Queue, observer: &Observer) {
    while let Some(first) = queue.next() {
        let (jobs, batch, bytes) = gather(first, queue);
        let begun = Instant::now();
        let result = if batch.is_empty() {
            Ok(())
        } else {
            store.commit(&batch).map_err(|error| {
                tracing::error!(%error, "a commit failed");
                CommitError::Store(Arc::new(error))
            })
        };
        if !batch.is_empty() {
            let entries = batch.puts.iter().filter(|(key, _)| keys::is_entry(key));
            observer(&Commit {
                batches: jobs.len(),
                entries: entries.count(),
                bytes,
                took: begun.elapsed(),
                succeeded: result.is_ok(),
            });
        }
        jobs.into_iter().for_each(|job| answer(job, &result));
    }
}

/// Takes what waits and merges it; a batch of a board that failed, and one that no store
/// would take, is answered at once.
fn gather(first: Job, queue: &Queue) -> (Vec<Job>, Batch, usize) {
    let mut jobs = Vec::new();
    let mut batch = Batch::default();
    let mut bytes = 0;
    let mut next = Some(first);
    while let Some(mut job) = next {
        if job.line.as_ref().is_some_and(|(line, _)| line.has_failed()) {
            answer(job, &Err(CommitError::Aborted));
        } else if let Err(error) = job.batch.check() {
            // It would take the others of its group with it.
            answer(job, &Err(CommitError::Store(Arc::new(error))));
        } else {
            bytes += job
                .batch
                .puts
                .iter()
                .map(|(key, value)| key.len() + value.len())
                .sum::<usize>();
            batch.append(std::mem::take(&mut job.batch));
            jobs.push(job);
        }
        let full = jobs.len() >= MAX_GROUP || bytes >= MAX_GROUP_BYTES;
        next = if full { None } else { queue.ready() };
    }
    (jobs, batch, bytes)
}

fn answer(job: Job, result: &Result<(), CommitError>) {
    if let Some((line, entries)) = &job.line {
        match result {
            Ok(()) => line
                .durable
                .send_modify(|durable| *durable = (*durable).max(*entries)),
            Err(_) => line.fail(),
        }
    }
    // Who no longer waits does not need the answer.
    let _ = job.done.send(result.clone());
}
