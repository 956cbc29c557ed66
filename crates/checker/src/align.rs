//! Lays two statements side by side: the best order-keeping alignment of their items.
//!
//! Items pair up when they are the same, and also when they fill the same slot with something of the same kind:
//! two quantities of one dimension, two opposites, two members of an exclusive set, two quantifiers.

use std::ops::Range;

use crate::item::Item;
use crate::lexicon::Role;
use crate::quantity::Quantity;
use crate::statement::Statement;

/// The most items of one text that are aligned; longer texts are judged by claim and terms alone.
pub(crate) const MAX_ITEMS: usize = 160;

/// How two paired items stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Same,
    Quantity,
    Opposite,
    Exclusive,
    Quantifier,
    Modal,
    Negator,
}

/// Two items side by side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) new: usize,
    pub(crate) standing: usize,
    pub(crate) relation: Relation,
}

/// What stands between two pairs and has no partner.
#[derive(Clone, Debug)]
pub(crate) struct Gap {
    pub(crate) new: Range<usize>,
    pub(crate) standing: Range<usize>,
}

/// Two statements side by side.
#[derive(Clone, Debug, Default)]
pub(crate) struct Alignment {
    pub(crate) pairs: Vec<Pair>,
    pub(crate) gaps: Vec<Gap>,
}

/// Aligns two statements; none when one is too long.
pub(crate) fn align(new: &Statement, standing: &Statement) -> Option<Alignment> {
    if new.items.len() > MAX_ITEMS || standing.items.len() > MAX_ITEMS {
        return None;
    }
    let same = |(one, other): &(&Item, &Item)| {
        weight(one, other, new, standing).is_some_and(|(_, relation)| relation == Relation::Same)
    };
    let prefix = new
        .items
        .iter()
        .zip(&standing.items)
        .take_while(same)
        .count();
    let rest_new = new.items.get(prefix..).unwrap_or_default();
    let rest_standing = standing.items.get(prefix..).unwrap_or_default();
    let suffix = rest_new
        .iter()
        .rev()
        .zip(rest_standing.iter().rev())
        .take_while(same)
        .count();
    let middle_new = prefix..new.items.len() - suffix;
    let middle_standing = prefix..standing.items.len() - suffix;

    let mut pairs = Vec::with_capacity(new.items.len().min(standing.items.len()));
    pairs.extend((0..prefix).map(|at| Pair {
        new: at,
        standing: at,
        relation: Relation::Same,
    }));
    middle(new, standing, &middle_new, &middle_standing, &mut pairs);
    pairs.extend((0..suffix).map(|at| Pair {
        new: middle_new.end + at,
        standing: middle_standing.end + at,
        relation: Relation::Same,
    }));
    let gaps = gaps(&pairs, new.items.len(), standing.items.len());
    Some(Alignment { pairs, gaps })
}

/// The weighted longest common subsequence of the middle parts.
fn middle(
    new: &Statement,
    standing: &Statement,
    of_new: &Range<usize>,
    of_standing: &Range<usize>,
    pairs: &mut Vec<Pair>,
) {
    if of_new.is_empty() || of_standing.is_empty() {
        return;
    }
    let width = of_standing.len() + 1;
    let mut best = vec![0_u16; (of_new.len() + 1) * width];
    let at = |best: &[u16], row: usize, column: usize| {
        best.get(row * width + column).copied().unwrap_or(0)
    };
    let pair = |row: usize, column: usize| {
        let one = new.items.get(of_new.start + row)?;
        let other = standing.items.get(of_standing.start + column)?;
        weight(one, other, new, standing)
    };
    for row in (0..of_new.len()).rev() {
        for column in (0..of_standing.len()).rev() {
            let skip = at(&best, row + 1, column).max(at(&best, row, column + 1));
            let take =
                pair(row, column).map_or(0, |(weight, _)| weight + at(&best, row + 1, column + 1));
            if let Some(cell) = best.get_mut(row * width + column) {
                *cell = skip.max(take);
            }
        }
    }
    let (mut row, mut column) = (0, 0);
    while row < of_new.len() && column < of_standing.len() {
        let here = at(&best, row, column);
        let taken =
            pair(row, column).filter(|(weight, _)| here == weight + at(&best, row + 1, column + 1));
        if let Some((_, relation)) = taken {
            pairs.push(Pair {
                new: of_new.start + row,
                standing: of_standing.start + column,
                relation,
            });
            row += 1;
            column += 1;
        } else if here == at(&best, row + 1, column) {
            row += 1;
        } else {
            column += 1;
        }
    }
}

fn gaps(pairs: &[Pair], new: usize, standing: usize) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let (mut from_new, mut from_standing) = (0, 0);
    let ends = pairs
        .iter()
        .map(|pair| (pair.new, pair.standing))
        .chain([(new, standing)]);
    for (end_new, end_standing) in ends {
        if end_new > from_new || end_standing > from_standing {
            gaps.push(Gap {
                new: from_new..end_new,
                standing: from_standing..end_standing,
            });
        }
        from_new = end_new + 1;
        from_standing = end_standing + 1;
    }
    gaps
}

/// How much pairing two items is worth, and as what.
fn weight(
    one: &Item,
    other: &Item,
    new: &Statement,
    standing: &Statement,
) -> Option<(u16, Relation)> {
    if let (Some(one), Some(other)) = (one.quantity, other.quantity) {
        return quantities(
            new.quantities().get(one)?,
            standing.quantities().get(other)?,
        );
    }
    if one.quantity.is_some() || other.quantity.is_some() {
        return None;
    }
    if one.term == other.term {
        return Some((
            if one.is_content() {
                10
            } else if one.role == Role::Stop {
                1
            } else {
                8
            },
            Relation::Same,
        ));
    }
    match (one.role, other.role) {
        (Role::Quantifier(_), Role::Quantifier(_)) => Some((8, Relation::Quantifier)),
        (Role::Modal(_), Role::Modal(_)) => Some((8, Relation::Modal)),
        (Role::Negator, Role::Negator) => Some((8, Relation::Negator)),
        (Role::Content, Role::Content) => slot(one, other),
        _ => None,
    }
}

fn slot(one: &Item, other: &Item) -> Option<(u16, Relation)> {
    if shares_side(one, other) {
        return Some((9, Relation::Same));
    }
    if is_opposite(one, other) {
        return Some((7, Relation::Opposite));
    }
    let exclusive = one.memberships.iter().any(|member| {
        other
            .memberships
            .iter()
            .any(|that| that.set == member.set && that.member != member.member)
    });
    let same = one
        .memberships
        .iter()
        .any(|member| other.memberships.contains(member));
    match (same, exclusive) {
        (true, _) => Some((9, Relation::Same)),
        (false, true) => Some((6, Relation::Exclusive)),
        _ => None,
    }
}

fn shares_side(one: &Item, other: &Item) -> bool {
    one.sides.iter().any(|side| other.sides.contains(side))
}

/// Says whether two items stand on the two sides of a pair and on one side of none.
pub(crate) fn is_opposite(one: &Item, other: &Item) -> bool {
    one.sides.iter().any(|side| {
        other
            .sides
            .iter()
            .any(|that| that.pair == side.pair && that.left != side.left)
    }) && !shares_side(one, other)
}

fn quantities(one: &Quantity, other: &Quantity) -> Option<(u16, Relation)> {
    let same_kind = one.dimension == other.dimension && one.is_delta == other.is_delta;
    let equal = same_kind && one.interval == other.interval;
    match (same_kind, equal) {
        (true, true) => Some((12, Relation::Same)),
        (true, false) => Some((8, Relation::Quantity)),
        _ => None,
    }
}
