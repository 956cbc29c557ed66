//! What the checker's knowledge of a board takes.

use std::mem::size_of;

use super::{Judge, Known};

/// What is known, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Texts.
    pub texts: u64,
    /// Bytes of the stored form of their vectors, with keys.
    pub vector_bytes: u64,
    /// Bytes of memory, estimated.
    pub bytes: u64,
}

/// The length of a vector's key.
const VECTOR_KEY_BYTES: usize = 65;
/// About what is made of each byte of a text: the text itself, its tokens and their normal forms.
/// Measured: 2,600 texts of 130 bytes took 22 MB of a process when their board was opened.
const PARSED_BYTES: usize = 48;
/// About what each of its terms takes in the index.
const TERM_BYTES: usize = 48;

impl Judge {
    /// Counts what is known of the board, in one pass.
    pub fn figures(&self) -> Figures {
        let refused = self.refused.values().flatten().map(|(_, text)| text);
        let mut figures = Figures::default();
        for text in self.known.values().chain(refused) {
            figures.texts += 1;
            figures.bytes += wide(text.estimated_bytes());
            let vector = text.vector.as_ref().map(|it| it.as_bytes().len());
            figures.vector_bytes += vector.map_or(0, |bytes| wide(bytes + VECTOR_KEY_BYTES));
        }
        figures
    }
}

impl Known {
    fn estimated_bytes(&self) -> usize {
        // In the text's own place and in the index.
        let vectors = self.vector.as_ref().map_or(0, |it| 2 * it.as_bytes().len());
        size_of::<Self>()
            + self.statement.content().len() * PARSED_BYTES
            + self.statement.terms().len() * TERM_BYTES
            + vectors
    }
}

fn wide(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}
