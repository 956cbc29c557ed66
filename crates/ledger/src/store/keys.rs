//! The key layout, spelt here and nowhere else. Numbers are big-endian, so that keys sort by them.
//!
//! | first byte | then | value |
//! |---|---|---|
//! | `b` | board name | board number, 4 bytes |
//! | `d` | board number | that the board was deleted, or is being deleted |
//! | `e` | board number, position | entry, as written |
//! | `h` | board number | size of the log and its tree hash |
//! | `i` | board number, chunk | image of the folded state |
//! | `j` | board number, position | what the checker finds the text of an entry by |
//! | `p` | principal | principal record |
//! | `q` | board number, principal, 0, request id; 0 and chunk after the first | digest of the body, time, answer |
//! | `s` | digest, chunk | bytes of a source |
//! | `t` | token id | token record |
//! | `u` | board number, principal | what the principal has written there |
//! | `v` | model digest, vector key | vector |
//! | `w` | board number, position, commitment | salt and words |
//! | `x` | digest | that a source may have lost its last board |

pub mod read;

use crate::{
    digest::{Commitment, Digest},
    id::{BoardName, Position, PrincipalName},
};

/// The number of a board within its store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardNumber(pub u32);

/// Where a board's number is kept.
pub fn board(name: &BoardName) -> Vec<u8> {
    join(b'b', &[name.as_str().as_bytes()])
}

/// All boards.
pub fn boards() -> (Vec<u8>, Vec<u8>) {
    whole(b'b')
}

/// Where it is kept that a board was deleted, or is being deleted.
pub fn deleted(board: BoardNumber) -> Vec<u8> {
    join(b'd', &[&board.0.to_be_bytes()])
}

/// All deleted boards.
pub fn all_deleted() -> (Vec<u8>, Vec<u8>) {
    whole(b'd')
}

/// Where an entry is kept.
pub fn entry(board: BoardNumber, position: Position) -> Vec<u8> {
    join(b'e', &[&board.0.to_be_bytes(), &position.0.to_be_bytes()])
}

/// Says whether an entry is kept there.
pub fn is_entry(key: &[u8]) -> bool {
    key.first() == Some(&b'e')
}

/// The entries in a half-open range of positions.
pub fn entries(board: BoardNumber, from: Position, to: Position) -> (Vec<u8>, Vec<u8>) {
    (entry(board, from), entry(board, to))
}

/// Where the size and tree hash of a board's log are kept.
pub fn head(board: BoardNumber) -> Vec<u8> {
    join(b'h', &[&board.0.to_be_bytes()])
}

/// Where a chunk of the image of a board's folded state is kept.
pub fn image(board: BoardNumber, chunk: u32) -> Vec<u8> {
    join(b'i', &[&board.0.to_be_bytes(), &chunk.to_be_bytes()])
}

/// All chunks of a board's image.
pub fn images(board: BoardNumber) -> (Vec<u8>, Vec<u8>) {
    after(image(board, 0), image(board, u32::MAX))
}

/// Where it is kept what the checker finds the text of an entry by.
pub fn found_by(board: BoardNumber, position: Position) -> Vec<u8> {
    join(b'j', &[&board.0.to_be_bytes(), &position.0.to_be_bytes()])
}

/// What the checker finds the texts of a board by.
pub fn all_found_by(board: BoardNumber) -> (Vec<u8>, Vec<u8>) {
    of_board(b'j', board)
}

/// Where a principal is kept.
pub fn principal(name: &PrincipalName) -> Vec<u8> {
    join(b'p', &[name.as_str().as_bytes()])
}

/// All principals.
pub fn principals() -> (Vec<u8>, Vec<u8>) {
    whole(b'p')
}

/// Where the answer to a repeatable request is kept.
pub fn request(board: BoardNumber, principal: &PrincipalName, request: &str) -> Vec<u8> {
    let name = principal.as_str().as_bytes();
    join(
        b'q',
        &[&board.0.to_be_bytes(), name, &[0], request.as_bytes()],
    )
}

/// Where a further chunk of a long answer is kept; the first is at [`request`].
pub fn request_chunk(
    board: BoardNumber,
    principal: &PrincipalName,
    request: &str,
    chunk: u32,
) -> Vec<u8> {
    let mut key = self::request(board, principal, request);
    if chunk > 0 {
        key.push(0);
        key.extend_from_slice(&chunk.to_be_bytes());
    }
    key
}

/// All answers to repeatable requests on a board.
pub fn requests(board: BoardNumber) -> (Vec<u8>, Vec<u8>) {
    (
        join(b'q', &[&board.0.to_be_bytes()]),
        join(b'q', &[&board.0.saturating_add(1).to_be_bytes()]),
    )
}

/// Where a chunk of a source's bytes is kept.
pub fn source(digest: Digest, chunk: u32) -> Vec<u8> {
    join(b's', &[&digest.0, &chunk.to_be_bytes()])
}

/// All chunks of a source.
pub fn source_chunks(digest: Digest) -> (Vec<u8>, Vec<u8>) {
    after(source(digest, 0), source(digest, u32::MAX))
}

/// Where a token is kept.
pub fn token(id: &str) -> Vec<u8> {
    join(b't', &[id.as_bytes()])
}

/// All tokens.
pub fn tokens() -> (Vec<u8>, Vec<u8>) {
    whole(b't')
}

/// Where it is kept what a principal has written on a board.
pub fn usage(board: BoardNumber, principal: &PrincipalName) -> Vec<u8> {
    join(
        b'u',
        &[&board.0.to_be_bytes(), principal.as_str().as_bytes()],
    )
}

/// What has this first byte and belongs to one board.
pub fn of_board(first: u8, board: BoardNumber) -> (Vec<u8>, Vec<u8>) {
    let from = join(first, &[&board.0.to_be_bytes()]);
    let to = match board.0.checked_add(1) {
        Some(next) => join(first, &[&next.to_be_bytes()]),
        None => vec![first.saturating_add(1)],
    };
    (from, to)
}

/// Where it is kept that a source may have lost its last board.
pub fn unkept(source: Digest) -> Vec<u8> {
    join(b'x', &[&source.0])
}

/// All sources that may have lost their last board.
pub fn all_unkept() -> (Vec<u8>, Vec<u8>) {
    whole(b'x')
}

/// All vectors of one model, or of one that comes after it.
pub fn vectors_from(model: [u8; 32]) -> (Vec<u8>, Vec<u8>) {
    (join(b'v', &[&model]), vec![b'v' + 1])
}

/// Where the vector of a text under a model is kept; `key` stands for the text.
pub fn vector(model: [u8; 32], key: [u8; 32]) -> Vec<u8> {
    join(b'v', &[&model, &key])
}

/// Where words are kept.
pub fn words(board: BoardNumber, position: Position, commitment: Commitment) -> Vec<u8> {
    join(
        b'w',
        &[
            &board.0.to_be_bytes(),
            &position.0.to_be_bytes(),
            &commitment.0.0,
        ],
    )
}

/// All words of a half-open range of positions.
pub fn words_of(board: BoardNumber, from: Position, to: Position) -> (Vec<u8>, Vec<u8>) {
    let key = |position: Position| join(b'w', &[&board.0.to_be_bytes(), &position.0.to_be_bytes()]);
    (key(from), key(to))
}

fn join(first: u8, parts: &[&[u8]]) -> Vec<u8> {
    let length = parts.iter().map(|part| part.len()).sum::<usize>();
    let mut key = Vec::with_capacity(1 + length);
    key.push(first);
    parts.iter().for_each(|part| key.extend_from_slice(part));
    key
}

fn whole(first: u8) -> (Vec<u8>, Vec<u8>) {
    (vec![first], vec![first + 1])
}

fn after(first: Vec<u8>, mut last: Vec<u8>) -> (Vec<u8>, Vec<u8>) {
    last.push(0);
    (first, last)
}
