//! The documents of a board: registering, finding and reading them, and checking what is cited.
//!
//! Bytes are kept once for all boards, and are seen only through a board that registered them.

mod addresses;
mod bytes;
mod citation;
mod documents;
pub mod locator;
mod upload;

use std::sync::Arc;

use pawl_ledger::{
    board::{self, Board},
    command::Command,
    decide::{Denied, Reason},
    digest::{Commitment, Digest},
    id::{BoardName, Position},
    ledger::{Ledger, OpenBoard},
    rule::Day,
    store::StoreError,
};
use pawl_proto::v1::SourceWords;
use prost::Message;

use super::{
    App, LiveBoard,
    boards::apply,
    error::{AppError, missing},
    message_words, text,
};
use crate::auth::Caller;

pub use addresses::Addresses;
pub use bytes::Reader;
pub(super) use bytes::read as read_bytes;
pub use citation::{Checked, CitationDraft, MAX_CONTEXT_BYTES, MAX_QUOTE_BYTES};
pub use documents::Documents;
pub use upload::{MAX_CHUNK_BYTES, Upload};

/// The fewest digits of a digest that name a source.
const MIN_PREFIX_DIGITS: usize = 8;
/// The longest media type, in bytes.
const MAX_MEDIA_TYPE_BYTES: usize = 255;
/// The longest address, in bytes.
const MAX_URI_BYTES: usize = 2_048;
/// The length of a day.
const MILLISECONDS_A_DAY: u64 = 86_400_000;
/// The longest title, in bytes.
const MAX_TITLE_BYTES: usize = 1_024;

/// A source of a board with the words beside its entry.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceRecord {
    /// The board.
    pub board: BoardName,
    /// Its digest.
    pub digest: Digest,
    /// Its state.
    pub state: board::Source,
    /// Media type, address and title; empty where the words were erased.
    pub description: SourceWords,
    /// Its rank under the board's resolution rules.
    pub rank: Option<u32>,
}

/// A document that is to be registered.
#[derive(Clone, Debug, PartialEq)]
pub struct Registration {
    /// Its digest.
    pub digest: Digest,
    /// Its length; 0 where only its digest is known.
    pub size_bytes: u64,
    /// The server keeps its bytes.
    pub kept: bool,
    /// Media type, address and title.
    pub description: SourceWords,
    /// The day it is dated.
    pub dated: Option<Day>,
}

impl Registration {
    fn command(
        &self,
        description: Commitment,
        replaces: Option<Digest>,
        rank: Option<u32>,
    ) -> Command {
        Command::RegisterSource {
            source: self.digest,
            size_bytes: self.size_bytes,
            kept: self.kept,
            description,
            replaces,
            rank,
            dated: self.dated,
        }
    }
}

impl App {
    /// Registers a document on a board. One that stands there already stays as it is, unless its
    /// bytes are kept from now on. What its address named before has drifted.
    pub async fn register(
        self: &Arc<Self>,
        live: &LiveBoard,
        caller: &Caller,
        registration: Registration,
    ) -> Result<SourceRecord, AppError> {
        let (digest, uri) = (registration.digest, &registration.description.uri);
        let words = message_words(&registration.description)?;
        self.execute::<()>(live, caller, None, |transaction| {
            let mut addresses = live.addresses.write();
            let replaces = addresses.replaced(transaction.board(), uri, digest);
            let rank = live.authority.read().rank(uri);
            let command = registration.command(words.commitment(), replaces, rank);
            if adds_to(transaction.board(), &registration) {
                let bytes = registration.size_bytes;
                self.has_room(transaction.board(), &caller.principal, bytes)?;
            }
            if !apply(transaction, &command, [words])?.is_empty() {
                addresses.set(uri, digest);
            }
            Ok(())
        })
        .await?;
        let state = live.open.state.read().sources.get(&digest).cloned();
        let state = state.ok_or_else(|| unknown(live, &digest.to_string()))?;
        describe(&self.ledger, &live.open, digest, state)
    }

    /// What is known of a source.
    pub async fn source(
        &self,
        live: &LiveBoard,
        caller: &Caller,
        named: &str,
    ) -> Result<SourceRecord, AppError> {
        let (digest, state) = self
            .read(live, caller, |board| {
                let digest = resolve(board, &live.addresses.read(), named)?;
                let state = board.sources.get(&digest).cloned();
                Ok((digest, state.ok_or_else(|| unknown(live, named))?))
            })
            .await?;
        describe(&self.ledger, &live.open, digest, state)
    }

    /// Reads the bytes of a kept source.
    pub async fn source_reader(
        &self,
        live: &LiveBoard,
        caller: &Caller,
        named: &str,
    ) -> Result<Reader, AppError> {
        let source = self.source(live, caller, named).await?;
        if !source.state.kept {
            return Err(Denied::new(
                Reason::SourceUnknown,
                format!(
                    "the bytes of source `{}` are not kept; read it at its address, or upload it",
                    source.digest
                ),
            )
            .with("source", source.digest)
            .with("uri", &source.description.uri)
            .into());
        }
        Ok(Reader::new(source.digest, source.state.size_bytes))
    }

    /// At most `most` sources that were registered after a position, by position, and whether there
    /// are more; with `uncited` only of those that nothing cites.
    pub async fn sources(
        &self,
        live: &LiveBoard,
        caller: &Caller,
        after: Option<Position>,
        most: usize,
        uncited: bool,
    ) -> Result<(Vec<SourceRecord>, bool), AppError> {
        let (page, more) = self
            .read(live, caller, |board| {
                let later = board
                    .sources
                    .iter()
                    .filter(|(_, state)| after.is_none_or(|after| state.position > after))
                    .filter(|(digest, _)| !uncited || is_unused(board, digest));
                let mut later: Vec<_> = later.collect();
                later.sort_by_key(|(_, state)| state.position);
                let more = later.len() > most;
                later.truncate(most);
                let page = later.into_iter();
                let page: Vec<_> = page
                    .map(|(digest, state)| (*digest, state.clone()))
                    .collect();
                Ok((page, more))
            })
            .await?;
        let records = page
            .into_iter()
            .map(|(digest, state)| describe(&self.ledger, &live.open, digest, state));
        Ok((records.collect::<Result<_, _>>()?, more))
    }
}

/// Says whether nothing cites a source, or did, and no table is read from it.
fn is_unused(board: &Board, digest: &Digest) -> bool {
    let cited = board.sources.get(digest).map(|it| !it.cited_by.is_empty());
    cited == Some(false) && board.table_of(digest).is_none()
}

/// Says whether registering a document changes anything.
fn adds_to(board: &Board, registration: &Registration) -> bool {
    let known = board.sources.get(&registration.digest);
    known.is_none_or(|known| registration.kept && !known.kept)
}

/// Finds the source that is meant: by its whole digest, by a beginning of it that is unique on the
/// board, or by its address.
pub fn resolve(board: &Board, addresses: &Addresses, named: &str) -> Result<Digest, AppError> {
    if named.is_empty() {
        return Err(missing("source", "a digest or an address"));
    }
    let is_hexadecimal = named.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hexadecimal && (MIN_PREFIX_DIGITS..=64).contains(&named.len()) {
        return resolve_prefix(board, &named.to_ascii_lowercase());
    }
    addresses
        .get(named)
        .filter(|digest| board.sources.contains_key(digest))
        .ok_or_else(|| unknown_on(&board.name, named))
}

fn resolve_prefix(board: &Board, prefix: &str) -> Result<Digest, AppError> {
    let first: Digest = format!("{prefix:0<64}")
        .parse()
        .map_err(|error| super::error::invalid_id("source", &error))?;
    let mut matches = board
        .sources
        .range(first..)
        .map(|(digest, _)| *digest)
        .take_while(|digest| digest.to_string().starts_with(prefix));
    match (matches.next(), matches.next()) {
        (None, _) => Err(unknown_on(&board.name, prefix)),
        (Some(digest), None) => Ok(digest),
        (Some(_), Some(_)) => Err(Denied::new(
            Reason::FieldInvalid,
            format!("more than one source begins with `{prefix}`; give more digits"),
        )
        .with("field", "source")
        .with("value", prefix)
        .into()),
    }
}

/// Reads the words of a source.
pub fn describe(
    ledger: &Ledger,
    open: &OpenBoard,
    digest: Digest,
    state: board::Source,
) -> Result<SourceRecord, AppError> {
    let words = ledger.words(open.number, state.position, state.description)?;
    let description = words.map_or(Ok(SourceWords::default()), |words| {
        SourceWords::decode(words.bytes())
            .map_err(|_| StoreError::Damaged(format!("the words of source `{digest}`")))
    })?;
    let (board, rank) = {
        let board = open.state.read();
        (board.name.clone(), board.rank(&digest))
    };
    Ok(SourceRecord {
        board,
        digest,
        state,
        description,
        rank,
    })
}

/// Accepts what is said of a document.
pub fn accept_description(
    media_type: &str,
    uri: &str,
    title: &str,
) -> Result<SourceWords, AppError> {
    let media_type = text::accept_some("media_type", media_type, MAX_MEDIA_TYPE_BYTES)?.text;
    let is_type = media_type.is_ascii()
        && media_type
            .split_once('/')
            .is_some_and(|(kind, form)| !kind.is_empty() && !form.is_empty());
    if !is_type {
        return Err(invalid(
            "media_type",
            &media_type,
            "use a type such as `text/plain`",
        ));
    }
    let uri = text::accept("uri", uri, MAX_URI_BYTES)?.text;
    let named = uri.bytes().all(|byte| byte.is_ascii_hexdigit());
    if uri.contains(char::is_whitespace) || (named && !uri.is_empty()) {
        let rule = "use an address without white space that is no digest, `https://example.org/a`";
        return Err(invalid("uri", &uri, rule));
    }
    let title = text::accept("title", title, MAX_TITLE_BYTES)?.text;
    Ok(SourceWords {
        media_type,
        uri,
        title,
    })
}

/// Accepts the day a document is dated: not after today.
pub fn accept_date(text: &str) -> Result<Option<Day>, AppError> {
    if text.is_empty() {
        return Ok(None);
    }
    let day = day_of(text).filter(|_| text.len() == 10);
    let day = day.ok_or_else(|| invalid("date", text, "use a day as `2026-03-31`"))?;
    // A day ahead of the server's is today somewhere.
    let tomorrow = i64::try_from(super::now().0 / MILLISECONDS_A_DAY).unwrap_or(i64::MAX) + 1;
    if i64::from(day.0) > tomorrow {
        return Err(invalid(
            "date",
            text,
            "it lies ahead; give the day the document is of",
        ));
    }
    Ok(Some(day))
}

/// The first day of a date such as `2024`, `2024-06` or `2024-06-30`.
pub fn day_of(text: &str) -> Option<Day> {
    let whole = match text.len() {
        4 => format!("{text}-01-01"),
        7 => format!("{text}-01"),
        _ => text.to_owned(),
    };
    let date: jiff::civil::Date = whole.parse().ok()?;
    let since = date.since(jiff::civil::Date::constant(1970, 1, 1)).ok()?;
    Some(Day(since.get_days()))
}

fn invalid(field: &'static str, value: &str, rule: &str) -> AppError {
    let shown: String = value.chars().take(80).collect();
    Denied::new(
        Reason::FieldInvalid,
        format!("field `{field}`: `{shown}` is not valid; {rule}"),
    )
    .with("field", field)
    .with("value", shown)
    .into()
}

fn unknown(live: &LiveBoard, named: &str) -> AppError {
    unknown_on(&live.name, named)
}

fn unknown_on(board: &BoardName, named: &str) -> AppError {
    let shown: String = named.chars().take(200).collect();
    Denied::new(
        Reason::SourceUnknown,
        format!(
            "board `{board}` has no source `{shown}`; upload or register it, or name one by at \
             least {MIN_PREFIX_DIGITS} digits of its digest or by its address"
        ),
    )
    .with("board", board)
    .with("source", shown)
    .into()
}
