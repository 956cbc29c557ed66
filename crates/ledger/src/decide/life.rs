//! The course of a board as a whole: its own quotas, archived, reopened; and sources that go.

use super::{Denied, Reason, require_role};
use crate::{
    board::Board,
    command::{Command, Context},
    digest::Digest,
    event::Event,
    quota::Quotas,
    status::Role,
};

/// The most revisions that a denial names as citing a source.
const MAX_CITING_NAMED: usize = 16;

pub(super) fn decide(
    board: &Board,
    context: &Context,
    command: &Command,
) -> Result<Vec<Event>, Denied> {
    if let Command::RemoveSource(source) = command {
        return remove_source(board, context, *source);
    }
    require_role(board, context, &[Role::Operator])?;
    Ok(match command {
        Command::Archive { reason } if board.archived.is_none() => {
            vec![Event::BoardArchived { reason: *reason }]
        }
        Command::Reopen { reason } if board.archived.is_some() => {
            vec![Event::BoardReopened { reason: *reason }]
        }
        Command::SetQuotas(quotas) if board.quotas != *quotas => {
            within_bounds(quotas)?;
            vec![Event::QuotasSet { quotas: *quotas }]
        }
        _ => Vec::new(),
    })
}

/// Refuses whatever would write to an archived board, but for reopening it.
pub(super) fn check_open(board: &Board, command: Option<&Command>) -> Result<(), Denied> {
    let about_that = matches!(
        command,
        Some(Command::Archive { .. } | Command::Reopen { .. })
    );
    if board.archived.is_none() || about_that {
        return Ok(());
    }
    Err(Denied::new(
        Reason::BoardArchived,
        format!(
            "board `{}` is archived and only read; have an operator of it reopen it, or write to \
             another board",
            board.name
        ),
    )
    .with("board", &board.name))
}

fn within_bounds(quotas: &Quotas) -> Result<(), Denied> {
    match quotas.out_of_bounds() {
        None => Ok(()),
        Some((field, value)) => Err(Denied::new(
            Reason::FieldInvalid,
            format!(
                "`{field}` cannot be {value}; give 1 to {}, or leave it out for the server's",
                Quotas::MOST
            ),
        )
        .with("field", field)
        .with("value", value)),
    }
}

fn remove_source(board: &Board, context: &Context, source: Digest) -> Result<Vec<Event>, Denied> {
    let state = board.sources.get(&source).ok_or_else(|| {
        Denied::new(
            Reason::SourceUnknown,
            format!(
                "board `{}` has no source `{source}`; list the sources",
                board.name
            ),
        )
        .with("source", source)
    })?;
    if state.principal == context.principal {
        let may = [Role::Agent, Role::Verifier, Role::Arbiter, Role::Operator];
        require_role(board, context, &may)?;
    } else {
        require_role(board, context, &[Role::Operator])?;
    }
    if let Some(table) = board.table_of(&source) {
        return Err(Denied::new(
            Reason::SourceCited,
            format!(
                "source `{}` is what table `{table}` is or was read from, and what was decided by it \
                 needs it; archive and delete the board to be rid of it",
                source.short()
            ),
        )
        .with("source", source)
        .with("table", table));
    }
    if state.cited_by.is_empty() {
        return Ok(vec![Event::SourceRemoved { source }]);
    }
    let named = state.cited_by.iter().take(MAX_CITING_NAMED);
    let named: Vec<String> = named.map(ToString::to_string).collect();
    let named = named.join(",");
    let count = state.cited_by.len();
    Err(Denied::new(
        Reason::SourceCited,
        format!(
            "source `{}` is cited by {count} revisions, {named} among them, and their record needs \
             it; archive and delete the board to be rid of it",
            source.short()
        ),
    )
    .with("source", source)
    .with("cited_by", named)
    .with("count", count))
}
