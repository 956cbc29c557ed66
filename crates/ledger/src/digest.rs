//! Digests and commitments (BLAKE3).

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::id::IdError;

/// A 32-byte digest, written in 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// Takes the plain BLAKE3 digest of `bytes`, as `b3sum` does.
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// Reads a digest from exactly 32 bytes.
    pub fn from_slice(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// The first 12 hexadecimal digits, for people.
    pub fn short(&self) -> String {
        self.to_string().chars().take(12).collect()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Digest({})", self.short())
    }
}

impl FromStr for Digest {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        blake3::Hash::from_hex(text)
            .map(|hash| Self(*hash.as_bytes()))
            .map_err(|_| IdError {
                what: "digest",
                value: text.chars().take(80).collect(),
                rule: "use 64 hexadecimal digits",
            })
    }
}

/// A promise to words that are kept beside the log: BLAKE3 over a 32-byte salt and the bytes.
///
/// The salt keeps a reader of the log from guessing short words, and lets them be erased for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Commitment(pub Digest);

/// Words with the salt they are committed under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    salt: [u8; 32],
    bytes: Vec<u8>,
}

impl Words {
    /// Joins bytes with a salt, which has to be fresh from the system's random source.
    pub fn new(salt: [u8; 32], bytes: Vec<u8>) -> Self {
        Self { salt, bytes }
    }

    /// The commitment to them.
    pub fn commitment(&self) -> Commitment {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.salt).update(&self.bytes);
        Commitment(Digest(*hasher.finalize().as_bytes()))
    }

    /// The bytes without the salt.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The stored form: salt, then bytes.
    pub fn to_stored(&self) -> Vec<u8> {
        [self.salt.as_slice(), &self.bytes].concat()
    }

    /// Reads the stored form.
    pub fn from_stored(stored: &[u8]) -> Option<Self> {
        let (salt, bytes) = stored.split_first_chunk::<32>()?;
        Some(Self::new(*salt, bytes.to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commitment_depends_on_salt_and_bytes() {
        let words = Words::new([1; 32], b"eight".to_vec());
        assert_eq!(words, Words::from_stored(&words.to_stored()).unwrap());
        assert_ne!(
            words.commitment(),
            Words::new([2; 32], b"eight".to_vec()).commitment()
        );
        assert_ne!(
            words.commitment(),
            Words::new([1; 32], b"nine".to_vec()).commitment()
        );
    }

    #[test]
    fn digests_read_back_as_written() {
        let digest = Digest::of(b"abc");
        assert_eq!(digest, digest.to_string().parse().unwrap());
        assert!("xyz".parse::<Digest>().is_err());
    }
}
