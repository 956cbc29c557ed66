//! Writing a backup: into a draft beside the directory, which gets its name once all is on the disk.
//! So a backup that broke off is never mistaken for a whole one.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use super::{
    BackupError, FILE_BYTES, io_error,
    manifest::{Ending, FileEntry, MANIFEST, Manifest, Origin},
    tally::Tally,
};
use crate::store::sync_directory;

/// A backup being written. Dropped before it is finished, it takes its draft away again.
pub struct Writer {
    target: PathBuf,
    draft: Option<PathBuf>,
    file: Option<DataFile>,
    files: Vec<FileEntry>,
    tally: Tally,
}

struct DataFile {
    name: String,
    path: PathBuf,
    file: File,
    bytes: u64,
    hasher: blake3::Hasher,
}

impl Writer {
    /// Begins a backup in a directory that is empty or not there.
    pub fn create(target: &Path) -> Result<Self, BackupError> {
        match fs::read_dir(target).map(|mut items| items.next().is_some()) {
            Ok(true) => return Err(BackupError::NotEmpty(target.to_path_buf())),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(io_error(target)(error));
            }
            _ => {}
        }
        let mut name = target.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        let draft = target.with_file_name(name);
        let parent = parent(target);
        fs::create_dir_all(parent).map_err(io_error(parent))?;
        match DirBuilder::new().mode(0o700).create(&draft) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(BackupError::Left(draft));
            }
            made => made.map_err(io_error(&draft))?,
        }
        Ok(Self {
            target: target.to_path_buf(),
            draft: Some(draft),
            file: None,
            files: Vec::new(),
            tally: Tally::default(),
        })
    }

    /// Adds some whole records.
    pub fn append(&mut self, chunk: &[u8]) -> Result<(), BackupError> {
        self.tally.take(chunk).map_err(BackupError::Broken)?;
        let mut file = match self.file.take() {
            Some(file) => file,
            None => self.next_file()?,
        };
        file.file.write_all(chunk).map_err(io_error(&file.path))?;
        file.hasher.update(chunk);
        file.bytes += u64::try_from(chunk.len()).unwrap_or(u64::MAX);
        if file.bytes >= FILE_BYTES {
            self.files.push(file.close()?);
        } else {
            self.file = Some(file);
        }
        Ok(())
    }

    /// Ends the backup: compares what came with what was sent, syncs all, gives it its name.
    pub fn finish(mut self, origin: Origin, sent: &Ending) -> Result<Manifest, BackupError> {
        let ending = self.tally.ending();
        if ending != *sent {
            return Err(BackupError::Broken(format!(
                "{} records of {} bytes came, {} of {} were sent, or others",
                ending.records, ending.bytes, sent.records, sent.bytes
            )));
        }
        if let Some(file) = self.file.take() {
            self.files.push(file.close()?);
        }
        let manifest = Manifest {
            origin,
            ending,
            files: std::mem::take(&mut self.files),
        };
        let Some(draft) = &self.draft else {
            return Ok(manifest);
        };
        let path = draft.join(MANIFEST);
        let mut file = new_file(&path)?;
        file.write_all(&manifest.to_bytes())
            .and_then(|()| file.sync_all())
            .and_then(|()| sync_directory(draft))
            .map_err(io_error(&path))?;
        fs::rename(draft, &self.target).map_err(io_error(&self.target))?;
        self.draft = None;
        let parent = parent(&self.target);
        sync_directory(parent).map_err(io_error(parent))?;
        Ok(manifest)
    }

    fn next_file(&self) -> Result<DataFile, BackupError> {
        let name = data_name(self.files.len() + 1);
        let draft = self.draft.as_deref().unwrap_or(&self.target);
        let path = draft.join(&name);
        Ok(DataFile {
            file: new_file(&path)?,
            name,
            path,
            bytes: 0,
            hasher: blake3::Hasher::new(),
        })
    }
}

impl DataFile {
    fn close(self) -> Result<FileEntry, BackupError> {
        self.file.sync_all().map_err(io_error(&self.path))?;
        Ok(FileEntry {
            name: self.name,
            bytes: self.bytes,
            blake3: self.hasher.finalize().to_hex().to_string(),
        })
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let Some(draft) = &self.draft
            && let Err(error) = fs::remove_dir_all(draft)
        {
            tracing::warn!(path = %draft.display(), %error, "a backup that broke off was not removed");
        }
    }
}

/// The name of a data file by its number, from 1.
pub(super) fn data_name(number: usize) -> String {
    format!("data-{number:04}")
}

fn new_file(path: &Path) -> Result<File, BackupError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    options.open(path).map_err(io_error(path))
}

fn parent(path: &Path) -> &Path {
    let parent = path.parent();
    parent
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}
