//! Where a text contradicts itself: each statement against earlier ones that share its words or its meaning.

use pawl_ledger::finding::{Certainty, FindingKind};

use super::{Document, Kind, Passage};
use crate::compare::{Judgement, Thresholds, compare};
use crate::index::{Index, Indexed, Limits};
use crate::statement::Statement;
use crate::vector::Vector;
use crate::vocabulary::Vocabulary;

/// How many earlier statements each index may give for one; so the work grows with the text, not with its square.
const CANDIDATES: Limits = Limits {
    claim_key: 0,
    terms: 32,
    vector: 32,
};

/// A statement of a text, ready to be compared; in the order of [`Document::passages`].
#[derive(Clone, Debug)]
pub struct Read {
    /// The form that is compared, parsed.
    pub statement: Statement,
    /// What it means, if there is a model.
    pub vector: Option<Vector>,
}

/// Two statements of a text that cannot both hold.
#[derive(Clone, Debug)]
pub struct Contradiction {
    /// The place of the earlier one among the passages.
    pub first: usize,
    /// The place of the later one.
    pub second: usize,
    /// What they disagree in: `new` is the later one.
    pub judgement: Judgement,
}

/// Finds the pairs of statements that exclude each other, in the order of the text; of each pair the surest finding.
///
/// Of cells and labels only the figures are held against other statements: their words are too few to say what they
/// are about (`open`, `never`), and a table of reference has hundreds of them.
///
/// Asks before each statement whether it is to stop; then what was found so far is given.
pub fn contradictions(
    document: &Document,
    read: &[Read],
    thresholds: Thresholds,
    vocabulary: &Vocabulary,
    is_stopped: impl Fn() -> bool,
) -> Vec<Contradiction> {
    let mut earlier: Index<usize> = Index::new();
    let mut found = Vec::new();
    for (second, (passage, new)) in document.passages.iter().zip(read).enumerate() {
        if is_stopped() {
            break;
        }
        if !passage.is_its_own_word() {
            continue;
        }
        let terms: Vec<u64> = new.statement.terms().iter().map(|it| it.value()).collect();
        let indexed = Indexed {
            claim_key: None,
            terms: &terms,
            vector: new.vector.as_ref(),
        };
        for candidate in earlier.candidates(&indexed, &CANDIDATES) {
            let first = candidate.key;
            let (Some(before), Some(standing)) = (document.passages.get(first), read.get(first))
            else {
                continue;
            };
            if document.are_apart((before, &standing.statement), (passage, &new.statement)) {
                continue;
            }
            let comparison = compare(
                &new.statement,
                &standing.statement,
                candidate.cosine,
                vocabulary,
            );
            let has_label = before.is_fragment || passage.is_fragment;
            let surest = comparison.findings.into_iter().find(|judgement| {
                judgement.kind.certainty() == Certainty::Exact
                    || judgement.score >= thresholds.conflict
                        && (!has_label || judgement.kind == FindingKind::Number)
            });
            found.extend(surest.map(|judgement| Contradiction {
                first,
                second,
                judgement,
            }));
        }
        earlier.insert(second, &indexed);
    }
    found.sort_by_key(|it| (it.second, it.first));
    found
}

impl Document {
    /// Its statements, parsed and without vectors.
    pub fn parsed(&self, vocabulary: &Vocabulary) -> Vec<Read> {
        let passages = self.passages.iter();
        passages
            .map(|passage| Read {
                statement: Statement::of(&passage.compared, vocabulary),
                vector: None,
            })
            .collect()
    }

    /// Whether two statements of one text speak of different things by where they stand.
    ///
    /// Cells of one table and fragments of one list do: their rows and labels are there to tell them apart. So do
    /// statements in sections that are about different subjects, unless one names the subject of the other.
    fn are_apart(&self, one: (&Passage, &Statement), other: (&Passage, &Statement)) -> bool {
        let (before, after) = (one.0, other.0);
        let enumerated = before.is_fragment
            && after.is_fragment
            && before.group.is_some()
            && before.group == after.group;
        enumerated
            || self
                .sections
                .are_apart((before.section, one.1), (after.section, other.1))
    }
}

impl Passage {
    /// Whether it is a claim that is compared with nothing, as what it speaks of was not found out.
    pub fn is_not_compared(&self) -> bool {
        self.is_claim && self.is_subject_unknown
    }

    /// Whether it claims something in the text's own name, of a subject that is known.
    fn is_its_own_word(&self) -> bool {
        self.is_claim && self.kind != Kind::Quote && !self.is_subject_unknown
    }
}
