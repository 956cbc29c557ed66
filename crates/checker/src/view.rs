//! Two statements side by side, with what the judgements share: alignment, frame, leftovers, brakes.

use std::ops::Range;
use std::sync::LazyLock;

use crate::align::{Alignment, Pair, Relation, align};
use crate::item::Item;
use crate::lexicon::{Modal, Quantifier, Role};
use crate::quantity::Quantity;
use crate::statement::Statement;
use crate::text::language::Language;
use crate::text::term::Term;
use crate::vocabulary::Vocabulary;

/// How well the two texts agree outside the slots that rules look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// In every content word.
    Exact,
    /// One text, or each in turn, only says more.
    OneSided,
    /// Words were replaced by others or moved.
    Loose,
}

/// Which of the two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    New,
    Standing,
}

/// A word that denies and has no partner in the other text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoneNegator {
    pub(crate) of: Of,
    pub(crate) at: usize,
    /// The pair of the word it stands before, if that word has a partner.
    pub(crate) head: Option<Pair>,
}

/// Two statements side by side.
pub(crate) struct View<'a> {
    pub(crate) new: &'a Statement,
    pub(crate) standing: &'a Statement,
    pub(crate) cosine: Option<i16>,
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) alignment: Option<Alignment>,
    pub(crate) frame: Frame,
    pub(crate) added: usize,
    pub(crate) omitted: usize,
    /// Content items that are the same in both.
    pub(crate) shared: usize,
    pub(crate) lone_negators: Vec<LoneNegator>,
}

impl<'a> View<'a> {
    pub(crate) fn new(
        new: &'a Statement,
        standing: &'a Statement,
        cosine: Option<i16>,
        vocabulary: &'a Vocabulary,
    ) -> Self {
        let mut view = Self {
            new,
            standing,
            cosine,
            vocabulary,
            alignment: align(new, standing),
            frame: Frame::Loose,
            added: 0,
            omitted: 0,
            shared: 0,
            lone_negators: Vec::new(),
        };
        view.measure();
        view
    }

    fn measure(&mut self) {
        let Some(alignment) = self.alignment.take() else {
            return;
        };
        self.shared = alignment
            .pairs
            .iter()
            .filter(|pair| {
                pair.relation == Relation::Same
                    && self.item(Of::New, pair.new).is_some_and(Item::is_content)
            })
            .count();
        let mut is_loose = false;
        for gap in &alignment.gaps {
            let new = self.content(Of::New, &gap.new);
            let standing = self.content(Of::Standing, &gap.standing);
            is_loose |= new > 0 && standing > 0;
            self.added += new;
            self.omitted += standing;
            self.find_negators(Of::New, &gap.new, &alignment);
            self.find_negators(Of::Standing, &gap.standing, &alignment);
        }
        is_loose |= self.added > 0 && self.omitted > 0 && self.is_anything_moved(&alignment);
        self.frame = match (is_loose, self.added + self.omitted) {
            (true, _) => Frame::Loose,
            (false, 0) => Frame::Exact,
            (false, _) => Frame::OneSided,
        };
        self.alignment = Some(alignment);
    }

    fn content(&self, of: Of, range: &Range<usize>) -> usize {
        self.slice(of, range)
            .iter()
            .filter(|item| item.is_content())
            .count()
    }

    fn is_anything_moved(&self, alignment: &Alignment) -> bool {
        let leftovers = |of: Of| {
            alignment.gaps.iter().flat_map(move |gap| {
                let range = if of == Of::New {
                    &gap.new
                } else {
                    &gap.standing
                };
                self.slice(of, range)
                    .iter()
                    .filter(|item| item.is_content())
            })
        };
        leftovers(Of::New)
            .any(|new| leftovers(Of::Standing).any(|standing| standing.term == new.term))
    }

    fn find_negators(&mut self, of: Of, range: &Range<usize>, alignment: &Alignment) {
        for at in range.clone() {
            let denies = matches!(
                self.item(of, at).map(|item| item.role),
                Some(Role::Negator | Role::Quantifier(Quantifier::None))
            );
            if denies {
                let head = self
                    .head(of, at)
                    .and_then(|head| partner(alignment, of, head));
                self.lone_negators.push(LoneNegator { of, at, head });
            }
        }
    }

    /// The first content item after `at`, a few steps on.
    fn head(&self, of: Of, at: usize) -> Option<usize> {
        (at + 1..at + 5).find(|next| self.item(of, *next).is_some_and(Item::is_content))
    }

    pub(crate) fn statement(&self, of: Of) -> &'a Statement {
        match of {
            Of::New => self.new,
            Of::Standing => self.standing,
        }
    }

    pub(crate) fn item(&self, of: Of, at: usize) -> Option<&'a Item> {
        self.statement(of).items.get(at)
    }

    pub(crate) fn slice(&self, of: Of, range: &Range<usize>) -> &'a [Item] {
        self.statement(of)
            .items
            .get(range.clone())
            .unwrap_or_default()
    }

    /// The pairs of one relation.
    pub(crate) fn pairs(&self, relation: Relation) -> impl Iterator<Item = Pair> + '_ {
        self.alignment
            .iter()
            .flat_map(|alignment| &alignment.pairs)
            .copied()
            .filter(move |pair| pair.relation == relation)
    }

    /// The share of the shorter text's content that is in the other one, in percent.
    pub(crate) fn coverage_percent(&self) -> usize {
        let count = |statement: &Statement| {
            statement
                .items
                .iter()
                .filter(|item| item.is_content())
                .count()
        };
        let least = count(self.new).min(count(self.standing)).max(1);
        (self.shared * 100 / least).min(100)
    }

    /// The share of the new text's content words that occur anywhere in the standing one, in percent.
    pub(crate) fn new_terms_known_percent(&self) -> usize {
        let content = || {
            self.new
                .items
                .iter()
                .filter(|item| item.is_content() && item.quantity.is_none())
        };
        let known = content()
            .filter(|item| {
                self.standing
                    .items
                    .iter()
                    .any(|other| other.term == item.term)
            })
            .count();
        known * 100 / content().count().max(1)
    }

    /// Whether a capitalised word occurs in both texts.
    pub(crate) fn shares_a_name(&self) -> bool {
        self.new.items.iter().skip(1).any(|item| {
            item.capital
                && item.is_content()
                && self
                    .standing
                    .items
                    .iter()
                    .any(|other| other.capital && other.term == item.term)
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

    /// Whether the texts are in two languages, so that their words cannot be laid side by side.
    pub(crate) fn is_mixed(&self) -> bool {
        self.new.language() != self.standing.language()
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

    /// Where a quantity stands among the items.
    pub(crate) fn place_of(&self, of: Of, quantity: &Quantity) -> usize {
        self.statement(of)
            .items
            .iter()
            .position(|item| item.span == quantity.span)
            .unwrap_or_default()
    }

    /// The language findings are told in.
    pub(crate) fn language(&self) -> Language {
        self.new.language()
    }
}

fn alternatives() -> &'static [Term; 6] {
    static TERMS: LazyLock<[Term; 6]> =
        LazyLock::new(|| ["or", "either", "nor", "neither", "或", "或者"].map(Term::of));
    &TERMS
}

fn partner(alignment: &Alignment, of: Of, at: usize) -> Option<Pair> {
    alignment.pairs.iter().copied().find(|pair| match of {
        Of::New => pair.new == at,
        Of::Standing => pair.standing == at,
    })
}
