//! What holds of every document.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::*;
use super::{document, read, validator};

/// Any JSON value, with the names of fields among its names.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (0_u8..5).prop_map(Value::from),
        "[a-c0-9@./\\- ]{0,6}".prop_map(Value::from),
    ];
    let name = prop_oneof![
        Just("assertions"),
        Just("content"),
        Just("source"),
        Just("quote"),
        Just("confidence"),
        Just("claim"),
        Just("value"),
        Just("decimal"),
        Just("range"),
        Just("low"),
        Just("locator"),
        Just("line"),
        Just("first"),
        Just("level"),
        Just("supports"),
        Just("citations"),
        Just("x"),
    ];
    leaf.prop_recursive(5, 40, 6, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(name.clone().prop_map(ToOwned::to_owned), inner, 0..6)
                .prop_map(|members| members.into_iter().collect()),
        ]
    })
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), text in any::<String>()) {
        let _ = parse(&bytes, &Limits::default());
        let _ = read(&text);
        let _ = read(&format!("{{\"assertions\":[{text}"));
    }

    #[test]
    fn what_the_schema_refuses_the_parser_refuses(document in any_json()) {
        let wrapped = json!({ "assertions": [document.clone()] });
        let validator = validator();
        for document in [document, wrapped] {
            match read(&document.to_string()) {
                Ok(_) => prop_assert!(validator.is_valid(&document), "{document}"),
                Err(problems) => prop_assert!(!problems.all().is_empty()),
            }
        }
    }

    #[test]
    fn changing_one_field_of_a_good_document_keeps_the_two_together(
        (field, value) in (prop_oneof![
            Just("content"), Just("source"), Just("quote"), Just("confidence"), Just("claim"), Just("locator"),
            Just("level"), Just("supports"), Just("citations"), Just("valid_to"), Just("replaces"),
        ], any_json()),
    ) {
        let text = document(&json!({ field: value }));
        let valid = validator().is_valid(&serde_json::from_str::<Value>(&text).unwrap());
        prop_assert!(valid || read(&text).is_err(), "{}", text);
    }
}
