//! Rewrites a store that nobody has open: what is in it goes to fresh files, so that nothing of what
//! was deleted or replaced is left on the disk, in any engine.
//!
//! The fresh directory takes the old one's name only once it is whole and synced. What a crash
//! leaves is put right by [`recover`] when the store is opened the next time.

use std::{
    fs, io,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use super::{
    Batch, StoreError,
    directory::{DirectoryLock, FORMAT, read_marker, sync_directory},
    fjall_engine::FjallEngine,
    format::{self, Engine},
    reopening::{Failure, OpenEngine, io_error},
};

/// How many records are written at once.
const GROUP_RECORDS: usize = 1_000;
/// How many bytes of values are written at once, but for a single record.
const GROUP_BYTES: usize = 4 << 20;

/// Rewrites the store in `path`; says how many records it holds. There has to be space for as much
/// again as they take.
pub fn compact(path: &Path) -> Result<u64, StoreError> {
    let lock = DirectoryLock::take(path)?;
    let engine = match path.join(FORMAT).exists() {
        true => read_marker(path)?,
        false => None,
    };
    let engine = engine.ok_or_else(|| StoreError::Format {
        path: path.to_path_buf(),
        found: format!("no file `{FORMAT}`"),
        expected: format!("`{}`", format::marker(Engine::default())),
    })?;
    recover(path, engine).map_err(|error| io_error(error, path))?;
    let [old, fresh, _] = places(path, engine);
    let records = match engine {
        #[cfg(feature = "sled")]
        Engine::Sled => copy::<super::sled_engine::SledEngine>(&old, &fresh),
        _ => copy::<FjallEngine>(&old, &fresh),
    };
    let records = records.map_err(|failure| failure.on(lock.path()))?;
    replace(path, engine).map_err(|error| io_error(error, path))?;
    Ok(records)
}

/// The engine's directory, the one that is being made, and the old one on its way out.
fn places(path: &Path, engine: Engine) -> [PathBuf; 3] {
    ["", ".fresh", ".old"].map(|end| path.join(format!("{}{end}", engine.name())))
}

/// Puts right what a crash left: an old directory whose place was not taken is the store.
pub(super) fn recover(path: &Path, engine: Engine) -> io::Result<()> {
    let [place, fresh, old] = places(path, engine);
    if old.exists() && !place.exists() {
        fs::rename(&old, &place)?;
        sync_directory(path)?;
    }
    for left in [fresh, old] {
        if left.exists() {
            fs::remove_dir_all(left)?;
            sync_directory(path)?;
        }
    }
    Ok(())
}

fn replace(path: &Path, engine: Engine) -> io::Result<()> {
    let [place, fresh, old] = places(path, engine);
    sync_directory(&fresh)?;
    fs::rename(&place, &old)?;
    sync_directory(path)?;
    fs::rename(&fresh, &place)?;
    sync_directory(path)?;
    fs::remove_dir_all(&old)?;
    sync_directory(path)
}

fn copy<E: OpenEngine>(from: &Path, to: &Path) -> Result<u64, Failure> {
    fs::create_dir(to).map_err(Failure::Io)?;
    let (from, to) = (E::open(from)?, E::open(to)?);
    let mut records = 0;
    let (mut group, mut bytes) = (Batch::default(), 0);
    let mut failed = None;
    from.scan(&[0], &[u8::MAX], &mut |key, value| {
        records += 1;
        bytes += value.len();
        group.put(key.to_vec(), value.to_vec());
        if group.puts.len() < GROUP_RECORDS && bytes < GROUP_BYTES {
            return ControlFlow::Continue(());
        }
        bytes = 0;
        match write(&to, &std::mem::take(&mut group)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                failed = Some(failure);
                ControlFlow::Break(())
            }
        }
    })?;
    if let Some(failure) = failed {
        return Err(failure);
    }
    if !group.is_empty() {
        write(&to, &group)?;
    }
    Ok(records)
}

fn write<E: OpenEngine>(to: &E, group: &Batch) -> Result<(), Failure> {
    let writes = group
        .writes()
        .map_err(|error| Failure::Other(Box::new(error)))?;
    to.write(&writes)
}
