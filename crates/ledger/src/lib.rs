//! Remembers: the pure core of a board, its log, its stores and their group commit.

pub mod claim;
pub mod finding;
