//! The directory of a store: its lock, its marker and the engine's own directory within it.
//!
//! ```text
//! LOCK     locked by the process that has the store open
//! FORMAT   names the engine and the version of the layout
//! fjall/   what the engine of that name keeps
//! RESTORING  there while the store is filled from a backup; nobody opens it then
//! ```
//!
//! Each step of making it is synced before the next, and the engine's directory gets its name only
//! once the engine was opened in it: a crash at any moment leaves something that can be opened.

use std::{
    fs::{self, DirBuilder, File, TryLockError},
    io::{self, Write},
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use super::{
    Store, StoreError,
    compact::recover,
    fjall_engine::FjallEngine,
    format::{self, Engine, Marker},
    reopening::{OpenEngine, Reopening, io_error},
};

pub(super) const FORMAT: &str = "FORMAT";
const FORMAT_DRAFT: &str = "FORMAT.draft";
const LOCK: &str = "LOCK";
const RESTORING: &str = "RESTORING";

/// Opens the store in a directory, which is made (mode 0700) if it is missing.
///
/// Without an engine it takes the one the store was made with, and for a new store the default.
/// The store is this process's alone until it is dropped.
pub fn open(path: &Path, engine: Option<Engine>) -> Result<Arc<dyn Store>, StoreError> {
    make(path).map_err(|error| io_error(error, path))?;
    let lock = DirectoryLock::take(path)?;
    refuse_half_restored(path)?;
    open_locked(lock, engine)
}

/// Refuses a store that a restore has not come to the end of.
pub(super) fn refuse_half_restored(path: &Path) -> Result<(), StoreError> {
    if !path.join(RESTORING).exists() {
        return Ok(());
    }
    Err(StoreError::Restoring {
        path: path.to_path_buf(),
    })
}

fn open_locked(lock: DirectoryLock, engine: Option<Engine>) -> Result<Arc<dyn Store>, StoreError> {
    let path = lock.path().to_path_buf();
    let path = path.as_path();
    let engine = match read_marker(path)? {
        Some(found) => built(path, agree(path, found, engine)?)?,
        None => mark(path, built(path, engine.unwrap_or_default())?)?,
    };
    match engine {
        #[cfg(feature = "sled")]
        Engine::Sled => open_engine::<super::sled_engine::SledEngine>(engine, lock),
        _ => open_engine::<FjallEngine>(engine, lock),
    }
}

/// How often, and how long apart, a lock that someone has is tried again: a server that was just stopped, or a process
/// that another one of this process is about to become, lets go of it in a moment.
const TRIES: u32 = 25;
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

fn patiently(file: &File) -> Result<(), TryLockError> {
    for _ in 1..TRIES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(BETWEEN_TRIES),
            decided => return decided,
        }
    }
    file.try_lock()
}

/// An exclusive lock on a store's directory, held until it is dropped.
pub(super) struct DirectoryLock {
    path: PathBuf,
    _file: File,
}

impl DirectoryLock {
    /// Takes the lock or says that someone has it.
    pub(super) fn take(path: &Path) -> Result<Self, StoreError> {
        let lock = path.join(LOCK);
        // An existing one need not be writable: a store on a read-only disk can be verified.
        let file = match File::open(&lock) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => File::options()
                .read(true)
                .append(true)
                .create(true)
                .open(&lock),
            opened => opened,
        };
        let file = file.map_err(|error| io_error(error, path))?;
        match patiently(&file) {
            Ok(()) => Ok(Self {
                path: path.to_path_buf(),
                _file: file,
            }),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse {
                path: path.to_path_buf(),
            }),
            Err(TryLockError::Error(error)) => Err(io_error(error, path)),
        }
    }

    /// The directory.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// Tells which engine a store was made with, without opening it; `None` if it is not made yet.
pub fn engine_at(path: &Path) -> Result<Option<Engine>, StoreError> {
    read_marker(path)
}

/// Reads the engine from the marker; `None` if there is none yet and nothing else either.
pub(super) fn read_marker(path: &Path) -> Result<Option<Engine>, StoreError> {
    let wrong = |found: String| StoreError::Format {
        path: path.to_path_buf(),
        found,
        expected: format!("`{}`", format::marker(Engine::default())),
    };
    match fs::read_to_string(path.join(FORMAT)) {
        Ok(text) => match format::read(&text) {
            Marker::Of(engine) => Ok(Some(engine)),
            Marker::Newer(found) => Err(StoreError::Newer {
                path: path.to_path_buf(),
                found,
            }),
            Marker::Unknown => Err(wrong(format!(
                "the format `{}`",
                text.trim_end().escape_debug()
            ))),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => match stranger(path) {
            Ok(None) => Ok(None),
            Ok(Some(name)) => Err(wrong(format!(
                "something else in it (`{name}`) and no file `{FORMAT}`"
            ))),
            Err(error) => Err(io_error(error, path)),
        },
        Err(error) => Err(io_error(error, path)),
    }
}

/// Finds a file that no store and no new disk has, in a directory without a marker.
fn stranger(path: &Path) -> io::Result<Option<String>> {
    let drafts = [Engine::Fjall, Engine::Sled].map(|engine| format!("{engine}.draft"));
    for file in fs::read_dir(path)? {
        let name = file?.file_name().to_string_lossy().into_owned();
        let own = [LOCK, FORMAT_DRAFT, RESTORING, "lost+found"];
        if !own.contains(&name.as_str()) && !drafts.contains(&name) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// A store that is being filled from a backup, which nobody opens before it is finished.
pub(crate) struct Restoring(PathBuf);

impl Restoring {
    /// Makes the directory, or empties one that a restore which broke off left behind. A directory
    /// with a store in it is refused.
    pub(crate) fn begin(
        path: &Path,
        engine: Option<Engine>,
    ) -> Result<(Self, Arc<dyn Store>), StoreError> {
        make(path).map_err(|error| io_error(error, path))?;
        let lock = DirectoryLock::take(path)?;
        let marker = path.join(RESTORING);
        if !marker.exists()
            && let Some(found) = occupied(path).map_err(|error| io_error(error, path))?
        {
            return Err(StoreError::Format {
                path: path.to_path_buf(),
                found: format!("`{found}`"),
                expected: "a backup into an empty directory only; name another".to_owned(),
            });
        }
        let begin = || {
            File::create(&marker)?.sync_all()?;
            sync_directory(path)?;
            empty_but(path, &[LOCK, RESTORING])
        };
        begin().map_err(|error| io_error(error, path))?;
        Ok((Self(path.to_path_buf()), open_locked(lock, engine)?))
    }

    /// Lets the store be opened from here on; what is in it has to be durable.
    pub(crate) fn finish(self) -> Result<(), StoreError> {
        let end = || {
            fs::remove_file(self.0.join(RESTORING))?;
            sync_directory(&self.0)
        };
        end().map_err(|error| io_error(error, &self.0))
    }
}

/// Finds something in a directory that is not there before a store is made.
fn occupied(path: &Path) -> io::Result<Option<String>> {
    for file in fs::read_dir(path)? {
        let name = file?.file_name().to_string_lossy().into_owned();
        if ![LOCK, "lost+found"].contains(&name.as_str()) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

fn agree(path: &Path, found: Engine, asked: Option<Engine>) -> Result<Engine, StoreError> {
    match asked {
        Some(asked) if asked != found => Err(StoreError::Format {
            path: path.to_path_buf(),
            found: format!("the format `{}`", format::marker(found)),
            expected: format!("`{}` when asked for `{asked}`", format::marker(asked)),
        }),
        _ => Ok(found),
    }
}

/// Refuses an engine that this program was built without.
fn built(path: &Path, engine: Engine) -> Result<Engine, StoreError> {
    if engine == Engine::Sled && cfg!(not(feature = "sled")) {
        return Err(StoreError::Format {
            path: path.to_path_buf(),
            found: format!("the format `{}`", format::marker(engine)),
            expected: "it only when built with the feature `sled`".to_owned(),
        });
    }
    Ok(engine)
}

/// Writes the marker durably and gives back the engine in it. The draft of the engine's directory
/// is there before: with the marker but neither of the two, the data has been lost.
fn mark(path: &Path, engine: Engine) -> Result<Engine, StoreError> {
    let write = || {
        fs::create_dir_all(draft(path, engine))?;
        sync_directory(path)?;
        let draft = path.join(FORMAT_DRAFT);
        let mut file = File::create(&draft)?;
        writeln!(file, "{}", format::marker(engine))?;
        file.sync_all()?;
        fs::rename(&draft, path.join(FORMAT))?;
        sync_directory(path)
    };
    write()
        .map_err(|error| io_error(error, path))
        .map(|()| engine)
}

/// Opens the engine; the first time in a draft directory, which then gets its name.
fn open_engine<E: OpenEngine + 'static>(
    engine: Engine,
    lock: DirectoryLock,
) -> Result<Arc<dyn Store>, StoreError> {
    let path = lock.path().to_path_buf();
    let directory = path.join(engine.name());
    recover(&path, engine).map_err(|error| io_error(error, &path))?;
    if !directory.exists() {
        let draft = draft(&path, engine);
        if !draft.exists() {
            return Err(StoreError::Damaged(format!(
                "`{}` is missing",
                directory.display()
            )));
        }
        empty(&draft).map_err(|error| io_error(error, &path))?;
        drop(E::open(&draft).map_err(|failure| failure.on(&path))?);
        let name = || {
            sync_directory(&draft)?;
            fs::rename(&draft, &directory)?;
            sync_directory(&path)
        };
        name().map_err(|error| io_error(error, &path))?;
    }
    Ok(Arc::new(Reopening::<E>::open(directory, lock)?))
}

/// Where an engine's directory is made, before it has ever been opened under its name.
fn draft(path: &Path, engine: Engine) -> PathBuf {
    path.join(format!("{engine}.draft"))
}

/// Removes what is in a directory, but not the directory.
fn empty(directory: &Path) -> io::Result<()> {
    empty_but(directory, &[])
}

fn empty_but(directory: &Path, kept: &[&str]) -> io::Result<()> {
    for item in fs::read_dir(directory)? {
        let item = item?;
        if kept.iter().any(|name| item.file_name() == *name) {
            continue;
        }
        if item.file_type()?.is_dir() {
            fs::remove_dir_all(item.path())?;
        } else {
            fs::remove_file(item.path())?;
        }
    }
    Ok(())
}

/// Makes the directory with mode 0700 and those above it as usual.
fn make(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let parent = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => sync_directory(parent),
    }
}

/// Makes the names in a directory durable.
pub(crate) fn sync_directory(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}
