//! A store, rederived from its logs and compared.

use std::path::PathBuf;

use clap::Args;
use pawl_ledger::{
    backup::{self, Backup},
    store::{StoreError, copy_for_reading, open},
    verify::{Report, verify},
};

use crate::cli::{data_directory, exit_code::Answer, failure::Failure, session::Session, text};

/// Verifies a store that no server has open, or a backup: on a copy, since engines repair files
/// when they open them and would destroy the evidence.
#[derive(Args, Debug)]
pub(crate) struct Verify {
    /// The directory of a store, of a server's data or of a backup [default: the data directory].
    #[arg(value_name = "DIR")]
    store: Option<PathBuf>,
}

impl Verify {
    pub(crate) fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let path = self.store.or_else(data_directory);
        let Some(path) = path else {
            return Err(Failure::Usage("name the directory of a store".into()));
        };
        if !path.is_dir() {
            return Err(Failure::Input(format!(
                "`{}` is no directory; name that of a store, of a server's data or of a backup",
                text::harmless(&path.display().to_string())
            )));
        }
        let report = verified(&store_in(path)).map_err(Failure::Local)?;
        if session.output.is_json() {
            let report = serde_json::to_value(&report)
                .map_err(|error| Failure::Answer(error.to_string()))?;
            session.output.document(&report)?;
        } else {
            session
                .output
                .print(&text::harmless(&format!("{report}\n")))?;
        }
        Ok(if report.is_clean() {
            Answer::Yes
        } else {
            Answer::No
        })
    }
}

/// Takes the store in a data directory; another directory as it is.
pub(super) fn store_in(path: PathBuf) -> PathBuf {
    let inner = path.join("store");
    if inner.is_dir() && !Backup::is_in(&path) {
        inner
    } else {
        path
    }
}

/// Verifies a copy of a store.
pub(crate) fn verified(
    path: &std::path::Path,
) -> Result<Report, Box<dyn std::error::Error + Send + Sync>> {
    if !path.is_dir() {
        return Err(format!("`{}` is no directory with a store", path.display()).into());
    }
    let copy = tempfile::tempdir()?;
    if Backup::is_in(path) {
        return Ok(backup::verify(path, copy.path())?);
    }
    copy_for_reading(path, copy.path())?;
    let store = open(copy.path(), None).map_err(|error| named(error, path))?;
    Ok(verify(store.as_ref())?)
}

/// Errors of the copy name the store that was asked for.
fn named(error: StoreError, path: &std::path::Path) -> StoreError {
    match error {
        StoreError::Format {
            found, expected, ..
        } => StoreError::Format {
            path: path.to_path_buf(),
            found,
            expected,
        },
        other => other,
    }
}
