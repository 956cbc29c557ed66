//! The manifest: what a backup is of, what is in it, and the digest of each of its files.

use serde::{Deserialize, Serialize};

use super::VERSION;
use crate::digest::Digest;

/// The file's name.
pub(super) const MANIFEST: &str = "MANIFEST";
/// How its first line begins; the version and the digest of all after the line follow.
const FIRST: &str = "pawl backup ";

/// Where a backup comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The version of the store's layout, as in its file `FORMAT`.
    pub layout: u32,
    /// When it was begun, in milliseconds since 1970.
    pub at_ms: u64,
    /// The version of the server.
    pub server: String,
}

/// What the records come to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// How many there are.
    pub records: u64,
    /// Their length.
    pub bytes: u64,
    /// The BLAKE3 digest of all of them, one after the other.
    pub digest: String,
    /// The boards, by number.
    pub boards: Vec<BoardHead>,
}

/// How far a board's log went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardHead {
    /// The board.
    pub name: String,
    /// The entries of its log.
    pub entries: u64,
    /// Its tree hash, as in RFC 6962.
    pub tree_root: String,
}

/// A data file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its name.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// The BLAKE3 digest of its bytes, as `b3sum` prints it.
    pub blake3: String,
}

/// What a backup is of and what is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Where it comes from.
    pub origin: Origin,
    /// What its records come to.
    pub ending: Ending,
    /// Its data files, in their order.
    pub files: Vec<FileEntry>,
}

/// Why bytes are no manifest that can be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// They are of a later version.
    Newer(u32),
    /// They are not what was written.
    Damaged(&'static str),
}

impl Manifest {
    /// The bytes of the file.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut body = serde_json::to_vec_pretty(self)
            .expect("a manifest holds nothing that JSON cannot write");
        body.push(b'\n');
        let mut bytes = format!("{FIRST}{VERSION} {}\n", Digest::of(&body)).into_bytes();
        bytes.extend_from_slice(&body);
        bytes
    }

    /// Reads the bytes of the file.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, Unreadable> {
        const DAMAGED: Unreadable = Unreadable::Damaged("`MANIFEST` is not what its digest says");
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (first, body) = end
            .and_then(|end| bytes.split_at_checked(end))
            .ok_or(DAMAGED)?;
        let body = body.get(1..).unwrap_or_default();
        let (version, digest) = std::str::from_utf8(first)
            .ok()
            .and_then(|first| first.strip_prefix(FIRST)?.split_once(' '))
            .ok_or(Unreadable::Damaged(
                "`MANIFEST` has no first line of a backup",
            ))?;
        match version.parse::<u32>() {
            // Only as a newer program would have written it: no sign, no zeros before it.
            Ok(found) if found.to_string() != version => return Err(DAMAGED),
            Ok(VERSION) => {}
            // A later form may have another digest; a flipped bit is told as damage where it is one.
            Ok(found) if found > VERSION => return Err(Unreadable::Newer(found)),
            _ => return Err(DAMAGED),
        }
        if digest != Digest::of(body).to_string() {
            return Err(DAMAGED);
        }
        serde_json::from_slice(body).map_err(|_| DAMAGED)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sample() -> Manifest {
        Manifest {
            files: vec![FileEntry {
                name: "data-0001".into(),
                bytes: 7,
                blake3: Digest::of(b"records").to_string(),
            }],
            ..Manifest::default()
        }
    }

    #[test]
    fn a_manifest_reads_back_and_a_later_one_is_named() {
        let bytes = sample().to_bytes();
        assert_eq!(Manifest::from_bytes(&bytes), Ok(sample()));
        let later = String::from_utf8(bytes)
            .unwrap()
            .replacen("backup 1", "backup 12", 1);
        assert_eq!(
            Manifest::from_bytes(later.as_bytes()),
            Err(Unreadable::Newer(12))
        );
    }

    proptest! {
        #[test]
        fn no_changed_byte_is_overlooked(place in 0_usize..1_000, flip in 1_u8..=255) {
            let mut bytes = sample().to_bytes();
            let place = place % bytes.len();
            bytes[place] ^= flip;
            prop_assert!(Manifest::from_bytes(&bytes).is_err());
            bytes.truncate(place);
            prop_assert!(Manifest::from_bytes(&bytes).is_err());
        }
    }
}
