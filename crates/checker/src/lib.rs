//! Judges whether two statements can stand together; imports no store and no wire format.

pub mod embedder;
pub mod hygiene;
pub mod index;
pub mod intake;
pub mod quote;
mod raw_json;
pub mod vector;
