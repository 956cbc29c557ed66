//! A unit with a magnitude and no number: `Revenue (million euros): 5.2`, `Revenue in million euros was 5.2`.
//!
//! Alone it is no quantity. Where it is in brackets or behind `in`, and the text has one bare number, it is the unit of
//! that number; otherwise its words are words like others.

use std::ops::Range;

use rust_decimal::Decimal;

use super::number::Number;
use super::quantities::Scanner;
use super::term::Term;
use super::token::{Token, TokenClass};
use super::{chinese_number, measure};
use crate::lexicon::{Lexicon, NumeralEntry};
use crate::quantity::{Dimension, Quantity};

/// Words before a magnitude that make it a number: `a million euros`, `5 per million`.
const INTRODUCING: [&str; 8] = ["a", "an", "the", "another", "every", "each", "per", "extra"];
/// Words between an article and a magnitude that say that there are several.
const SEVERAL: [&str; 2] = ["few", "couple"];

impl Scanner<'_> {
    /// Whether a number is nothing but a magnitude that only tells what something is counted in.
    pub(super) fn is_magnitude_alone(&self, at: usize, number: &Number) -> bool {
        let Some(token) = self.tokens.get(at).filter(|_| number.next == at + 1) else {
            return false;
        };
        if magnitude(token, self.lexicon).is_none() {
            return false;
        }
        let before = at.checked_sub(1);
        let earlier = before.and_then(|it| it.checked_sub(1));
        let word = |at: Option<usize>| at.map_or("", |at| self.word(at));
        if token.class == TokenClass::Numeral {
            return match word(before) {
                "(" | "（" | "[" => true,
                ":" | "：" => matches!(word(earlier), "单位" | "位"),
                "以" => (at + 2..at + 4).any(|after| self.word(after) == "计"),
                _ => false,
            };
        }
        let is_described = before.is_some_and(|it| self.is_content_word(it))
            && matches!(word(earlier), "a" | "an")
            && !SEVERAL.contains(&word(before));
        let is_number =
            INTRODUCING.contains(&word(before)) || is_described || self.word(number.next) == "-";
        !is_number
    }
}

/// Gives the one bare number of a text the unit that is stated apart from it, and says where the unit is written.
pub(crate) fn lend(
    tokens: &[Token],
    quantities: &mut [Quantity],
    lexicon: &Lexicon,
) -> Option<Range<usize>> {
    let mut bare = quantities
        .iter_mut()
        .filter(|quantity| is_bare(quantity, tokens, lexicon));
    let (quantity, None) = (bare.next()?, bare.next()) else {
        return None;
    };
    let unit = (0..tokens.len())
        .filter(|at| !quantity.tokens.contains(at))
        .find_map(|at| bracketed(tokens, at, lexicon).or_else(|| behind_in(tokens, at, lexicon)))?;
    quantity.interval = quantity.interval.scaled(unit.factor, Decimal::ZERO);
    quantity.meant = quantity.meant.scaled(unit.factor, Decimal::ZERO);
    quantity.point = None;
    quantity.dimension = unit.dimension;
    let written = tokens.get(unit.tokens)?;
    Some(written.first()?.span.start..written.last()?.span.end)
}

/// A number without a unit, a magnitude and a noun.
fn is_bare(quantity: &Quantity, tokens: &[Token], lexicon: &Lexicon) -> bool {
    let written = tokens.get(quantity.tokens.clone()).unwrap_or_default();
    quantity.dimension == Dimension::Count
        && !quantity.is_label
        && quantity.nouns.is_empty()
        && written.iter().any(|it| it.class == TokenClass::Number)
        && !written.iter().any(|it| magnitude(it, lexicon).is_some())
}

/// What a number is counted in.
struct Unit {
    factor: Decimal,
    dimension: Dimension,
    tokens: Range<usize>,
}

/// `(million euros)`, `(€ million)`, `(millions)`, `（单位：万元）`.
fn bracketed(tokens: &[Token], at: usize, lexicon: &Lexicon) -> Option<Unit> {
    if !is(tokens, at, &["(", "（", "["]) {
        return None;
    }
    let mut from = at + 1;
    while is(tokens, from, &["in", "单位", "单", "位", ":", "："]) {
        from += 1;
    }
    let unit = scaled(tokens, from, lexicon)?;
    is(tokens, unit.tokens.end, &[")", "）", "]"]).then_some(unit)
}

/// `in million euros`, `in thousands of tonnes`.
fn behind_in(tokens: &[Token], at: usize, lexicon: &Lexicon) -> Option<Unit> {
    let unit = scaled(tokens, at + 1, lexicon).filter(|_| is(tokens, at, &["in"]))?;
    (unit.dimension != Dimension::Count).then_some(unit)
}

/// A magnitude with a unit after it, or a currency mark before it, or by itself.
fn scaled(tokens: &[Token], from: usize, lexicon: &Lexicon) -> Option<Unit> {
    let marked = (from + 1..from + 3).find_map(|at| {
        let found = measure::before(tokens, at, lexicon).filter(|found| found.edge == from)?;
        let factor = magnitude(tokens.get(at)?, lexicon)?;
        matches!(found.dimension, Dimension::Money(_)).then_some(Unit {
            factor,
            dimension: found.dimension,
            tokens: from..at + 1,
        })
    });
    if marked.is_some() {
        return marked;
    }
    let token = tokens.get(from)?;
    let is_short = token.class == TokenClass::Word && token.folded.len() == 1;
    let factor = magnitude(token, lexicon).filter(|_| !is_short)?;
    let after = from + 1 + usize::from(is(tokens, from + 1, &["of"]));
    Some(match measure::after(tokens, after, lexicon) {
        Some(found) => Unit {
            factor: factor.checked_mul(found.factor)?,
            dimension: found.dimension,
            tokens: from..found.edge,
        },
        None => Unit {
            factor,
            dimension: Dimension::Count,
            tokens: from..from + 1,
        },
    })
}

/// What a word or numeral multiplies by, if that is all that it does.
fn magnitude(token: &Token, lexicon: &Lexicon) -> Option<Decimal> {
    match token.class {
        TokenClass::Numeral => {
            let alone = token.folded.chars().all(|it| "百千万亿".contains(it));
            alone.then(|| chinese_number::magnitude(&token.folded))?
        }
        TokenClass::Word => {
            let entry = |word: &str| lexicon.numerals.get(&Term::of(word));
            let plural = || entry(token.folded.strip_suffix('s')?);
            match entry(&token.folded).or_else(plural)? {
                NumeralEntry::Scale { factor, .. } => Some(*factor),
                _ => None,
            }
        }
        _ => None,
    }
}

fn is(tokens: &[Token], at: usize, words: &[&str]) -> bool {
    let token = tokens.get(at);
    token.is_some_and(|it| words.contains(&it.folded.as_str()))
}
