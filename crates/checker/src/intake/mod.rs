//! Reads what a language model hands in: one JSON object, strictly, with every problem named at once.
//!
//! A model that is told all that is wrong, where, and what was expected instead, mends it in one more try. Nothing is
//! guessed: a field that is not known is refused and not dropped, a number in quotes is no number, and a decimal is
//! read digit by digit, never through a binary float.

mod citation;
mod claim;
mod envelope;
mod item;
mod names;
mod numbers;
mod problem;
mod reader;

pub use citation::Citation;
pub use item::{Item, RevisionName};
pub use problem::{Problem, Problems};

use reader::Reader;

/// The most of everything that is read; the same figures stand in the published schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the whole document.
    pub bytes: usize,
    /// Assertions in it.
    pub assertions: usize,
    /// Characters of an assertion's content.
    pub content: usize,
    /// Characters of a rationale.
    pub rationale: usize,
    /// Characters of a quote, and of what stands before and after it.
    pub quote: usize,
    /// Characters of a name: source, module, kind, entity, tag, subject, attribute, qualifier.
    pub name: usize,
    /// Members of a list: citations, entities, tags, supports, qualifiers.
    pub list: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 4 * 1024 * 1024,
            assertions: 256,
            content: 4_000,
            rationale: 8_000,
            quote: 8_000,
            name: 512,
            list: 64,
        }
    }
}

/// What was handed in, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intake {
    /// The assertions, in their order.
    pub items: Vec<Item>,
    /// Characters that were taken out, in their order.
    pub notices: Vec<Notice>,
}

/// Says that invisible characters were taken out of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The JSON pointer of the text.
    pub pointer: String,
    /// What was taken out of it.
    pub stripped: Vec<crate::hygiene::Oddity>,
}

/// The JSON Schema (2020-12) of what [`parse`] reads. The parser refuses all that the schema refuses, and beside that
/// what a schema cannot say: dates that are not in the calendar, decimals of more than 28 digits, forbidden characters.
pub fn schema() -> &'static str {
    include_str!("../../../../proto/schema/intake.schema.json")
}

/// Reads a document, or says everything that is wrong with it. If its syntax is broken, that is the only problem told.
pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Intake, Problems> {
    let document = envelope::open(bytes, limits)?;
    let mut reader = Reader::new(*limits);
    let items = item::read_all(&mut reader, document);
    reader.finish(items)
}

#[cfg(test)]
mod tests;
