//! Answers as text for people: functions from a message and a page to a string.
//!
//! The messages come here made harmless. Colour stands in the text as ANSI codes; the output takes
//! it out where it is not wanted.

pub(crate) mod annotated;
pub(crate) mod assertion;
pub(crate) mod board;
pub(crate) mod brief;
pub(crate) mod conflict;
pub(crate) mod document;
pub(crate) mod evidence;
pub(crate) mod finding;
pub(crate) mod flag;
pub(crate) mod identity;
pub(crate) mod outcome;
pub(crate) mod phase;
pub(crate) mod record;
pub(crate) mod reference;
pub(crate) mod rules;
pub(crate) mod server;
pub(crate) mod snapshot;
pub(crate) mod snapshot_graph;
pub(crate) mod source;
mod table;
pub(crate) mod usage;
pub(crate) mod words;

pub(crate) use self::words::role;

#[cfg(test)]
mod tests;
