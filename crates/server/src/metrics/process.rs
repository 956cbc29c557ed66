//! What the system knows of this process; read from `/proc`, nothing where it has none.

use std::{fs, path::Path};

/// What the system knows of this process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Process {
    /// The memory that is in use, in bytes.
    pub(crate) resident_bytes: u64,
    /// The files and connections that are open.
    pub(crate) open_files: u64,
    /// How many may be; none for as many as one likes.
    pub(crate) most_files: Option<u64>,
}

impl Process {
    /// Looks now.
    pub(crate) fn now() -> Self {
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
        Self {
            resident_bytes: resident_bytes().unwrap_or_default(),
            open_files: open_files(),
            most_files: limit.current,
        }
    }
}

fn resident_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1_024)
}

fn open_files() -> u64 {
    // The directory itself is open while it is read.
    fs::read_dir("/proc/self/fd").map_or(0, |files| files.count().saturating_sub(1) as u64)
}

/// How many bytes are free for this user on the disk of a directory; none where that is not known.
pub(crate) fn free_bytes(directory: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(directory).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}
