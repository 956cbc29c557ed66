//! From a key back to what it is the key of: for `verify`, which meets keys that nobody asked for.

use super::{BoardNumber, join};
use crate::{
    digest::{Commitment, Digest},
    id::{BoardName, Position, PrincipalName},
};

/// The first bytes of everything that belongs to one board.
pub const OF_ONE_BOARD: [u8; 7] = *b"ehijquw";

/// What has this first byte and belongs to `number` or to a board after it.
pub fn from_board(first: u8, number: BoardNumber) -> (Vec<u8>, Vec<u8>) {
    (
        join(first, &[&number.0.to_be_bytes()]),
        vec![first.saturating_add(1)],
    )
}

/// All chunks of all sources.
pub fn sources() -> (Vec<u8>, Vec<u8>) {
    super::whole(b's')
}

/// The board that a board's record is of.
pub fn board_name(key: &[u8]) -> Option<BoardName> {
    std::str::from_utf8(key.get(1..)?).ok()?.parse().ok()
}

/// The board that a key is of which starts with a board's number.
pub fn number(key: &[u8]) -> Option<BoardNumber> {
    let (number, _) = key.get(1..)?.split_first_chunk::<4>()?;
    Some(BoardNumber(u32::from_be_bytes(*number)))
}

/// The place of an entry, or of what lies beside it, and the rest of its key.
pub fn position(key: &[u8]) -> Option<(Position, &[u8])> {
    let (position, rest) = key.get(5..)?.split_first_chunk::<8>()?;
    Some((Position(u64::from_be_bytes(*position)), rest))
}

/// The place and the commitment of words.
pub fn words(key: &[u8]) -> Option<(Position, Commitment)> {
    let (position, rest) = position(key)?;
    Some((position, Commitment(Digest::from_slice(rest)?)))
}

/// The principal whose writing on a board is counted.
pub fn usage(key: &[u8]) -> Option<PrincipalName> {
    std::str::from_utf8(key.get(5..)?).ok()?.parse().ok()
}

/// The source that may have lost its last board.
pub fn unkept(key: &[u8]) -> Option<Digest> {
    Digest::from_slice(key.get(1..)?)
}

/// The model that a vector is of.
pub fn model(key: &[u8]) -> Option<[u8; 32]> {
    Some(*key.get(1..)?.first_chunk::<32>()?)
}

/// Who made a repeatable request, the id they gave it, and the chunk of its answer.
pub fn request(key: &[u8]) -> Option<(PrincipalName, String, u32)> {
    let mut parts = key.get(5..)?.splitn(3, |byte| *byte == 0);
    let mut text = || std::str::from_utf8(parts.next()?).ok();
    let (principal, id) = (text()?.parse().ok()?, text()?.to_owned());
    let chunk = match parts.next() {
        None => 0,
        Some(chunk) => u32::from_be_bytes(chunk.try_into().ok()?),
    };
    Some((principal, id, chunk))
}

/// The source and the number of a chunk.
pub fn source(key: &[u8]) -> Option<(Digest, u32)> {
    let (digest, rest) = key.get(1..)?.split_first_chunk::<32>()?;
    Some((Digest(*digest), u32::from_be_bytes(rest.try_into().ok()?)))
}
