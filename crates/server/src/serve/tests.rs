//! The server through real clients, over real ports.

mod boards;
mod citations;
mod doors;
mod failures;
mod harness;
mod identities;
mod limits;
mod metrics;
mod operating;
mod shares;
mod sources;
mod stopping;
mod tls;
mod upkeep;
mod watching;
mod web;
