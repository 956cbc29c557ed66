//! A backup while the server works: one scan of the store, which sees one moment, sent at its
//! reader's pace. Nothing waits for it; a reader that stands still is cut off, since the store keeps
//! what is replaced meanwhile for as long as the scan lasts.

use std::{ops::ControlFlow, sync::Arc, time::Duration};

use pawl_ledger::{
    backup::{Ending, Origin, Tally, write_record},
    decide::{Denied, Reason},
    store::{LAYOUT, StoreError},
};
use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot},
};

use super::{App, error::AppError, identity::require_server_operator, now};
use crate::auth::Caller;

/// How many backups are made at once; each keeps a scan open.
pub(super) const BACKUPS: usize = 1;
/// How many bytes of records go together, but for the last record.
const CHUNK_BYTES: usize = 1 << 20;
/// How many chunks wait for a slow reader.
const WAITING_CHUNKS: usize = 2;
/// The end of all keys: none begins with this byte.
const LAST: &[u8] = &[0xff];

/// A part of a backup.
#[derive(Debug)]
pub enum Part {
    /// Whole records.
    Records(Vec<u8>),
    /// What they come to.
    End(Ending),
}

/// What comes of a backup, part by part.
pub struct Parts {
    parts: mpsc::Receiver<Part>,
    failure: Option<oneshot::Receiver<AppError>>,
}

impl Parts {
    /// The next part; none after the end, and an error where it broke off.
    pub async fn next(&mut self) -> Option<Result<Part, AppError>> {
        if let Some(part) = self.parts.recv().await {
            return Some(Ok(part));
        }
        // Told beside the parts: there is no room among them where nobody takes them.
        self.failure.take()?.await.ok().map(Err)
    }
}

impl App {
    /// Begins a backup of everything the store holds now. Server operators only, one at a time.
    pub fn backup(self: &Arc<Self>, caller: &Caller) -> Result<(Origin, Parts), AppError> {
        require_server_operator(caller)?;
        let place = self.backups.clone().try_acquire_owned().map_err(|_| {
            let message = "another backup is under way; try again once it has ended";
            Denied::new(Reason::Overloaded, message).with("limit", BACKUPS)
        })?;
        let (sender, parts) = mpsc::channel(WAITING_CHUNKS);
        let (fail, failure) = oneshot::channel();
        let reader = Reader {
            app: self.clone(),
            caller: caller.clone(),
            sender,
            idle: Duration::from_secs(self.limits().upload_idle_seconds),
            handle: Handle::current(),
        };
        let origin = Origin {
            layout: LAYOUT,
            at_ms: now().0,
            server: env!("CARGO_PKG_VERSION").to_owned(),
        };
        tokio::task::spawn_blocking(move || {
            reader.read(fail);
            drop(place);
        });
        let failure = Some(failure);
        Ok((origin, Parts { parts, failure }))
    }
}

/// Reads the store for one backup, on a thread of its own.
struct Reader {
    app: Arc<App>,
    caller: Caller,
    sender: mpsc::Sender<Part>,
    idle: Duration,
    handle: Handle,
}

impl Reader {
    fn read(self, fail: oneshot::Sender<AppError>) {
        if let Err(error) = self.send_all() {
            tracing::warn!(%error, "a backup broke off");
            // Whoever is gone is not told.
            let _ = fail.send(error);
        }
    }

    fn send_all(&self) -> Result<(), AppError> {
        let (mut tally, mut chunk) = (Tally::default(), Vec::new());
        let mut failure = None;
        let scanned = self.app.ledger.store().scan(&[], LAST, &mut |key, value| {
            write_record(key, value, &mut chunk);
            if chunk.len() < CHUNK_BYTES {
                return ControlFlow::Continue(());
            }
            match self.send_records(std::mem::take(&mut chunk), &mut tally) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        scanned?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        if !chunk.is_empty() {
            self.send_records(chunk, &mut tally)?;
        }
        self.send(Part::End(tally.ending()))
    }

    fn send_records(&self, chunk: Vec<u8>, tally: &mut Tally) -> Result<(), AppError> {
        tally.take(&chunk).map_err(StoreError::Damaged)?;
        self.app.identity.still_good(&self.caller)?;
        if *self.app.stopping().borrow() {
            let message = "the server stops; begin the backup anew once it is back";
            return Err(AppError::denied(Reason::ShuttingDown, message));
        }
        self.send(Part::Records(chunk))
    }

    fn send(&self, part: Part) -> Result<(), AppError> {
        let sent = tokio::time::timeout(self.idle, self.sender.send(part));
        match self.handle.block_on(sent) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(stood_still("its reader is gone", self.idle)),
            Err(_) => Err(stood_still("its reader took nothing in time", self.idle)),
        }
    }
}

fn stood_still(what: &str, idle: Duration) -> AppError {
    let milliseconds = idle.as_millis();
    Denied::new(
        Reason::Deadline,
        format!("the backup was given up: {what} ({milliseconds} ms); begin it anew"),
    )
    .with("limit_ms", milliseconds)
    .into()
}
