//! Keeps the contract of a store over an engine that stops after a failure: it is opened again.
//!
//! Both engines refuse everything after a failed write until they are opened anew. What is on the
//! disk then may or may not hold the failed batch, so nothing is read either until the engine was
//! opened again: what a caller reads after a failed commit stays true.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use parking_lot::{RwLock, RwLockReadGuard, RwLockUpgradableReadGuard};

use super::{Batch, Store, StoreError, Visit, Writes, directory::DirectoryLock, reserve::Reserve};

/// A storage engine, open on its own directory.
///
/// `write` is atomic and durable once it returned. `scan` sees no half batch; its range is never
/// empty. No key or value is of a wrong length.
pub(super) trait OpenEngine: Send + Sync + Sized {
    /// The space it writes before it can be read, at most.
    const OPENING_BYTES: u64;
    /// Opens it, repairing what a crash left and making what is missing.
    fn open(directory: &Path) -> Result<Self, Failure>;
    /// Reads a value.
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, Failure>;
    /// Visits a range of keys in ascending order.
    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), Failure>;
    /// Writes all or nothing.
    fn write(&self, writes: &Writes<'_>) -> Result<(), Failure>;
}

/// Why an engine could not do something.
#[derive(Debug)]
pub(super) enum Failure {
    /// The file system failed.
    Io(io::Error),
    /// The files do not hold together.
    Damaged(String),
    /// It stopped after an earlier failure and did nothing now.
    Stopped,
    /// Anything else.
    Other(Box<dyn std::error::Error + Send + Sync>),
}

impl Failure {
    /// Says to the caller what happened to the store at `path`.
    pub(super) fn on(self, path: &Path) -> StoreError {
        match self {
            Self::Io(error) => io_error(error, path),
            Self::Damaged(what) => StoreError::Damaged(what),
            Self::Stopped => {
                StoreError::Engine("it stopped after a failure in the background".into())
            }
            Self::Other(error) => StoreError::Engine(error),
        }
    }
}

/// Tells a full disk from other failures of the file system.
pub(super) fn io_error(error: io::Error, path: &Path) -> StoreError {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::Full {
            path: path.to_path_buf(),
        },
        _ => StoreError::Engine(Box::new(error)),
    }
}

/// A store over an engine. The engine is closed before the lock on the directory goes.
pub(super) struct Reopening<E> {
    /// `None` after a failure, until it could be opened again.
    engine: RwLock<Option<E>>,
    directory: PathBuf,
    reserve: Reserve,
    lock: DirectoryLock,
}

impl<E: OpenEngine> Reopening<E> {
    /// Opens the engine on a directory that lies within the locked one.
    pub(super) fn open(directory: PathBuf, lock: DirectoryLock) -> Result<Self, StoreError> {
        let open = || E::open(&directory).map_err(|failure| failure.on(lock.path()));
        let reserve = Reserve::beside(&directory, E::OPENING_BYTES);
        let engine = match open() {
            Err(StoreError::Full { .. }) if reserve.give_up() => open()?,
            opened => opened?,
        };
        Ok(Self {
            engine: RwLock::new(Some(engine)),
            directory,
            reserve,
            lock,
        })
    }

    /// Runs something on the engine, which is opened first if it is not open.
    fn read<T>(&self, run: impl FnOnce(&E) -> Result<T, Failure>) -> Result<T, StoreError> {
        // Recursive, as a visitor may read while someone waits to open the engine again.
        let mut open = self.engine.read_recursive();
        if open.is_none() {
            drop(open);
            let mut closed = self.engine.write();
            self.reopen(&mut closed)?;
            open = parking_lot::RwLockWriteGuard::downgrade(closed);
        }
        Self::run(&open, run).map_err(|failure| failure.on(self.lock.path()))
    }

    fn run<T>(
        open: &RwLockReadGuard<'_, Option<E>>,
        run: impl FnOnce(&E) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        open.as_ref().map_or(Err(Failure::Stopped), run)
    }

    /// Opens the engine if it is not open.
    fn reopen(&self, engine: &mut Option<E>) -> Result<(), StoreError> {
        if engine.is_none() {
            let open = || E::open(&self.directory).map_err(|it| it.on(self.lock.path()));
            let opened = match open() {
                Err(StoreError::Full { .. }) if self.reserve.give_up() => open()?,
                opened => opened?,
            };
            tracing::warn!(path = %self.lock.path().display(), "opened the store again after a failure");
            *engine = Some(opened);
        }
        Ok(())
    }

    /// Writes once; an engine that failed is closed and opened again if that is possible now.
    fn write(&self, writes: &Writes<'_>) -> Result<(), WriteError> {
        let open = self.engine.upgradable_read();
        self.reserve
            .restore()
            .map_err(|error| WriteError::Failed(io_error(error, self.lock.path())))?;
        let written = open
            .as_ref()
            .map_or(Err(Failure::Stopped), |engine| engine.write(writes));
        let Err(failure) = written else {
            return Ok(());
        };
        let mut engine = RwLockUpgradableReadGuard::upgrade(open);
        *engine = None;
        let reopened = self.reopen(&mut engine);
        match failure {
            Failure::Stopped => Err(WriteError::NothingWritten(reopened)),
            failure => Err(WriteError::Failed(failure.on(self.lock.path()))),
        }
    }

    /// Names the likeliest reason of an engine that stops again and again: there is no space.
    fn stopped(&self) -> StoreError {
        match probe(&self.directory) {
            Ok(()) => Failure::Stopped.on(self.lock.path()),
            Err(error) => io_error(error, self.lock.path()),
        }
    }
}

enum WriteError {
    /// The engine had stopped before; whether it runs again.
    NothingWritten(Result<(), StoreError>),
    Failed(StoreError),
}

impl<E: OpenEngine> Store for Reopening<E> {
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        if key.is_empty() || key.len() > super::MAX_KEY_BYTES {
            return Ok(None);
        }
        self.read(|engine| engine.get(key))
    }

    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StoreError> {
        if from >= to {
            return Ok(());
        }
        self.read(|engine| engine.scan(from, to, visit))
    }

    fn commit(&self, batch: &Batch) -> Result<(), StoreError> {
        let writes = batch.writes()?;
        if writes.is_empty() {
            return Ok(());
        }
        match self.write(&writes) {
            Ok(()) => return Ok(()),
            Err(WriteError::Failed(error)) => return Err(error),
            Err(WriteError::NothingWritten(reopened)) => reopened?,
        }
        match self.write(&writes) {
            Ok(()) => Ok(()),
            Err(WriteError::Failed(error)) => Err(error),
            Err(WriteError::NothingWritten(_)) => Err(self.stopped()),
        }
    }
}

/// Finds out whether there is space for what an engine writes in the background.
fn probe(directory: &Path) -> io::Result<()> {
    const PROBE_BYTES: usize = 16 << 20;
    let path = directory.with_file_name("PROBE");
    let written = File::create(&path).and_then(|mut file| {
        file.write_all(&vec![1; PROBE_BYTES])?;
        file.sync_data()
    });
    fs::remove_file(&path)?;
    written
}
