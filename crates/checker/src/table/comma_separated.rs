//! Rows of comma-separated values with a header line, read strictly (RFC 4180).

use super::{Problem, Reader};
use crate::quote::{Document, MediaType};

pub(super) fn read(text: &str, reader: &mut Reader<'_>) {
    // The usual reader forgives quotes that are not closed; the one for quotes does not.
    if let Err(error) = Document::parse(MediaType::Csv, text.as_bytes()) {
        return reader
            .problems
            .add(Problem::new(1, "", "", &error.to_string()));
    }
    let mut records = csv::ReaderBuilder::new()
        .has_headers(true)
        .from_reader(text.as_bytes());
    let header = match records.headers() {
        Ok(header) => header.clone(),
        Err(error) => return reader.problems.add(broken(&error, 1)),
    };
    let header: Vec<&str> = header.iter().map(str::trim).collect();
    reader.columns.check_header(&header, &mut reader.problems);
    if !reader.problems.is_empty() {
        return;
    }
    let mut lines = Lines {
        text,
        counted: 0,
        line: 1,
    };
    for record in records.records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                let line = lines.of(error.position());
                reader.problems.add(broken(&error, line));
                continue;
            }
        };
        let line = lines.of(record.position());
        if !reader.add(line, header.iter().copied().zip(&record)) {
            return;
        }
    }
}

/// Counts lines by the places of rows: the reader's own count lags by one where lines end in CRLF.
struct Lines<'text> {
    text: &'text str,
    counted: usize,
    line: usize,
}

impl Lines<'_> {
    fn of(&mut self, position: Option<&csv::Position>) -> usize {
        let start = position.and_then(|it| usize::try_from(it.byte()).ok());
        let rest = start.and_then(|start| self.text.as_bytes().get(start..));
        let (Some(start), Some(rest)) = (start, rest) else {
            return self.line;
        };
        let breaks = rest.iter().take_while(|it| matches!(it, b'\r' | b'\n'));
        let start = start + breaks.count();
        let passed = self.text.as_bytes().get(self.counted..start);
        self.line += passed
            .unwrap_or_default()
            .iter()
            .filter(|it| **it == b'\n')
            .count();
        self.counted = self.counted.max(start);
        self.line
    }
}

fn broken(error: &csv::Error, line: usize) -> Problem {
    let what = match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => {
            format!("the row has {len} cells and the header {expected_len}; give one for each")
        }
        _ => format!("the row cannot be read: {error}"),
    };
    Problem::new(line, "", "", &what)
}
