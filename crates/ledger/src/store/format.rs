//! The marker in a store's directory: which engine wrote it, in which version of the layout.

use std::{fmt, str::FromStr};

/// The version of the layout this program writes; it reads no other, and knows a later one.
pub const VERSION: u32 = 1;

/// The storage engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// A log-structured merge tree with a journal.
    #[default]
    Fjall,
    /// A log-structured B+ tree; there if the program was built with the feature `sled`.
    Sled,
}

impl Engine {
    /// Its name in the marker and on the command line; also the name of its directory.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fjall => "fjall",
            Self::Sled => "sled",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        [Self::Fjall, Self::Sled]
            .into_iter()
            .find(|engine| engine.name() == name)
            .ok_or_else(|| UnknownEngine(name.to_owned()))
    }
}

/// Tells that there is no engine of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no storage engine `{0}`; use `fjall` or `sled`")]
pub struct UnknownEngine(pub String);

/// Spells the marker of a store of an engine.
pub(super) fn marker(engine: Engine) -> String {
    format!("pawl store {VERSION} {engine}")
}

/// What a marker says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    /// A store of this version.
    Of(Engine),
    /// A store of a later version.
    Newer(u32),
    /// Nothing that a program before this one wrote.
    Unknown,
}

/// Reads a marker.
pub(super) fn read(text: &str) -> Marker {
    let Some((version, engine)) = text
        .trim_end()
        .strip_prefix("pawl store ")
        .and_then(|rest| rest.split_once(' '))
    else {
        return Marker::Unknown;
    };
    match (version.parse::<u32>(), engine.parse()) {
        (Ok(version), _) if version > VERSION => Marker::Newer(version),
        (Ok(VERSION), Ok(engine)) => Marker::Of(engine),
        _ => Marker::Unknown,
    }
}
