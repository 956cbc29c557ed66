//! Locators in their protobuf form.

use pawl_checker::quote::{Column, Locator};
use pawl_ledger::decide::{Denied, Reason};
use pawl_proto::v1::{self as proto, cell, locator::Place};

/// Reads a locator; none where it names no place.
pub fn from_wire(wire: &proto::Locator) -> Result<Option<Locator>, Denied> {
    let invalid = |what: &str| {
        Denied::new(
            Reason::FieldInvalid,
            format!("the locator's {what}; it counts from 1"),
        )
        .with("field", "locator")
    };
    let Some(place) = &wire.place else {
        return Ok(None);
    };
    Ok(Some(match place {
        Place::Page(0) => return Err(invalid("page is 0")),
        Place::Page(page) => Locator::Page(*page),
        Place::Lines(lines) if lines.first == 0 || lines.last < lines.first => {
            return Err(invalid("lines are no range"));
        }
        Place::Lines(lines) => Locator::Line {
            first: lines.first,
            last: lines.last,
        },
        Place::Section(section) => Locator::Section(section.clone()),
        Place::JsonPointer(pointer) => Locator::Pointer(pointer.clone()),
        Place::Cell(cell) => Locator::Cell {
            row: if cell.row == 0 {
                return Err(invalid("row is 0"));
            } else {
                cell.row
            },
            column: match &cell.column {
                Some(cell::Column::Number(number)) if *number > 0 => Column::Number(*number),
                Some(cell::Column::Heading(heading)) => Column::Heading(heading.clone()),
                _ => return Err(invalid("column is missing")),
            },
        },
        Place::Characters(range) if range.end <= range.start => {
            return Err(invalid("characters are no range"));
        }
        Place::Characters(range) => Locator::Characters {
            start: range.start,
            end: range.end,
        },
    }))
}

/// Writes a locator.
pub fn to_wire(locator: &Locator) -> proto::Locator {
    let place = match locator {
        Locator::Page(page) => Place::Page(*page),
        Locator::Line { first, last } => Place::Lines(proto::LineRange {
            first: *first,
            last: *last,
        }),
        Locator::Section(section) => Place::Section(section.clone()),
        Locator::Pointer(pointer) => Place::JsonPointer(pointer.clone()),
        Locator::Cell { row, column } => Place::Cell(proto::Cell {
            row: *row,
            column: Some(match column {
                Column::Number(number) => cell::Column::Number(*number),
                Column::Heading(heading) => cell::Column::Heading(heading.clone()),
            }),
        }),
        Locator::Characters { start, end } => Place::Characters(proto::CharacterRange {
            start: *start,
            end: *end,
        }),
    };
    proto::Locator { place: Some(place) }
}
