//! The structured part of an assertion, as it is handed in.

use std::collections::BTreeMap;

use pawl_ledger::claim::{Claim, ClaimValue};

use super::citation::one_of;
use super::item::optional_name;
use super::reader::{Fields, Node, Reader};

const VALUES: &[&str] = &["decimal", "text", "boolean", "date", "range", "enum"];

/// Reads a claim.
pub(super) fn read(reader: &mut Reader, node: &Node<'_>) -> Option<Claim> {
    let fields = reader.object(node, &["subject", "attribute", "value", "qualifiers"])?;
    let subject = name(reader, &fields, "subject", "what the claim is about");
    let attribute = name(reader, &fields, "attribute", "what of it the value is");
    let value = fields.required(
        reader,
        "value",
        "an object such as `{\"decimal\": {\"value\": \"45\", \"unit\": \"%\"}}`",
    );
    let value = value.and_then(|node| self::value(reader, &node));
    let qualifiers = fields
        .optional("qualifiers")
        .map_or_else(BTreeMap::new, |node| qualifiers(reader, &node));
    Some(Claim {
        subject: subject?,
        attribute: attribute?,
        value: value?,
        qualifiers,
    })
}

/// Reads a date of any precision that is in the calendar.
pub(super) fn date(reader: &mut Reader, node: &Node<'_>) -> Option<String> {
    let text = reader.name(node)?;
    if !is_date(&text) {
        reader.note(
            &node.pointer,
            "this is no date",
            "`2024`, `2024-06` or `2024-06-30`",
            &text,
        );
        return None;
    }
    Some(text)
}

fn is_date(text: &str) -> bool {
    let rest = match text.len() {
        4 => "-01-01",
        7 => "-01",
        10 => "",
        _ => return false,
    };
    let plain = text.bytes().enumerate().all(|(place, byte)| match place {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    plain && format!("{text}{rest}").parse::<jiff::civil::Date>().is_ok()
}

fn name(reader: &mut Reader, fields: &Fields<'_>, name: &str, expected: &str) -> Option<String> {
    let node = fields.required(reader, name, expected)?;
    reader.name(&node)
}

fn value(reader: &mut Reader, node: &Node<'_>) -> Option<ClaimValue> {
    let (kind, inner) = one_of(reader, node, VALUES)?;
    let limits = reader.limits;
    match kind.as_str() {
        "decimal" => decimal(reader, &inner),
        "text" => reader.text(&inner, limits.content).map(ClaimValue::Text),
        "boolean" => reader.boolean(&inner).map(ClaimValue::Boolean),
        "date" => date(reader, &inner).map(ClaimValue::Date),
        "range" => range(reader, &inner),
        _ => reader.name(&inner).map(ClaimValue::Enum),
    }
}

fn decimal(reader: &mut Reader, node: &Node<'_>) -> Option<ClaimValue> {
    let fields = reader.object(node, &["value", "unit"])?;
    let value = fields.required(reader, "value", "the number");
    let value = value.and_then(|node| reader.decimal(&node));
    let unit = unit(reader, &fields);
    Some(ClaimValue::Decimal {
        value: value?,
        unit,
    })
}

fn range(reader: &mut Reader, node: &Node<'_>) -> Option<ClaimValue> {
    let fields = reader.object(node, &["low", "high", "unit"])?;
    let mut end = |name: &str| fields.optional(name).map(|node| reader.decimal(&node));
    let (low, high) = (end("low"), end("high"));
    let unit = unit(reader, &fields);
    if low.is_none() && high.is_none() {
        reader.note(
            &node.pointer,
            "a range has an end at least",
            "`low`, `high` or both",
            node.value.get(),
        );
        return None;
    }
    let (low, high) = (low.flatten(), high.flatten());
    if let (Some(low), Some(high)) = (low, high)
        && low > high
    {
        let message = format!("the range from `{low}` to `{high}` is empty");
        reader.note(
            &node.pointer,
            message,
            "`low` not over `high`",
            node.value.get(),
        );
        return None;
    }
    Some(ClaimValue::Range { low, high, unit })
}

fn unit(reader: &mut Reader, fields: &Fields<'_>) -> Option<String> {
    optional_name(reader, fields, "unit")
}

fn qualifiers(reader: &mut Reader, node: &Node<'_>) -> BTreeMap<String, String> {
    let (list, most) = (reader.limits.list, reader.limits.name);
    let members = reader.members(node).unwrap_or_default();
    if members.len() > list {
        let got = format!("{} qualifiers", members.len());
        reader.note(
            &node.pointer,
            "there are too many qualifiers",
            format!("at most {list}"),
            &got,
        );
        return BTreeMap::new();
    }
    let mut qualifiers = BTreeMap::new();
    for (name, value) in members {
        let pointer = crate::raw_json::pointer(&node.pointer, &name);
        let accepted = crate::hygiene::accept(&name, most).map(|accepted| accepted.text);
        let accepted = accepted
            .ok()
            .filter(|name| !name.trim().is_empty() && !name.contains(['\n', '\t']));
        if accepted.is_none() {
            let expected = format!("a name of 1 to {most} characters");
            reader.note(&pointer, "this is no name of a qualifier", expected, &name);
        }
        let text = reader.name(&Node {
            pointer: pointer.clone(),
            value,
        });
        if let (Some(accepted), Some(text)) = (accepted, text)
            && qualifiers.insert(accepted, text).is_some()
        {
            let message =
                "the name differs from another one in invisible characters alone; keep one";
            reader.note(&pointer, message, "each qualifier once", &name);
        }
    }
    qualifiers
}
