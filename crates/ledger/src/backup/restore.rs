//! Filling a store from a backup. Until all of it is on the disk a marker keeps everybody from
//! opening the store; a restore that broke off is begun anew.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{Backup, BackupError, io_error, manifest::Manifest, record::split};
use crate::{
    store::{Batch, Engine, LAYOUT, Restoring, Store, open},
    verify::{self, Report},
};

/// Files that may lie in a data directory before a server has ever run in it.
const SETTINGS: [&str; 3] = ["pawl.toml", "credentials.toml", "credentials.lock"];
/// Where the store lies in a data directory.
const STORE: &str = "store";

/// Restores a backup into the data directory of a server that has never run, or one that an earlier
/// restore broke off in.
pub fn restore(
    backup: &Path,
    data: &Path,
    engine: Option<Engine>,
) -> Result<Manifest, BackupError> {
    if let Some(found) = stranger(data).map_err(io_error(data))? {
        return Err(BackupError::NotEmpty(found));
    }
    restore_store(backup, &data.join(STORE), engine)
}

/// Restores a backup into the directory of a store. Every digest is compared before anything is
/// written, and again while it is.
pub fn restore_store(
    backup: &Path,
    store: &Path,
    engine: Option<Engine>,
) -> Result<Manifest, BackupError> {
    let backup = Backup::open(backup)?;
    if backup.manifest.origin.layout != LAYOUT {
        let what = format!("it names the layout {}", backup.manifest.origin.layout);
        return Err(BackupError::Damaged(what));
    }
    if let Some(problem) = backup.problems()?.into_iter().next() {
        return Err(BackupError::Damaged(problem));
    }
    let (restoring, filled) = Restoring::begin(store, engine)?;
    backup.read(&mut |chunk| commit(filled.as_ref(), chunk))?;
    drop(filled);
    restoring.finish()?;
    Ok(backup.manifest)
}

/// Verifies a backup: every digest, then all that `verify` says of the store in it, which is restored
/// into the empty directory `scratch` for that.
///
/// # Errors
/// Where the backup cannot be read at all, or is of a later form; what is damaged is in the report.
pub fn verify(backup: &Path, scratch: &Path) -> Result<Report, BackupError> {
    let opened = match Backup::open(backup) {
        Err(error @ (BackupError::Damaged(_) | BackupError::None(_))) => {
            return Ok(Report::of_backup([error.to_string()]));
        }
        opened => opened?,
    };
    let problems = opened.problems()?;
    if !problems.is_empty() {
        return Ok(Report::of_backup(problems));
    }
    let store = scratch.join(STORE);
    match restore_store(backup, &store, None) {
        Err(error @ BackupError::Damaged(_)) => return Ok(Report::of_backup([error.to_string()])),
        restored => drop(restored?),
    }
    Ok(verify::verify(open(&store, None)?.as_ref())?)
}

fn commit(store: &dyn Store, chunk: &[u8]) -> Result<(), BackupError> {
    let mut batch = Batch::default();
    let mut rest = chunk;
    while let Some((key, value, after)) = split(rest) {
        batch.put(key.to_vec(), value.to_vec());
        rest = after;
    }
    Ok(store.commit(&batch)?)
}

/// Finds something in a data directory that a server which has run would have left.
fn stranger(data: &Path) -> io::Result<Option<PathBuf>> {
    let items = match fs::read_dir(data) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        items => items?,
    };
    for item in items {
        let item = item?;
        let name = item.file_name();
        let known = SETTINGS.iter().chain(&[STORE, "lost+found"]);
        if !known.into_iter().any(|known| name == *known) {
            return Ok(Some(data.to_path_buf()));
        }
    }
    Ok(None)
}
