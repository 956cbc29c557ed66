//! What an agent starts from, and what happened.

use std::{collections::BTreeMap, ops::ControlFlow, pin::Pin, sync::Arc, time::Duration};

use pawl_ledger::{
    board::Board,
    decide::{Denied, Reason},
    event::Recorded,
    id::{AssertionId, ModuleName, Position},
    log::decode,
    narrate::{Narration, narrate},
    store::keys,
};
use pawl_proto::v1::{self as proto, log_service_server::LogService};
use tokio_stream::Stream;
use tonic::{Request, Response, Status};

use super::{
    brief::brief,
    live, names,
    page::{self, Page},
    parse,
    views::Teller,
};
use crate::{
    app::{
        App,
        boards::{LiveBoard, check_modules, gone, require_reader},
        error::AppError,
    },
    auth::Caller,
};

/// The most entries in a message of a stream.
const MAX_RECORDS: u64 = 256;
/// The most bytes of entries in a message of a stream, but for a single entry.
const MAX_RECORD_BYTES: usize = 1 << 20;
/// How long an idle stream waits before it says that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(15);

type Answer<T> = Result<Response<T>, Status>;
type Streamed<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

/// The log service.
pub(super) struct Logs(pub(super) Arc<App>);

#[tonic::async_trait]
impl LogService for Logs {
    type WatchStream = Streamed<proto::WatchResponse>;
    type ReplayStream = Streamed<proto::ReplayResponse>;

    async fn get_brief(&self, request: Request<proto::GetBriefRequest>) -> Answer<proto::Brief> {
        let (caller, request) = parse::open(request)?;
        Ok(Response::new(brief(&self.0, &caller, &request).await?))
    }

    async fn watch(&self, request: Request<proto::WatchRequest>) -> Answer<Self::WatchStream> {
        let (caller, request) = parse::open(request)?;
        let live = live(&self.0, &caller, &request.board).await?;
        self.0.read(&live, &caller, |_| Ok(())).await?;
        let durable = live.open.line().durable();
        let from = start(&live, &request, durable)?;
        let filter = Filter {
            modules: parse::ids("modules", &request.modules)?,
            kinds: request.kinds.clone(),
            assertion: None,
        };
        Ok(Response::new(Box::pin(watched(
            self.0.clone(),
            live,
            caller,
            from,
            filter,
        ))))
    }

    async fn replay(&self, request: Request<proto::ReplayRequest>) -> Answer<Self::ReplayStream> {
        let (caller, request) = parse::open(request)?;
        let live = live(&self.0, &caller, &request.board).await?;
        let filter = self
            .0
            .read(&live, &caller, |board| replay_filter(board, &request))
            .await?;
        let durable = live.open.line().durable();
        let to = request.to.map_or(durable, |to| Position(to).min(durable));
        Ok(Response::new(Box::pin(replayed(
            self.0.clone(),
            live,
            to,
            filter,
        ))))
    }
}

/// Which entries a stream shows.
struct Filter {
    modules: Vec<ModuleName>,
    kinds: Vec<String>,
    assertion: Option<AssertionId>,
}

impl Filter {
    fn shows(&self, narration: &Narration) -> bool {
        let module = self.modules.is_empty()
            || narration
                .module
                .as_ref()
                .is_some_and(|module| self.modules.contains(module));
        let kind = self.kinds.is_empty() || self.kinds.iter().any(|kind| kind == narration.kind);
        let assertion = self.assertion.is_none_or(|assertion| {
            narration
                .revisions
                .iter()
                .any(|revision| revision.assertion == assertion)
        });
        module && kind && assertion
    }
}

fn replay_filter(board: &Board, request: &proto::ReplayRequest) -> Result<Filter, AppError> {
    let modules = match request.module.as_str() {
        "" => Vec::new(),
        module => vec![parse::id("module", module)?],
    };
    check_modules(board, &modules)?;
    let assertion = match request.assertion.as_str() {
        "" => None,
        text => Some(names::latest_revision(board, "assertion", text)?.assertion),
    };
    Ok(Filter {
        modules,
        kinds: Vec::new(),
        assertion,
    })
}

/// Where a watcher begins: at a position, at a cursor, or now.
fn start(
    live: &LiveBoard,
    request: &proto::WatchRequest,
    durable: Position,
) -> Result<Position, AppError> {
    let from = if request.cursor.is_empty() {
        request.from.map_or(durable, Position)
    } else {
        let page = page::parse(&list(live), &request.cursor).map_err(|_| {
            Denied::new(
                Reason::CursorInvalid,
                "the cursor is none that this board's watch gave; begin from a position",
            )
            .with(
                "cursor",
                request.cursor.chars().take(80).collect::<String>(),
            )
        })?;
        page.map_or(durable, |page| Position(page.after))
    };
    if from > durable {
        return Err(Denied::new(
            Reason::CursorInFuture,
            format!("position {from} is ahead of the log, which has {durable} entries"),
        )
        .with("from", from)
        .with("position", durable)
        .into());
    }
    Ok(from)
}

fn list(live: &LiveBoard) -> String {
    format!("watch {}", live.name)
}

fn cursor(live: &LiveBoard, at: Position) -> String {
    page::token(
        &list(live),
        Page {
            view: 0,
            after: at.0,
        },
    )
}

/// Streams from a position on, reading the store at the reader's own pace: nothing waits in memory
/// for a slow one. Ends when the caller may read no more, when the token is revoked or expires (an
/// expiry shows at the next heartbeat at the latest), and when the server stops.
fn watched(
    app: Arc<App>,
    live: Arc<LiveBoard>,
    caller: Caller,
    from: Position,
    filter: Filter,
) -> impl Stream<Item = Result<proto::WatchResponse, Status>> + Send {
    async_stream::try_stream! {
        let mut durable = live.open.line().subscribe();
        let mut stopping = app.stopping();
        let mut revocations = app.identity.revocations();
        let mut at = from;
        loop {
            let to = *durable.borrow_and_update();
            if live.is_deleted() {
                Err(AppError::from(gone(&live.name)))?;
            }
            if live.open.line().has_failed() {
                Err(AppError::from(pawl_ledger::committer::CommitError::Aborted))?;
            }
            may_read(&app, &live, &caller)?;
            while at < to {
                let (records, next) = told(&app, &live, at, to, &filter).await?;
                may_read(&app, &live, &caller)?;
                at = next;
                yield proto::WatchResponse { records, cursor: cursor(&live, at), heartbeat: false };
            }
            let idle = tokio::select! {
                changed = durable.changed() => {
                    if changed.is_err() {
                        break;
                    }
                    false
                }
                _ = stopping.changed() => break,
                _ = revocations.changed() => false,
                () = tokio::time::sleep(HEARTBEAT) => true,
            };
            if idle {
                may_read(&app, &live, &caller)?;
                let cursor = cursor(&live, at);
                yield proto::WatchResponse { records: Vec::new(), cursor, heartbeat: true };
            }
        }
        Err(AppError::denied(
            Reason::ShuttingDown,
            "the server stops; resume from the last cursor once it is back",
        ))?;
    }
}

fn may_read(app: &App, live: &LiveBoard, caller: &Caller) -> Result<(), AppError> {
    app.identity.still_good(caller)?;
    Ok(require_reader(&live.open.state.read(), caller)?)
}

fn replayed(
    app: Arc<App>,
    live: Arc<LiveBoard>,
    to: Position,
    filter: Filter,
) -> impl Stream<Item = Result<proto::ReplayResponse, Status>> + Send {
    async_stream::try_stream! {
        let mut at = Position(0);
        while at < to {
            let (records, next) = told(&app, &live, at, to, &filter).await?;
            at = next;
            if !records.is_empty() {
                yield proto::ReplayResponse { records };
            }
        }
    }
}

/// Tells some entries from a position on, and where to go on.
async fn told(
    app: &Arc<App>,
    live: &Arc<LiveBoard>,
    from: Position,
    to: Position,
    filter: &Filter,
) -> Result<(Vec<proto::Record>, Position), AppError> {
    let (reader, board) = (app.clone(), live.clone());
    let read = move || read(&reader, &board, from, to);
    let entries = tokio::task::spawn_blocking(read)
        .await
        .map_err(|error| AppError::Internal(format!("entries were not read: {error}")))??;
    let next = Position(from.0 + u64::try_from(entries.len()).unwrap_or(u64::MAX));
    if entries.is_empty() {
        return Err(AppError::Internal(format!("entry {from} is missing")));
    }
    let records = entries
        .into_iter()
        .filter(|entry| filter.shows(&entry.narration));
    Ok((records.map(Entry::into_record).collect(), next))
}

/// An entry with what is told of it.
struct Entry {
    recorded: Recorded,
    narration: Narration,
    bytes: Vec<u8>,
}

impl Entry {
    fn into_record(self) -> proto::Record {
        let Self {
            recorded,
            narration,
            bytes,
        } = self;
        proto::Record {
            position: recorded.position.0,
            time: Some(parse::time(recorded.at)),
            principal: recorded.principal.to_string(),
            kind: narration.kind.to_owned(),
            summary: narration.summary,
            detail: narration.detail,
            module: narration
                .module
                .map(|module| module.to_string())
                .unwrap_or_default(),
            assertions: narration
                .revisions
                .iter()
                .map(ToString::to_string)
                .collect(),
            entry: bytes,
        }
    }
}

fn read(app: &App, live: &LiveBoard, from: Position, to: Position) -> Result<Vec<Entry>, AppError> {
    let last = Position(to.0.min(from.0 + MAX_RECORDS));
    let (first, end) = keys::entries(live.open.number, from, last);
    let mut found: Vec<Vec<u8>> = Vec::new();
    let mut size = 0;
    app.ledger.store().scan(&first, &end, &mut |_, bytes| {
        size += bytes.len();
        if size > MAX_RECORD_BYTES && !found.is_empty() {
            return ControlFlow::Break(());
        }
        found.push(bytes.to_vec());
        ControlFlow::Continue(())
    })?;
    let teller = Teller { app, live };
    let mut entries = Vec::with_capacity(found.len());
    for bytes in found {
        let recorded = decode(&bytes)
            .map_err(|error| AppError::Internal(format!("an entry cannot be read: {error}")))?;
        let mut words = BTreeMap::new();
        for commitment in recorded.event.commitments() {
            words.insert(commitment, teller.bytes(recorded.position, commitment)?);
        }
        entries.push((recorded, words, bytes));
    }
    // The board is locked once the store has been read.
    let board = live.open.state.read();
    Ok(entries
        .into_iter()
        .map(|(recorded, words, bytes)| {
            let narration = narrate(&board, &recorded, &|commitment| {
                words.get(&commitment).cloned()
            });
            Entry {
                recorded,
                narration,
                bytes,
            }
        })
        .collect())
}
