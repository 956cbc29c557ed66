//! End to end: every promise of the board, through its public API, on a real server.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "tests"
)]

mod world;

mod amendments;
mod assertions;
mod briefs;
mod citations;
mod claims;
mod conflicts;
mod corroboration;
mod flags;
mod idempotency;
mod intake;
mod levels_and_supports;
mod locks;
mod modules_and_attributes;
mod quarantine;
mod seals;
mod stale_base;
mod text;
mod verdicts;
