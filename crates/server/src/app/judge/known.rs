//! A text the checker knows.

use std::sync::OnceLock;

use pawl_checker::{
    hygiene::comparison_form,
    index::{Candidate, Index, Indexed, Limits},
    statement::{Draft, Statement},
    text::term::Term,
    vector::Vector,
    vocabulary::Vocabulary,
};
use pawl_ledger::{claim::Claim, digest::Digest};

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
    vector_digest: OnceLock<Digest>,
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
            vector_digest: OnceLock::new(),
        }
    }

    /// The digest of its vector, made when it is first asked for.
    pub fn vector_digest(&self) -> Option<Digest> {
        let vector = self.vector.as_ref()?;
        let digest = self
            .vector_digest
            .get_or_init(|| Digest::of(vector.as_bytes()));
        Some(*digest)
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
        let mut theirs = other.statement.terms().iter().peekable();
        let mine = self.statement.terms().iter();
        // Both are sorted.
        let shared = mine.filter(|term| {
            while theirs.next_if(|other| other < term).is_some() {}
            theirs.next_if(|other| other == term).is_some()
        });
        let shared = shared.count();
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

    pub(super) fn indexed<T>(&self, with: impl FnOnce(&Indexed<'_>) -> T) -> T {
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
