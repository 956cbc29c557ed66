//! A transaction: decide, fold and hand in to be committed, under the board's lock.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    Ledger, OpenBoard, Remembered, RequestKey, Usage, Usages, deletion::last_deleted, head_bytes,
    open::board_numbers,
};
use crate::{
    board::Board,
    command::Context,
    committer::{CommitError, HandedIn, Line},
    decide::{Denied, Reason, follow_up},
    digest::{Commitment, Words},
    event::{Event, Recorded},
    evolve::{EvolveError, begin, evolve},
    id::{BoardName, Position, Timestamp},
    log::{Header, MAX_ENTRY_BYTES, encode, tree::leaf_hash},
    status::{Policy, Role},
    store::{
        Batch, MAX_VALUE_BYTES,
        keys::{self, BoardNumber},
    },
};

/// The most rounds of events that follow from events: of a full batch, each challenger that a rule
/// decides takes one.
const MAX_FOLLOW_UPS: usize = 1_024;

/// Why a transaction changed nothing.
#[derive(Debug, thiserror::Error)]
pub enum TransactError {
    /// The rules do not allow it.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The board's state has to be read from the store again first.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// What was decided does not follow from the state: a defect.
    #[error("a decision does not fit its board: {0}")]
    Evolve(#[from] EvolveError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] crate::store::StoreError),
}

/// A board under its lock, with what is to be written.
pub struct Transaction<'a> {
    ledger: &'a Ledger,
    open: &'a OpenBoard,
    board: &'a mut Board,
    context: &'a Context,
    batch: Batch,
    applied: Vec<Recorded>,
    written: Usage,
    most_word_bytes: Option<u64>,
}

/// What was handed in, and what to wait for before the answer leaves.
pub struct Receipt {
    /// The events that happened, in order.
    pub events: Vec<Recorded>,
    /// The number of entries after them.
    pub position: Position,
    handed_in: Option<HandedIn>,
    line: Arc<Line>,
}

impl Receipt {
    /// Waits until everything up to here is durable.
    pub async fn durable(self) -> Result<(), CommitError> {
        match self.handed_in {
            Some(handed_in) => handed_in.done().await,
            None => self.line.reached(self.position).await,
        }
    }

    /// Writes it on this thread if nobody is writing; for a caller that may block and then waits all the same.
    pub fn write_here(&mut self) {
        if let Some(handed_in) = &mut self.handed_in {
            handed_in.write_here();
        }
    }
}

impl Ledger {
    /// Runs `work` on a board that nobody else can change meanwhile, and hands in what it applied.
    /// On an error of `work` nothing was changed.
    pub fn transact<T, E: From<TransactError>>(
        &self,
        open: &OpenBoard,
        context: &Context,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<T, E>,
    ) -> Result<(T, Receipt), E> {
        let mut board = open.state.write();
        if open.line.has_failed() {
            return Err(TransactError::from(CommitError::Aborted).into());
        }
        let mut transaction = Transaction {
            ledger: self,
            open,
            board: &mut board,
            context,
            batch: Batch::default(),
            applied: Vec::new(),
            written: Usage::default(),
            most_word_bytes: None,
        };
        let answer = work(&mut transaction);
        let Transaction {
            mut batch,
            applied,
            written,
            ..
        } = transaction;
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                // What was applied is not written, so the state must not be used any more.
                if !applied.is_empty() {
                    open.line.fail();
                }
                return Err(error);
            }
        };
        let position = board.position();
        if written.entries > 0 {
            let mut usages = open.usages.lock();
            usages.add(open.number, &context.principal, written, &mut batch);
        }
        let handed_in = (!batch.is_empty()).then(|| {
            self.committer
                .hand_in(batch, Some((open.line.clone(), position)))
        });
        let receipt = Receipt {
            events: applied,
            position,
            handed_in,
            line: open.line.clone(),
        };
        Ok((answer, receipt))
    }

    /// Creates a board with its creator as operator; waits until it is durable. None where the name
    /// is taken.
    pub async fn create_board(
        &self,
        name: &BoardName,
        policy: Policy,
        context: &Context,
    ) -> Result<Option<()>, TransactError> {
        let _creating = self.creating.lock().await;
        // Read anew: after a failed write it is open whether its board is there.
        let numbers = board_numbers(self.store())?;
        // A number is never used again: what is left of a deleted board would seem to be this one's.
        let last = numbers.values().map(|number| number.0).max();
        let last = last.max(last_deleted(self.store())?);
        let taken = numbers.contains_key(name);
        *self.numbers.write() = numbers;
        if taken {
            return Ok(None);
        }
        let number = BoardNumber(last.map_or(0, |last| last.saturating_add(1)));
        let batch = first_batch(name, number, policy, context)?;
        self.write(batch).await?;
        self.numbers.write().insert(name.clone(), number);
        Ok(Some(()))
    }
}

fn first_batch(
    name: &BoardName,
    number: BoardNumber,
    policy: Policy,
    context: &Context,
) -> Result<Batch, TransactError> {
    let events = [
        Event::BoardCreated { policy },
        Event::RoleGranted {
            principal: context.principal.clone(),
            role: Role::Operator,
        },
    ];
    let mut batch = Batch::default();
    let mut board = None;
    for (position, event) in (0..).map(Position).zip(events) {
        let (recorded, bytes) = record(name, position, context.now, context, event);
        match &mut board {
            None => board = Some(begin(&recorded)?),
            Some(board) => evolve(board, &recorded)?,
        }
        batch.put(keys::entry(number, position), bytes);
    }
    if let Some(board) = board {
        batch.put(
            keys::head(number),
            head_bytes(board.position().0, board.tree().root()),
        );
    }
    let mut written = Usage::default();
    for (key, value) in batch
        .puts
        .iter()
        .take_while(|(key, _)| key.starts_with(b"e"))
    {
        written.entries += 1;
        written.entry_bytes += Usage::of(key, value);
    }
    Usages::default().add(number, &context.principal, written, &mut batch);
    batch.put(keys::board(name), number.0.to_be_bytes().to_vec());
    Ok(batch)
}

impl Transaction<'_> {
    /// The board as it is now.
    pub fn board(&self) -> &Board {
        self.board
    }

    /// Who asks, and when.
    pub fn context(&self) -> &Context {
        self.context
    }

    /// What was applied so far, in order.
    pub fn applied(&self) -> &[Recorded] {
        &self.applied
    }

    /// Refuses from here on to apply events whose words take more bytes than this; what follows from
    /// something applied is let through.
    pub fn limit_words(&mut self, most_bytes: u64) {
        self.most_word_bytes = Some(most_bytes);
    }

    /// Finds the answer to a request that was made before.
    pub fn remembered(&self, key: &RequestKey) -> Result<Option<Remembered>, TransactError> {
        Ok(self.ledger.remembered(self.open, key, self.context.now)?)
    }

    /// Keeps the answer to a request in the same commit.
    pub fn remember(&mut self, key: RequestKey, request: crate::digest::Digest, answer: Vec<u8>) {
        let remembered = Remembered {
            request,
            at: self.context.now,
            position: self.board.position(),
            answer,
        };
        self.open.remember(key, remembered, &mut self.batch);
    }

    /// Writes something else in the same commit.
    pub fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.batch.put(key, value);
    }

    /// Applies what was decided and what follows from it. `words` holds what the events commit to.
    pub fn apply(
        &mut self,
        events: Vec<Event>,
        words: &BTreeMap<Commitment, Words>,
    ) -> Result<&[Recorded], TransactError> {
        let first = self.applied.len();
        let mut all = events.clone();
        let mut next = events;
        for _ in 0..MAX_FOLLOW_UPS {
            if next.is_empty() {
                break;
            }
            self.apply_round(&next, words)?;
            next = follow_up(self.board, self.context, &all);
            all.extend(next.iter().cloned());
        }
        Ok(self.applied.get(first..).unwrap_or_default())
    }

    fn apply_round(
        &mut self,
        events: &[Event],
        words: &BTreeMap<Commitment, Words>,
    ) -> Result<(), TransactError> {
        let at = self.context.now.max(self.board.last_at);
        let positions = (self.board.position().0..).map(Position);
        let recorded: Vec<(Recorded, Vec<u8>)> = positions
            .zip(events)
            .map(|(position, event)| {
                record(&self.board.name, position, at, self.context, event.clone())
            })
            .collect();
        // Everything that can be refused is refused before the state changes.
        if let Some((_, bytes)) = recorded
            .iter()
            .find(|(_, bytes)| bytes.len() > MAX_ENTRY_BYTES)
        {
            return Err(too_large(bytes.len()).into());
        }
        let commitments = events.iter().flat_map(Event::commitments);
        let stored = commitments.filter_map(|it| Some(words.get(&it)?.to_stored().len()));
        let stored: Vec<usize> = stored.collect();
        if let Some(bytes) = stored
            .iter()
            .max()
            .filter(|bytes| **bytes > MAX_VALUE_BYTES)
        {
            return Err(words_too_long(*bytes).into());
        }
        self.within_quota(stored.iter().sum())?;
        for (recorded, bytes) in recorded {
            if let Err(error) = evolve(self.board, &recorded) {
                self.open.line.fail();
                return Err(error.into());
            }
            self.stage(recorded, bytes, words);
        }
        let head = head_bytes(self.board.position().0, self.board.tree().root());
        self.batch.put(keys::head(self.open.number), head);
        Ok(())
    }

    fn within_quota(&self, bytes: usize) -> Result<(), Denied> {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        match self.most_word_bytes {
            Some(most) if bytes > most && self.applied.is_empty() => Err(Denied::new(
                Reason::QuotaExceeded,
                format!(
                    "the words would take {bytes} bytes and `{}` has {most} left on board `{}`; \
                     say less, or ask an operator to raise the quota",
                    self.context.principal, self.board.name
                ),
            )
            .with("quota", "word_bytes")
            .with("principal", &self.context.principal)
            .with("left", most)
            .with("needed", bytes)),
            _ => Ok(()),
        }
    }

    fn stage(&mut self, recorded: Recorded, bytes: Vec<u8>, words: &BTreeMap<Commitment, Words>) {
        let (number, position) = (self.open.number, recorded.position);
        let key = keys::entry(number, position);
        self.written.entries += 1;
        self.written.entry_bytes += Usage::of(&key, &bytes);
        self.batch.put(key, bytes);
        for commitment in recorded.event.commitments() {
            if let Some(words) = words.get(&commitment) {
                let key = keys::words(number, position, commitment);
                let stored = words.to_stored();
                self.written.word_bytes += Usage::of(&key, &stored);
                self.batch.put(key, stored);
            }
        }
        self.applied.push(recorded);
    }
}

fn record(
    board: &BoardName,
    position: Position,
    at: Timestamp,
    context: &Context,
    event: Event,
) -> (Recorded, Vec<u8>) {
    let header = Header {
        board: board.clone(),
        position,
        at,
        principal: context.principal.clone(),
    };
    let bytes = encode(&header, &event);
    let recorded = Recorded {
        board: header.board,
        position,
        at,
        principal: header.principal,
        event,
        leaf: leaf_hash(&bytes),
    };
    (recorded, bytes)
}

fn words_too_long(bytes: usize) -> Denied {
    Denied::new(
        Reason::FieldTooLong,
        format!("a text would take {bytes} bytes, at most {MAX_VALUE_BYTES}; shorten it"),
    )
    .with("bytes", bytes)
}

fn too_large(bytes: usize) -> Denied {
    Denied::new(
        Reason::FieldTooLong,
        format!(
            "the entry would have {bytes} bytes, at most {MAX_ENTRY_BYTES}; name fewer citations \
             or supports"
        ),
    )
    .with("bytes", bytes)
}
