//! The parser beside the published schema, and what it says of documents that are wrong.

mod problems;
mod properties;

use pawl_ledger::claim::ClaimValue;
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::{Value, json};

use super::*;

/// One line of the table of documents.
#[derive(Deserialize)]
struct Case {
    name: String,
    schema: bool,
    parser: bool,
    document: Value,
}

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("../../../../fixtures/intake/cases.json")).unwrap()
}

fn read(text: &str) -> Result<Intake, Problems> {
    parse(text.as_bytes(), &Limits::default())
}

fn validator() -> jsonschema::Validator {
    jsonschema::validator_for(&serde_json::from_str(schema()).unwrap()).unwrap()
}

/// A document of one good assertion with some fields changed.
fn document(changes: &Value) -> String {
    let mut item = json!({"content": "Revenue grew 45%.", "source": "s1", "quote": "grew by 45%", "confidence": 0.9});
    for (name, value) in changes.as_object().unwrap() {
        item[name] = value.clone();
    }
    json!({ "assertions": [item] }).to_string()
}

#[test]
fn the_parser_and_the_published_schema_agree() {
    let validator = validator();
    for Case {
        name,
        schema,
        parser,
        document,
    } in cases()
    {
        assert_eq!(
            validator.is_valid(&document),
            schema,
            "the schema on: {name}"
        );
        let read = read(&document.to_string());
        assert_eq!(read.is_ok(), parser, "the parser on: {name}: {read:?}");
        assert!(
            schema || !parser,
            "the table lets the parser accept what the schema refuses: {name}"
        );
    }
}

#[test]
fn one_assertion_too_many_is_refused_by_both() {
    let validator = validator();
    let check = |assertions: usize, accepted: bool| {
        let item = json!({"content": "It grew.", "source": "s1", "quote": "grew", "confidence": 1});
        let document = json!({ "assertions": vec![item; assertions] });
        assert_eq!(
            validator.is_valid(&document),
            accepted,
            "the schema on {assertions}"
        );
        let read = read(&document.to_string());
        assert_eq!(read.is_ok(), accepted, "the parser on {assertions}");
    };
    check(Limits::default().assertions, true);
    check(Limits::default().assertions + 1, false);
}

#[test]
fn the_schema_states_the_limits_of_the_parser() {
    let schema: Value = serde_json::from_str(schema()).unwrap();
    let limits = Limits::default();
    let figure = |pointer: &str| {
        usize::try_from(schema.pointer(pointer).unwrap().as_u64().unwrap()).unwrap()
    };
    assert_eq!(figure("/properties/assertions/maxItems"), limits.assertions);
    assert_eq!(figure("/$defs/content/maxLength"), limits.content);
    assert_eq!(
        figure("/$defs/assertion/properties/rationale/maxLength"),
        limits.rationale
    );
    assert_eq!(figure("/$defs/quote/maxLength"), limits.quote);
    assert_eq!(figure("/$defs/name/maxLength"), limits.name);
    assert_eq!(
        figure("/$defs/assertion/properties/tags/maxItems"),
        limits.list
    );
}

#[test]
fn a_whole_item_is_read_as_it_was_written() {
    let whole = cases()
        .into_iter()
        .find(|case| case.name == "everything")
        .unwrap();
    let intake = read(&whole.document.to_string()).unwrap();
    let item = &intake.items[0];
    assert_eq!(item.content, "Revenue grew 45%.");
    assert_eq!(
        (
            item.citations[0].quote.prefix(),
            item.citations[0].quote.suffix()
        ),
        ("revenue ", " in 2023")
    );
    assert_eq!(
        item.citations[0].locator,
        Some(crate::quote::Locator::Line { first: 2, last: 3 })
    );
    assert_eq!(item.confidence.ten_thousandths(), 9_000);
    assert_eq!(
        item.supports,
        [RevisionName {
            assertion: 3,
            revision: 1
        }]
    );
    assert_eq!(
        item.replaces.map(|name| name.to_string()).as_deref(),
        Some("a4@2")
    );
    assert_eq!(
        (item.valid_from.as_deref(), item.valid_to.as_deref()),
        (Some("2023"), Some("2023-12-31"))
    );
    let claim = item.claim.as_ref().unwrap();
    assert_eq!(
        claim.value,
        ClaimValue::Decimal {
            value: Decimal::new(4550, 2),
            unit: Some("%".to_owned())
        }
    );
    assert_eq!(claim.qualifiers["period"], "2023");
    assert!(intake.notices.is_empty());
}

#[test]
fn decimals_are_read_digit_by_digit() {
    let value = |written: &str| {
        let claim = json!({"subject": "a", "attribute": "b", "value": {"decimal": {"value": 777}}});
        let text = document(&json!({ "claim": claim })).replace("777", written);
        read(&text).ok().map(
            |intake| match &intake.items[0].claim.as_ref().unwrap().value {
                ClaimValue::Decimal { value, .. } => value.to_string(),
                other => panic!("{other:?}"),
            },
        )
    };
    for (written, expected) in [
        ("0.1", Some("0.1")),
        ("\"0.10\"", Some("0.10")),
        ("9007199254740993", Some("9007199254740993")),
        (
            "0.1000000000000000055511151231",
            Some("0.1000000000000000055511151231"),
        ),
        ("1.5e3", Some("1500")),
        ("1.5E-3", Some("0.0015")),
        ("-0", Some("0")),
        ("0e2000000000", Some("0")),
        ("0e-400", Some("0")),
        ("1e400", None),
        ("1e-400", None),
        ("1e99999999999", None),
        ("0.12345678901234567890123456789", None),
    ] {
        assert_eq!(value(written).as_deref(), expected, "{written}");
    }
}

#[test]
fn what_hides_in_a_text_is_taken_out_and_said_but_quotes_stay() {
    let intake = read(&document(
        &json!({"content": "a\u{200b}b", "quote": "c\u{200b}d"}),
    ))
    .unwrap();
    assert_eq!(intake.items[0].content, "ab");
    assert_eq!(intake.items[0].citations[0].quote.exact(), "c\u{200b}d");
    assert_eq!(intake.notices.len(), 1);
    assert_eq!(intake.notices[0].pointer, "/assertions/0/content");
}

#[test]
fn what_hides_in_the_name_of_a_qualifier_is_taken_out() {
    let with = |qualifiers: Value| {
        let value = json!({"boolean": true});
        let claim =
            json!({"subject": "a", "attribute": "b", "value": value, "qualifiers": qualifiers});
        read(&document(&json!({ "claim": claim })))
    };
    let intake = with(json!({"per\u{200b}iod": "2023"})).unwrap();
    let claim = intake.items[0].claim.as_ref().unwrap();
    assert_eq!(claim.qualifiers["period"], "2023");
    assert!(with(json!({"per\u{200b}iod": "2023", "period": "2024"})).is_err());
    assert!(with(json!({"\u{200b}": "2023"})).is_err());
}
