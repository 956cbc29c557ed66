//! What finds a text again, kept beside its entry, so that opening a board reads no texts.
//!
//! Derived from the text, the vocabulary and the model: a row that is missing, damaged, or of another understanding is
//! not used, and made anew where the board is opened.

use pawl_checker::{compare::VERSION, vector::Vector, vocabulary::Vocabulary};
use pawl_ledger::{
    digest::Digest,
    id::Position,
    store::keys::{self, BoardNumber},
};
use serde::{Deserialize, Serialize};

use super::Known;

/// The length of the digest before a row.
const DIGEST_BYTES: usize = 16;

/// What a text is found by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Row {
    understanding: Understanding,
    pub(super) same_text: Digest,
    pub(super) claim_key: Option<u64>,
    pub(super) terms: Vec<u64>,
    pub(super) vector: Option<Vector>,
}

/// What a row was made by: rules, declarations and model, each as its digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Understanding {
    rules: Digest,
    model: Option<Digest>,
}

impl Understanding {
    /// Under the present rules.
    pub(super) fn of(vocabulary: &Vocabulary, model: Option<Digest>) -> Self {
        let mut rules = VERSION.as_bytes().to_vec();
        rules.extend_from_slice(&vocabulary.digest());
        Self {
            rules: Digest::of(&rules),
            model,
        }
    }

    /// Whether what was made by this serves `wanted` too: without a model, a vector does no harm.
    fn serves(self, wanted: Self) -> bool {
        self.rules == wanted.rules && (wanted.model.is_none() || self.model == wanted.model)
    }
}

impl Row {
    /// What a text is found by.
    pub(super) fn of(known: &Known, understanding: Understanding) -> Self {
        let terms = known.statement.terms().iter();
        Self {
            understanding,
            same_text: known.same_text,
            claim_key: known.claim_key(),
            terms: terms.map(|term| term.value()).collect(),
            vector: known.vector.clone(),
        }
    }

    /// Where and as what it is kept.
    pub(super) fn stored(&self, board: BoardNumber, position: Position) -> (Vec<u8>, Vec<u8>) {
        let row = postcard::to_stdvec(self).expect("a row holds nothing that cannot be written");
        let mut value = digest(&row).to_vec();
        value.extend_from_slice(&row);
        (keys::found_by(board, position), value)
    }

    /// Reads one that serves; none where it does not.
    pub(super) fn read(value: &[u8], wanted: Understanding) -> Option<Self> {
        let (told, row) = value.split_first_chunk::<DIGEST_BYTES>()?;
        if digest(row) != *told {
            return None;
        }
        let mut row: Self = postcard::from_bytes(row).ok()?;
        if wanted.model.is_none() {
            row.vector = None;
        }
        row.understanding.serves(wanted).then_some(row)
    }
}

fn digest(row: &[u8]) -> [u8; DIGEST_BYTES] {
    let digest = Digest::of(row).0;
    *digest.first_chunk().unwrap_or(&[0; DIGEST_BYTES])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::judge::Subject;

    fn row(understanding: Understanding) -> Row {
        let subject = Subject {
            content: "The plant at Hartwell has an installed capacity of 450 MW.",
            claim: None,
            entities: &["Hartwell".to_owned()],
            valid_from: "",
            valid_to: "",
        };
        let vector = Vector::quantise(&[0.5; pawl_checker::vector::DIMENSIONS]).unwrap();
        let known = Known::new(subject, Some(vector), &Vocabulary::shipped());
        Row::of(&known, understanding)
    }

    #[test]
    fn a_row_serves_where_it_was_understood_alike_and_whole() {
        let [first, second] = [b"one", b"two"].map(|it| Some(Digest::of(it)));
        let shipped = Vocabulary::shipped();
        let made = Understanding::of(&shipped, first);
        let row = row(made);
        let (_, value) = row.stored(BoardNumber(1), Position(7));
        assert_eq!(Row::read(&value, made), Some(row.clone()));
        assert_eq!(
            Row::read(&value, Understanding::of(&shipped, second)),
            None,
            "another model"
        );
        let without = Row::read(&value, Understanding::of(&shipped, None)).unwrap();
        assert_eq!((without.vector, &without.terms), (None, &row.terms));
        let mut other = Vocabulary::shipped();
        other.add_alias("Hartwell", "the plant").unwrap();
        assert_eq!(Row::read(&value, Understanding::of(&other, first)), None);
        for place in 0..value.len() {
            let mut damaged = value.clone();
            damaged[place] ^= 1;
            assert_eq!(Row::read(&damaged, made), None, "byte {place}");
            assert_eq!(Row::read(&value[..place], made), None, "{place} bytes");
        }
    }
}
