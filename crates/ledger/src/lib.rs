//! Remembers: the pure core of a board, its log, its stores and their group commit.

pub mod backup;
pub mod board;
pub mod claim;
pub mod command;
pub mod committer;
pub mod decide;
pub mod digest;
pub mod event;
pub mod evolve;
pub mod finding;
pub mod graph;
pub mod id;
pub mod ledger;
pub mod log;
pub mod module;
pub mod narrate;
pub mod phase;
pub mod quota;
pub mod reference;
pub mod rule;
pub mod snapshot;
pub mod status;
pub mod store;
pub mod verify;
