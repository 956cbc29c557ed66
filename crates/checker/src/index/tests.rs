//! The index against a board that is read from end to end for every question.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::vector::DIMENSIONS;

/// A statement as the plain board keeps it.
#[derive(Clone, Debug)]
struct Fact {
    claim_key: Option<u64>,
    terms: Vec<u64>,
    vector: Option<Vector>,
}

impl Fact {
    fn indexed(&self) -> Indexed<'_> {
        Indexed {
            claim_key: self.claim_key,
            terms: &self.terms,
            vector: self.vector.as_ref(),
        }
    }

    fn shares(&self, other: &Self) -> bool {
        self.terms.iter().any(|term| other.terms.contains(term))
    }
}

fn fact() -> impl Strategy<Value = Fact> {
    let vector = vec(-3_i8..=3, 4).prop_map(|head| {
        let mut bytes = [1_u8; DIMENSIONS];
        bytes
            .iter_mut()
            .zip(head)
            .for_each(|(byte, value)| *byte = (value * 40).cast_unsigned());
        Vector::from_bytes(&bytes).unwrap()
    });
    (
        proptest::option::of(0_u64..4),
        vec(0_u64..12, 0..6),
        proptest::option::of(vector),
    )
        .prop_map(|(claim_key, terms, vector)| Fact {
            claim_key,
            terms,
            vector,
        })
}

/// The best of those that qualify by a measure, then the newest.
fn best<T: Ord>(
    board: &BTreeMap<u32, Fact>,
    limit: usize,
    measure: impl Fn(&Fact, u32) -> Option<T>,
) -> Vec<u32> {
    let mut all: Vec<(T, u32)> = board
        .iter()
        .filter_map(|(&key, fact)| Some((measure(fact, key)?, key)))
        .collect();
    all.sort_by(|left, right| right.cmp(left));
    all.into_iter().take(limit).map(|(_, key)| key).collect()
}

fn check(board: &BTreeMap<u32, Fact>, index: &Index<u32>, query: &Fact, limits: &Limits) {
    let candidates = index.candidates(&query.indexed(), limits);
    let all = Limits {
        claim_key: 1000,
        terms: 1000,
        vector: 1000,
    };
    let overlaps: BTreeMap<u32, u32> = index
        .candidates(&query.indexed(), &all)
        .into_iter()
        .map(|it| (it.key, it.overlap))
        .collect();
    let keyed = |by: fn(&FoundBy) -> bool| -> Vec<u32> {
        let mut keys: Vec<u32> = candidates
            .iter()
            .filter(|it| by(&it.by))
            .map(|it| it.key)
            .collect();
        keys.sort_unstable();
        keys
    };
    let sorted = |mut keys: Vec<u32>| {
        keys.sort_unstable();
        keys
    };
    let same_key = |fact: &Fact, _| {
        (query.claim_key.is_some() && fact.claim_key == query.claim_key).then_some(())
    };
    assert_eq!(
        keyed(|by| by.claim_key),
        sorted(best(board, limits.claim_key, same_key))
    );
    let shared = |fact: &Fact, key: u32| fact.shares(query).then(|| overlaps[&key]);
    assert_eq!(
        keyed(|by| by.terms),
        sorted(best(board, limits.terms, shared))
    );
    let near = |fact: &Fact, _| Some(fact.vector.as_ref()?.cosine(query.vector.as_ref()?));
    assert_eq!(
        keyed(|by| by.vector),
        sorted(best(board, limits.vector, near))
    );
    for candidate in &candidates {
        let fact = &board[&candidate.key];
        assert_eq!(candidate.cosine, near(fact, candidate.key));
        assert!(fact.shares(query) || candidate.overlap == 0);
    }
    assert!(candidates.iter().map(Candidate::rank).is_sorted());
}

proptest! {
    #[test]
    fn the_index_gives_what_reading_the_whole_board_gives(
        changes in vec((0_u32..30, proptest::option::weighted(0.8, fact())), 0..80),
        queries in vec(fact(), 1..4),
        limit in 1_usize..6,
    ) {
        let (mut board, mut index) = (BTreeMap::new(), Index::new());
        for (key, change) in changes {
            match change {
                Some(fact) => {
                    index.insert(key, &fact.indexed());
                    board.insert(key, fact);
                }
                None => prop_assert_eq!(index.remove(key), board.remove(&key).is_some()),
            }
        }
        prop_assert_eq!(index.len(), board.len());
        let limits = Limits { claim_key: limit, terms: limit, vector: limit };
        for query in &queries {
            check(&board, &index, query, &limits);
        }
        let mut afresh = Index::new();
        for (&key, fact) in board.iter().rev() {
            afresh.insert(key, &fact.indexed());
        }
        for query in &queries {
            prop_assert_eq!(
                index.candidates(&query.indexed(), &limits),
                afresh.candidates(&query.indexed(), &limits)
            );
        }
    }
}

#[test]
fn a_rare_shared_term_outweighs_a_common_one() {
    let mut index = Index::new();
    for key in 0..100_u32 {
        index.insert(
            key,
            &Indexed {
                terms: if key == 3 { &[1, 9] } else { &[1] },
                ..Indexed::default()
            },
        );
    }
    let found = index.candidates(
        &Indexed {
            terms: &[1, 9],
            ..Indexed::default()
        },
        &Limits::default(),
    );
    assert_eq!(found.len(), 32);
    assert_eq!((found[0].key, found[0].by.terms), (3, true));
    assert!(found[0].overlap > 20 * found[1].overlap.max(1));
}
