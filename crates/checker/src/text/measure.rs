//! Finds what a number measures: money before or after it, a unit after it.

use rust_decimal::Decimal;

use super::token::{Token, TokenClass};
use crate::lexicon::Lexicon;
use crate::quantity::Dimension;

/// A unit as found: values plus `offset`, times `factor`, are in the base unit.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) dimension: Dimension,
    pub(crate) factor: Decimal,
    pub(crate) offset: Decimal,
    /// The first token after it, or the first token of it when it stands before the number.
    pub(crate) edge: usize,
}

impl Found {
    fn money(code: &str, edge: usize) -> Self {
        Self {
            dimension: Dimension::Money(code.to_owned()),
            factor: Decimal::ONE,
            offset: Decimal::ZERO,
            edge,
        }
    }

    pub(crate) fn ratio(factor: Decimal, edge: usize) -> Self {
        Self {
            dimension: Dimension::Measure("ratio".to_owned()),
            factor,
            offset: Decimal::ZERO,
            edge,
        }
    }
}

/// The longest currency mark looked for before a number, in tokens.
const LONGEST_MARK: usize = 2;

/// Finds a currency mark or `百分之` that ends right before `at`.
pub(crate) fn before(tokens: &[Token], at: usize, lexicon: &Lexicon) -> Option<Found> {
    let last = tokens.get(at.checked_sub(1)?)?;
    if last.folded == "百分之" {
        return Some(Found::ratio(Decimal::new(1, 2), at - 1));
    }
    if last.folded == "千分之" {
        return Some(Found::ratio(Decimal::new(1, 3), at - 1));
    }
    (1..=LONGEST_MARK).rev().find_map(|length| {
        let start = at.checked_sub(length)?;
        let mark = tokens.get(start..at)?;
        let short = mark.iter().any(|token| token.class == TokenClass::Symbol)
            || (length == 1 && last.class == TokenClass::Word && last.folded.len() <= 3);
        let code = lexicon.currencies.exact(mark).filter(|_| short)?;
        Some(Found::money(code, start))
    })
}

/// Finds a unit or currency that starts at `at`, a hyphen before it allowed.
pub(crate) fn after(tokens: &[Token], at: usize, lexicon: &Lexicon) -> Option<Found> {
    let first = tokens.get(at)?;
    if first.folded == "-" && first.glued && tokens.get(at + 1).is_some_and(|next| next.glued) {
        return unit(tokens, at + 1, lexicon, false)
            .filter(|found| found.dimension != Dimension::Measure("temperature".to_owned()));
    }
    if first.folded == "成" {
        return Some(Found::ratio(Decimal::new(1, 1), at + 1));
    }
    unit(tokens, at, lexicon, first.glued)
}

fn unit(tokens: &[Token], at: usize, lexicon: &Lexicon, glued: bool) -> Option<Found> {
    let rest = tokens.get(at..)?;
    if let Some((length, code)) = lexicon.currencies.longest(rest) {
        return Some(Found::money(code, at + length));
    }
    let (length, entry) = lexicon.units.longest(rest)?;
    if entry.glued_only && !glued {
        return None;
    }
    let hyphened = age(tokens, at);
    if let Some(next) = hyphened {
        return Some(Found {
            dimension: Dimension::Measure("age".to_owned()),
            factor: Decimal::ONE,
            offset: Decimal::ZERO,
            edge: next,
        });
    }
    Some(Found {
        dimension: Dimension::Measure(entry.dimension.clone()),
        factor: entry.factor,
        offset: entry.offset,
        edge: at + length,
    })
}

/// `year-old` after a number is an age.
fn age(tokens: &[Token], at: usize) -> Option<usize> {
    let [year, hyphen, old, ..] = tokens.get(at..)? else {
        return None;
    };
    (year.folded == "year" && hyphen.folded == "-" && old.folded == "old").then_some(at + 3)
}
