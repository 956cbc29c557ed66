//! What the checker's knowledge of a board takes.

use std::mem::size_of;

use pawl_checker::vector::DIMENSIONS;

use super::{Judge, Known};

/// What is known, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Texts.
    pub texts: u64,
    /// Bytes of the stored form of their vectors and of what finds them, with keys; estimated.
    pub vector_bytes: u64,
    /// Bytes of memory, estimated.
    pub bytes: u64,
}

/// The length of a vector's key.
const VECTOR_KEY_BYTES: usize = 65;
/// About what a row takes that finds a text, but for its terms and its vector.
const ROW_BYTES: usize = 140;
/// About what a term takes in it.
const ROW_TERM_BYTES: usize = 10;
/// About what is made of each byte of a text: the text itself, its tokens and their normal forms.
/// Measured: 2,600 texts of 130 bytes took 22 MB of a process when their board was opened.
const PARSED_BYTES: usize = 48;
/// About what each term of a text takes in the index.
const TERM_BYTES: usize = 12;
/// What the signs of a vector take, and its length.
const SIGN_BYTES: usize = 68;
/// About what the place of a text takes: where it is, its row in the index, and where the same words are found.
const PLACE_BYTES: usize = 140;

impl Judge {
    /// Counts what is known of the board.
    pub fn figures(&self) -> Figures {
        let refused = self.refused.values().flatten();
        let refused: u64 = refused.map(|(_, text)| text.estimated_bytes()).sum();
        let vectors = wide(self.index.vectors());
        Figures {
            texts: wide(self.texts.len()),
            vector_bytes: vectors * wide(2 * DIMENSIONS + VECTOR_KEY_BYTES)
                + wide(self.texts.len() * ROW_BYTES + self.index.terms() * ROW_TERM_BYTES),
            bytes: wide(self.texts.len() * PLACE_BYTES)
                + wide(self.index.terms() * TERM_BYTES)
                + vectors * wide(DIMENSIONS + SIGN_BYTES)
                + refused,
        }
    }
}

impl Known {
    /// About how many bytes of memory it takes, parsed.
    pub fn estimated_bytes(&self) -> u64 {
        let vector = self.vector.as_ref().map_or(0, |it| it.as_bytes().len());
        wide(size_of::<Self>() + self.statement.content().len() * PARSED_BYTES + vector)
    }
}

fn wide(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}
