//! The blocks of a text: what stands together on a page, with the way back into the text.

use crate::quote::offsets::Derived;

/// A block of text without its markup.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    pub(super) text: Derived,
    /// The list or table it is a part of.
    pub(super) group: Option<usize>,
}

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    Paragraph,
    Item,
    Quote,
    /// A heading of a level, the highest being 1.
    Heading(u8),
    /// A cell of a table, counted from 0; row 0 is the header.
    Cell {
        row: usize,
        column: usize,
    },
}

/// Blocks on the way: text is appended to the last one until it is closed.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    done: Vec<Block>,
    open: Derived,
}

impl Blocks {
    /// Appends a piece that stands at this place of the source.
    pub(super) fn copy(&mut self, piece: &str, start: usize) {
        self.open.copy(piece, start);
    }

    /// Appends what stands for a range of the source.
    pub(super) fn replace(&mut self, piece: &str, range: std::ops::Range<usize>) {
        self.open.replace(piece, range);
    }

    /// Closes the block that is open; one without text is none.
    pub(super) fn close(&mut self, kind: BlockKind, group: Option<usize>) {
        let text = std::mem::take(&mut self.open);
        let is_cell = matches!(kind, BlockKind::Cell { .. });
        if is_cell || !text.text().trim().is_empty() {
            self.done.push(Block { kind, text, group });
        }
    }

    pub(super) fn finish(self) -> Vec<Block> {
        self.done
    }
}
