//! Two statements side by side, with what the judgements share: alignment, frame, leftovers, brakes.

use std::ops::Range;

use crate::align::{Alignment, Pair, Relation, align};
use crate::item::Item;
use crate::lexicon::{Quantifier, Role};
use crate::quantity::Quantity;
use crate::statement::Statement;
use crate::text::language::Language;
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
    /// Slots in which the two disagree; with several, the texts may speak of two things.
    pub(crate) disagreements: usize,
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
            disagreements: 0,
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
        self.disagreements = self.count_disagreements();
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

    /// Whether a name, or any Han word, stands where the other text has another.
    pub(crate) fn is_renamed(&self) -> bool {
        let named = |of: Of, range: &Range<usize>| {
            self.slice(of, range).iter().any(|item| {
                item.is_content() && item.quantity.is_none() && (item.capital || item.han)
            })
        };
        let gaps = self.alignment.iter().flat_map(|alignment| &alignment.gaps);
        !self.is_mixed()
            && gaps
                .into_iter()
                .any(|gap| named(Of::New, &gap.new) && named(Of::Standing, &gap.standing))
    }

    /// Whether the texts are in two languages, so that their words cannot be laid side by side.
    pub(crate) fn is_mixed(&self) -> bool {
        self.new.language() != self.standing.language()
    }

    /// The quantities of a pair.
    pub(crate) fn quantities_of(&self, pair: Pair) -> Option<(&'a Quantity, &'a Quantity)> {
        let new = self
            .new
            .quantities()
            .get(self.item(Of::New, pair.new)?.quantity?)?;
        let standing = self
            .standing
            .quantities()
            .get(self.item(Of::Standing, pair.standing)?.quantity?)?;
        Some((new, standing))
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

fn partner(alignment: &Alignment, of: Of, at: usize) -> Option<Pair> {
    alignment.pairs.iter().copied().find(|pair| match of {
        Of::New => pair.new == at,
        Of::Standing => pair.standing == at,
    })
}
