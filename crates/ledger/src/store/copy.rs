//! A copy of a store to read from: engines repair files when they open them, evidence must stay.

use std::{fs, io, path::Path};

use super::{
    StoreError,
    directory::{DirectoryLock, FORMAT, read_marker, refuse_half_restored},
    format::{self, Engine},
    reopening::io_error,
};

/// Copies the store in `path` into the directory `to`, to be opened there.
///
/// The store is locked meanwhile and not changed. `to` has to be an empty directory with space for
/// as much as the store takes.
pub fn copy_for_reading(path: &Path, to: &Path) -> Result<(), StoreError> {
    refuse_half_restored(path)?;
    if !path.join(FORMAT).exists() {
        return Err(no_store(path));
    }
    let _lock = DirectoryLock::take(path)?;
    let engine = read_marker(path)?.ok_or_else(|| no_store(path))?;
    let copy = || {
        let from = path.join(engine.name());
        copy_directory(&from, &to.join(engine.name()))?;
        fs::copy(path.join(FORMAT), to.join(FORMAT)).map(drop)
    };
    copy().map_err(|error| io_error(error, to))
}

fn no_store(path: &Path) -> StoreError {
    StoreError::Format {
        path: path.to_path_buf(),
        found: format!("no file `{FORMAT}`"),
        expected: format!("`{}`", format::marker(Engine::default())),
    }
}

fn copy_directory(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for item in fs::read_dir(from)? {
        let item = item?;
        let target = to.join(item.file_name());
        if item.file_type()?.is_dir() {
            copy_directory(&item.path(), &target)?;
        } else {
            fs::copy(item.path(), target)?;
        }
    }
    Ok(())
}
