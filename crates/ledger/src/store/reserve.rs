//! Space set aside on the disk, for an engine that has to write before it can be read.
//!
//! A store on a full disk goes on being read: where the engine cannot be opened again for want of space, the reserve is
//! given up for that, and nothing is written until it could be set aside anew.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use rustix::fs::{FallocateFlags, fallocate};

/// The name of the file, beside the engine's directory.
const NAME: &str = "RESERVE";

/// A file that is there to be removed.
#[derive(Debug)]
pub(super) struct Reserve {
    path: PathBuf,
    bytes: u64,
    given_up: AtomicBool,
}

impl Reserve {
    /// Sets space aside beside an engine's directory; none where the engine needs none.
    pub(super) fn beside(directory: &Path, bytes: u64) -> Self {
        let reserve = Self {
            path: directory.with_file_name(NAME),
            bytes,
            given_up: AtomicBool::new(false),
        };
        let full = reserve.set_aside().is_err();
        reserve.given_up.store(full, Ordering::Release);
        reserve
    }

    /// Gives the space up; says whether that freed any.
    pub(super) fn give_up(&self) -> bool {
        self.bytes > 0
            && !self.given_up.swap(true, Ordering::AcqRel)
            && fs::remove_file(&self.path).is_ok()
    }

    /// Sets space aside again where it was given up; fails while there is none.
    pub(super) fn restore(&self) -> io::Result<()> {
        if self.given_up.load(Ordering::Acquire) {
            self.set_aside()?;
            self.given_up.store(false, Ordering::Release);
        }
        Ok(())
    }

    fn set_aside(&self) -> io::Result<()> {
        if self.bytes == 0 {
            return Ok(());
        }
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&self.path)?;
        match fallocate(&file, FallocateFlags::empty(), 0, self.bytes) {
            // A file system that cannot set space aside cannot be helped.
            Ok(()) | Err(rustix::io::Errno::OPNOTSUPP) => Ok(()),
            Err(error) => {
                let _ = fs::remove_file(&self.path);
                Err(error.into())
            }
        }
    }
}
