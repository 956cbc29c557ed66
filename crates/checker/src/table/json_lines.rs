//! Rows of one JSON object a line. Numbers stay the text they were written as.

use serde_json::value::RawValue;

use super::{Problem, Reader};
use crate::raw_json::{Opened, open};

pub(super) fn read(text: &str, reader: &mut Reader<'_>) {
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let cells = match cells(line) {
            Ok(cells) => cells,
            Err((column, value, what)) => {
                reader
                    .problems
                    .add(Problem::new(number, &column, &value, &what));
                continue;
            }
        };
        let cells = cells
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()));
        if !reader.add(number, cells) {
            return;
        }
    }
}

type Cells = Vec<(String, String)>;
type Wrong = (String, String, String);

pub(super) fn cells(line: &str) -> Result<Cells, Wrong> {
    let whole = |what: String| (String::new(), String::new(), what);
    let no_json = |error: serde_json::Error| {
        whole(format!(
            "the line is no JSON: {error}; give one object a line"
        ))
    };
    let value: &RawValue = serde_json::from_str(line).map_err(no_json)?;
    let members = match open(value).map_err(no_json)? {
        Opened::Object(members) => members,
        other => {
            let kind = other.kind();
            return Err(whole(format!("the line is of type {kind}; give an object")));
        }
    };
    let mut cells: Cells = Vec::with_capacity(members.len());
    for (name, value) in members {
        let shown = || (name.clone(), value.get().to_owned());
        let text = match open(value).map_err(no_json)? {
            Opened::Text(text) => text,
            Opened::Number(number) => number.to_owned(),
            Opened::Boolean(truth) => truth.to_string(),
            Opened::Null => continue,
            Opened::Object(_) | Opened::Array(_) => {
                let (name, value) = shown();
                let what = "give a string, a number, true, false or null".to_owned();
                return Err((name, value, what));
            }
        };
        if cells.iter().any(|(other, _)| *other == name) {
            let (name, value) = shown();
            return Err((
                name,
                value,
                "the name stands twice; give it once".to_owned(),
            ));
        }
        cells.push((name, text));
    }
    Ok(cells)
}
