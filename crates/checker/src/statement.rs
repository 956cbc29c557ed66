//! One assertion, parsed once: everything that comparing needs.

use std::ops::Range;

use pawl_ledger::claim::Claim;
use serde::{Deserialize, Serialize};

use crate::claims::{self, ClaimKey, ParsedClaim};
use crate::interval::{Bound, Interval};
use crate::item::{Item, items};
use crate::quantity::{Dimension, Quantity};
use crate::text::days::parse_iso;
use crate::text::language::Language;
use crate::text::normalise::normalise;
use crate::text::quantities;
use crate::text::stated_unit;
use crate::text::term::Term;
use crate::text::token::tokenise;
use crate::vocabulary::Vocabulary;

/// What an author hands in, as far as judging looks at it.
#[derive(Clone, Copy, Debug)]
pub struct Draft<'a> {
    /// The text.
    pub content: &'a str,
    /// The structured part, if there is one.
    pub claim: Option<&'a Claim>,
    /// The entities it is about, as the author names them.
    pub entities: &'a [String],
    /// The first day it holds, in ISO form.
    pub valid_from: Option<&'a str>,
    /// The last day it holds, in ISO form.
    pub valid_to: Option<&'a str>,
}

/// A part of a text: byte range and the text itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// The text.
    pub text: String,
}

/// One assertion, parsed.
#[derive(Clone, Debug)]
pub struct Statement {
    content: String,
    normalised: String,
    language: Language,
    terms: Vec<Term>,
    quantities: Vec<Quantity>,
    pub(crate) items: Vec<Item>,
    pub(crate) claim: Option<ParsedClaim>,
    pub(crate) entities: Vec<String>,
    pub(crate) valid: Interval,
    /// Whether it speaks of some one or other (`a man …`): two such texts may mean two things.
    pub(crate) is_indefinite: bool,
}

impl Statement {
    /// Parses a text that comes with nothing else.
    pub fn of(content: &str, vocabulary: &Vocabulary) -> Self {
        let draft = Draft {
            content,
            claim: None,
            entities: &[],
            valid_from: None,
            valid_to: None,
        };
        Self::parse(&draft, vocabulary)
    }

    /// Parses an assertion; never fails: what cannot be read is not judged.
    pub fn parse(draft: &Draft<'_>, vocabulary: &Vocabulary) -> Self {
        let lexicon = vocabulary.lexicon();
        let tokens = tokenise(draft.content, lexicon);
        let mut quantities = quantities::scan(&tokens, lexicon);
        let stated_unit = stated_unit::lend(&tokens, &mut quantities, lexicon);
        let mut items = items(&tokens, &quantities, lexicon);
        if let Some(unit) = stated_unit {
            items.retain(|item| item.quantity.is_some() || !unit.contains(&item.span.start));
        }
        mark_periods(&items, &mut quantities);
        let mut entities: Vec<String> = draft
            .entities
            .iter()
            .map(|name| vocabulary.entity(name))
            .collect();
        entities.sort_unstable();
        entities.dedup();
        let first = tokens.first().map_or("", |token| token.folded.as_str());
        Self {
            content: draft.content.to_owned(),
            normalised: normalise(draft.content),
            language: Language::of(draft.content),
            terms: terms(&items, &entities),
            quantities,
            items,
            claim: draft.claim.map(|claim| claims::parse(claim, vocabulary)),
            entities,
            valid: validity(draft),
            is_indefinite: matches!(
                first,
                "a" | "an" | "one" | "some" | "有" | "一" | "某" | "there"
            ),
        }
    }

    /// The text as given.
    pub fn content(&self) -> &str {
        &self.content
    }

    /// The text in the form texts are compared in.
    pub fn normalised(&self) -> &str {
        &self.normalised
    }

    /// The language it is judged in.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The key of its claim.
    pub fn claim_key(&self) -> Option<&ClaimKey> {
        self.claim.as_ref().map(|claim| &claim.key)
    }

    /// Its content terms, stemmed, synonyms and entity aliases folded, sorted, each once.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Its quantities, in the order of the text.
    pub fn quantities(&self) -> &[Quantity] {
        &self.quantities
    }

    /// Cuts a span out of the text.
    pub(crate) fn span(&self, range: &Range<usize>) -> Span {
        Span {
            start: range.start,
            end: range.end,
            text: self
                .content
                .get(range.clone())
                .unwrap_or_default()
                .to_owned(),
        }
    }
}

fn validity(draft: &Draft<'_>) -> Interval {
    let low = draft
        .valid_from
        .and_then(parse_iso)
        .map_or(Bound::Unbounded, |(low, _)| Bound::Closed(low.into()));
    let high = draft
        .valid_to
        .and_then(parse_iso)
        .map_or(Bound::Unbounded, |(_, high)| Bound::Closed(high.into()));
    Interval { low, high }
}

/// How many items before a date its event is looked for.
const EVENT_REACH: usize = 8;

/// A date is the value of the event before it if nothing else is counted; otherwise it says when the rest holds.
fn mark_periods(items: &[Item], quantities: &mut [Quantity]) {
    let counted = quantities.iter().any(|quantity| {
        !quantity.dimension.is_calendar() && !matches!(quantity.dimension, Dimension::Ordinal)
    });
    for (at, item) in items.iter().enumerate() {
        let Some(quantity) = item.quantity.and_then(|index| quantities.get_mut(index)) else {
            continue;
        };
        if !quantity.dimension.is_calendar() {
            continue;
        }
        let before = items
            .get(at.saturating_sub(EVENT_REACH)..at)
            .unwrap_or_default();
        let after = items
            .get(at + 1..(at + 5).min(items.len()))
            .unwrap_or_default();
        let event = before
            .iter()
            .chain(after.iter().filter(|item| item.han))
            .any(|item| item.is_event);
        quantity.is_period = counted || !event;
    }
}

/// Content terms; single Han characters are posted in pairs, as one alone tells nothing.
fn terms(items: &[Item], entities: &[String]) -> Vec<Term> {
    let mut terms: Vec<Term> = entities.iter().map(|name| Term::of(name)).collect();
    for (at, item) in items.iter().enumerate() {
        if !item.is_content() || item.quantity.is_some() {
            continue;
        }
        let single = item.han && item.span.len() <= 4;
        if !single {
            terms.push(item.term);
        } else if let Some(next) = items
            .get(at + 1)
            .filter(|next| next.han && next.span.start == item.span.end)
        {
            terms.extend(Term::joined([item.term, next.term]));
        }
    }
    terms.sort_unstable();
    terms.dedup();
    terms
}
