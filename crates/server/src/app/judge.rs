//! What the checker knows of one board: its vocabulary and every text that stands or waits, parsed
//! and indexed. Derived from the log and the words beside it; kept in step with the board's state
//! under the same lock.

mod figures;
mod load;
mod tables;
mod vocabulary;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use pawl_checker::{
    hygiene::comparison_form,
    index::{Candidate, Index, Indexed, Limits},
    statement::{Draft, Statement},
    text::term::Term,
    vector::Vector,
    vocabulary::Vocabulary,
};
use pawl_ledger::{
    board::Board,
    claim::Claim,
    digest::Digest,
    id::{LookupId, ModuleName, Position, PrincipalName, RefusalId, RevisionId},
    status::Status,
};

use crate::app::authorities::Spec;

pub use figures::Figures;
pub use load::{LoadError, read_known, texts_at, vector_key, vectors};
pub use tables::{GivenRow, MountedTable, Tables};
pub use vocabulary::{declared, vocabulary_with};

/// How many of an author's last refusals a new submission is compared with.
const REFUSALS_REMEMBERED: usize = 64;

/// A text the checker knows, with all that comparing needs.
#[derive(Debug)]
pub struct Known {
    /// The text and its claim, parsed.
    pub statement: Statement,
    /// What it means, if there is a model.
    pub vector: Option<Vector>,
    /// The digest of the form in which two texts are the same.
    pub same_text: Digest,
    said: Said,
}

/// What is said beside a text, kept so that it can be parsed anew.
#[derive(Clone, Debug)]
struct Said {
    claim: Option<Claim>,
    entities: Vec<String>,
    valid_from: String,
    valid_to: String,
}

/// What of an assertion is compared.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The text.
    pub content: &'a str,
    /// The structured part.
    pub claim: Option<&'a Claim>,
    /// What it is about.
    pub entities: &'a [String],
    /// From when it holds; empty for always.
    pub valid_from: &'a str,
    /// Until when it holds; empty for always.
    pub valid_to: &'a str,
}

impl Known {
    /// Parses a text.
    pub fn new(subject: Subject<'_>, vector: Option<Vector>, vocabulary: &Vocabulary) -> Self {
        let draft = Draft {
            content: subject.content,
            claim: subject.claim,
            entities: subject.entities,
            valid_from: (!subject.valid_from.is_empty()).then_some(subject.valid_from),
            valid_to: (!subject.valid_to.is_empty()).then_some(subject.valid_to),
        };
        Self {
            statement: Statement::parse(&draft, vocabulary),
            vector,
            same_text: Digest::of(comparison_form(subject.content).as_bytes()),
            said: Said {
                claim: subject.claim.cloned(),
                entities: subject.entities.to_vec(),
                valid_from: subject.valid_from.to_owned(),
                valid_to: subject.valid_to.to_owned(),
            },
        }
    }

    /// Parses it anew under another vocabulary.
    pub fn under(&self, vocabulary: &Vocabulary) -> Self {
        let subject = Subject {
            content: self.statement.content(),
            claim: self.said.claim.as_ref(),
            entities: &self.said.entities,
            valid_from: &self.said.valid_from,
            valid_to: &self.said.valid_to,
        };
        Self::new(subject, self.vector.clone(), vocabulary)
    }

    /// Says whether another text adds nothing to it: the same words of the same time, and the same
    /// claim or none.
    pub fn says_all_of(&self, other: &Self) -> bool {
        let (mine, others) = (&self.said, &other.said);
        self.same_text == other.same_text
            && (others.claim.is_none() || others.claim == mine.claim)
            && (&others.valid_from, &others.valid_to) == (&mine.valid_from, &mine.valid_to)
    }

    /// Finds candidates for it.
    pub fn candidates<K: Copy + Ord + std::hash::Hash>(
        &self,
        index: &Index<K>,
    ) -> Vec<Candidate<K>> {
        self.indexed(|indexed| index.candidates(indexed, &Limits::default()))
    }

    /// Puts it into an index.
    pub fn insert_into<K: Copy + Ord + std::hash::Hash>(&self, index: &mut Index<K>, key: K) {
        self.indexed(|indexed| index.insert(key, indexed));
    }

    /// The number of terms it shares with another, and how near they are in meaning.
    pub fn likeness(&self, other: &Self) -> (usize, Option<i16>) {
        let mine = self.statement.terms();
        let shared = other
            .statement
            .terms()
            .iter()
            .filter(|term| mine.contains(term))
            .count();
        let cosine = match (&self.vector, &other.vector) {
            (Some(mine), Some(others)) => Some(mine.cosine(others)),
            _ => None,
        };
        (shared, cosine)
    }

    /// The hash of its claim's subject and attribute.
    pub fn claim_key(&self) -> Option<u64> {
        let key = self.statement.claim_key()?;
        Some(Term::of(&format!("{}\u{1f}{}", key.subject(), key.attribute())).value())
    }

    fn indexed<T>(&self, with: impl FnOnce(&Indexed<'_>) -> T) -> T {
        let terms: Vec<u64> = self
            .statement
            .terms()
            .iter()
            .map(|term| term.value())
            .collect();
        with(&Indexed {
            claim_key: self.claim_key(),
            terms: &terms,
            vector: self.vector.as_ref(),
        })
    }
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
    known: HashMap<RevisionId, Arc<Known>>,
    same_text: HashMap<(ModuleName, Digest), BTreeSet<RevisionId>>,
    by_key: HashMap<u64, BTreeSet<RevisionId>>,
    refused: HashMap<PrincipalName, Vec<(RefusalId, Arc<Known>)>>,
}

impl Judge {
    fn new(vocabulary: Arc<Vocabulary>) -> Self {
        Self {
            vocabulary,
            tables: Arc::default(),
            authorities: Arc::default(),
            recorded: HashMap::new(),
            model: None,
            index: Index::new(),
            known: HashMap::new(),
            same_text: HashMap::new(),
            by_key: HashMap::new(),
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

    /// A text that stands or waits.
    pub fn known(&self, revision: RevisionId) -> Option<&Arc<Known>> {
        self.known.get(&revision)
    }

    /// The revisions of a module, standing or contested, that say the same word for word and claim
    /// all that it claims.
    pub fn same<'judge>(
        &'judge self,
        module: &ModuleName,
        text: &'judge Known,
    ) -> impl Iterator<Item = RevisionId> + 'judge {
        let same_text = self.same_text.get(&(module.clone(), text.same_text));
        let says_it =
            |id: &RevisionId| self.known(*id).is_some_and(|known| known.says_all_of(text));
        same_text.into_iter().flatten().copied().filter(says_it)
    }

    /// The standing revisions with the same claim key.
    pub fn same_key(&self, text: &Known) -> Vec<RevisionId> {
        let revisions = text.claim_key().and_then(|key| self.by_key.get(&key));
        revisions.into_iter().flatten().copied().collect()
    }

    /// What a principal was refused lately.
    pub fn refused(&self, principal: &PrincipalName) -> &[(RefusalId, Arc<Known>)] {
        self.refused
            .get(principal)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// Remembers the text of a new revision.
    pub fn learn(&mut self, revision: RevisionId, module: &ModuleName, text: Arc<Known>) {
        self.same_text
            .entry((module.clone(), text.same_text))
            .or_default()
            .insert(revision);
        self.known.insert(revision, text);
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
    pub fn relearn(&mut self, vocabulary: Vocabulary, board: &Board) {
        let anew = |text: &mut Arc<Known>| *text = Arc::new(text.under(&vocabulary));
        self.known.values_mut().for_each(anew);
        self.refused
            .values_mut()
            .flatten()
            .map(|(_, text)| text)
            .for_each(anew);
        self.tables = Arc::new(self.tables.under(&vocabulary));
        self.vocabulary = Arc::new(vocabulary);
        self.index = Index::new();
        self.by_key.clear();
        let all: Vec<RevisionId> = self.known.keys().copied().collect();
        all.into_iter().for_each(|id| self.place(board, id));
    }

    /// Takes over what has changed on the board since a position.
    pub fn follow(&mut self, board: &Board, since: Position) {
        match board.changed_since(since) {
            Some(changed) => changed.into_iter().for_each(|id| self.place(board, id)),
            None => {
                let all: Vec<RevisionId> = self.known.keys().copied().collect();
                all.into_iter().for_each(|id| self.place(board, id));
            }
        }
    }

    /// Indexes a revision that stands, forgets one that ended.
    fn place(&mut self, board: &Board, id: RevisionId) {
        let Some(state) = board.revision(id) else {
            return;
        };
        let Some(text) = self.known.get(&id).cloned() else {
            return;
        };
        self.index.remove(id);
        if let Some(key) = text.claim_key()
            && let Some(revisions) = self.by_key.get_mut(&key)
        {
            revisions.remove(&id);
        }
        if state.status.stands() {
            text.insert_into(&mut self.index, id);
            if let Some(key) = text.claim_key() {
                self.by_key.entry(key).or_default().insert(id);
            }
        } else if state.status != Status::Contested {
            self.known.remove(&id);
            let place = (state.module.clone(), text.same_text);
            if let Some(revisions) = self.same_text.get_mut(&place) {
                revisions.remove(&id);
                if revisions.is_empty() {
                    self.same_text.remove(&place);
                }
            }
        }
    }
}
