//! Resource names: `boards/{board}/{collection}/{id}`, or the id alone.

use std::str::FromStr;

use pawl_ledger::{
    board::Board,
    decide::{Denied, Reason},
    id::{AssertionId, BoardName, ConflictId, FlagId, IdError, RevisionId},
};

use super::parse;
use crate::app::error::AppError;

/// Writes the full name of something on a board.
pub(super) fn full(board: &BoardName, collection: &str, id: impl std::fmt::Display) -> String {
    format!("boards/{board}/{collection}/{id}")
}

/// Reads the id of a revision.
pub(super) fn revision(
    board: &BoardName,
    field: &'static str,
    text: &str,
) -> Result<RevisionId, AppError> {
    parsed(board, "assertions", field, text)
}

/// Reads the id of a revision, or of an assertion, which stands for its latest revision.
pub(super) fn latest_revision(
    board: &Board,
    field: &'static str,
    text: &str,
) -> Result<RevisionId, AppError> {
    let id = parse::on_board(&board.name, "assertions", text)?;
    if let Ok(assertion) = id.parse::<AssertionId>() {
        return board.latest(assertion).ok_or_else(|| {
            Denied::new(
                Reason::AssertionUnknown,
                format!("board `{}` has no assertion `{assertion}`", board.name),
            )
            .with("assertion", assertion)
            .into()
        });
    }
    revision(&board.name, field, text)
}

/// Reads the id of a conflict.
pub(super) fn conflict(board: &BoardName, text: &str) -> Result<ConflictId, AppError> {
    parsed(board, "conflicts", "conflict", text)
}

/// Reads the id of a flag.
pub(super) fn flag(board: &BoardName, text: &str) -> Result<FlagId, AppError> {
    parsed(board, "flags", "flag", text)
}

fn parsed<T: FromStr<Err = IdError>>(
    board: &BoardName,
    collection: &'static str,
    field: &'static str,
    text: &str,
) -> Result<T, AppError> {
    parse::id(field, parse::on_board(board, collection, text)?)
}
