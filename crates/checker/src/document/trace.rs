//! One statement of a text beside one that stands: what the standing one bears out, and what the two disagree in.

use std::ops::Range;

use super::backing::{Backing, backing, is_figure};
use super::{Document, Passage};
use crate::comparable::{Comparability, Qualifier};
use crate::compare::{Judgement, compare};
use crate::lexicon::Narrowing;
use crate::score::score;
use crate::statement::Statement;
use crate::vocabulary::Vocabulary;

/// What came of laying a statement beside a standing one.
#[derive(Clone, Debug, Default)]
pub struct Traced {
    /// How far it is borne out.
    pub backing: Option<Backing>,
    /// What the two disagree in, the surest first; the places are in [`Passage::compared`].
    pub findings: Vec<Judgement>,
}

/// A statement in the form that is laid beside another one.
struct Reading {
    statement: Statement,
    /// How many bytes were put before what is compared.
    before: usize,
}

/// The nearness in meaning from which texts of two languages can contradict each other, in ten-thousandths: their
/// words cannot be laid side by side, so that nothing else says that they speak of one thing.
const CONTRADICTING_MIXED: i16 = 7_500;
/// The most that a finding is worth below it: noted.
const NOTED: u16 = 5_000;

/// Lays a statement of a text beside one that stands.
///
/// Where the two cannot be about the same as the statement stands, it is read in two other ways: with the `worldwide`
/// or `retail` that a heading of the text has and the statement lacks, and by its first clause alone (`It reached
/// 24.8 GW, up 12% year on year` is about a level first).
pub fn trace(
    document: &Document,
    passage: &Passage,
    new: &Statement,
    standing: &Statement,
    cosine: Option<i16>,
    vocabulary: &Vocabulary,
) -> Traced {
    let whole = Reading {
        statement: new.clone(),
        before: 0,
    };
    let (traced, comparable) = lay_beside(&whole, standing, cosine, vocabulary);
    if traced.backing.is_some() || !traced.findings.is_empty() {
        return traced;
    }
    let lent = lent_word(document, passage, &comparable);
    let lent = lent.map(|word| Reading {
        statement: Statement::of(&format!("{word}, {}", new.content()), vocabulary),
        before: word.len() + 2,
    });
    let clauses = clauses(passage, new).into_iter().map(|clause| Reading {
        statement: Statement::of(new.content().get(clause).unwrap_or_default(), vocabulary),
        before: 0,
    });
    lent.into_iter()
        .chain(clauses)
        .map(|reading| lay_beside(&reading, standing, cosine, vocabulary).0)
        .find(|traced| traced.backing.is_some() || !traced.findings.is_empty())
        .unwrap_or_default()
}

fn lay_beside(
    new: &Reading,
    standing: &Statement,
    cosine: Option<i16>,
    vocabulary: &Vocabulary,
) -> (Traced, Comparability) {
    let mut backing = backing(&new.statement, standing, cosine, vocabulary);
    for figure in backing.iter_mut().flat_map(|it| &mut it.figures) {
        *figure = figure.start.saturating_sub(new.before)..figure.end.saturating_sub(new.before);
    }
    let comparison = compare(&new.statement, standing, cosine, vocabulary);
    let mut findings = comparison.findings;
    let is_far = new.statement.language() != standing.language()
        && cosine.is_none_or(|cosine| cosine < CONTRADICTING_MIXED);
    for judgement in &mut findings {
        if is_far {
            judgement.score = judgement.score.min(score(NOTED));
        }
        judgement.new_spans.retain(|span| span.start >= new.before);
        for span in &mut judgement.new_spans {
            (span.start, span.end) = (span.start - new.before, span.end - new.before);
        }
    }
    (Traced { backing, findings }, comparison.comparable)
}

/// The word that separates the two, if the statement has none of its kind and a heading has one.
fn lent_word(document: &Document, passage: &Passage, comparable: &Comparability) -> Option<String> {
    let Comparability::NotComparable { qualifier, new, .. } = comparable else {
        return None;
    };
    let kind = match qualifier {
        Qualifier::Region => Narrowing::Region,
        Qualifier::Segment => Narrowing::Segment,
        Qualifier::Scope => Narrowing::Scope,
        _ => return None,
    };
    let word = document.sections.narrowing(passage.section, kind)?;
    new.is_empty().then_some(word)
}

/// Beginnings of a statement that say something by themselves: up to a colon, unless what stands before it is a label,
/// and up to the end of the first clause with a figure.
fn clauses(passage: &Passage, statement: &Statement) -> Vec<Range<usize>> {
    let text = statement.content();
    let ends = || {
        text.char_indices().filter(|(at, mark)| match mark {
            '，' | '；' | '：' => true,
            ',' | ';' | ':' => text.get(at + 1..).is_some_and(|it| it.starts_with(' ')),
            _ => false,
        })
    };
    let colon = ends()
        .find(|(_, mark)| matches!(mark, ':' | ';' | '：' | '；'))
        .filter(|_| !passage.is_fragment);
    let first_figure = statement.quantities().iter().find(|it| is_figure(it));
    let clause = first_figure.and_then(|it| ends().find(|(at, _)| *at >= it.span.end));
    let mut found: Vec<Range<usize>> = [colon, clause]
        .into_iter()
        .flatten()
        .map(|(at, _)| 0..at)
        .collect();
    found.dedup();
    found
}

impl Passage {
    /// Says whether every figure of it is among those that were borne out; true where it has none.
    pub fn is_whole(&self, statement: &Statement, backings: &[&Backing]) -> bool {
        self.bare_figures(statement, backings).is_empty()
    }

    /// The figures of it that nothing bears out, as they are written.
    pub fn bare_figures(&self, statement: &Statement, backings: &[&Backing]) -> Vec<String> {
        let figures = statement.quantities().iter().filter(|it| is_figure(it));
        figures
            .filter(|it| !backings.iter().any(|by| by.figures.contains(&it.span)))
            .map(|it| statement.span(&it.span).text)
            .collect()
    }
}
