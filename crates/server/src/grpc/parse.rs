//! Reading what requests have in common: names, times, page tokens.

use std::str::FromStr;

use pawl_ledger::{
    decide::{Denied, Reason},
    digest::Digest,
    id::{BoardName, IdError, Timestamp},
    log::wire::WireEnum,
};
use tonic::{Request, Status};

use crate::{
    app::error::{AppError, invalid_id, missing},
    auth::Caller,
};

/// How many items a page has unless its reader says otherwise.
const DEFAULT_PAGE_ITEMS: usize = 100;
/// The most items of a page.
const MAX_PAGE_ITEMS: usize = 1_000;

/// Who is calling; put there by the door, which lets nobody in without.
pub fn caller<T>(request: &Request<T>) -> Result<Caller, Status> {
    let caller = request.extensions().get::<Caller>().cloned();
    caller.ok_or_else(|| AppError::denied(Reason::TokenMissing, "the call has no token").into())
}

/// Takes a request apart into who is calling and what is asked.
pub fn open<T>(request: Request<T>) -> Result<(Caller, T), Status> {
    Ok((caller(&request)?, request.into_inner()))
}

/// Reads a name or an id.
pub fn id<T: FromStr<Err = IdError>>(field: &'static str, text: &str) -> Result<T, AppError> {
    if text.is_empty() {
        return Err(missing(field, "a name"));
    }
    text.parse().map_err(|error| invalid_id(field, &error))
}

/// Reads a list of names or ids.
pub fn ids<T: FromStr<Err = IdError>>(
    field: &'static str,
    texts: &[String],
) -> Result<Vec<T>, AppError> {
    texts.iter().map(|text| id(field, text)).collect()
}

/// Reads a board's name, bare or as a resource name: `boards/{board}`.
pub fn board(text: &str) -> Result<BoardName, AppError> {
    id("board", text.strip_prefix("boards/").unwrap_or(text))
}

/// Takes the resource name of something on a board down to what follows the collection:
/// `boards/{board}/assertions/a3@1` to `a3@1`. What has no `boards/` before it stays as it is.
pub fn on_board<'text>(
    board: &BoardName,
    collection: &'static str,
    text: &'text str,
) -> Result<&'text str, AppError> {
    let Some(rest) = text.strip_prefix("boards/") else {
        return Ok(text);
    };
    let (other, rest) = rest.split_once('/').unwrap_or((rest, ""));
    if other != board.as_str() {
        let shown: String = text.chars().take(120).collect();
        return Err(Denied::new(
            Reason::OtherBoard,
            format!("`{shown}` is not on board `{board}`; ask on the board it is on"),
        )
        .with("board", board)
        .with("value", shown)
        .into());
    }
    let id = rest
        .strip_prefix(collection)
        .and_then(|rest| rest.strip_prefix('/'));
    id.ok_or_else(|| {
        let shown: String = text.chars().take(120).collect();
        Denied::new(
            Reason::FieldInvalid,
            format!("`{shown}` does not name one of `boards/{board}/{collection}`"),
        )
        .with("field", collection)
        .with("value", shown)
        .into()
    })
}

/// Reads one word of a closed list.
pub fn word<T: WireEnum>(field: &'static str, number: i32) -> Result<T, AppError> {
    if number == 0 {
        return Err(missing(field, "one of its words"));
    }
    Ok(T::from_wire(number, field)?)
}

/// Reads a digest in 64 hexadecimal digits.
pub fn digest(field: &'static str, text: &str) -> Result<Digest, AppError> {
    id(field, &text.to_ascii_lowercase())
}

/// How many items a page has.
pub fn page_items(asked: u32) -> usize {
    match usize::try_from(asked).unwrap_or(MAX_PAGE_ITEMS) {
        0 => DEFAULT_PAGE_ITEMS,
        asked => asked.min(MAX_PAGE_ITEMS),
    }
}

/// Writes a time.
pub fn time(at: Timestamp) -> prost_types::Timestamp {
    prost_types::Timestamp {
        seconds: i64::try_from(at.0 / 1_000).unwrap_or(i64::MAX),
        nanos: i32::try_from(at.0 % 1_000 * 1_000_000).unwrap_or_default(),
    }
}
