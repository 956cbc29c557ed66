//! Judges whether two statements can stand together; imports no store and no wire format.

mod align;
mod category;
pub mod claims;
pub mod comparable;
pub mod compare;
pub mod embedder;
mod explain;
pub mod hygiene;
pub mod index;
pub mod intake;
pub mod interval;
pub mod lexicon;
mod negation;
mod numeric;
mod operators;
mod opposites;
pub mod quantity;
pub mod quote;
mod raw_json;
mod score;
pub mod statement;
pub mod text;
pub mod vector;
mod view;
pub mod vocabulary;
