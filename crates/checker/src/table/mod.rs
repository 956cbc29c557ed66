//! Reference tables: rows of subject, attribute and value that a board takes as given.
//!
//! `read` takes bytes apart and checks every row, without knowing a board; `value` gives each row
//! the type its attribute is declared with; `agreement` finds rows that exclude each other; `index`
//! finds the rows that a statement could be about, and `judge` compares it with one.

mod agreement;
mod comma_separated;
mod index;
mod json_lines;
mod judge;
mod names;
mod problem;
mod sentence;
#[cfg(test)]
mod tests;
mod value;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use agreement::check;
pub use index::TableIndex;
pub use judge::{Judged, judge_row};
pub use names::Columns;
pub use problem::{MAX_TOLD, Problem, TableError};
pub use sentence::sentence;
pub use value::typed;

use crate::hygiene;

/// The most characters of a cell.
const MAX_CELL: usize = 512;

/// The form of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values with a header line (RFC 4180).
    Csv,
    /// One JSON object a line.
    JsonLines,
}

/// A row as it stands in its source: texts, not yet values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The line it begins on, from 1.
    pub line: u32,
    /// What it is about.
    pub subject: String,
    /// The attribute it gives a value to.
    pub attribute: String,
    /// The value as written.
    pub value: String,
    /// The unit as written; empty for none.
    pub unit: String,
    /// From when it holds; empty for always.
    pub valid_from: String,
    /// Until when it holds; empty for always.
    pub valid_to: String,
    /// Who vouches for it; empty where the table does not say.
    pub authority: String,
    /// What the value holds for.
    pub qualifiers: BTreeMap<String, String>,
}

/// Reads the rows of a table. All of them are good, or none is given.
///
/// Accepts at most `most` rows. A byte order mark is passed over, and lines may end in CRLF.
pub fn read(
    bytes: &[u8],
    format: Format,
    columns: &Columns,
    most: u32,
) -> Result<Vec<Row>, TableError> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let text = match hygiene::decode(bytes) {
        Ok(text) => text,
        Err(error) => {
            let before = bytes.get(..error_place(&error)).unwrap_or_default();
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            return Err(Problem::new(line, "", "", &error.to_string()).into());
        }
    };
    let mut reader = Reader {
        columns,
        most,
        rows: Vec::new(),
        problems: TableError::default(),
    };
    match format {
        Format::Csv => comma_separated::read(text, &mut reader),
        Format::JsonLines => json_lines::read(text, &mut reader),
    }
    if reader.rows.is_empty() && reader.problems.is_empty() {
        let what = "the table has no rows; give at least one below the header";
        reader.problems.add(Problem::new(1, "", "", what));
    }
    if reader.problems.is_empty() {
        Ok(reader.rows)
    } else {
        Err(reader.problems)
    }
}

/// Reads the answer of an authority about an attribute of a subject: one JSON object with `value`
/// and, if need be, `unit`, `valid_from`, `valid_to`, `authority`; `as_of` is passed over, any other
/// member is a qualifier.
pub fn answer(subject: &str, attribute: &str, body: &[u8]) -> Result<Row, TableError> {
    let whole = |what: String| TableError::from(Problem::new(1, "", "", &what));
    let text = hygiene::decode(body).map_err(|error| whole(error.to_string()))?;
    let cells = json_lines::cells(text)
        .map_err(|(column, value, what)| Problem::new(1, &column, &value, &what))?;
    let columns = Columns::default();
    let mut reader = Reader {
        columns: &columns,
        most: 1,
        rows: Vec::new(),
        problems: TableError::default(),
    };
    let said = cells
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .filter(|(name, _)| !matches!(*name, "subject" | "attribute" | "as_of"));
    reader.add(
        0,
        [("subject", subject), ("attribute", attribute)]
            .into_iter()
            .chain(said),
    );
    match (reader.rows.pop(), reader.problems.is_empty()) {
        (Some(row), true) => Ok(row),
        _ => Err(reader.problems),
    }
}

/// The digest of rows as they were understood.
pub fn digest(rows: &[Row]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key("pawl table rows v1");
    for row in rows {
        let written = serde_json::to_vec(row).expect("a row holds texts and a number only");
        hasher.update(&written).update(b"\n");
    }
    *hasher.finalize().as_bytes()
}

fn error_place(error: &hygiene::HygieneError) -> usize {
    match error {
        hygiene::HygieneError::Encoding(byte) => *byte,
        _ => 0,
    }
}

/// What the readers of both formats fill.
struct Reader<'a> {
    columns: &'a Columns,
    most: u32,
    rows: Vec<Row>,
    problems: TableError,
}

impl Reader<'_> {
    /// Takes the cells of one row; says whether to go on.
    fn add<'cell>(
        &mut self,
        line: usize,
        cells: impl Iterator<Item = (&'cell str, &'cell str)>,
    ) -> bool {
        if self.rows.len() >= usize::try_from(self.most).unwrap_or(usize::MAX) {
            let what = format!("a table has at most {} rows; leave rows out", self.most);
            self.problems.add(Problem::new(line, "", "", &what));
            return false;
        }
        let mut row = Row {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            ..Row::default()
        };
        for (name, text) in cells {
            match self.accepted(line, name, text) {
                Ok(text) => *self.columns.place(name, &mut row) = text,
                Err(problem) => self.problems.add(problem),
            }
        }
        row.qualifiers.retain(|_, value| !value.is_empty());
        self.columns.check_row(&row, &mut self.problems);
        self.rows.push(row);
        true
    }

    fn accepted(&self, line: usize, name: &str, text: &str) -> Result<String, Problem> {
        let wrong = |what: String| Problem::new(line, name, text, &what);
        match hygiene::accept(text.trim(), MAX_CELL) {
            Ok(accepted) if accepted.stripped.is_empty() => Ok(accepted.text),
            Ok(accepted) => Err(wrong(format!(
                "the cell has invisible characters, {} for example; take them out",
                accepted
                    .stripped
                    .first()
                    .map(ToString::to_string)
                    .unwrap_or_default()
            ))),
            Err(error) => Err(wrong(error.to_string())),
        }
    }
}
