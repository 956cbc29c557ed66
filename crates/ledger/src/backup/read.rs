//! Reading a backup: every digest is compared, and nothing is believed before.

use std::{
    fs::{self, File},
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
};

use super::{
    BackupError, io_error,
    manifest::{FileEntry, MANIFEST, Manifest, Unreadable},
    record::{HEADER_BYTES, lengths},
    tally::Tally,
    write::data_name,
};
use crate::store::LAYOUT;

/// How many bytes of records are read together, but for a single record.
const CHUNK_BYTES: usize = 4 << 20;
/// The longest manifest; one with a million boards is shorter.
const MANIFEST_BYTES: u64 = 256 << 20;

/// A backup in a directory, whose manifest was read.
pub struct Backup {
    directory: PathBuf,
    /// What it says it holds.
    pub manifest: Manifest,
}

impl Backup {
    /// Says whether a directory looks like a backup's.
    pub fn is_in(directory: &Path) -> bool {
        // The manifest may be what is missing of it.
        [MANIFEST.to_owned(), data_name(1)]
            .iter()
            .any(|name| directory.join(name).is_file())
    }

    /// Reads the manifest of the backup in a directory.
    pub fn open(directory: &Path) -> Result<Self, BackupError> {
        let path = directory.join(MANIFEST);
        let mut bytes = Vec::new();
        match File::open(&path) {
            Ok(file) => file.take(MANIFEST_BYTES).read_to_end(&mut bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(BackupError::None(directory.to_path_buf()));
            }
            Err(error) => Err(error),
        }
        .map_err(io_error(&path))?;
        let manifest = Manifest::from_bytes(&bytes).map_err(|unreadable| match unreadable {
            Unreadable::Newer(found) => BackupError::Newer {
                path: directory.to_path_buf(),
                found,
            },
            Unreadable::Damaged(what) => BackupError::Damaged(what.to_owned()),
        })?;
        if manifest.origin.layout > LAYOUT {
            return Err(BackupError::NewerStore {
                path: directory.to_path_buf(),
                found: manifest.origin.layout,
            });
        }
        let numbered = (1..).zip(&manifest.files);
        if let Some((number, file)) = numbered
            .into_iter()
            .find(|(number, file)| file.name != data_name(*number))
        {
            let what = format!("file {number} is named `{}`", file.name.escape_debug());
            return Err(BackupError::Damaged(what));
        }
        Ok(Self {
            directory: directory.to_path_buf(),
            manifest,
        })
    }

    /// Says what is wrong with each file, by its length and its digest.
    pub fn problems(&self) -> Result<Vec<String>, BackupError> {
        let mut problems = Vec::new();
        for file in &self.manifest.files {
            problems.extend(self.problem(file)?);
        }
        Ok(problems)
    }

    fn problem(&self, file: &FileEntry) -> Result<Option<String>, BackupError> {
        let path = self.directory.join(&file.name);
        let length = match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Some(format!("`{}` is missing", file.name)));
            }
            found => found.map_err(io_error(&path))?.len(),
        };
        if length != file.bytes {
            return Ok(Some(format!(
                "`{}` has {length} bytes, the manifest says {}",
                file.name, file.bytes
            )));
        }
        let mut hasher = blake3::Hasher::new();
        File::open(&path)
            .and_then(|mut opened| io::copy(&mut opened, &mut hasher))
            .map_err(io_error(&path))?;
        let good = hasher.finalize().to_hex().as_str() == file.blake3;
        Ok((!good).then(|| format!("the bytes of `{}` are not what its digest says", file.name)))
    }

    /// Visits all records in order, many at a time, and compares every digest on the way once more.
    pub fn read(
        &self,
        visit: &mut dyn FnMut(&[u8]) -> Result<(), BackupError>,
    ) -> Result<(), BackupError> {
        let mut tally = Tally::default();
        for file in &self.manifest.files {
            let path = self.directory.join(&file.name);
            let opened = File::open(&path).map_err(io_error(&path))?;
            let mut records = RecordFile {
                path: &path,
                reader: BufReader::with_capacity(1 << 20, opened),
            };
            let mut hasher = blake3::Hasher::new();
            loop {
                let chunk = records.chunk()?;
                if chunk.is_empty() {
                    break;
                }
                hasher.update(&chunk);
                tally.take(&chunk).map_err(BackupError::Damaged)?;
                visit(&chunk)?;
            }
            if hasher.finalize().to_hex().as_str() != file.blake3 {
                let what = format!("the bytes of `{}` are not what its digest says", file.name);
                return Err(BackupError::Damaged(what));
            }
        }
        if tally.ending() != self.manifest.ending {
            let what = "the records are not what the manifest says";
            return Err(BackupError::Damaged(what.to_owned()));
        }
        Ok(())
    }
}

/// A data file, read from its beginning.
struct RecordFile<'path, R> {
    path: &'path Path,
    reader: R,
}

impl<R: Read> RecordFile<'_, R> {
    /// The next whole records; none at the end.
    fn chunk(&mut self) -> Result<Vec<u8>, BackupError> {
        let mut chunk = Vec::new();
        while chunk.len() < CHUNK_BYTES && self.record(&mut chunk)? {}
        Ok(chunk)
    }

    /// Reads one record; says whether there was one.
    fn record(&mut self, chunk: &mut Vec<u8>) -> Result<bool, BackupError> {
        let header = self.bytes(HEADER_BYTES)?;
        if header.is_empty() {
            return Ok(false);
        }
        let header: [u8; HEADER_BYTES] = header.try_into().map_err(|_| self.cut())?;
        let (key, value) = lengths(header).ok_or_else(|| {
            BackupError::Damaged(format!("`{}` holds no record", self.path.display()))
        })?;
        let rest = self.bytes(key + value)?;
        if rest.len() < key + value {
            return Err(self.cut());
        }
        chunk.extend_from_slice(&header);
        chunk.extend_from_slice(&rest);
        Ok(true)
    }

    fn bytes(&mut self, count: usize) -> Result<Vec<u8>, BackupError> {
        let mut bytes = Vec::with_capacity(count);
        let most = u64::try_from(count).unwrap_or(u64::MAX);
        let mut limited = self.reader.by_ref().take(most);
        limited
            .read_to_end(&mut bytes)
            .map_err(io_error(self.path))?;
        Ok(bytes)
    }

    fn cut(&self) -> BackupError {
        BackupError::Damaged(format!("`{}` ends within a record", self.path.display()))
    }
}
