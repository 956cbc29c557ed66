//! Reference tables and the answers of authorities.

use pawl_checker::{
    statement::{Draft, Statement},
    table::{
        self, Columns, Format, Judged, MAX_TOLD, Row, TableError, TableIndex, check, read,
        sentence, typed,
    },
};

use crate::statements::{VOCABULARY, judged};

/// Few, so that tables beyond it are met, and as the sentence of each row is compared with all.
const MOST_ROWS: u32 = 12;
/// The most characters of a cell, qualifiers of a row, characters that a problem shows of a cell.
const MOST_CHARACTERS: usize = 512;
const MOST_QUALIFIERS: usize = 64;
const MOST_SHOWN: usize = 80;

pub(crate) fn comma_separated(bytes: &[u8]) {
    table(bytes, Format::Csv);
}

pub(crate) fn json_lines(bytes: &[u8]) {
    table(bytes, Format::JsonLines);
}

pub(crate) fn answer(bytes: &[u8]) {
    match table::answer("Norway", "capacity", bytes) {
        Ok(row) => {
            assert_eq!(
                (row.subject.as_str(), row.attribute.as_str()),
                ("Norway", "capacity")
            );
            within(&row);
            assert!(!sentence(&row).is_empty());
            let _ = typed(&row, &VOCABULARY);
        }
        Err(error) => refused(&error),
    }
}

fn table(bytes: &[u8], format: Format) {
    let rows = match read(bytes, format, &Columns::default(), MOST_ROWS) {
        Ok(rows) => rows,
        Err(error) => return refused(&error),
    };
    assert!((1..=MOST_ROWS).contains(&u32::try_from(rows.len()).expect("rows are few")));
    assert!(rows.is_sorted_by_key(|row| row.line));
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
    for row in &rows {
        assert!((1..=lines).contains(&usize::try_from(row.line).expect("lines are few")));
        within(row);
    }
    written_again(&rows);
    compared(rows);
}

/// The same rows as JSON lines are the same rows.
fn written_again(rows: &[Row]) {
    let lines: Vec<String> = rows.iter().map(line).collect();
    let again = read(
        lines.join("\n").as_bytes(),
        Format::JsonLines,
        &Columns::default(),
        MOST_ROWS,
    );
    let again = again.expect("what was read is read again");
    let numbered = (1..).zip(rows).map(|(line, row)| Row {
        line,
        ..row.clone()
    });
    assert_eq!(again, numbered.collect::<Vec<_>>());
}

fn line(row: &Row) -> String {
    let named = [
        ("subject", &row.subject),
        ("attribute", &row.attribute),
        ("value", &row.value),
        ("unit", &row.unit),
        ("valid_from", &row.valid_from),
        ("valid_to", &row.valid_to),
        ("authority", &row.authority),
    ];
    let qualifiers = row
        .qualifiers
        .iter()
        .map(|(name, value)| (name.as_str(), value));
    let members = named.into_iter().chain(qualifiers);
    let members = members.map(|(name, value)| (name.to_owned(), value.as_str().into()));
    serde_json::Value::Object(members.collect()).to_string()
}

fn compared(rows: Vec<Row>) {
    if let Err(error) = check(&rows, &VOCABULARY) {
        refused(&error);
    }
    for row in &rows {
        let _ = typed(row, &VOCABULARY);
    }
    let sentences: Vec<String> = rows.iter().map(sentence).collect();
    let index = TableIndex::new(rows, &VOCABULARY);
    for sentence in &sentences {
        let draft = Draft {
            content: sentence,
            claim: None,
            entities: &[],
            valid_from: None,
            valid_to: None,
        };
        let statement = Statement::parse(&draft, &VOCABULARY);
        for (_, found) in index.judge(&statement, &VOCABULARY) {
            if let Judged::Excludes(judgement) = found {
                judged(&judgement, sentence, None);
            }
        }
    }
}

fn within(row: &Row) {
    for text in [&row.subject, &row.attribute, &row.value] {
        assert!(!text.is_empty());
    }
    let named = [&row.subject, &row.attribute, &row.value, &row.unit];
    let cells = named.into_iter().chain(row.qualifiers.values());
    for cell in cells {
        assert!(cell.chars().count() <= MOST_CHARACTERS && cell.trim() == cell);
    }
    assert!(row.qualifiers.len() <= MOST_QUALIFIERS);
}

fn refused(error: &TableError) {
    assert!((1..=MAX_TOLD).contains(&error.problems.len()));
    assert!(error.count >= error.problems.len());
    for problem in &error.problems {
        assert!(problem.value.chars().count() <= MOST_SHOWN && !problem.what.is_empty());
    }
    assert!(!error.to_string().is_empty());
}
