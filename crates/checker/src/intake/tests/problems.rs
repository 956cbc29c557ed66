//! What is said of documents that are wrong.

use serde_json::{Value, json};

use super::super::*;
use super::{document, read};

/// Checks the place and the message of each problem.
#[track_caller]
fn check(text: &str, expected: &[(&str, &str)]) {
    let problems = read(text).expect_err("must be refused");
    let told: Vec<_> = problems
        .all()
        .iter()
        .map(|it| (it.pointer.as_str(), it.message.as_str()))
        .collect();
    assert_eq!(told, expected);
}

#[test]
fn all_problems_are_told_at_once() {
    let text = r#"{"assertions": [
        {"content": "", "source": "s1", "qoute": "x", "confidence": "high"},
        {"content": "Fine.", "source": "s1", "quote": "Fine.", "confidence": 1.5, "level": 9, "tags": [1, "a", null]}
    ]}"#;
    check(
        text,
        &[
            (
                "/assertions/0/qoute",
                "the field `qoute` is not known; did you mean `quote`?",
            ),
            (
                "/assertions/0/content",
                "the text says nothing; write it, or leave the field out if it may be",
            ),
            (
                "/assertions/0/confidence",
                "this is of the wrong type: `string`",
            ),
            ("/assertions/0", "the field `quote` is missing; add it"),
            (
                "/assertions/1/level",
                "the number is not one of those allowed",
            ),
            (
                "/assertions/1/confidence",
                "the confidence is out of range; 1 is certain, 0.5 is even",
            ),
            (
                "/assertions/1/tags/0",
                "this is of the wrong type: `number`",
            ),
            (
                "/assertions/1/tags/2",
                "the field has no value; leave it out, or give one",
            ),
        ],
    );
    let problems = read(text).unwrap_err();
    assert_eq!(
        serde_json::to_value(&problems).unwrap()[2],
        json!({
            "pointer": "/assertions/0/confidence",
            "message": "this is of the wrong type: `string`",
            "expected": "number",
            "got": "\"high\"",
        })
    );
    assert!(problems.to_string().contains("at `/assertions/1/level`: the number is not one of those allowed (expected a whole number from 1 to 3; got `9`)"));
}

#[test]
fn what_is_no_object_is_told_how_to_become_one() {
    check("", &[("", "the document is empty")]);
    check(
        "```json\n{\"assertions\": []}\n```",
        &[("", "the object stands in a code fence; leave the fence out")],
    );
    check(
        "Here you are: {\"assertions\": []}",
        &[("", "text stands before the object; leave it out")],
    );
    check(
        "{\"assertions\": []} Done.",
        &[("", "text stands after the object; leave it out")],
    );
    // White space to Unicode, and none to JSON.
    check(
        "{\"assertions\": []}\u{a0}\n",
        &[("", "text stands after the object; leave it out")],
    );
    check("I could not find any.", &[("", "this is no JSON")]);
    check(
        "{\"assertions\": [",
        &[(
            "",
            "the object ends too early, at line 1, column 16; complete it",
        )],
    );
    check("[]", &[("", "this is of the wrong type: `array`")]);
    let with = |value: &str| document(&json!({})).replace("0.9", value);
    let told = |text: &str| read(text).unwrap_err().all()[0].message.clone();
    assert!(
        told(&with("NaN")).contains("no JSON numbers"),
        "{}",
        told(&with("NaN"))
    );
    assert!(told(&with("Infinity")).contains("no JSON numbers"));
    assert!(told(&with("None")).contains("leave out a field"));
    assert!(
        told(&with("0.9,}")).contains("leave out the comma"),
        "{}",
        told(&with("0.9,}"))
    );
    assert!(told(&with("'high'")).contains("straight double quotes"));
    let bytes = parse(b"{\"\xff", &Limits::default()).unwrap_err();
    assert!(
        bytes.all()[0]
            .message
            .contains("not valid utf-8 from byte `2`")
    );
    let long = parse(
        b"{}",
        &Limits {
            bytes: 1,
            ..Limits::default()
        },
    )
    .unwrap_err();
    assert_eq!(long.all()[0].got, "2 bytes");
}

#[test]
fn a_name_that_stands_twice_is_refused() {
    let text = document(&json!({})).replace(
        "\"confidence\":0.9",
        "\"confidence\":0.9,\"confidence\":0.1",
    );
    check(
        &text,
        &[(
            "/assertions/0/confidence",
            "the field `confidence` stands twice; keep one",
        )],
    );
}

#[test]
fn an_object_of_very_many_names_is_read_in_a_time_that_grows_with_its_length() {
    let begin = std::time::Instant::now();
    let members: Vec<String> = (0..300_000)
        .map(|number| format!("\"k{number}\":1"))
        .collect();
    let names = format!("{{{}}}", members.join(","));
    let problems = read(&names).unwrap_err();
    assert_eq!(problems.all().len(), 100);
    let last = &problems.all()[99].message;
    assert!(
        last.ends_with("; and 299901 more problems after this one"),
        "{last}"
    );
    let item = format!(r#"{{"assertions": [{{"claim": {{"qualifiers": {names}}}}}, {names}]}}"#);
    let twice = item.replace("k2", "k1");
    let limits = Limits {
        bytes: twice.len(),
        ..Limits::default()
    };
    let problems = parse(twice.as_bytes(), &limits).unwrap_err();
    assert_eq!(problems.all().len(), 100);
    // Looking through all names for each name takes minutes.
    let taken = begin.elapsed();
    assert!(taken.as_secs() < 30, "{taken:?}");
}

#[test]
fn a_name_as_long_as_a_document_is_like_no_field() {
    let name = "x".repeat(1 << 20);
    let problems = read(&json!({ name: 1 }).to_string()).unwrap_err();
    assert!(
        problems.all()[0]
            .message
            .ends_with("is not known; leave it out")
    );
}

#[test]
fn half_a_surrogate_pair_is_no_character() {
    let text = document(&json!({})).replace("Revenue", "\\ud800");
    assert!(
        read(&text).unwrap_err().all()[0]
            .message
            .contains("escapes that are no characters")
    );
}

#[test]
fn the_limits_passed_in_hold() {
    let limits = Limits {
        assertions: 1,
        ..Limits::default()
    };
    let two = json!({"assertions": [{}, {}]}).to_string();
    let problems = parse(two.as_bytes(), &limits).unwrap_err();
    assert_eq!(
        (
            problems.all()[0].pointer.as_str(),
            problems.all()[0].got.as_str()
        ),
        ("/assertions", "2 members")
    );
}

#[test]
fn no_more_problems_are_told_than_help() {
    let wrong: Vec<Value> = (0..64).map(|_| json!({"a": 1, "b": 2})).collect();
    let problems = read(&json!({ "assertions": wrong }).to_string()).unwrap_err();
    assert_eq!(problems.all().len(), 100);
    assert!(
        problems.all()[99]
            .message
            .ends_with("; and 220 more problems after this one"),
        "{:?}",
        problems.all()[99]
    );
}
