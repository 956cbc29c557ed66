//! Tells what became of tables and authorities.

use super::text::{clause, counted, listed};
use crate::{board::Board, event::Event, reference::Reference};

pub(super) fn act(event: &Event) -> String {
    match event {
        Event::TableMounted {
            table,
            source,
            rows,
            ..
        } => format!(
            "mounted table {table} with {} from source {}",
            counted(*rows, "row"),
            source.short()
        ),
        Event::TableUnmounted { table, .. } => format!("unmounted table {table}"),
        Event::LookupRecorded {
            lookup, authority, ..
        } => format!("recorded answer {lookup} of authority {authority}"),
        Event::AuthorityDeclared {
            authority,
            attributes,
            ..
        } if attributes.is_empty() => format!("removed authority {authority}"),
        Event::AuthorityDeclared {
            authority,
            attributes,
            ..
        } => format!(
            "declared authority {authority}{}",
            clause(", asked about ", &listed(attributes))
        ),
        _ => String::new(),
    }
}

/// A row or an answer as a person names it.
pub(super) fn reference(board: &Board, reference: Reference) -> String {
    match reference {
        Reference::Row(row) => match board.table_mounted_at(row.mounted) {
            Some((table, _)) => format!("{table}#{}", row.line),
            None => format!("line {} of a table", row.line),
        },
        Reference::Answer(id) => match board.lookup(id) {
            Some(lookup) => format!("answer {id} of authority {}", lookup.authority),
            None => format!("answer {id}"),
        },
    }
}
