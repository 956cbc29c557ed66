//! End to end: every promise of the board, through its public API, on a real server.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::cast_possible_truncation,
    clippy::cloned_ref_to_slice_refs,
    reason = "tests"
)]

#[allow(dead_code, reason = "each program uses a part of what they share")]
#[path = "../common/raw.rs"]
mod raw;
mod world;

mod amendments;
mod assertions;
mod authorities;
mod backups;
mod bad_input;
mod board_life;
mod briefs;
mod citations;
mod claims;
mod command_line;
mod conflicts;
mod corroboration;
mod crash;
mod deployment;
mod documents;
mod documents_checked;
mod exports;
mod flags;
mod history;
mod idempotency;
mod intake;
mod levels_and_supports;
mod linearizability;
mod locks;
mod modules_and_attributes;
mod old_stores;
mod operations;
mod other_client;
mod pages;
mod phases;
mod quarantine;
mod queries;
mod quotas;
mod races;
mod reopening;
mod rescan;
mod resolution_rules;
mod rights;
mod rollbacks;
mod seals;
mod slow_clients;
mod snapshots;
mod stale_base;
mod tables;
mod text;
mod tidy;
mod time;
mod tls;
mod tokens;
mod usage;
mod verdicts;
mod watch;
