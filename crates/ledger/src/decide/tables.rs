//! What is taken as given from outside: tables and authorities are the operators' to declare.

use super::{Denied, Reason, known_attributes, require_role, within};
use crate::{
    board::{Board, Table},
    command::{Command, Context},
    digest::Digest,
    event::Event,
    id::{AttributeName, ModuleName},
    reference::MAX_ROWS,
    status::Role,
};

/// The most tables of a board, unmounted ones counted.
const MAX_TABLES: usize = 64;
/// The most versions of a table.
const MAX_VERSIONS: usize = 256;
/// The most rows of all mounted tables of a board.
const MAX_BOARD_ROWS: u32 = 400_000;
/// The most authorities of a board, removed ones counted.
const MAX_AUTHORITIES: usize = 64;
/// The most attributes that an authority is asked about.
const MAX_ATTRIBUTES: usize = 64;

pub(super) fn decide(
    board: &Board,
    context: &Context,
    command: &Command,
) -> Result<Vec<Event>, Denied> {
    require_role(board, context, &[Role::Operator])?;
    match command {
        Command::MountTable {
            table,
            source,
            rows,
            parsed,
            definition,
        } => {
            let current = board.tables.get(table).and_then(Table::current);
            if current.is_some_and(|it| (it.source, it.parsed) == (*source, *parsed)) {
                return Ok(Vec::new());
            }
            check_mount(board, table, source, *rows)?;
            Ok(vec![Event::TableMounted {
                table: table.clone(),
                source: *source,
                rows: *rows,
                parsed: *parsed,
                definition: *definition,
            }])
        }
        Command::UnmountTable { table, reason } => {
            let mounted = board.tables.get(table).is_some_and(|it| it.mounted);
            if !mounted {
                return Err(unknown_table(board, table));
            }
            Ok(vec![Event::TableUnmounted {
                table: table.clone(),
                reason: *reason,
            }])
        }
        Command::DeclareAuthority {
            authority,
            attributes,
            when_unavailable,
            definition,
        } => {
            check_authority(board, authority, attributes)?;
            Ok(vec![Event::AuthorityDeclared {
                authority: authority.clone(),
                attributes: attributes.clone(),
                when_unavailable: *when_unavailable,
                definition: *definition,
            }])
        }
        _ => Ok(Vec::new()),
    }
}

/// Says that a board has no such table mounted.
pub fn unknown_table(board: &Board, table: &ModuleName) -> Denied {
    Denied::new(
        Reason::TableUnknown,
        format!(
            "board `{}` has no table `{table}` mounted; list the tables",
            board.name
        ),
    )
    .with("table", table)
}

/// Says that a table is no module to write to.
pub(super) fn read_only(table: &ModuleName) -> Denied {
    Denied::new(
        Reason::TableReadOnly,
        format!(
            "`{table}` is a reference table and read-only; name a module, or have a newer version \
             of the table mounted"
        ),
    )
    .with("table", table)
}

fn check_mount(
    board: &Board,
    table: &ModuleName,
    source: &Digest,
    rows: u32,
) -> Result<(), Denied> {
    if board.modules.contains_key(table) {
        return Err(Denied::new(
            Reason::AlreadyExists,
            format!("`{table}` is a module already; choose another name for the table"),
        )
        .with("table", table));
    }
    if !board.sources.get(source).is_some_and(|it| it.kept) {
        return Err(Denied::new(
            Reason::SourceUnknown,
            format!(
                "board `{}` does not keep the bytes of source `{source}`; upload it first",
                board.name
            ),
        )
        .with("source", source));
    }
    let known = board.tables.get(table);
    let tables = board.tables.len() + usize::from(known.is_none());
    within(tables, MAX_TABLES, "reference tables")?;
    let versions = known.map_or(0, |it| it.versions.len()) + 1;
    within(versions, MAX_VERSIONS, "versions of a table")?;
    let others = board.tables.iter().filter(|(name, _)| *name != table);
    let others = others.filter_map(|(_, it)| it.current()).map(|it| it.rows);
    let all = others.fold(rows, u32::saturating_add);
    if rows > MAX_ROWS || all > MAX_BOARD_ROWS {
        return Err(Denied::new(
            Reason::BoardLimit,
            format!(
                "a table has at most {MAX_ROWS} rows and the mounted tables of a board \
                 {MAX_BOARD_ROWS}; leave rows out, or unmount a table"
            ),
        )
        .with(
            "limit",
            if rows > MAX_ROWS {
                MAX_ROWS
            } else {
                MAX_BOARD_ROWS
            },
        ));
    }
    Ok(())
}

fn check_authority(
    board: &Board,
    authority: &ModuleName,
    attributes: &[AttributeName],
) -> Result<(), Denied> {
    let known = board.authorities.get(authority);
    if attributes.is_empty() && known.is_none_or(|it| it.attributes.is_empty()) {
        return Err(Denied::new(
            Reason::AuthorityUnknown,
            format!(
                "board `{}` has no authority `{authority}`; list the authorities",
                board.name
            ),
        )
        .with("authority", authority));
    }
    let count = board.authorities.len() + usize::from(known.is_none());
    within(count, MAX_AUTHORITIES, "authorities")?;
    within(
        attributes.len(),
        MAX_ATTRIBUTES,
        "attributes of an authority",
    )?;
    known_attributes(board, attributes)
}
