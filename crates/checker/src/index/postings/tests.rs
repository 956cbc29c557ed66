//! Those that share most, against asking everyone.

use proptest::prelude::*;

use super::*;

#[test]
fn the_logarithm_is_right_at_powers_and_never_falls() {
    assert_eq!([1, 2, 4, 1024].map(logarithm), [0, 256, 512, 2560]);
    assert!((1..5000).all(|number| logarithm(number) <= logarithm(number + 1)));
    assert_eq!(logarithm(usize::MAX), logarithm(usize::MAX >> 8));
}

/// Statements with their terms, the key of each its slot.
#[derive(Default)]
struct Board {
    postings: Postings,
    table: Vec<Statement<u32>>,
}

impl Board {
    fn insert(&mut self, terms: &[u64]) -> u32 {
        let key = u32::try_from(self.table.len()).unwrap();
        let terms = self.postings.places(terms);
        self.table.push(Statement {
            key,
            claim_key: None,
            terms,
        });
        self.postings.insert(key, &self.table);
        key
    }

    fn most_shared(&self, terms: &[u64], limit: usize, budget: usize) -> Vec<u32> {
        let asked = self.postings.asked(terms);
        self.postings
            .most_shared(&asked, limit, budget, &self.table)
    }
}

/// Who is found when everyone is asked: the holders of the rarest terms that fit the budget, or the newest of the
/// rarest one, by the weight of all they share.
fn brute_force(board: &[Vec<u64>], postings: &Postings, terms: &[u64], budget: usize) -> Vec<u32> {
    let holders = |term: &u64| -> Vec<u32> {
        (0..)
            .zip(board)
            .filter(|(_, held)| held.contains(term))
            .map(|(key, _)| key)
            .collect()
    };
    let mut lists: Vec<(u64, Vec<u32>)> = terms.iter().map(|term| (*term, holders(term))).collect();
    lists.retain(|(_, holders)| !holders.is_empty());
    lists.sort_by_key(|(term, holders)| (holders.len(), *term));
    let mut nominated: Vec<u32> = Vec::new();
    let mut read = 0;
    for (place, (_, holders)) in lists.iter().enumerate() {
        read += holders.len();
        if read <= budget {
            nominated.extend(holders);
        } else {
            if place == 0 {
                nominated.extend(holders.iter().rev().take(budget));
            }
            break;
        }
    }
    nominated.sort_unstable();
    nominated.dedup();
    let weight = |key: &u32| -> u32 {
        let held = &board[*key as usize];
        let shared: Vec<u64> = terms
            .iter()
            .copied()
            .filter(|it| held.contains(it))
            .collect();
        postings.asked(&shared).iter().map(|it| it.weight).sum()
    };
    nominated.sort_by_key(|key| Reverse((weight(key), *key)));
    nominated
}

proptest! {
    #[test]
    fn passing_over_who_cannot_win_changes_nothing(
        held in proptest::collection::vec(proptest::collection::btree_set(0_u64..8, 0..6), 0..40),
        terms in proptest::collection::btree_set(0_u64..8, 0..6),
        limit in 1_usize..6,
        budget in 1_usize..40,
    ) {
        let held: Vec<Vec<u64>> = held.into_iter().map(|held| held.into_iter().collect()).collect();
        let terms: Vec<u64> = terms.into_iter().collect();
        let mut board = Board::default();
        for terms in &held {
            board.insert(terms);
        }
        let mut expected = brute_force(&held, &board.postings, &terms, budget);
        expected.truncate(limit);
        prop_assert_eq!(board.most_shared(&terms, limit, budget), expected.clone());
        // What one question counted is not in the next.
        prop_assert_eq!(board.most_shared(&terms, limit, budget), expected);
    }
}

#[test]
fn a_term_over_the_budget_nominates_its_newest_holders() {
    let mut board = Board::default();
    for _ in 0..3 * BUDGET {
        board.insert(&[1, 2]);
    }
    let newest = u32::try_from(3 * BUDGET - 1).unwrap();
    assert_eq!(board.most_shared(&[1, 2], 2, BUDGET), [newest, newest - 1]);
    board.insert(&[7]);
    board.insert(&[7, 1]);
    assert_eq!(board.most_shared(&[1, 7], 1, BUDGET), [newest + 2]);
    assert_eq!(
        board.most_shared(&[1, 7], 9, BUDGET),
        [newest + 2, newest + 1]
    );
    assert!(board.most_shared(&[1, 7], 0, BUDGET).is_empty());
}

#[test]
fn the_place_of_a_term_that_nobody_has_is_used_again() {
    let mut board = Board::default();
    let first = board.insert(&[1, 2]);
    board.postings.remove(first, &board.table);
    assert_eq!((board.postings.len(), board.postings.ids.len()), (0, 0));
    let second = board.insert(&[3]);
    assert_eq!(board.postings.lists.len(), 2);
    assert!(board.most_shared(&[1, 2], 9, BUDGET).is_empty());
    assert_eq!(board.most_shared(&[3], 9, BUDGET), [second]);
}
