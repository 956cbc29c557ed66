//! What keeps a judgement back: alternatives, denial in both texts, order, and signs of two different subjects.

use std::sync::LazyLock;

use crate::align::{Pair, Relation};
use crate::item::Item;
use crate::lexicon::{Modal, Quantifier, Role};
use crate::quantity::Dimension;
use crate::text::stem::stem;
use crate::text::term::Term;
use crate::view::{Of, View};

impl View<'_> {
    /// Counts the slots in which the texts disagree.
    pub(crate) fn count_disagreements(&self) -> usize {
        let quantities = self
            .pairs(Relation::Quantity)
            .filter(|pair| {
                self.quantities_of(*pair)
                    .is_some_and(|(new, standing)| new.interval.is_disjoint(&standing.interval))
            })
            .count();
        // `rose to 20%` against `fell to 18%` is one disagreement, told twice.
        let opposites = self.pairs(Relation::Opposite).filter(|pair| {
            quantities == 0
                || !self
                    .item(Of::New, pair.new)
                    .is_some_and(|item| item.is_change)
        });
        let words = opposites.chain(self.pairs(Relation::Exclusive)).count();
        let denials = self.lone_negators.iter().filter(|negator| {
            negator
                .head
                .is_some_and(|head| head.relation == Relation::Same)
        });
        words + quantities + denials.count()
    }

    /// Whether a word stands in the subject, so that two words there tell two subjects apart.
    ///
    /// That is before the first auxiliary of the clause or, without one, at the head of a longer text.
    pub(crate) fn is_in_subject(&self, pair: Pair) -> bool {
        let Some(word) = self.item(Of::New, pair.new).filter(|item| !item.is_change) else {
            return false;
        };
        let same_clause = |item: &&Item| item.clause == word.clause;
        let clause = || {
            self.new
                .items
                .iter()
                .enumerate()
                .filter(move |(_, item)| same_clause(item))
        };
        let auxiliary = clause().find(|(_, item)| {
            auxiliaries().contains(&item.term) || matches!(item.role, Role::Modal(_))
        });
        let content = clause().filter(|(_, item)| item.is_content());
        match auxiliary {
            Some((at, _)) => pair.new < at && content.clone().any(|(other, _)| other > at),
            None => {
                let first = content.clone().next().is_some_and(|(at, _)| at == pair.new);
                first && content.count() > 2
            }
        }
    }

    /// Whether a number that only names something differs: `ticket 42`, `phase two`, `the first stage`.
    pub(crate) fn differing_label(&self) -> Option<Pair> {
        self.pairs(Relation::Quantity).find(|pair| {
            self.quantities_of(*pair).is_some_and(|(new, standing)| {
                let apart = new.interval.is_disjoint(&standing.interval);
                let ranked = new.dimension == Dimension::Ordinal && self.disagreements > 1;
                apart && (new.is_label && standing.is_label || ranked)
            })
        })
    }

    /// Whether the words of a pair both occur in both texts: the order changed, not what is said.
    pub(crate) fn is_reordered(&self, pair: Pair) -> bool {
        let occurs = |of: Of, item: &Item| {
            self.statement(of).items.iter().any(|other| {
                other.term == item.term
                    || other
                        .memberships
                        .iter()
                        .any(|member| item.memberships.contains(member))
            })
        };
        let (Some(new), Some(standing)) = (
            self.item(Of::New, pair.new),
            self.item(Of::Standing, pair.standing),
        ) else {
            return false;
        };
        occurs(Of::Standing, new) || occurs(Of::New, standing)
    }

    /// Whether both speak of some, few or possible things: two such texts can both be true.
    pub(crate) fn is_existential(&self) -> bool {
        let weak = |of: Of| {
            self.statement(of).items.iter().any(|item| {
                matches!(
                    item.role,
                    Role::Quantifier(Quantifier::Some | Quantifier::Few)
                        | Role::Modal(Modal::Permitted | Modal::Optional)
                )
            })
        };
        weak(Of::New) && weak(Of::Standing)
    }

    /// Whether something both texts say denies what follows in the clause, `pair` included.
    pub(crate) fn is_denied(&self, pair: Pair) -> bool {
        let Some(alignment) = &self.alignment else {
            return false;
        };
        let clause = self.item(Of::New, pair.new).map(|item| item.clause);
        alignment.pairs.iter().any(|other| {
            let denial = self.item(Of::New, other.new).filter(|item| {
                matches!(
                    item.role,
                    Role::Negator
                        | Role::Modal(Modal::Forbidden)
                        | Role::Quantifier(Quantifier::None)
                )
            });
            other.new < pair.new && denial.is_some_and(|item| Some(item.clause) == clause)
        })
    }

    /// Whether a word is one of several that are offered: `two or three`, `either red or blue`.
    pub(crate) fn is_alternative(&self, of: Of, at: usize) -> bool {
        let near = at.saturating_sub(3)..(at + 4).min(self.statement(of).items.len());
        self.slice(of, &near)
            .iter()
            .any(|item| alternatives().contains(&item.term))
    }

    /// Whether either word of a pair is one of several that are offered.
    pub(crate) fn is_offered(&self, pair: Pair) -> bool {
        self.is_alternative(Of::New, pair.new) || self.is_alternative(Of::Standing, pair.standing)
    }
}

/// Words that offer alternatives.
fn alternatives() -> &'static [Term; 6] {
    static TERMS: LazyLock<[Term; 6]> =
        LazyLock::new(|| ["or", "either", "nor", "neither", "或", "或者"].map(Term::of));
    &TERMS
}

/// Words that end the subject of a clause.
fn auxiliaries() -> &'static [Term; 7] {
    static TERMS: LazyLock<[Term; 7]> = LazyLock::new(|| {
        ["be", "have", "do", "will", "shall", "是", "为"].map(|word| Term::of(&stem(word)))
    });
    &TERMS
}
