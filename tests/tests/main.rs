//! End to end: every promise of the board, through its public API, on a real server.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "tests"
)]

mod world;

mod assertions;
mod citations;
mod levels_and_supports;
