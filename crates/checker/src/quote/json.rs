//! A JSON source: its text with the escapes in strings resolved, and the parts that pointers (RFC 6901) name.

use std::ops::Range;

use serde_json::value::RawValue;

use super::offsets::Derived;
use crate::raw_json::{Opened, open, place, pointer};

/// The deepest part a pointer may name; each level of it reads the value once.
const MAX_DEPTH: usize = 64;

/// Resolves the escapes in strings; everything else stays as it is written.
pub(super) fn extract(source: &str) -> Result<Derived, String> {
    serde_json::from_str::<&RawValue>(source).map_err(|error| error.to_string())?;
    let mut text = Derived::default();
    let mut start = 0;
    // In valid JSON a back slash stands in strings alone.
    while let Some(length) = source.get(start..).and_then(|rest| rest.find('\\')) {
        let escape = start + length;
        text.copy(source.get(start..escape).unwrap_or_default(), start);
        let (character, end) = unescape(source, escape);
        text.replace(character.encode_utf8(&mut [0; 4]), escape..end);
        start = end;
    }
    text.copy(source.get(start..).unwrap_or_default(), start);
    Ok(text)
}

/// The place of the part a pointer names; of two members of one name the last counts.
pub(super) fn part(source: &str, path: &str) -> Option<Range<usize>> {
    let mut value = serde_json::from_str::<&RawValue>(source).ok()?;
    if path.is_empty() {
        return Some(place(source, value));
    }
    let names = path.strip_prefix('/')?.split('/');
    for (depth, name) in names.enumerate() {
        if depth == MAX_DEPTH {
            return None;
        }
        let name = name.replace("~1", "/").replace("~0", "~");
        value = match open(value).ok()? {
            Opened::Object(members) => members.iter().rev().find(|(member, _)| *member == name)?.1,
            Opened::Array(elements) => *elements.get(index(&name)?)?,
            _ => return None,
        };
    }
    Some(place(source, value))
}

/// The pointer to the smallest part that a range of the source lies in.
pub(super) fn locate(source: &str, range: &Range<usize>) -> Option<String> {
    let mut value = serde_json::from_str::<&RawValue>(source).ok()?;
    let mut path = String::new();
    for _ in 0..MAX_DEPTH {
        let holds = |value: &RawValue| {
            let part = place(source, value);
            part.start <= range.start && range.end <= part.end
        };
        let inner = match open(value).ok()? {
            Opened::Object(members) => members.into_iter().find(|(_, member)| holds(member)),
            Opened::Array(elements) => {
                let mut numbered = elements.into_iter().enumerate();
                numbered
                    .find(|(_, element)| holds(element))
                    .map(|(number, element)| (number.to_string(), element))
            }
            _ => None,
        };
        let Some((name, part)) = inner else { break };
        path = pointer(&path, &name);
        value = part;
    }
    Some(path)
}

/// An array index as RFC 6901 writes it: no sign, no leading zero.
fn index(name: &str) -> Option<usize> {
    let plain =
        name.bytes().all(|byte| byte.is_ascii_digit()) && (name == "0" || !name.starts_with('0'));
    if plain { name.parse().ok() } else { None }
}

/// The character an escape stands for, and its end. Half a surrogate pair is no character (U+FFFD).
fn unescape(source: &str, escape: usize) -> (char, usize) {
    let unit = |at: usize| -> Option<u32> {
        let digits = source.get(at..)?.strip_prefix("\\u")?.get(..4)?;
        u32::from_str_radix(digits, 16).ok()
    };
    let short = match source.as_bytes().get(escape + 1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(&byte) if byte != b'u' => char::from(byte),
        _ => return long_escape(unit(escape), unit(escape + 6), escape),
    };
    (short, escape + 2)
}

fn long_escape(first: Option<u32>, second: Option<u32>, escape: usize) -> (char, usize) {
    let first = first.unwrap_or(0xfffd);
    match (first, second) {
        (0xd800..=0xdbff, Some(second @ 0xdc00..=0xdfff)) => {
            let point = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
            (
                char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER),
                escape + 12,
            )
        }
        _ => (
            char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER),
            escape + 6,
        ),
    }
}
