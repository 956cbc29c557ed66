//! The statements of each term, and those that share most with a query.
//!
//! Terms are read rarest first, so that the cost hangs on the rare ones: a term that half the board has adds nothing
//! to find and would cost the most to read.

use std::cmp::Reverse;
use std::collections::HashMap;

/// The most postings read whole for a query.
pub(super) const BUDGET: usize = 4_096;

/// For each term the statements that have it, in the order of their keys.
#[derive(Debug)]
pub(super) struct Postings<K> {
    lists: HashMap<u64, Vec<K>>,
    statements: usize,
    entries: usize,
}

impl<K> Default for Postings<K> {
    fn default() -> Self {
        Self {
            lists: HashMap::new(),
            statements: 0,
            entries: 0,
        }
    }
}

impl<K: Copy + Ord> Postings<K> {
    /// Adds a statement with its distinct terms.
    pub(super) fn insert(&mut self, terms: &[u64], key: K) {
        self.statements += 1;
        for &term in terms {
            let list = self.lists.entry(term).or_default();
            if let Err(position) = list.binary_search(&key) {
                list.insert(position, key);
                self.entries += 1;
            }
        }
    }

    /// The number of terms of all statements.
    pub(super) fn len(&self) -> usize {
        self.entries
    }

    /// Takes a statement out that was added with these terms.
    pub(super) fn remove(&mut self, terms: &[u64], key: K) {
        self.statements = self.statements.saturating_sub(1);
        for term in terms {
            let Some(list) = self.lists.get_mut(term) else {
                continue;
            };
            if let Ok(position) = list.binary_search(&key) {
                list.remove(position);
                self.entries -= 1;
            }
            if list.is_empty() {
                self.lists.remove(term);
            }
        }
    }

    /// What sharing this term is worth: the bits of information in having it, in 256ths.
    pub(super) fn weight(&self, term: u64) -> u32 {
        let holders = self.lists.get(&term).map_or(0, Vec::len);
        logarithm(self.statements + 1).saturating_sub(logarithm(holders.max(1)))
    }

    /// The statements whose shared terms weigh most; among equals the newest.
    ///
    /// The rarest terms nominate, each whole list while the budget lasts; of the rarest term, where even that one is
    /// over the budget, the newest holders. The other terms are looked up for those nominated that could still be
    /// among the best.
    pub(super) fn most_shared(&self, terms: &[u64], limit: usize, budget: usize) -> Vec<K> {
        let mut lists: Vec<List<'_, K>> = terms
            .iter()
            .filter_map(|&term| {
                let holders = self.lists.get(&term)?;
                Some(List {
                    term,
                    holders,
                    weight: self.weight(term),
                })
            })
            .collect();
        lists.sort_by_key(|list| (list.holders.len(), list.term));
        let (mut nominated, looked_up) = nominate(&lists, budget);
        let most_to_gain = looked_up
            .iter()
            .map(|list| list.weight)
            .fold(0, u32::saturating_add);
        nominated.sort_unstable_by_key(|&entry| Reverse(entry));
        let enough = limit
            .checked_sub(1)
            .and_then(|last| nominated.get(last))
            .map_or(0, |&(weight, _)| weight);
        nominated.retain(|&(weight, _)| weight.saturating_add(most_to_gain) >= enough);
        for (weight, key) in &mut nominated {
            let shared = looked_up
                .iter()
                .filter(|list| list.holders.binary_search(key).is_ok());
            *weight = shared
                .map(|list| list.weight)
                .fold(*weight, u32::saturating_add);
        }
        nominated.sort_unstable_by_key(|&entry| Reverse(entry));
        nominated
            .into_iter()
            .take(limit)
            .map(|(_, key)| key)
            .collect()
    }
}

/// A term of a query with those who have it.
struct List<'index, K> {
    term: u64,
    holders: &'index [K],
    weight: u32,
}

/// The keys in the shortest lists that fit the budget together, each with the weight of those lists it is in; and the
/// lists left over.
fn nominate<'lists, 'index, K: Copy + Ord>(
    lists: &'lists [List<'index, K>],
    budget: usize,
) -> (Vec<(u32, K)>, &'lists [List<'index, K>]) {
    let mut left = budget;
    let mut nominated: Vec<(u32, K)> = Vec::new();
    let mut merged = Vec::new();
    let mut whole = 0;
    while let Some(list) = lists.get(whole).filter(|list| list.holders.len() <= left) {
        left -= list.holders.len();
        merge(&nominated, list, &mut merged);
        std::mem::swap(&mut nominated, &mut merged);
        whole += 1;
    }
    if whole == 0
        && let Some(rarest) = lists.first()
    {
        let newest = rarest.holders.iter().rev().take(budget);
        nominated.extend(newest.rev().map(|&key| (0, key)));
    }
    (nominated, lists.get(whole..).unwrap_or_default())
}

/// Adds the holders of a term to those nominated so far; both are in the order of keys, and stay so.
fn merge<K: Copy + Ord>(nominated: &[(u32, K)], list: &List<'_, K>, merged: &mut Vec<(u32, K)>) {
    merged.clear();
    merged.reserve(nominated.len() + list.holders.len());
    let mut rest = nominated;
    for &key in list.holders {
        let before = rest.partition_point(|(_, other)| *other < key);
        let (lower, higher) = rest.split_at(before);
        merged.extend_from_slice(lower);
        let (weight, after) = match higher.split_first() {
            Some(((weight, other), after)) if *other == key => (*weight, after),
            _ => (0, higher),
        };
        merged.push((weight.saturating_add(list.weight), key));
        rest = after;
    }
    merged.extend_from_slice(rest);
}

/// The binary logarithm in 256ths, linear between powers of two: never falls, and in integers alone.
fn logarithm(number: usize) -> u32 {
    let number = u64::try_from(number)
        .unwrap_or(u64::MAX >> 8)
        .clamp(1, u64::MAX >> 8);
    let whole = number.ilog2();
    let fraction = ((number << 8) >> whole) & 0xff;
    whole * 256 + u32::try_from(fraction).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_logarithm_is_right_at_powers_and_never_falls() {
        assert_eq!([1, 2, 4, 1024].map(logarithm), [0, 256, 512, 2560]);
        assert!((1..5000).all(|number| logarithm(number) <= logarithm(number + 1)));
        assert_eq!(logarithm(usize::MAX), logarithm(usize::MAX >> 8));
    }

    /// Who is found when everyone is asked: the holders of the rarest terms that fit the budget, or the newest of the
    /// rarest one, by the weight of all they share.
    fn brute_force(
        board: &[Vec<u64>],
        postings: &Postings<u32>,
        terms: &[u64],
        budget: usize,
    ) -> Vec<u32> {
        let holders = |term: &u64| -> Vec<u32> {
            (0..)
                .zip(board)
                .filter(|(_, held)| held.contains(term))
                .map(|(key, _)| key)
                .collect()
        };
        let mut lists: Vec<(u64, Vec<u32>)> =
            terms.iter().map(|term| (*term, holders(term))).collect();
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
            terms
                .iter()
                .filter(|term| held.contains(term))
                .map(|term| postings.weight(*term))
                .sum()
        };
        nominated.sort_by_key(|key| Reverse((weight(key), *key)));
        nominated
    }

    proptest! {
        #[test]
        fn passing_over_who_cannot_win_changes_nothing(
            board in proptest::collection::vec(proptest::collection::btree_set(0_u64..8, 0..6), 0..40),
            terms in proptest::collection::btree_set(0_u64..8, 0..6),
            limit in 1_usize..6,
            budget in 1_usize..40,
        ) {
            let board: Vec<Vec<u64>> = board.into_iter().map(|held| held.into_iter().collect()).collect();
            let terms: Vec<u64> = terms.into_iter().collect();
            let mut postings = Postings::default();
            for (key, held) in (0..).zip(&board) {
                postings.insert(held, key);
            }
            let mut expected = brute_force(&board, &postings, &terms, budget);
            expected.truncate(limit);
            prop_assert_eq!(postings.most_shared(&terms, limit, budget), expected);
        }
    }

    #[test]
    fn a_term_over_the_budget_nominates_its_newest_holders() {
        let mut postings = Postings::default();
        for key in 0..u32::try_from(3 * BUDGET).unwrap() {
            postings.insert(&[1, 2], key);
        }
        let newest = u32::try_from(3 * BUDGET - 1).unwrap();
        assert_eq!(
            postings.most_shared(&[1, 2], 2, BUDGET),
            [newest, newest - 1]
        );
        postings.insert(&[7], newest + 1);
        postings.insert(&[7, 1], newest + 2);
        assert_eq!(postings.most_shared(&[1, 7], 1, BUDGET), [newest + 2]);
        assert_eq!(
            postings.most_shared(&[1, 7], 9, BUDGET),
            [newest + 2, newest + 1]
        );
        assert!(postings.most_shared(&[1, 7], 0, BUDGET).is_empty());
    }
}
