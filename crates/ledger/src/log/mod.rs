//! The log: the bytes of its entries and the tree over them. Imports no store.

mod decode;
mod encode;
mod rules;
pub mod tree;
pub mod wire;

pub use decode::{DecodeError, decode, decode_snapshot};
pub use encode::{Header, encode, encode_snapshot};

/// The most bytes an entry may have.
pub const MAX_ENTRY_BYTES: usize = 65_535;
