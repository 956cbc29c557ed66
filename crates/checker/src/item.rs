//! The steps two texts are laid side by side in: words, phrases and whole quantities, with what the lexicon knows.

use std::ops::Range;

use crate::lexicon::{Entry, Lexicon, Membership, Narrowing, Role, Side};
use crate::quantity::Quantity;
use crate::text::term::Term;
use crate::text::token::{Token, TokenClass};

/// A step of the alignment: a word, a phrase or a whole quantity.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) term: Term,
    pub(crate) role: Role,
    pub(crate) span: Range<usize>,
    pub(crate) quantity: Option<usize>,
    pub(crate) sides: Vec<Side>,
    pub(crate) memberships: Vec<Membership>,
    pub(crate) narrowing: Option<(Narrowing, Term)>,
    pub(crate) is_change: bool,
    pub(crate) is_event: bool,
    pub(crate) is_relation: bool,
    pub(crate) capital: bool,
    pub(crate) han: bool,
    /// Which clause of the text it is in, counted by the marks between.
    pub(crate) clause: u16,
}

impl Item {
    /// Whether it carries content of its own.
    pub(crate) fn is_content(&self) -> bool {
        self.role == Role::Content
    }
}

/// Turns tokens into items.
pub(crate) fn items(tokens: &[Token], quantities: &[Quantity], lexicon: &Lexicon) -> Vec<Item> {
    let mut items = Vec::with_capacity(tokens.len());
    let mut remaining = quantities.iter().enumerate().peekable();
    let (mut at, mut clause) = (0, 0_u16);
    while let Some(token) = tokens.get(at) {
        if let Some((index, quantity)) =
            remaining.next_if(|(_, quantity)| quantity.tokens.start <= at)
        {
            items.push(Item {
                clause,
                quantity: Some(index),
                ..blank(Term::of("#"), quantity.span.clone())
            });
            at = quantity.tokens.end.max(at + 1);
            continue;
        }
        if token.class == TokenClass::Symbol {
            let ends = matches!(
                token.folded.as_str(),
                "," | ";" | "." | ":" | "!" | "?" | "，" | "；" | "。" | "：" | "！" | "？"
            );
            clause = clause.saturating_add(u16::from(ends));
            at += 1;
            continue;
        }
        let end = remaining
            .peek()
            .map_or(tokens.len(), |(_, quantity)| quantity.tokens.start);
        let window = tokens.get(at..end).unwrap_or_default();
        let (length, item) = word(window, token, lexicon);
        items.push(Item { clause, ..item });
        at += length;
    }
    items
}

fn word(window: &[Token], token: &Token, lexicon: &Lexicon) -> (usize, Item) {
    if token.capital && token.folded.len() == 1 && token.span.start > 0 {
        let letter = blank(token.term, token.span.clone());
        return (
            1,
            Item {
                capital: true,
                ..letter
            },
        );
    }
    let alias = lexicon
        .aliases
        .longest(window)
        .map(|(length, term)| (length, *term));
    let known = lexicon.entries.longest(window);
    let length = alias
        .map_or(0, |(length, _)| length)
        .max(known.map_or(1, |(length, _)| length));
    let last = window.get(length - 1).unwrap_or(token);
    let span = token.span.start..last.span.end;
    let mut item = match known.filter(|(known, _)| *known == length) {
        Some((_, entry)) => from_entry(entry, phrase_term(window, length, token), span),
        None => blank(token.term, span),
    };
    if let Some((_, term)) = alias.filter(|(alias, _)| *alias == length) {
        item.term = term;
    }
    item.capital = token.capital;
    item.han = token.class == TokenClass::Han;
    (length, item)
}

fn phrase_term(window: &[Token], length: usize, token: &Token) -> Term {
    let phrase = window.get(..length).unwrap_or_default();
    Term::joined(phrase.iter().map(|token| token.term)).unwrap_or(token.term)
}

fn blank(term: Term, span: Range<usize>) -> Item {
    Item {
        term,
        role: Role::Content,
        span,
        quantity: None,
        sides: Vec::new(),
        memberships: Vec::new(),
        narrowing: None,
        is_change: false,
        is_event: false,
        is_relation: false,
        capital: false,
        han: false,
        clause: 0,
    }
}

fn from_entry(entry: &Entry, term: Term, span: Range<usize>) -> Item {
    Item {
        role: entry.role,
        sides: entry.opposites.clone(),
        memberships: entry.memberships.clone(),
        narrowing: entry.narrowing,
        is_change: entry.is_change,
        is_event: entry.is_event,
        is_relation: entry.is_relation,
        ..blank(entry.canonical.unwrap_or(term), span)
    }
}
