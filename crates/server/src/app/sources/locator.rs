//! Locators in their protobuf form, in both directions. On the wire the header row of a table is
//! row 0 and the first column is column 0; the checker counts both from one.

use pawl_checker::quote::{Column, Locator, Place};
use pawl_proto::v1::{self as proto, locator::Place as Wire};

use crate::app::error::AppError;
use pawl_ledger::decide::{Denied, Reason};

/// Reads a locator.
pub fn from_wire(locator: &proto::Locator) -> Result<Option<Locator>, AppError> {
    let Some(place) = &locator.place else {
        return Ok(None);
    };
    Ok(Some(match place {
        Wire::Page(0) => return Err(invalid("page", "pages count from 1")),
        Wire::Line(0) => return Err(invalid("line", "lines count from 1")),
        Wire::Page(page) => Locator::Page(*page),
        Wire::Line(line) => Locator::Line {
            first: *line,
            last: *line,
        },
        Wire::Section(heading) => Locator::Section(heading.clone()),
        Wire::JsonPointer(pointer) => Locator::Pointer(pointer.clone()),
        Wire::Cell(cell) => Locator::Cell {
            row: cell.row.saturating_add(1),
            column: Column::Number(cell.column.saturating_add(1)),
        },
        Wire::Characters(range) if range.end <= range.start => {
            return Err(invalid("characters", "the end has to be after the start"));
        }
        Wire::Characters(range) => Locator::Characters {
            start: range.start,
            end: range.end,
        },
    }))
}

/// Writes a locator. What the wire has no form for, several lines and a column by its heading,
/// becomes the part in which the quote was found.
pub(super) fn to_wire(said: &Locator, found: Option<&Place>) -> Option<proto::Locator> {
    let place = match said {
        Locator::Page(page) => Wire::Page(*page),
        Locator::Line { first, last } if first == last => Wire::Line(*first),
        Locator::Line { first, .. } => {
            let line = found.and_then(|place| u32::try_from(place.line).ok());
            Wire::Line(line.unwrap_or(*first))
        }
        Locator::Section(heading) => Wire::Section(heading.clone()),
        Locator::Pointer(pointer) => Wire::JsonPointer(pointer.clone()),
        Locator::Cell {
            row,
            column: Column::Number(column),
        } => Wire::Cell(cell(*row, *column)),
        Locator::Cell { .. } => match found.and_then(|place| place.part.as_ref())? {
            Locator::Cell {
                row,
                column: Column::Number(column),
            } => Wire::Cell(cell(*row, *column)),
            _ => return None,
        },
        Locator::Characters { start, end } => Wire::Characters(proto::CharacterRange {
            start: *start,
            end: *end,
        }),
    };
    Some(proto::Locator { place: Some(place) })
}

fn cell(row: u32, column: u32) -> proto::Cell {
    proto::Cell {
        row: row.saturating_sub(1),
        column: column.saturating_sub(1),
    }
}

fn invalid(place: &'static str, rule: &str) -> AppError {
    Denied::new(
        Reason::FieldInvalid,
        format!("field `locator.{place}`: {rule}"),
    )
    .with("field", "locator")
    .with("place", place)
    .into()
}
