//! An HTML source as a reader of the page sees it, its sections and the cells of its tables.
//!
//! A tokenizer that keeps the rules of the HTML standard reads the source; of its tree only what the visible text
//! depends on is followed: which blocks, cells and hidden elements are open. So nothing recurses, and every piece of
//! text knows where it stood. What is seen:
//!
//! - blocks, and the rows of tables, are parted by a blank line, cells by a tab; text in a line joins as it stands;
//! - the title of the page is its first block;
//! - scripts, styles, templates, comments, what only shows without scripts, what the attributes `hidden` or `style`
//!   hide, closed dialogs, annotations above a line (`rt`) and fallbacks of media are not seen; style sheets are not
//!   read, so what only they hide is;
//! - the words instead of a picture (`alt`) are not seen: a reader sees the picture;
//! - raised digits and signs are superscripts, so `10<sup>2</sup>` is `10²` and not `102`.

pub(super) mod charset;
mod elements;
mod page;
mod tables;
mod tokens;

use html5gum::Tokenizer;

use self::page::Page;
use self::tables::Cells;
use self::tokens::Tokens;
use super::offsets::Derived;
use super::sections::Section;

/// The most blocks and hidden elements that may stand in each other.
const MAX_DEPTH: usize = 512;

/// The parts of a page that a locator can name.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) sections: Vec<Section>,
    pub(super) cells: Cells,
}

/// Which rules say where an element without content ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    Html,
    /// `<div/>` is a whole element.
    Xml,
}

/// Takes the markup away.
pub(super) fn extract(source: &str, syntax: Syntax) -> Result<(Derived, Parts), String> {
    let mut page = Page::new(source, syntax);
    let tokens = Tokens::new(source, &mut page);
    // The page takes everything itself, so there is nothing to iterate over: one step reads to the end.
    match Tokenizer::new_with_emitter(source, tokens).next() {
        None => {}
        Some(Ok(never)) => match never {},
        Some(Err(never)) => match never {},
    }
    page.finish()
}
