//! Images of a board's folded state, so that a large board opens without folding its whole log.
//! Derived: an image that is missing, damaged or of another version is not used, never an error.

use std::ops::ControlFlow;

use super::{Ledger, OpenBoard};
use crate::{
    board::Board,
    committer::CommitError,
    digest::Digest,
    store::{
        Batch, Store, StoreError,
        keys::{self, BoardNumber},
    },
};

/// Changes with every change of what `Board` holds or of what `evolve` does.
const VERSION: u32 = 2;
/// The length of a chunk; a store's values are at most 64 KiB.
const CHUNK_BYTES: usize = 60 * 1_024;

impl Ledger {
    /// Writes an image of a board's state.
    pub async fn write_image(&self, open: &OpenBoard) -> Result<(), CommitError> {
        let mut batch = Batch::default();
        let handed_in = {
            // Handed in under the lock: the entries it covers are ahead of it in the queue.
            let board = open.state.read();
            for (number, chunk) in (0..).zip(to_bytes(&board).chunks(CHUNK_BYTES)) {
                batch.put(keys::image(open.number, number), chunk.to_vec());
            }
            self.committer
                .hand_in(batch, Some((open.line.clone(), board.position())))
        };
        handed_in.done().await
    }
}

/// The stored form: version, length and digest of what follows, then the state.
fn to_bytes(board: &Board) -> Vec<u8> {
    let state =
        postcard::to_stdvec(board).expect("a board holds nothing that postcard cannot write");
    let mut bytes = VERSION.to_be_bytes().to_vec();
    bytes.extend_from_slice(&u64::try_from(state.len()).unwrap_or(u64::MAX).to_be_bytes());
    bytes.extend_from_slice(&Digest::of(&state).0);
    bytes.extend_from_slice(&state);
    bytes
}

/// Reads a board's image; none where there is none that this version can use.
pub(super) fn read(store: &dyn Store, number: BoardNumber) -> Result<Option<Board>, StoreError> {
    Ok(match inspect(store, number)? {
        Image::Of(board) => Some(*board),
        Image::None | Image::OtherVersion(_) | Image::Damaged => None,
    })
}

/// What is kept as a board's image.
pub(crate) enum Image {
    /// Nothing.
    None,
    /// Something that another version wrote.
    OtherVersion(u32),
    /// Something that nobody wrote.
    Damaged,
    /// A state.
    Of(Box<Board>),
}

/// Reads a board's image and says what is wrong with it.
pub(crate) fn inspect(store: &dyn Store, number: BoardNumber) -> Result<Image, StoreError> {
    let (from, to) = keys::images(number);
    let mut bytes = Vec::new();
    store.scan(&from, &to, &mut |_, chunk| {
        bytes.extend_from_slice(chunk);
        ControlFlow::Continue(())
    })?;
    Ok(match bytes.split_first_chunk::<4>() {
        None if bytes.is_empty() => Image::None,
        Some((version, _)) if u32::from_be_bytes(*version) != VERSION => {
            Image::OtherVersion(u32::from_be_bytes(*version))
        }
        None => Image::Damaged,
        Some((_, rest)) => {
            from_bytes(rest).map_or(Image::Damaged, |board| Image::Of(Box::new(board)))
        }
    })
}

/// Reads what follows the version.
fn from_bytes(bytes: &[u8]) -> Option<Board> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let (digest, rest) = rest.split_first_chunk::<32>()?;
    // An earlier, longer image may have left chunks behind.
    let state = rest.get(..usize::try_from(u64::from_be_bytes(*length)).ok()?)?;
    if Digest::of(state).0 != *digest {
        return None;
    }
    let mut board: Board = postcard::from_bytes(state).ok()?;
    board.rebuild();
    Some(board)
}
