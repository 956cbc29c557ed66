//! Group commit: many waiting writers, of many boards, share one sync.
//!
//! A board's batches are committed in the order they were handed in. Once one of them failed,
//! none that was handed in after it is written: what is in the store is always a prefix.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

use parking_lot::{Condvar, Mutex};
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

/// Writes batches to a store, one group at a time: on a thread of its own, or on that of a writer who may block.
#[derive(Debug)]
pub struct Committer {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    store: Arc<dyn Store>,
    queue: Mutex<Queue>,
    /// Somebody asked for the thread.
    called: Condvar,
    /// There is room in the queue again.
    room: Condvar,
    /// Held from taking batches out of the queue until they are answered.
    writing: Mutex<Observer>,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    is_called: bool,
    is_closed: bool,
}

impl Committer {
    /// Starts the thread.
    pub fn start(store: Arc<dyn Store>, observer: Observer) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            store,
            queue: Mutex::default(),
            called: Condvar::new(),
            room: Condvar::new(),
            writing: Mutex::new(observer),
        });
        let writer = shared.clone();
        let thread = std::thread::Builder::new()
            .name("committer".into())
            .spawn(move || writer.run())?;
        Ok(Self {
            shared,
            thread: Some(thread),
        })
    }

    /// Hands in a batch. With a line, the line reaches `Position` entries once the batch is durable.
    pub fn hand_in(&self, batch: Batch, line: Option<(Arc<Line>, Position)>) -> HandedIn {
        let (done, receiver) = oneshot::channel();
        self.shared.push(Job { batch, line, done });
        HandedIn {
            done: receiver,
            writer: Writer(Some(self.shared.clone())),
        }
    }

    /// How many batches wait for a sync.
    pub fn waiting(&self) -> usize {
        self.shared.queue.lock().jobs.len()
    }
}

impl Drop for Committer {
    /// Writes what is waiting, then ends the thread.
    fn drop(&mut self) {
        self.shared.queue.lock().is_closed = true;
        self.shared.called.notify_one();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the committer thread panicked");
        }
    }
}

/// A batch that was handed in; it is written whether anybody waits for it or not.
pub struct HandedIn {
    done: oneshot::Receiver<Result<(), CommitError>>,
    writer: Writer,
}

impl HandedIn {
    /// Has it written by the thread, and waits.
    pub async fn done(self) -> Result<(), CommitError> {
        drop(self.writer);
        self.done.await.unwrap_or(Err(CommitError::Aborted))
    }

    /// Writes it on this thread, with what else waits, unless somebody is writing: they will then take it. Blocks for
    /// a sync at most; two changes of threads less than asking the thread to.
    pub fn write_here(&mut self) {
        self.writer.write_here();
    }

    /// Writes it on this thread, or blocks until somebody else has written it; not for threads that answer calls.
    pub fn done_here(mut self) -> Result<(), CommitError> {
        self.write_here();
        let done = self.done.blocking_recv();
        done.unwrap_or(Err(CommitError::Aborted))
    }
}

/// Who will write a batch: the thread is called when this is dropped, unless somebody is sure to write it before.
struct Writer(Option<Arc<Shared>>);

impl Writer {
    fn write_here(&mut self) {
        if let Some(shared) = self.0.take()
            && let Some(writing) = shared.writing.try_lock()
        {
            shared.write_group(&writing);
            drop(writing);
            // What came meanwhile is not this writer's to wait for.
            if !shared.queue.lock().jobs.is_empty() {
                shared.call();
            }
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let Some(shared) = self.0.take() {
            shared.call();
        }
    }
}

impl Shared {
    fn push(&self, job: Job) {
        let mut queue = self.queue.lock();
        while queue.jobs.len() >= MAX_WAITING && !queue.is_closed {
            queue.is_called = true;
            self.called.notify_one();
            self.room.wait(&mut queue);
        }
        if queue.is_closed {
            drop(queue);
            answer(job, &Err(CommitError::Aborted));
        } else {
            queue.jobs.push_back(job);
        }
    }

    fn call(&self) {
        self.queue.lock().is_called = true;
        self.called.notify_one();
    }

    /// The thread: writes whenever it is called, until the committer is dropped and nothing waits.
    fn run(&self) {
        loop {
            let mut queue = self.queue.lock();
            while !queue.is_called && !queue.is_closed {
                self.called.wait(&mut queue);
            }
            queue.is_called = false;
            let (is_closed, is_empty) = (queue.is_closed, queue.jobs.is_empty());
            drop(queue);
            if is_empty && is_closed {
                return;
            }
            // Whoever hands in a batch while this is held relies on its being looked for again.
            while !self.queue.lock().jobs.is_empty() {
                self.write_group(&self.writing.lock());
            }
        }
    }

    /// Commits what waits, as far as it fits one sync.
    fn write_group(&self, observer: &Observer) {
        let (jobs, batch, bytes) = self.gather();
        let begun = Instant::now();
        let result = if batch.is_empty() {
            Ok(())
        } else {
            self.store.commit(&batch).map_err(|error| {
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

    fn next(&self) -> Option<Job> {
        let job = self.queue.lock().jobs.pop_front();
        self.room.notify_one();
        job
    }

    /// Takes what waits and merges it; a batch of a board that failed, and one that no store would take, is answered
    /// at once.
    fn gather(&self) -> (Vec<Job>, Batch, usize) {
        let mut jobs = Vec::new();
        let mut batch = Batch::default();
        let mut bytes = 0;
        while jobs.len() < MAX_GROUP
            && bytes < MAX_GROUP_BYTES
            && let Some(mut job) = self.next()
        {
            if job.line.as_ref().is_some_and(|(line, _)| line.has_failed()) {
                answer(job, &Err(CommitError::Aborted));
            } else if let Err(error) = job.batch.check() {
                // It would take the others of its group with it.
                answer(job, &Err(CommitError::Store(Arc::new(error))));
            } else {
                let size = |(key, value): &(Vec<u8>, Vec<u8>)| key.len() + value.len();
                bytes += job.batch.puts.iter().map(size).sum::<usize>();
                batch.append(std::mem::take(&mut job.batch));
                jobs.push(job);
            }
        }
        (jobs, batch, bytes)
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let waiting = self.queue.lock().jobs.len();
        let mut told = formatter.debug_struct("Shared");
        told.field("waiting", &waiting).finish_non_exhaustive()
    }
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

#[cfg(test)]
mod tests;
