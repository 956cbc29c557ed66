//! The server through real clients, over real ports.

mod boards;
mod citations;
mod doors;
mod failures;
mod harness;
mod identities;
mod limits;
mod sources;
mod stopping;
mod upkeep;
mod watching;
