//! Files and standard input.

use std::{fs::File, io::Read};

use super::failure::Failure;

/// The most bytes that are read of an intake document.
pub(crate) const DOCUMENT_LIMIT_BYTES: u64 = 64 << 20;

/// The most bytes that are read of a source; the server has a limit of its own.
pub(crate) const SOURCE_LIMIT_BYTES: u64 = 1 << 30;

/// Reads a file, or standard input where the name is `-`.
pub(crate) fn read(file: &str, limit_bytes: u64) -> Result<Vec<u8>, Failure> {
    let fail = |cause| Failure::File {
        file: file.to_owned(),
        cause,
    };
    let reader: Box<dyn Read> = if file == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(file).map_err(fail)?)
    };
    let mut bytes = Vec::new();
    reader
        .take(limit_bytes + 1)
        .read_to_end(&mut bytes)
        .map_err(fail)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > limit_bytes) {
        return Err(Failure::FileTooLong {
            file: file.to_owned(),
            limit_bytes,
        });
    }
    Ok(bytes)
}
