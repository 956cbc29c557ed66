//! A backup: everything a store holds at one moment, in files that a store of either engine can be
//! filled from again. Knows its byte form and nothing of what the values mean but a log's head.
//!
//! ```text
//! MANIFEST      one line with the version and the digest of the rest, then JSON
//! data-0001     records, in the order of their keys
//! data-0002     …
//! ```
//!
//! Every byte is under a digest: each data file's is in the manifest, the manifest's own in its first
//! line. A digest finds accidents, not a forger, who can write a new manifest; for that, verify what
//! the backup holds and compare its tree hashes with ones kept elsewhere.

mod manifest;
mod read;
mod record;
mod restore;
mod tally;
mod write;

use std::{io, path::PathBuf};

pub use manifest::{BoardHead, Ending, FileEntry, Manifest, Origin};
pub use read::Backup;
pub use record::write_record;
pub use restore::{restore, restore_store, verify};
pub use tally::Tally;
pub use write::Writer;

use crate::store::StoreError;

/// The version of the form this program writes; it reads no other, and knows a later one.
pub const VERSION: u32 = 1;

/// The most bytes of a data file, but for the chunk that it ends with.
const FILE_BYTES: u64 = 256 << 20;

/// Why a backup could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// A file or directory cannot be used.
    #[error("cannot use `{path}`: {source}")]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is something in the directory to write to.
    #[error("`{0}` is not empty; name a new or an empty directory")]
    NotEmpty(PathBuf),
    /// An earlier backup to the same directory broke off, or another one is under way.
    #[error("`{0}` is left of a backup that broke off, or of one under way; remove it if none is")]
    Left(PathBuf),
    /// There is no backup in the directory.
    #[error(
        "`{0}` holds no backup: there is no file `MANIFEST`; name a directory that `pawl backup` made"
    )]
    None(PathBuf),
    /// The backup was written in a later form.
    #[error(
        "the backup `{path}` has form {found}, this program reads up to {VERSION}; use a newer pawl"
    )]
    Newer {
        /// The backup.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The backup is of a store with a later layout.
    #[error(
        "the backup `{path}` is of a store with layout {found}, this program reads up to {}; use a newer pawl",
        crate::store::LAYOUT
    )]
    NewerStore {
        /// The backup.
        path: PathBuf,
        /// The layout.
        found: u32,
    },
    /// The files are not what was written.
    #[error("the backup is damaged: {0}; use another one")]
    Damaged(String),
    /// What came over the wire is not what was sent.
    #[error("the backup did not arrive whole: {0}; run it again")]
    Broken(String),
    /// The store to be filled cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn io_error(path: &std::path::Path) -> impl Fn(io::Error) -> BackupError + '_ {
    move |source| BackupError::Io {
        path: path.to_path_buf(),
        source,
    }
}
