//! What goes wrong on the way to a server: any call, with anything in it.

use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, Value};
use tonic::Status;

use crate::{people::Person, texts::noise};

/// How deep a made-up message goes.
const DEPTH: usize = 4;
/// Calls that would take the world away from under everybody else.
const LEFT_ALONE: &[&str] = &[
    "BoardService/DeclarePhases",
    "BoardService/EnterPhase",
    "BoardService/RevokeRole",
    "IdentityService/RevokeToken",
    "TableService/DeclareAuthority",
    "UpkeepService/ArchiveBoard",
    "UpkeepService/DeleteBoard",
    "UpkeepService/SetQuotas",
];

/// Calls something at random with a made-up message.
pub(super) async fn mistake(person: &mut Person) -> Result<(), Status> {
    let names: Vec<String> = person.wire.methods.keys().cloned().collect();
    let name = &names[person.rng.usize(0..names.len())];
    if LEFT_ALONE.contains(&name.as_str()) {
        return Ok(());
    }
    let method = person.wire.methods[name].clone();
    let many = if method.is_client_streaming() {
        person.rng.usize(0..4)
    } else {
        1
    };
    let sent = (0..many)
        .map(|_| made_up(person, &method.input(), DEPTH))
        .collect();
    // What was made up may well be right: both ends count.
    person.send(name, sent, 2).await?;
    Ok(())
}

fn made_up(person: &mut Person, descriptor: &MessageDescriptor, depth: usize) -> DynamicMessage {
    let mut message = DynamicMessage::new(descriptor.clone());
    for field in descriptor.fields() {
        // A name of a board that exists leads further in.
        if field.name() == "board" && person.rng.u32(0..4) > 0 {
            message.set_field(&field, Value::String(person.board()));
        } else if person.rng.u32(0..3) > 0 {
            let value = value(person, &field, depth);
            if let Some(value) = value {
                message.set_field(&field, value);
            }
        }
    }
    message
}

fn value(person: &mut Person, field: &FieldDescriptor, depth: usize) -> Option<Value> {
    if field.is_map() || depth == 0 {
        return None;
    }
    if field.is_list() {
        let many = person.rng.usize(0..3);
        let values = (0..many).filter_map(|_| scalar(person, &field.kind(), depth));
        return Some(Value::List(values.collect()));
    }
    scalar(person, &field.kind(), depth)
}

fn scalar(person: &mut Person, kind: &Kind, depth: usize) -> Option<Value> {
    let number = [0, 1, 2, 77, u64::from(u32::MAX), u64::MAX][person.rng.usize(0..6)];
    Some(match kind {
        Kind::String => Value::String(text(person)),
        Kind::Bytes => Value::Bytes(noise(&mut person.rng).into_bytes().into()),
        Kind::Bool => Value::Bool(person.rng.bool()),
        Kind::Uint32 | Kind::Fixed32 => Value::U32(number as u32),
        Kind::Uint64 | Kind::Fixed64 => Value::U64(number),
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => Value::I32(number as i32),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => Value::I64(number as i64),
        Kind::Double => {
            Value::F64([0.0, -1.0, 0.5, 2.0, f64::NAN, f64::INFINITY][person.rng.usize(0..6)])
        }
        Kind::Float => Value::F32(0.5),
        Kind::Enum(_) => Value::EnumNumber((number % 9) as i32),
        Kind::Message(message) => Value::Message(made_up(person, message, depth - 1)),
    })
}

/// A text that could be a name of something, or noise.
fn text(person: &mut Person) -> String {
    let number = person.rng.u32(1..40);
    match person.rng.u32(0..8) {
        0 => format!("a{number}@1"),
        1 => format!("c{number}"),
        2 => format!("f{number}"),
        3 => person.module().to_owned(),
        4 => format!("person-{}", number % 20),
        5 => "0123456789abcdef".repeat(4),
        _ => noise(&mut person.rng),
    }
}
