//! A disk of its own: a file with a file system in it, which can fill up, and whose power can be cut.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// Shuts a file system down without writing its journal: `EXT4_IOC_SHUTDOWN` with `EXT4_GOING_FLAGS_NOLOGFLUSH`.
const CUT: &str = "import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack('I', 2))";

/// A mounted file system.
pub(crate) struct Disk {
    image: PathBuf,
    mounted: PathBuf,
}

impl Disk {
    /// Makes one; says why where this machine does not let it.
    pub(crate) fn make(directory: &Path, bytes: u64) -> Result<Self, String> {
        let (image, mounted) = (directory.join("disk"), directory.join("mounted"));
        std::fs::create_dir_all(&mounted).map_err(|error| error.to_string())?;
        let file = std::fs::File::create(&image).map_err(|error| error.to_string())?;
        file.set_len(bytes).map_err(|error| error.to_string())?;
        run(Command::new("mkfs.ext4").arg("-q").arg(&image))?;
        let disk = Self { image, mounted };
        disk.mount()?;
        Ok(disk)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.mounted
    }

    /// Cuts its power.
    pub(crate) fn cut(&self) {
        run(Command::new("python3").args(["-c", CUT]).arg(&self.mounted)).unwrap();
    }

    /// Mounts it as after a power cut.
    pub(crate) fn mount_again(&mut self) {
        run(Command::new("umount").arg(&self.mounted)).unwrap();
        self.mount().unwrap();
    }

    fn mount(&self) -> Result<(), String> {
        run(Command::new("mount")
            .args(["-o", "loop"])
            .arg(&self.image)
            .arg(&self.mounted))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = run(Command::new("umount").arg("-l").arg(&self.mounted));
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    ))
}
