//! Judges whether two statements can stand together; imports no store and no wire format.

mod align;
mod brakes;
mod category;
pub mod claims;
pub mod comparable;
pub mod compare;
mod explain;
pub mod interval;
mod item;
mod keyed;
pub mod lexicon;
mod negation;
mod numeric;
mod operators;
mod opposites;
pub mod quantity;
mod score;
pub mod statement;
pub mod text;
mod view;
pub mod vocabulary;
