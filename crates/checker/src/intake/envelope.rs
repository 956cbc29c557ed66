//! Takes a document as the one JSON object it must be, and says how to mend one that is not.

use serde_json::value::RawValue;

use super::Limits;
use super::problem::{Problem, Problems};
use crate::hygiene::decode;

const EXPECTED: &str = "one JSON object `{\"assertions\": [...]}` and nothing around it";

/// Checks encoding, length and syntax.
pub(super) fn open<'bytes>(
    bytes: &'bytes [u8],
    limits: &Limits,
) -> Result<&'bytes RawValue, Problems> {
    if bytes.len() > limits.bytes {
        let message = "the document is too long; hand it in in parts";
        let expected = format!("at most {} bytes", limits.bytes);
        return Err(Problem::new("", message, expected, &format!("{} bytes", bytes.len())).into());
    }
    let text = decode(bytes)
        .map_err(|error| Problem::new("", error.to_string(), EXPECTED, "other bytes"))?;
    // Only what JSON calls white space (RFC 8259, section 2) may stand around the object.
    let text = text.trim_matches([' ', '\t', '\n', '\r']);
    serde_json::from_str(text).map_err(|error| mend(text, &error).into())
}

/// Says what is likely wrong with text that is no JSON.
fn mend(text: &str, error: &serde_json::Error) -> Problem {
    let problem = |message: String, got: &str| Problem::new("", message, EXPECTED, got);
    if text.is_empty() {
        return problem("the document is empty".to_owned(), "");
    }
    if text.starts_with("```") {
        return problem(
            "the object stands in a code fence; leave the fence out".to_owned(),
            text,
        );
    }
    if !text.starts_with(['{', '[']) {
        return match text.find('{') {
            Some(start) => {
                let before = text.get(..start).unwrap_or_default().trim_end();
                problem(
                    "text stands before the object; leave it out".to_owned(),
                    before,
                )
            }
            None => problem("this is no JSON".to_owned(), text),
        };
    }
    let rest = rest_at(text, error.line(), error.column());
    let (line, column) = (error.line(), error.column());
    if error.is_eof() {
        let end = text
            .get(text.len().saturating_sub(40)..)
            .unwrap_or_default();
        return problem(
            format!("the object ends too early, at line {line}, column {column}; complete it"),
            end,
        );
    }
    if error.to_string().starts_with("trailing characters") {
        // White space to Unicode and none to JSON would not be seen.
        let unseen = rest.trim().is_empty().then(|| rest.escape_debug());
        return problem(
            "text stands after the object; leave it out".to_owned(),
            &unseen.map_or_else(|| rest.to_owned(), |escaped| escaped.to_string()),
        );
    }
    let hint = hint(rest).map_or(String::new(), |hint| format!("; {hint}"));
    problem(
        format!("this is no JSON from line {line}, column {column} on{hint}"),
        rest,
    )
}

/// What stands at the place an error names; both counts start at one, the column in bytes.
fn rest_at(text: &str, line: usize, column: usize) -> &str {
    let mut start = 0;
    for _ in 1..line {
        let rest = text.get(start..).unwrap_or_default();
        start += rest.find('\n').map_or(rest.len(), |end| end + 1);
    }
    let mut place = (start + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    text.get(place..).unwrap_or_default()
}

/// How to write what other notations write like this.
fn hint(rest: &str) -> Option<&'static str> {
    let number = ["NaN", "aN", "Infinity", "nfinity", "Inf", "inf"];
    if number.iter().any(|name| rest.starts_with(name)) {
        return Some(
            "`NaN` and `Infinity` are no JSON numbers; give a finite one or leave the field out",
        );
    }
    match rest.chars().next()? {
        'T' | 'F' => Some("write `true` and `false` in lower case"),
        'N' | 'u' => Some("leave out a field that has no value"),
        '\'' | '“' | '”' | '‘' | '’' => Some("write strings in straight double quotes"),
        '}' | ']' => Some("leave out the comma before it"),
        '/' | '#' => Some("JSON has no comments"),
        '\n' | '\t' | '\r' => Some("write line breaks and tabs inside strings as `\\n` and `\\t`"),
        _ => None,
    }
}
