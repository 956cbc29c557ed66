//! The statements of each term, and those that share most with a query.
//!
//! Terms are read rarest first, so that the cost hangs on the rare ones: a term that half the board has adds nothing
//! to find and would cost the most to read.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::HashMap;

use super::{
    Slot, Statement,
    holders::{Holders, wide},
};

/// The most postings read whole for a query.
pub(super) const BUDGET: usize = 4_096;

/// A term's place in the table of lists.
pub(super) type TermId = u32;

/// For each term the statements that have it.
#[derive(Debug, Default)]
pub(super) struct Postings {
    ids: HashMap<u64, TermId>,
    lists: Vec<List>,
    /// Places in the table of lists that no term has.
    vacant: Vec<TermId>,
    statements: usize,
    entries: usize,
}

#[derive(Debug, Default)]
struct List {
    term: u64,
    holders: Holders,
}

/// A term of a query that some statement has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) id: TermId,
    /// What sharing it is worth.
    pub(super) weight: u32,
}

/// A term of a query with those who have it.
type Asking<'index> = (Asked, &'index List);

impl Postings {
    /// The places of distinct terms, in order; terms that are new get one.
    pub(super) fn places(&mut self, terms: &[u64]) -> Box<[TermId]> {
        let mut ids: Box<[TermId]> = terms.iter().map(|term| self.place(*term)).collect();
        ids.sort_unstable();
        ids
    }

    fn place(&mut self, term: u64) -> TermId {
        if let Some(id) = self.ids.get(&term) {
            return *id;
        }
        let id = self.vacant.pop().unwrap_or_else(|| {
            self.lists.push(List::default());
            TermId::try_from(self.lists.len() - 1).unwrap_or(TermId::MAX)
        });
        if let Some(list) = self.lists.get_mut(wide(id)) {
            list.term = term;
        }
        self.ids.insert(term, id);
        id
    }

    /// Adds a statement that is in the table.
    pub(super) fn insert<K: Copy + Ord>(&mut self, slot: Slot, table: &[Statement<K>]) {
        self.statements += 1;
        for id in terms_of(slot, table) {
            if let Some(list) = self.lists.get_mut(wide(*id)) {
                self.entries += usize::from(list.holders.insert(slot, table));
            }
        }
    }

    /// The number of terms of all statements.
    pub(super) fn len(&self) -> usize {
        self.entries
    }

    /// Takes a statement out that is in the table still.
    pub(super) fn remove<K: Copy + Ord>(&mut self, slot: Slot, table: &[Statement<K>]) {
        self.statements = self.statements.saturating_sub(1);
        for id in terms_of(slot, table) {
            let Some(list) = self.lists.get_mut(wide(*id)) else {
                continue;
            };
            self.entries -= usize::from(list.holders.remove(slot, table));
            if list.holders.is_empty() {
                self.ids.remove(&list.term);
                self.vacant.push(*id);
            }
        }
    }

    /// The distinct terms of a query that some statement has, in the order of their places.
    pub(super) fn asked(&self, terms: &[u64]) -> Vec<Asked> {
        let known = terms.iter().filter_map(|term| self.ids.get(term));
        let asked = known.map(|&id| Asked {
            id,
            weight: self.weight(id),
        });
        let mut asked: Vec<Asked> = asked.collect();
        asked.sort_unstable_by_key(|it| it.id);
        asked
    }

    /// What sharing this term is worth: the bits of information in having it, in 256ths.
    fn weight(&self, id: TermId) -> u32 {
        let holders = self.lists.get(wide(id)).map_or(0, |it| it.holders.len());
        logarithm(self.statements + 1).saturating_sub(logarithm(holders.max(1)))
    }

    /// The statements whose shared terms weigh most; among equals the newest.
    ///
    /// The rarest terms nominate, each whole list while the budget lasts; of the rarest term, where even that one is
    /// over the budget, the newest holders. The other terms are looked up for those nominated that could still be
    /// among the best.
    pub(super) fn most_shared<K: Copy + Ord>(
        &self,
        asked: &[Asked],
        limit: usize,
        budget: usize,
        table: &[Statement<K>],
    ) -> Vec<Slot> {
        let mut lists: Vec<Asking<'_>> = asked
            .iter()
            .filter_map(|it| Some((*it, self.lists.get(wide(it.id))?)))
            .collect();
        lists.sort_unstable_by_key(|(_, list)| (list.holders.len(), list.term));
        let (mut nominated, looked_up) = nominate(&lists, budget, table.len());
        if nominated.len() > limit {
            let gain = looked_up.iter().map(|(it, _)| it.weight);
            let most_to_gain = gain.fold(0, u32::saturating_add);
            let enough = best(&mut nominated, limit, |it| it.0);
            nominated.retain(|it| it.0.saturating_add(most_to_gain) >= enough);
        }
        let mut rest: Vec<Asked> = looked_up.iter().map(|(it, _)| *it).collect();
        rest.sort_unstable_by_key(|it| it.id);
        for (weight, slot) in &mut nominated {
            *weight = weight.saturating_add(shared(&rest, terms_of(*slot, table)).1);
        }
        let newest = |it: &(u32, Slot)| (it.0, table.get(wide(it.1)).map(|it| it.key));
        if nominated.len() > limit {
            best(&mut nominated, limit, newest);
            nominated.truncate(limit);
        }
        nominated.sort_unstable_by_key(|it| Reverse(newest(it)));
        nominated.into_iter().map(|(_, slot)| slot).collect()
    }
}

/// How many terms a statement has of those asked for, and what they weigh; both are in the order of their places.
pub(super) fn shared(asked: &[Asked], terms: &[TermId]) -> (usize, u32) {
    let mut terms = terms.iter().peekable();
    let mut found = (0, 0_u32);
    for it in asked {
        while terms.next_if(|id| **id < it.id).is_some() {}
        if terms.next_if(|id| **id == it.id).is_some() {
            found = (found.0 + 1, found.1.saturating_add(it.weight));
        }
    }
    found
}

fn terms_of<K>(slot: Slot, table: &[Statement<K>]) -> &[TermId] {
    table.get(wide(slot)).map_or(&[], |it| &it.terms)
}

/// Moves the highest ones to the front; gives what the last of them measures.
fn best<T, M: Ord + Default>(all: &mut [T], limit: usize, measure: impl Fn(&T) -> M) -> M {
    let Some(last) = limit.checked_sub(1).filter(|last| *last < all.len()) else {
        return M::default();
    };
    let (_, it, _) = all.select_nth_unstable_by_key(last, |it| Reverse(measure(it)));
    measure(it)
}

thread_local! {
    /// What each slot's shared terms weigh, plus one; zero between queries.
    static WEIGHTS: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

/// Those in the shortest lists that fit the budget together, each with the weight of those lists it is in; and the
/// lists left over.
fn nominate<'lists, 'index>(
    lists: &'lists [Asking<'index>],
    budget: usize,
    slots: usize,
) -> (Vec<(u32, Slot)>, &'lists [Asking<'index>]) {
    let read = lists.iter().scan(0, |read, (_, list)| {
        *read += list.holders.len();
        Some(*read)
    });
    let whole = read.take_while(|read| *read <= budget).count();
    let (whole, looked_up) = lists.split_at(whole);
    if let ([], [(_, rarest), ..]) = (whole, looked_up) {
        let newest = rarest.holders.newest(budget);
        return (newest.map(|slot| (0, slot)).collect(), looked_up);
    }
    let mut nominated: Vec<(u32, Slot)> = Vec::new();
    WEIGHTS.with_borrow_mut(|weights| {
        if weights.len() < slots {
            weights.resize(slots, 0);
        }
        for (asked, list) in whole {
            for slot in list.holders.all() {
                let Some(weight) = weights.get_mut(wide(*slot)) else {
                    continue;
                };
                if *weight == 0 {
                    nominated.push((0, *slot));
                    *weight = 1;
                }
                *weight = weight.saturating_add(asked.weight);
            }
        }
        for (weight, slot) in &mut nominated {
            if let Some(counted) = weights.get_mut(wide(*slot)) {
                *weight = std::mem::take(counted) - 1;
            }
        }
    });
    (nominated, looked_up)
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
mod tests;
