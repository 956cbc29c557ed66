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
mod deletion;
mod events;
mod faults;
mod life;
mod locks;
mod model;
mod narration;
mod phases;
mod rescans;
mod roles;
mod rollbacks;
mod rules;
mod sealing;
mod statuses;
mod supports;
mod tables;
mod unlawful;
mod world;
