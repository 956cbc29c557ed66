//! What the checker knows of words: the shipped data files and what a board adds, compiled for lookup by term.

mod declare;
mod load;
mod phrases;
mod rows;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

pub use load::LexiconError;
pub(crate) use load::{FILES, shipped};
pub(crate) use phrases::Phrases;

use crate::text::term::{Term, TermMap};

/// What part a word plays in judging.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Carries content.
    #[default]
    Content,
    /// Carries none: articles, auxiliaries, particles.
    Stop,
    /// Denies what it stands before.
    Negator,
    /// Says how much of a set is meant.
    Quantifier(Quantifier),
    /// Says whether something is demanded, allowed or forbidden.
    Modal(Modal),
}

/// How much of a set is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantifier {
    /// Every member, every time.
    All,
    /// Not every member.
    NotAll,
    /// More than half.
    Most,
    /// At least one.
    Some,
    /// A small part.
    Few,
    /// No member, at no time.
    None,
}

/// Whether something is demanded, allowed or forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Modal {
    /// Must.
    Required,
    /// May, can.
    Permitted,
    /// Must not, cannot.
    Forbidden,
    /// Need not.
    Optional,
}

/// One side of a pair of opposites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) pair: u16,
    pub(crate) left: bool,
}

/// Membership in an exclusive set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Membership {
    pub(crate) set: u16,
    pub(crate) member: u16,
}

/// What a qualifying word narrows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Narrowing {
    /// A place.
    Region,
    /// A part of a market or a population.
    Segment,
    /// Which part or stage of the thing is meant.
    Scope,
}

/// What is known of a word or phrase.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry {
    pub(crate) role: Role,
    pub(crate) canonical: Option<Term>,
    pub(crate) opposites: Vec<Side>,
    pub(crate) memberships: Vec<Membership>,
    pub(crate) narrowing: Option<(Narrowing, Term)>,
    /// A word of change: a number right after it is a difference, not a level.
    pub(crate) is_change: bool,
    /// A happening that has one date: a date after it is its value, not a period.
    pub(crate) is_event: bool,
    /// A word for things that are numbered: `ticket`, `phase`.
    pub(crate) is_numbered: bool,
    /// A relation that has one holder: `capital of`, `made by`.
    pub(crate) is_relation: bool,
}

/// A unit: values times `factor` after adding `offset` are in the base unit of the dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnitEntry {
    pub(crate) dimension: String,
    pub(crate) factor: Decimal,
    pub(crate) offset: Decimal,
    /// Whether it counts only when glued to the number, as `m` and `k` do.
    pub(crate) glued_only: bool,
}

/// What a number word stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumeralEntry {
    /// A number below a hundred, added.
    Small(Decimal),
    /// A magnitude, multiplied.
    Scale { factor: Decimal, glued_only: bool },
    /// A place in an order.
    Ordinal(Decimal),
    /// A part: `half`, `quarter`.
    Fraction(Decimal),
}

/// How a number is bounded by the words around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparator {
    /// As written, to the precision it is written to.
    Exactly,
    /// More than.
    Over,
    /// More than, said of what is just past: `over 13.8 bn` is not said of 20 bn.
    Past,
    /// This or more.
    AtLeast,
    /// Less than.
    Under,
    /// This or less.
    AtMost,
    /// Near, either side.
    About,
    /// Near, from below.
    Nearly,
}

/// What a comparator phrase may stand beside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ComparatorEntry {
    pub(crate) comparator: Comparator,
    pub(crate) numbers: bool,
    pub(crate) dates: bool,
}

/// A set of which at most one member holds.
#[derive(Clone, Debug)]
pub(crate) struct SetEntry {
    pub(crate) name: String,
    /// Declared by the board: two members are an exact finding where everything else agrees.
    pub(crate) declared: bool,
}

/// A word of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CalendarEntry {
    Month(i8),
    Quarter(i8),
    Half(i8),
}

/// Everything known, compiled.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    pub(crate) entries: Phrases<Entry>,
    pub(crate) units: Phrases<UnitEntry>,
    pub(crate) currencies: Phrases<String>,
    pub(crate) before: Phrases<ComparatorEntry>,
    pub(crate) after: Phrases<ComparatorEntry>,
    pub(crate) numerals: TermMap<NumeralEntry>,
    pub(crate) calendar: TermMap<CalendarEntry>,
    pub(crate) sets: Vec<SetEntry>,
    pub(crate) aliases: Phrases<Term>,
    bases: TermMap<Term>,
    han: TermMap<()>,
    pairs: u16,
}

impl Lexicon {
    /// Says whether a Han word of two characters or more is known.
    pub(crate) fn is_han_word(&self, word: Term) -> bool {
        self.han.contains_key(&word)
    }

    /// The stem of an irregular form, `rose` giving that of `rise`.
    pub(crate) fn base_of(&self, folded: &str) -> Option<Term> {
        self.bases.get(&Term::of(folded)).copied()
    }
}
