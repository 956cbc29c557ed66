//! The rules of a board, its log and its verification, through what the crate shows.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    reason = "tests"
)]

mod challenges;
mod codec;
mod damage;
mod events;
mod faults;
mod locks;
mod model;
mod narration;
mod rescans;
mod roles;
mod rules;
mod sealing;
mod statuses;
mod supports;
mod unlawful;
mod world;
