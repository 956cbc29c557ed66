//! The texts of a board, read from the store when they are asked for: a board holds where they are, not what they say.
//!
//! What was parsed lately is kept, for all boards together and within a bound. What is not durable yet cannot be read
//! back, so it is held until it is.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use parking_lot::Mutex;
use pawl_checker::{vector::Vector, vocabulary::Vocabulary};
use pawl_ledger::{
    committer::Line,
    digest::Digest,
    id::{Position, RevisionId},
    ledger::{Ledger, OpenBoard},
    store::{
        Store,
        keys::{self, BoardNumber},
    },
};
use quick_cache::{Weighter, sync::Cache};

use super::{
    Known,
    load::{LoadError, known_of, read_text},
};

/// About how many bytes of memory the texts take that were parsed lately.
const PARSED_BYTES: u64 = 64 << 20;
/// About how many texts that is.
const PARSED_TEXTS: usize = 16_384;

/// The texts of all boards that were parsed lately, by the board's opening and the revision.
pub type Parsed = Cache<(u64, RevisionId), Arc<Known>, ByBytes>;

/// Weighs a parsed text by what it takes.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByBytes;

impl Weighter<(u64, RevisionId), Arc<Known>> for ByBytes {
    fn weight(&self, _: &(u64, RevisionId), text: &Arc<Known>) -> u64 {
        text.estimated_bytes()
    }
}

/// Makes room for texts that were parsed.
pub fn parsed() -> Arc<Parsed> {
    Arc::new(Cache::with_weighter(PARSED_TEXTS, PARSED_BYTES, ByBytes))
}

/// Where the texts of a board are.
pub(super) struct Texts {
    store: Arc<dyn Store>,
    number: BoardNumber,
    line: Arc<Line>,
    /// The digest of the sentence model; none without one.
    model: Option<[u8; 32]>,
    parsed: Arc<Parsed>,
    /// Tells this understanding of this board's texts from every other.
    generation: u64,
    places: HashMap<RevisionId, Position>,
    fresh: Mutex<Fresh>,
    /// Vectors that are in no index and in no store: of texts that wait, under another model than before.
    vectors: HashMap<RevisionId, Vector>,
}

/// Texts whose entries are perhaps not durable yet, the oldest first.
#[derive(Default)]
struct Fresh {
    texts: HashMap<RevisionId, Arc<Known>>,
    order: VecDeque<(Position, RevisionId)>,
}

impl Texts {
    pub(super) fn new(
        ledger: &Ledger,
        open: &OpenBoard,
        model: Option<Digest>,
        parsed: Arc<Parsed>,
    ) -> Self {
        Self {
            store: ledger.shared_store(),
            number: open.number,
            line: open.shared_line(),
            model: model.map(|it| it.0),
            parsed,
            generation: generation(),
            places: HashMap::new(),
            fresh: Mutex::default(),
            vectors: HashMap::new(),
        }
    }

    /// The board they are of.
    pub(super) fn board(&self) -> BoardNumber {
        self.number
    }

    /// Whether it is a text of this board.
    pub(super) fn holds(&self, id: RevisionId) -> bool {
        self.places.contains_key(&id)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// All of them, in order.
    pub(super) fn ids(&self) -> Vec<RevisionId> {
        let mut ids: Vec<RevisionId> = self.places.keys().copied().collect();
        ids.sort_unstable();
        ids
    }

    /// Keeps where a text is.
    pub(super) fn place(&mut self, id: RevisionId, position: Position) {
        self.places.insert(id, position);
    }

    /// Keeps a vector that cannot be read.
    pub(super) fn keep_vector(&mut self, id: RevisionId, vector: Vector) {
        self.vectors.insert(id, vector);
    }

    /// Keeps a text that was just written.
    pub(super) fn learn(&mut self, id: RevisionId, position: Position, text: Arc<Known>) {
        self.places.insert(id, position);
        self.parsed.insert((self.generation, id), text.clone());
        let durable = self.line.durable();
        let mut fresh = self.fresh.lock();
        fresh.forget(durable);
        fresh.order.push_back((position, id));
        fresh.texts.insert(id, text);
    }

    pub(super) fn forget(&mut self, id: RevisionId) {
        self.places.remove(&id);
        self.vectors.remove(&id);
        self.fresh.lock().texts.remove(&id);
        self.parsed.remove(&(self.generation, id));
    }

    /// Reads a text; none where it is not one of this board's, or its words are gone. `vector` is what an index holds.
    pub(super) fn read(
        &self,
        id: RevisionId,
        vocabulary: &Vocabulary,
        vector: impl FnOnce() -> Option<Vector>,
    ) -> Result<Option<Arc<Known>>, LoadError> {
        let Some(position) = self.places.get(&id) else {
            return Ok(None);
        };
        if let Some(text) = self.parsed.get(&(self.generation, id)) {
            return Ok(Some(text));
        }
        if let Some(text) = self.fresh.lock().texts.get(&id) {
            return Ok(Some(text.clone()));
        }
        let Some(text) = read_text(self.store.as_ref(), self.number, *position)? else {
            return Ok(None);
        };
        let vector = match vector().or_else(|| self.vectors.get(&id).cloned()) {
            Some(vector) => Some(vector),
            None => self.stored_vector(&text.content)?,
        };
        let known = Arc::new(known_of(&text, vector, vocabulary));
        self.parsed.insert((self.generation, id), known.clone());
        Ok(Some(known))
    }

    fn stored_vector(&self, content: &str) -> Result<Option<Vector>, LoadError> {
        let Some(model) = self.model else {
            return Ok(None);
        };
        let key = keys::vector(model, Digest::of(content.as_bytes()).0);
        let stored = self.store.get(&key)?;
        Ok(stored.and_then(|bytes| Vector::from_bytes(&bytes).ok()))
    }

    /// Understands everything anew from here on; gives what has to be parsed because it cannot be read.
    pub(super) fn renew(&mut self, vocabulary: &Vocabulary) {
        self.generation = generation();
        let mut fresh = self.fresh.lock();
        for text in fresh.texts.values_mut() {
            *text = Arc::new(text.under(vocabulary));
        }
    }
}

impl Fresh {
    /// Lets go of what can be read.
    fn forget(&mut self, durable: Position) {
        while let Some((position, id)) = self.order.front().copied()
            && position < durable
        {
            self.order.pop_front();
            self.texts.remove(&id);
        }
    }
}

impl std::fmt::Debug for Texts {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut told = formatter.debug_struct("Texts");
        told.field("board", &self.number);
        told.field("texts", &self.places.len())
            .finish_non_exhaustive()
    }
}

fn generation() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
