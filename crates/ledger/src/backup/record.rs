//! A record of a data file: the length of its key (2 bytes), the length of its value (4 bytes, both
//! big-endian), the key, the value.

use crate::store::{MAX_KEY_BYTES, MAX_VALUE_BYTES};

/// The length of the two lengths.
pub(super) const HEADER_BYTES: usize = 6;

/// Appends a record; a store takes no key or value whose length does not fit.
pub fn write_record(key: &[u8], value: &[u8], to: &mut Vec<u8>) {
    let key_bytes = u16::try_from(key.len()).expect("a key of a store has at most 1,024 bytes");
    let value_bytes =
        u32::try_from(value.len()).expect("a value of a store has at most 65,536 bytes");
    to.extend_from_slice(&key_bytes.to_be_bytes());
    to.extend_from_slice(&value_bytes.to_be_bytes());
    to.extend_from_slice(key);
    to.extend_from_slice(value);
}

/// Reads the two lengths; none where a store would not take them.
pub(super) fn lengths(header: [u8; HEADER_BYTES]) -> Option<(usize, usize)> {
    let [k0, k1, v0, v1, v2, v3] = header;
    let key = usize::from(u16::from_be_bytes([k0, k1]));
    let value = usize::try_from(u32::from_be_bytes([v0, v1, v2, v3])).ok()?;
    let fits = (1..=MAX_KEY_BYTES).contains(&key) && value <= MAX_VALUE_BYTES;
    fits.then_some((key, value))
}

/// Takes the first record off some bytes: key, value, and the rest.
pub(super) fn split(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (header, rest) = bytes.split_first_chunk()?;
    let (key, value) = lengths(*header)?;
    let (key, rest) = rest.split_at_checked(key)?;
    let (value, rest) = rest.split_at_checked(value)?;
    Some((key, value, rest))
}
