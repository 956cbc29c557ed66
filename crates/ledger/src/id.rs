//! Names and numbers, each a type of its own; parsed once, valid ever after.

use std::{fmt, str::FromStr, sync::Arc};

use serde::{Deserialize, Serialize};

/// A text that is not a valid id or name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{value}` is no valid {what}: {rule}")]
pub struct IdError {
    /// What it should have been.
    pub what: &'static str,
    /// The text that was given, at most 80 characters of it.
    pub value: String,
    /// What a valid one looks like.
    pub rule: &'static str,
}

impl IdError {
    fn new(what: &'static str, value: &str, rule: &'static str) -> Self {
        Self {
            what,
            value: value.chars().take(80).collect(),
            rule,
        }
    }
}

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident, $what:literal, $extra:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                if is_name(text, $extra) {
                    Ok(Self(text.into()))
                } else {
                    Err(IdError::new($what, text, concat!(
                        "use 1 to 63 of `a-z 0-9 ", $extra, "`, a letter first"
                    )))
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    )*};
}

names! {
    /// The name of a board.
    BoardName, "board name", "-";
    /// The name of a module.
    ModuleName, "module name", "-_";
    /// The name of a declared attribute.
    AttributeName, "attribute name", "-_";
    /// The name of a phase.
    PhaseName, "phase name", "-_";
    /// The name of a principal.
    PrincipalName, "principal name", "-_.";
}

fn is_name(text: &str, extra: &str) -> bool {
    text.len() <= 63
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.chars().all(|character| {
            character.is_ascii_lowercase()
                || character.is_ascii_digit()
                || extra.contains(character)
        })
}

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident, $what:literal, $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                text.strip_prefix($prefix)
                    .and_then(positive)
                    .map(Self)
                    .ok_or_else(|| IdError::new(
                        $what, text, concat!("use `", $prefix, "` and a number from 1")
                    ))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, concat!($prefix, "{}"), self.0)
            }
        }
    )*};
}

numbers! {
    /// An assertion of a board, `a1` being the first.
    AssertionId, "assertion id", "a";
    /// A conflict of a board, `c1` being the first.
    ConflictId, "conflict id", "c";
    /// A flag of a board, `f1` being the first.
    FlagId, "flag id", "f";
    /// An authority's answer that a board recorded, `l1` being the first.
    LookupId, "lookup id", "l";
    /// A refusal of a board, `r1` being the first.
    RefusalId, "refusal id", "r";
}

/// One immutable version of an assertion, written `a3@1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RevisionId {
    /// The assertion.
    pub assertion: AssertionId,
    /// The version, from 1.
    pub revision: u32,
}

impl RevisionId {
    /// Before every other.
    pub const FIRST: Self = Self::new(0, 0);
    /// After every other.
    pub const LAST: Self = Self::new(u32::MAX, u32::MAX);

    const fn new(assertion: u32, revision: u32) -> Self {
        Self {
            assertion: AssertionId(assertion),
            revision,
        }
    }
}

impl FromStr for RevisionId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let parse = || {
            let (assertion, revision) = text.split_once('@')?;
            Some(Self {
                assertion: assertion.parse().ok()?,
                revision: positive(revision)?,
            })
        };
        parse().ok_or_else(|| {
            IdError::new(
                "revision id",
                text,
                "use an assertion and a version, `a3@1`",
            )
        })
    }
}

impl fmt::Display for RevisionId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}@{}", self.assertion, self.revision)
    }
}

/// A place in a board's log, from 0; as a base, the number of entries that were there.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Position(pub u64);

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// Milliseconds since the start of 1970, UTC.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(pub u64);

/// Accepts a number from 1 without sign or leading zeros, so that every id has one spelling.
fn positive(text: &str) -> Option<u32> {
    let canonical = text.starts_with(|first: char| matches!(first, '1'..='9'))
        && text.bytes().all(|byte| byte.is_ascii_digit());
    canonical.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_read_back_as_written() {
        let id: RevisionId = "a17@2".parse().unwrap();
        assert_eq!(id.to_string(), "a17@2");
        assert_eq!("c9".parse::<ConflictId>().unwrap().to_string(), "c9");
        assert_eq!("q3.eu".parse::<PrincipalName>().unwrap().as_str(), "q3.eu");
    }

    #[test]
    fn other_spellings_are_refused() {
        for text in [
            "",
            "a0@1",
            "a1@0",
            "a01@1",
            "a1@+1",
            "a1",
            "b1@1",
            "a1@1@1",
            "a1@4294967296",
        ] {
            assert!(text.parse::<RevisionId>().is_err(), "{text}");
        }
        for text in ["", "Board", "1st", "a b", "a/b", "数据", &"x".repeat(64)] {
            assert!(text.parse::<BoardName>().is_err(), "{text}");
        }
    }
}
