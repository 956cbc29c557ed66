//! The cells of the tables of a page.

use std::ops::Range;

use super::tokens::Tag;
use crate::hygiene::comparison_form;
use crate::quote::locator::Column;

/// The most columns of a table; what stands further right is in none.
const MAX_COLUMNS: usize = 1_000;
/// The most rows that one cell reaches over (the HTML standard).
const MAX_ROWS: u32 = 65_534;

/// The cells of all tables, in the order they start.
#[derive(Debug, Default)]
pub(in crate::quote) struct Cells {
    cells: Vec<Cell>,
    headings: Vec<Heading>,
}

#[derive(Clone, Debug)]
struct Cell {
    table: usize,
    row: u32,
    column: u32,
    range: Range<usize>,
}

/// A cell of the first row of a table.
#[derive(Debug)]
struct Heading {
    table: usize,
    column: u32,
    words: String,
}

impl Cells {
    /// The places of the cells in this row and column, of whichever table.
    pub(in crate::quote) fn named(&self, row: u32, column: &Column) -> Vec<Range<usize>> {
        let is_there = |cell: &&Cell| match column {
            Column::Number(number) => cell.column == *number,
            Column::Heading(words) => {
                let words = comparison_form(words);
                self.headings.iter().any(|heading| {
                    heading.table == cell.table
                        && heading.column == cell.column
                        && heading.words == words
                })
            }
        };
        let in_row = self.cells.iter().filter(|cell| cell.row == row);
        in_row
            .filter(is_there)
            .map(|cell| cell.range.clone())
            .collect()
    }

    /// The row and column of the innermost cell that a range lies in.
    pub(in crate::quote) fn around(&self, range: &Range<usize>) -> Option<(u32, u32)> {
        let last = self
            .cells
            .partition_point(|cell| cell.range.start <= range.start);
        let mut before = self.cells.get(..last)?.iter().rev();
        let cell = before.find(|cell| range.end <= cell.range.end)?;
        Some((cell.row, cell.column))
    }
}

/// Tables as they are read.
#[derive(Debug, Default)]
pub(super) struct Tables {
    done: Cells,
    /// The tables that are open, each in a cell of the one before.
    open: Vec<Table>,
    tables: usize,
}

#[derive(Debug, Default)]
struct Table {
    number: usize,
    row: u32,
    /// How many more rows each column is taken by a cell from above.
    taken: Vec<u32>,
    /// The column the next cell may stand in, from 0.
    column: usize,
    /// The open cell: its place in `done`, and where its text starts.
    cell: Option<(usize, usize)>,
}

impl Tables {
    pub(super) fn into_cells(self) -> Cells {
        self.done
    }

    pub(super) fn open_table(&mut self) {
        self.tables += 1;
        self.open.push(Table {
            number: self.tables,
            ..Table::default()
        });
    }

    pub(super) fn close_table(&mut self) {
        self.open.pop();
    }

    pub(super) fn open_row(&mut self) {
        if let Some(table) = self.open.last_mut() {
            if table.row > 0 {
                for rows in &mut table.taken {
                    *rows = rows.saturating_sub(1);
                }
            }
            table.row = table.row.saturating_add(1);
            table.column = 0;
        }
    }

    /// Begins a cell in the first column of the row that is free; without a row it begins one.
    pub(super) fn open_cell(&mut self, tag: &Tag, text: usize) {
        if self.open.last().is_some_and(|table| table.row == 0) {
            self.open_row();
        }
        let Some(table) = self.open.last_mut() else {
            return;
        };
        while table.taken.get(table.column).is_some_and(|&rows| rows > 0) {
            table.column += 1;
        }
        let first = table.column;
        let columns = tag.columns.unwrap_or(1).clamp(1, 1_000) as usize;
        let rows = tag.rows.unwrap_or(1).clamp(1, MAX_ROWS);
        table.column = (first + columns).min(MAX_COLUMNS);
        if table.taken.len() < table.column {
            table.taken.resize(table.column, 0);
        }
        if let Some(taken) = table.taken.get_mut(first..table.column) {
            taken.fill(rows);
        }
        let Ok(column) = u32::try_from(first + 1) else {
            return;
        };
        if first < MAX_COLUMNS {
            table.cell = Some((self.done.cells.len(), text));
            self.done.cells.push(Cell {
                table: table.number,
                row: table.row,
                column,
                range: tag.range.end..tag.range.end,
            });
        }
    }

    pub(super) fn close_cell(&mut self, text: &str, end: usize) {
        let Some((place, start)) = self.open.last_mut().and_then(|table| table.cell.take()) else {
            return;
        };
        let Some(cell) = self.done.cells.get_mut(place) else {
            return;
        };
        cell.range.end = end.max(cell.range.start);
        if cell.row == 1 {
            self.done.headings.push(Heading {
                table: cell.table,
                column: cell.column,
                words: comparison_form(text.get(start..).unwrap_or_default()),
            });
        }
    }
}
