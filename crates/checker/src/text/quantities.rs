//! Finds every quantity of a text, left to right, none inside another.

use std::ops::Range;

use rust_decimal::Decimal;

use super::amounts::is_range_mark;
use super::calendar::{self, Dated};
use super::token::{Token, TokenClass};
use super::{comparator, delta};
use crate::interval::Interval;
use crate::lexicon::{Comparator, Lexicon, Role};
use crate::quantity::{Dimension, Quantity};
use crate::text::term::Term;

/// Finds the quantities of a text.
pub(crate) fn scan(tokens: &[Token], lexicon: &Lexicon) -> Vec<Quantity> {
    let scanner = Scanner { tokens, lexicon };
    let mut found: Vec<Quantity> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let floor = found.last().map_or(0, |last| last.tokens.end);
        match scanner.read(at, floor) {
            Some(quantity) => {
                at = quantity.tokens.end.max(at + 1);
                found.push(quantity);
            }
            None => at += 1,
        }
    }
    found
}

pub(super) struct Scanner<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) lexicon: &'a Lexicon,
}

/// What the letters give before the words around are looked at.
pub(super) struct Reading {
    pub(super) dimension: Dimension,
    pub(super) comparator: Comparator,
    pub(super) interval: Interval,
    pub(super) meant: Interval,
    pub(super) point: Option<Decimal>,
    pub(super) tokens: Range<usize>,
}

impl Scanner<'_> {
    fn read(&self, at: usize, floor: usize) -> Option<Quantity> {
        let token = self.tokens.get(at)?;
        let may_start = !matches!(token.class, TokenClass::Symbol) && !self.is_part_of_name(at);
        if !may_start {
            return None;
        }
        let reading = self
            .version(at)
            .or_else(|| self.date(at, floor))
            .or_else(|| self.pair(at))
            .or_else(|| self.number(at, floor))?;
        self.finish(reading)
    }

    /// `COVID-19`, `A4`: a number glued to a name by a hyphen is part of the name.
    fn is_part_of_name(&self, at: usize) -> bool {
        let Some([name, hyphen]) = at.checked_sub(2).and_then(|from| self.tokens.get(from..at))
        else {
            return false;
        };
        self.glued(at) && hyphen.folded == "-" && hyphen.glued && name.class == TokenClass::Word
    }

    pub(super) fn glued(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.glued)
    }

    pub(super) fn word(&self, at: usize) -> &str {
        self.tokens
            .get(at)
            .map_or("", |token| token.folded.as_str())
    }

    fn finish(&self, reading: Reading) -> Option<Quantity> {
        let first = self.tokens.get(reading.tokens.start)?;
        let last = self.tokens.get(reading.tokens.end.checked_sub(1)?)?;
        let measured = !reading.dimension.is_calendar()
            && !matches!(
                reading.dimension,
                Dimension::Ordinal | Dimension::Version | Dimension::Score
            );
        let nouns = match reading.dimension {
            Dimension::Count | Dimension::Ordinal => self.nouns(reading.tokens.end),
            _ => Vec::new(),
        };
        let is_label = self.is_label(&reading);
        Some(Quantity {
            is_label,
            is_delta: measured
                && delta::is_delta(
                    self.tokens,
                    reading.tokens.start,
                    reading.tokens.end,
                    self.lexicon,
                ),
            dimension: reading.dimension,
            interval: reading.interval,
            meant: reading.meant,
            point: reading.point,
            comparator: reading.comparator,
            is_period: false,
            span: first.span.start..last.span.end,
            tokens: reading.tokens,
            nouns,
        })
    }

    /// A bare number right after a word for things that are numbered, or an ordinal right before one.
    fn is_label(&self, reading: &Reading) -> bool {
        let numbered = |at: usize| {
            self.tokens
                .get(at)
                .and_then(|token| self.lexicon.entries.single(token.term))
                .is_some_and(|entry| entry.is_numbered)
        };
        let before = reading.tokens.start.checked_sub(1);
        match reading.dimension {
            Dimension::Count if reading.comparator == Comparator::Exactly => {
                before.is_some_and(|before| {
                    let sign = matches!(self.word(before), "#" | "." | "no" | "-");
                    numbered(before)
                        || self.word(before) == "#"
                        || sign && before.checked_sub(1).is_some_and(numbered)
                }) || self.word(reading.tokens.end) == "号"
            }
            Dimension::Ordinal => numbered(reading.tokens.end),
            _ => false,
        }
    }

    /// The content words right after a number, up to the next preposition or mark.
    pub(super) fn nouns(&self, from: usize) -> Vec<Term> {
        let mut nouns = Vec::new();
        for token in self.tokens.iter().skip(from).take(4) {
            let entry = self.lexicon.entries.single(token.term);
            let stop = entry.is_some_and(|entry| entry.role != Role::Content);
            match token.class {
                TokenClass::Word if !stop => {
                    nouns.push(
                        entry
                            .and_then(|entry| entry.canonical)
                            .unwrap_or(token.term),
                    );
                }
                TokenClass::Han if !stop => nouns.push(token.term),
                TokenClass::Han => {}
                _ if token.folded == "-" => {}
                _ => break,
            }
            if nouns.len() == 2 {
                break;
            }
        }
        nouns
    }

    fn date(&self, at: usize, floor: usize) -> Option<Reading> {
        let first = calendar::read(self.tokens, at, self.lexicon)?;
        let dated = self.date_range(at, &first).unwrap_or(first);
        let (mut bound, mut start) = comparator::before(self.tokens, at, self.lexicon, true)
            .filter(|(_, start)| *start >= floor)
            .unwrap_or((Comparator::Exactly, at));
        let mut next = dated.next;
        if bound == Comparator::AtLeast && self.word(start) == "from" && dated.low != dated.high {
            (bound, start) = (Comparator::Exactly, at);
        }
        if bound == Comparator::Exactly
            && let Some((after, end)) = comparator::after(self.tokens, next, self.lexicon, true)
        {
            (bound, next) = (after, end);
        }
        let interval = comparator::span(bound, dated.low, dated.high);
        Some(Reading {
            dimension: dated.dimension,
            comparator: bound,
            interval,
            meant: interval,
            point: None,
            tokens: start..next,
        })
    }

    fn date_range(&self, at: usize, first: &Dated) -> Option<Dated> {
        let mark = self.word(first.next);
        let between = mark == "and"
            && at
                .checked_sub(1)
                .is_some_and(|before| self.word(before) == "between");
        if !between && !is_range_mark(mark) {
            return None;
        }
        let second = calendar::read(self.tokens, first.next + 1, self.lexicon)?;
        (second.dimension == first.dimension && second.high >= first.low).then(|| Dated {
            dimension: first.dimension.clone(),
            low: first.low,
            high: second.high,
            next: second.next,
        })
    }

    pub(super) fn is_content_word(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            let role = self
                .lexicon
                .entries
                .single(token.term)
                .map_or(Role::Content, |entry| entry.role);
            token.class == TokenClass::Word && role == Role::Content
        })
    }
}
