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
mod claims;
mod corroboration;
mod idempotency;
mod intake;
mod levels_and_supports;
mod modules_and_attributes;
mod text;
mod verdicts;
