//! Any message of the API as JSON, or made harmless for a terminal, by its descriptor.
//!
//! The JSON is the protobuf JSON form with the field names of the `.proto` files, 64-bit numbers as
//! numbers, and fields without a value written out, so that a reader need not know the defaults.

use std::sync::LazyLock;

use pawl_proto::v1::DESCRIPTORS;
use prost::Name;
use prost_reflect::{DescriptorPool, DynamicMessage, MapKey, SerializeOptions, Value};

use super::{failure::Failure, text};

/// The descriptors of the API.
static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(DESCRIPTORS).expect("the descriptors were written by the build")
});

/// Converts a message to JSON, keys in alphabetical order.
pub(crate) fn from_message<M: Name>(message: &M) -> serde_json::Value {
    to_json(&dynamic(message))
}

fn to_json(message: &DynamicMessage) -> serde_json::Value {
    let options = SerializeOptions::new()
        .use_proto_field_name(true)
        .stringify_64_bit_integers(false)
        .skip_default_fields(false);
    let mut value = message
        .serialize_with_options(serde_json::value::Serializer, &options)
        .expect("a message made from a Rust message has a JSON form");
    value.sort_all_objects();
    value
}

/// Converts the bytes of a message of that full name to JSON; nothing where they are none.
pub(crate) fn from_bytes(name: &str, bytes: &[u8]) -> Option<serde_json::Value> {
    let descriptor = POOL.get_message_by_name(name)?;
    let message = DynamicMessage::decode(descriptor, bytes).ok()?;
    Some(to_json(&message))
}

/// Reads a message from its JSON form.
pub(crate) fn to_message<M: Name + Default>(value: serde_json::Value) -> Result<M, Failure> {
    let descriptor = POOL
        .get_message_by_name(&M::full_name())
        .expect("every generated message is in the descriptors");
    let read = DynamicMessage::deserialize(descriptor, value);
    let message = read.map_err(|error| Failure::Usage(format!("no {}: {error}", M::NAME)))?;
    Ok(message
        .transcode_to()
        .expect("a message matches its own descriptor"))
}

/// Replaces what a terminal would obey in every text of a message, keeping byte offsets.
pub(crate) fn harmless<M: Name + Default>(message: &M) -> M {
    let mut value = Value::Message(dynamic(message));
    clean(&mut value);
    value
        .as_message()
        .and_then(|message| message.transcode_to().ok())
        .expect("a cleaned message keeps its type")
}

/// Escapes what a terminal would obey in a JSON text; it can stand inside of strings only.
pub(crate) fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for character in json.chars() {
        if character != '\n' && text::acts(character) {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(character);
        }
    }
    out
}

fn dynamic<M: Name>(message: &M) -> DynamicMessage {
    let descriptor = POOL
        .get_message_by_name(&M::full_name())
        .expect("every generated message is in the descriptors");
    let mut dynamic = DynamicMessage::new(descriptor);
    dynamic
        .transcode_from(message)
        .expect("a message matches its own descriptor");
    dynamic
}

fn clean(value: &mut Value) {
    match value {
        Value::String(string) => *string = text::harmless(string),
        Value::Message(message) => message.fields_mut().for_each(|(_, value)| clean(value)),
        Value::List(values) => values.iter_mut().for_each(clean),
        Value::Map(entries) => {
            *entries = std::mem::take(entries)
                .into_iter()
                .map(|(key, mut value)| {
                    clean(&mut value);
                    (clean_key(key), value)
                })
                .collect();
        }
        _ => {}
    }
}

fn clean_key(key: MapKey) -> MapKey {
    match key {
        MapKey::String(string) => MapKey::String(text::harmless(&string)),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use pawl_proto::v1::{Citation, Claim, Draft, Outcome, Verdict};

    use super::*;

    #[test]
    fn every_field_without_presence_is_written() {
        let outcome = Outcome {
            verdict: Verdict::Accepted.into(),
            ..Outcome::default()
        };
        insta::assert_snapshot!(from_message(&outcome), @r#"{"agreements":[],"assertion":"","conflicts":[],"corroborated":false,"findings":[],"remedies":[],"verdict":"VERDICT_ACCEPTED","warnings":[]}"#);
    }

    #[test]
    fn texts_at_any_depth_are_made_harmless() {
        let hostile = "x\u{1b}y".to_owned();
        let draft = Draft {
            content: hostile.clone(),
            citations: vec![Citation {
                quote: hostile.clone(),
                ..Citation::default()
            }],
            claim: Some(Claim {
                qualifiers: [(hostile.clone(), hostile)].into(),
                ..Claim::default()
            }),
            confidence: Some(0.5),
            ..Draft::default()
        };
        let clean = harmless(&draft);
        assert!(!format!("{clean:?}").contains("\\u{1b}"), "{clean:?}");
        assert_eq!(clean.content, "x?y");
        assert_eq!(clean.confidence, Some(0.5));
    }

    #[test]
    fn json_shows_what_a_terminal_would_obey() {
        let json = serde_json::json!({"a": "\u{1b}\u{9b}\u{202e}\u{e0041}中"}).to_string();
        let shown = escaped(&json);
        assert_eq!(shown, "{\"a\":\"\\u001b\\u009b\\u202e\\udb40\\udc41中\"}");
        let back: serde_json::Value = serde_json::from_str(&shown).expect("still JSON");
        assert_eq!(back["a"], "\u{1b}\u{9b}\u{202e}\u{e0041}中");
    }
}
