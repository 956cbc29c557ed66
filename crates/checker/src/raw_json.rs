//! JSON one level at a time, each part still knowing its text and with it its place.
//!
//! Numbers stay the text they were written as, so no binary float comes between; names that stand twice are kept.

use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A value with its parts unopened.
#[derive(Debug)]
pub(crate) enum Opened<'text> {
    Object(Vec<(String, &'text RawValue)>),
    Array(Vec<&'text RawValue>),
    Text(String),
    Number(&'text str),
    Boolean(bool),
    Null,
}

impl Opened<'_> {
    /// The kind of value as a schema names it.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Object(_) => "object",
            Self::Array(_) => "array",
            Self::Text(_) => "string",
            Self::Number(_) => "number",
            Self::Boolean(_) => "boolean",
            Self::Null => "null",
        }
    }
}

/// Opens one level. Fails on text escapes that are no characters, which checking the syntax alone lets through.
pub(crate) fn open(value: &RawValue) -> Result<Opened<'_>, serde_json::Error> {
    let text = value.get();
    Ok(match text.as_bytes().first() {
        Some(b'{') => Opened::Object(serde_json::from_str::<Members<'_>>(text)?.0),
        Some(b'[') => Opened::Array(serde_json::from_str(text)?),
        Some(b'"') => Opened::Text(serde_json::from_str(text)?),
        Some(b't') => Opened::Boolean(true),
        Some(b'f') => Opened::Boolean(false),
        Some(b'n') => Opened::Null,
        _ => Opened::Number(text),
    })
}

/// Where a value stands in the text it was read from.
pub(crate) fn place(text: &str, value: &RawValue) -> Range<usize> {
    let start = value
        .get()
        .as_ptr()
        .addr()
        .saturating_sub(text.as_ptr().addr());
    start..start + value.get().len()
}

/// Adds a name to a JSON pointer (RFC 6901).
pub(crate) fn pointer(parent: &str, name: &str) -> String {
    format!("{parent}/{}", name.replace('~', "~0").replace('/', "~1"))
}

struct Members<'text>(Vec<(String, &'text RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}
