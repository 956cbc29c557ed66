//! Where in a source a quote is said to stand.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::document::{Document, Structure};
use super::outcome::View;
use super::{json, sections};

/// A part of a source.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Locator {
    /// A page, counted from one.
    Page(u32),
    /// Lines of the source as given, counted from one, the last included.
    Line {
        /// The first line.
        first: u32,
        /// The last line.
        last: u32,
    },
    /// The part under a heading, up to the next one of its level or above.
    Section(String),
    /// A JSON pointer (RFC 6901).
    Pointer(String),
    /// A cell of a table.
    Cell {
        /// The row, counted from one; the header is a row.
        row: u32,
        /// The column.
        column: Column,
    },
    /// Characters of the text a reader sees, counted from zero, the end left out.
    Characters {
        /// The first character.
        start: u32,
        /// The one after the last.
        end: u32,
    },
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    /// By its number, counted from one.
    Number(u32),
    /// By its heading.
    Heading(String),
}

impl std::fmt::Display for Locator {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Page(page) => write!(formatter, "page `{page}`"),
            Self::Line { first, last } if first == last => write!(formatter, "line `{first}`"),
            Self::Line { first, last } => write!(formatter, "lines `{first}` to `{last}`"),
            Self::Section(title) => write!(formatter, "section `{title}`"),
            Self::Pointer(pointer) => write!(formatter, "pointer `{pointer}`"),
            Self::Cell {
                row,
                column: Column::Number(column),
            } => {
                write!(formatter, "row `{row}`, column `{column}`")
            }
            Self::Cell {
                row,
                column: Column::Heading(column),
            } => {
                write!(formatter, "row `{row}`, column `{column}`")
            }
            Self::Characters { start, end } => write!(formatter, "characters `{start}` to `{end}`"),
        }
    }
}

impl Document {
    /// The ranges of the source that a locator names, in order and apart from each other; none if it names nothing.
    pub(super) fn regions(&self, locator: &Locator) -> Vec<Range<usize>> {
        let regions = match (locator, &self.structure) {
            (Locator::Line { first, last }, _) => self.lines(*first, *last).into_iter().collect(),
            (Locator::Characters { start, end }, _) => {
                self.characters(*start, *end).into_iter().collect()
            }
            (Locator::Section(title), Structure::Markdown(sections)) => {
                sections::named(sections, title)
            }
            (Locator::Section(title), Structure::Html(parts)) => {
                sections::named(&parts.sections, title)
            }
            (Locator::Cell { row, column }, Structure::Html(parts)) => {
                parts.cells.named(*row, column)
            }
            (Locator::Page(page), Structure::Pages(pages)) => (*page as usize)
                .checked_sub(1)
                .and_then(|index| pages.get(index).cloned())
                .into_iter()
                .collect(),
            (Locator::Pointer(pointer), Structure::Json) => {
                json::part(self.source(), pointer).into_iter().collect()
            }
            (Locator::Cell { row, column }, Structure::Table(table)) => {
                let column = match column {
                    Column::Number(number) => Some(*number as usize),
                    Column::Heading(heading) => table.column(heading),
                };
                column
                    .and_then(|column| table.cell(*row as usize, column))
                    .into_iter()
                    .collect()
            }
            _ => Vec::new(),
        };
        merged(regions)
    }

    /// The smallest named part that a range of the source lies in.
    pub(super) fn part(&self, range: &Range<usize>) -> Option<Locator> {
        match &self.structure {
            Structure::Plain => None,
            Structure::Pages(pages) => {
                let page = pages.partition_point(|page| page.start <= range.start);
                u32::try_from(page).ok().map(Locator::Page)
            }
            Structure::Markdown(sections) => {
                sections::around(sections, range).map(Locator::Section)
            }
            Structure::Html(parts) => match parts.cells.around(range) {
                Some((row, column)) => Some(Locator::Cell {
                    row,
                    column: Column::Number(column),
                }),
                None => sections::around(&parts.sections, range).map(Locator::Section),
            },
            Structure::Table(table) => {
                let (row, column) = table.locate(range.start)?;
                let number = |number: usize| u32::try_from(number).ok();
                Some(Locator::Cell {
                    row: number(row)?,
                    column: Column::Number(number(column)?),
                })
            }
            Structure::Json => json::locate(self.source(), range).map(Locator::Pointer),
        }
    }

    fn lines(&self, first: u32, last: u32) -> Option<Range<usize>> {
        let text = self.source();
        let mut starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
        let start = starts.nth((first as usize).checked_sub(1)?)?;
        let count = last.checked_sub(first)? as usize;
        Some(start..starts.nth(count).unwrap_or(text.len()))
    }

    fn characters(&self, start: u32, end: u32) -> Option<Range<usize>> {
        let text = self.extracted();
        let mut places = text
            .char_indices()
            .map(|(place, _)| place)
            .chain([text.len()]);
        let first = places.nth(start as usize)?;
        let count = (end.checked_sub(start)? as usize).checked_sub(1)?;
        Some(self.source_range(View::Extracted, &(first..places.nth(count)?)))
    }
}

/// Joins ranges that overlap or touch.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => merged.push(range),
        }
    }
    merged
}
