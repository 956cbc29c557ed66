//! What the checker knows of one board: its vocabulary and every text that stands or waits, parsed
//! and indexed. Derived from the log and the words beside it; kept in step with the board's state
//! under the same lock.

mod figures;
mod known;
mod load;
mod rows;
mod tables;
mod texts;
mod vocabulary;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use pawl_checker::{
    index::{Candidate, Index, Indexed, Limits},
    text::term::Term,
    vocabulary::Vocabulary,
};
use pawl_ledger::{
    board::{Board, Revision},
    digest::Digest,
    id::{LookupId, ModuleName, Position, PrincipalName, RefusalId, RevisionId},
    ledger::Transaction,
    status::Status,
};

use self::{
    rows::{Row, Understanding},
    texts::Texts,
};
use crate::app::authorities::Spec;

pub use figures::Figures;
pub use known::{Known, Subject};
pub use load::{LoadError, content_at, read_known, texts_at, vector_key, vectors};
pub use tables::{GivenRow, MountedTable, Tables};
pub use texts::{Parsed, parsed};
pub use vocabulary::{declared, vocabulary_with};

/// How many of an author's last refusals a new submission is compared with.
const REFUSALS_REMEMBERED: usize = 64;

/// How like a text a standing one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Likeness {
    /// The standing one.
    pub revision: RevisionId,
    /// How many terms they share.
    pub terms: usize,
    /// How near they are in meaning, if there is a model.
    pub cosine: Option<i16>,
}

/// The checker's knowledge of one board.
#[derive(Debug)]
pub struct Judge {
    /// The shipped lexicon with the board's own declarations.
    pub vocabulary: Arc<Vocabulary>,
    /// The mounted tables.
    pub tables: Arc<Tables>,
    /// Who is asked over HTTP.
    pub authorities: Arc<BTreeMap<ModuleName, Spec>>,
    /// The answers that are recorded, by who said what under which declaration.
    pub(super) recorded: HashMap<(ModuleName, Position, Digest), LookupId>,
    /// The digest of the sentence model; none without one.
    pub model: Option<Digest>,
    index: Index<RevisionId>,
    texts: Texts,
    /// By the hash of a module and the form in which texts are the same.
    same_text: BTreeSet<(u64, RevisionId)>,
    refused: HashMap<PrincipalName, Vec<(RefusalId, Arc<Known>)>>,
}

impl Judge {
    fn new(vocabulary: Arc<Vocabulary>, texts: Texts) -> Self {
        Self {
            vocabulary,
            tables: Arc::default(),
            authorities: Arc::default(),
            recorded: HashMap::new(),
            model: None,
            index: Index::new(),
            texts,
            same_text: BTreeSet::new(),
            refused: HashMap::new(),
        }
    }

    /// What to compare a text with, the likeliest first.
    pub fn candidates(&self, text: &Known) -> Vec<Candidate<RevisionId>> {
        text.candidates(&self.index)
    }

    /// What stands and shares the most weight of terms with a text, the weightiest first; a term that
    /// everything has weighs nothing.
    pub fn sharing_terms(&self, text: &Known, most: usize) -> Vec<Candidate<RevisionId>> {
        let limits = Limits {
            claim_key: 0,
            terms: most,
            vector: 0,
        };
        let mut found = text.indexed(|indexed| self.index.candidates(indexed, &limits));
        found.sort_by_key(|candidate| (Reverse(candidate.overlap), candidate.key));
        found
    }

    /// Whether a text stands or waits.
    pub fn holds(&self, revision: RevisionId) -> bool {
        self.texts.holds(revision)
    }

    /// A text that stands or waits.
    pub fn known(&self, revision: RevisionId) -> Result<Option<Arc<Known>>, LoadError> {
        let vector = || self.index.vector(revision);
        self.texts.read(revision, &self.vocabulary, vector)
    }

    /// What to compare a text with, with what each says; the likeliest first.
    pub fn likely(&self, text: &Known) -> Result<Vec<(RevisionId, Arc<Known>)>, LoadError> {
        let mut likely = Vec::new();
        for candidate in self.candidates(text) {
            let known = self.known(candidate.key)?;
            likely.extend(known.map(|known| (candidate.key, known)));
        }
        Ok(likely)
    }

    /// How like a text those are that stand; by what is indexed, so that no text is read.
    pub fn likeness(
        &self,
        text: &Known,
        standing: impl Iterator<Item = RevisionId>,
    ) -> Vec<Likeness> {
        let like = |indexed: &Indexed<'_>, revision| {
            let (terms, cosine) = self.index.likeness(indexed, revision)?;
            Some(Likeness {
                revision,
                terms,
                cosine,
            })
        };
        text.indexed(|indexed| standing.filter_map(|it| like(indexed, it)).collect())
    }

    /// The revisions of a module, standing or contested, that say the same word for word and claim
    /// all that it claims.
    pub fn same(&self, module: &ModuleName, text: &Known) -> Result<Vec<RevisionId>, LoadError> {
        let hash = same_hash(module, text.same_text);
        let all = (hash, RevisionId::FIRST)..=(hash, RevisionId::LAST);
        let mut same = Vec::new();
        for (_, id) in self.same_text.range(all) {
            let known = self.known(*id)?;
            same.extend(known.filter(|it| it.says_all_of(text)).map(|_| *id));
        }
        Ok(same)
    }

    /// The standing revisions with the same claim key.
    pub fn same_key(&self, text: &Known) -> Vec<RevisionId> {
        let key = text.claim_key().into_iter();
        let mut same: Vec<RevisionId> = key.flat_map(|it| self.index.of_claim_key(it)).collect();
        same.sort_unstable();
        same
    }

    /// What a principal was refused lately.
    pub fn refused(&self, principal: &PrincipalName) -> &[(RefusalId, Arc<Known>)] {
        self.refused
            .get(principal)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// Remembers the text of a new revision, and of one that comes back; what finds it is kept in the
    /// same commit.
    pub fn learn(
        &mut self,
        transaction: &mut Transaction<'_>,
        revision: RevisionId,
        text: Arc<Known>,
    ) {
        let Some(state) = transaction.board().revision(revision) else {
            return;
        };
        let hash = same_hash(&state.module, text.same_text);
        self.same_text.insert((hash, revision));
        let position = state.position;
        let (key, row) = Row::of(&text, self.understanding()).stored(self.texts.board(), position);
        transaction.put(key, row);
        self.texts.learn(revision, position, text);
    }

    /// What texts are understood by now.
    fn understanding(&self) -> Understanding {
        Understanding::of(&self.vocabulary, self.model)
    }

    /// Remembers what was refused.
    pub fn learn_refusal(
        &mut self,
        principal: &PrincipalName,
        refusal: RefusalId,
        text: Arc<Known>,
    ) {
        let refused = self.refused.entry(principal.clone()).or_default();
        refused.push((refusal, text));
        if refused.len() > REFUSALS_REMEMBERED {
            refused.remove(0);
        }
    }

    /// Takes over other declarations: every text is parsed and indexed anew.
    pub fn relearn(&mut self, vocabulary: Vocabulary, board: &Board) -> Result<(), LoadError> {
        let anew = |text: &mut Arc<Known>| *text = Arc::new(text.under(&vocabulary));
        self.refused
            .values_mut()
            .flatten()
            .map(|(_, text)| text)
            .for_each(anew);
        self.tables = Arc::new(self.tables.under(&vocabulary));
        self.texts.renew(&vocabulary);
        self.vocabulary = Arc::new(vocabulary);
        for id in self.texts.ids() {
            self.place(board, id)?;
        }
        Ok(())
    }

    /// Takes over what has changed on the board since a position.
    pub fn follow(&mut self, board: &Board, since: Position) -> Result<(), LoadError> {
        let changed = match board.changed_since(since) {
            Some(changed) => changed.into_iter().collect(),
            None => self.texts.ids(),
        };
        changed.into_iter().try_for_each(|id| self.place(board, id))
    }

    /// Indexes a revision that stands, forgets one that ended.
    fn place(&mut self, board: &Board, id: RevisionId) -> Result<(), LoadError> {
        let Some(state) = board.revision(id) else {
            return Ok(());
        };
        let Some(text) = self.known(id)? else {
            return Ok(());
        };
        self.index.remove(id);
        if state.status.stands() || state.status == Status::Contested {
            self.index_text(id, state, &text);
        } else {
            self.same_text
                .remove(&(same_hash(&state.module, text.same_text), id));
            self.texts.forget(id);
        }
        Ok(())
    }

    fn index_text(&mut self, id: RevisionId, state: &Revision, text: &Known) {
        text.indexed(|indexed| self.index_as(id, state, text.same_text, indexed));
    }

    fn index_as(
        &mut self,
        id: RevisionId,
        state: &Revision,
        same_text: Digest,
        indexed: &Indexed<'_>,
    ) {
        self.same_text
            .insert((same_hash(&state.module, same_text), id));
        if state.status.stands() {
            self.index.insert(id, indexed);
        } else if let Some(vector) = indexed.vector {
            self.texts.keep_vector(id, vector.clone());
        }
    }
}

/// Finds texts of a module that are the same; two that are not may rarely have the same, so texts are compared too.
fn same_hash(module: &ModuleName, same_text: Digest) -> u64 {
    let (first, _) = same_text
        .0
        .split_first_chunk::<8>()
        .unwrap_or((&[0; 8], &[]));
    Term::of(module.as_str()).value() ^ u64::from_be_bytes(*first)
}
