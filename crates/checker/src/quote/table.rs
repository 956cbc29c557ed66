//! The cells of a CSV source (RFC 4180), each with its place, which the usual reader does not tell.

use std::ops::Range;

use super::offsets::Derived;
use crate::hygiene::comparison_form;

/// The places of the cells of a table.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Table {
    /// Every cell of every row, in the order of the source.
    cells: Vec<Range<u32>>,
    /// Where each row starts among the cells.
    rows: Vec<usize>,
    /// The words of the first row.
    header: Vec<String>,
}

impl Table {
    /// The place of a cell; rows and columns count from one, and the header is row one.
    pub(super) fn cell(&self, row: usize, column: usize) -> Option<Range<usize>> {
        let row = self.row(row.checked_sub(1)?)?;
        let cell = row.get(column.checked_sub(1)?)?;
        Some(widen(cell))
    }

    /// The column with this heading, counted from one.
    pub(super) fn column(&self, heading: &str) -> Option<usize> {
        let heading = comparison_form(heading);
        self.header
            .iter()
            .position(|name| *name == heading)
            .map(|position| position + 1)
    }

    /// The row and column of the cell a place of the source lies in.
    pub(super) fn locate(&self, place: usize) -> Option<(usize, usize)> {
        let cell = self
            .cells
            .partition_point(|cell| widen(cell).start <= place)
            .checked_sub(1)?;
        let row = self.rows.partition_point(|&start| start <= cell);
        let start = *self.rows.get(row.checked_sub(1)?)?;
        Some((row, cell - start + 1))
    }

    fn row(&self, index: usize) -> Option<&[Range<u32>]> {
        let start = *self.rows.get(index)?;
        let end = self
            .rows
            .get(index + 1)
            .copied()
            .unwrap_or(self.cells.len());
        self.cells.get(start..end)
    }
}

/// Reads the cells; in the text a tab follows each cell but the last of a row, which a line break follows.
pub(super) fn extract(source: &str) -> Result<(Derived, Table), String> {
    let mut text = Derived::default();
    let mut table = Table::default();
    let mut place = 0;
    while place < source.len() {
        table.rows.push(table.cells.len());
        loop {
            let start_of_text = text.text().len();
            let end = cell(source, place, &mut text)?;
            table.cells.push(narrow(place)..narrow(end));
            if table.rows.len() == 1 {
                table.header.push(comparison_form(
                    text.text().get(start_of_text..).unwrap_or_default(),
                ));
            }
            let (separator, next) = separator(source, end);
            text.replace(separator, end..next);
            place = next;
            if separator == "\n" {
                break;
            }
        }
    }
    Ok((text, table))
}

/// Reads one cell and gives its end.
fn cell(source: &str, start: usize, text: &mut Derived) -> Result<usize, String> {
    let rest = source.get(start..).unwrap_or_default();
    if !rest.starts_with('"') {
        let length = rest.find([',', '\n', '\r']).unwrap_or(rest.len());
        text.copy(rest.get(..length).unwrap_or_default(), start);
        return Ok(start + length);
    }
    let mut place = start + 1;
    loop {
        let rest = source.get(place..).unwrap_or_default();
        let quote = rest
            .find('"')
            .ok_or_else(|| format!("the quoted cell at byte `{start}` has no end"))?;
        text.copy(rest.get(..quote).unwrap_or_default(), place);
        place += quote + 1;
        match source.as_bytes().get(place) {
            Some(b'"') => {
                text.replace("\"", place - 1..place + 1);
                place += 1;
            }
            None | Some(b',' | b'\n' | b'\r') => return Ok(place),
            Some(_) => {
                return Err(format!(
                    "something follows the quoted cell that ends at byte `{place}`"
                ));
            }
        }
    }
}

/// What parts the cell that ends here from the next, and where that one starts.
fn separator(source: &str, end: usize) -> (&'static str, usize) {
    let rest = source.get(end..).unwrap_or_default();
    if rest.starts_with(',') {
        ("\t", end + 1)
    } else if rest.starts_with("\r\n") {
        ("\n", end + 2)
    } else {
        ("\n", end + usize::from(!rest.is_empty()))
    }
}

/// Places fit, since a source is at most 16 MiB.
fn narrow(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

fn widen(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The cells as another reader sees them.
    fn oracle(source: &str) -> Vec<Vec<String>> {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(source.as_bytes());
        reader
            .records()
            .map(|record| record.unwrap().iter().map(ToOwned::to_owned).collect())
            .collect()
    }

    proptest! {
        #[test]
        fn cells_written_by_another_program_are_read_back(
            rows in proptest::collection::vec(proptest::collection::vec("[a-c\",\n é]{1,6}", 1..4), 1..5),
        ) {
            let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
            rows.iter().for_each(|row| writer.write_record(row).unwrap());
            let source = String::from_utf8(writer.into_inner().unwrap()).unwrap();
            prop_assert_eq!(&oracle(&source), &rows);
            let (_, table) = extract(&source).unwrap();
            for (row_number, row) in (1..).zip(&rows) {
                for (column, cell) in (1..).zip(row) {
                    let range = table.cell(row_number, column).unwrap();
                    let raw = source[range.clone()].trim_matches('"').replace("\"\"", "\"");
                    prop_assert_eq!(raw.trim_matches('"'), cell.trim_matches('"'));
                    prop_assert_eq!(table.locate(range.start), Some((row_number, column)));
                }
            }
        }

        #[test]
        fn no_text_makes_it_panic_or_loop(source in any::<String>()) {
            let _ = extract(&source);
        }
    }
}
