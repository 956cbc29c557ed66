//! Judges words of opposite meaning in one slot; a denial of one of them takes the contradiction away.

use pawl_ledger::finding::{FindingKind, Score};

use crate::align::{Relation, is_opposite};
use crate::compare::{Explanation, Finding, Part};
use crate::explain;
use crate::item::Item;
use crate::lexicon::Role;
use crate::score::{score, weigh_slot};
use crate::view::{Of, View};

/// The strength of two opposites in one slot.
const OPPOSITES: u16 = 8_800;

/// Judges the opposites of two texts; at most one finding.
pub(crate) fn judge<'a>(view: &'a View<'a>) -> Option<Finding<'a>> {
    if view.is_existential() {
        return None;
    }
    if view.is_mixed() {
        return across_languages(view);
    }
    let pair = view.pairs(Relation::Opposite).find(|pair| {
        let denied = view.lone_negators.iter().any(|negator| {
            negator.head.is_some_and(|head| head.new == pair.new)
                || near(negator.of, negator.at, pair.new, pair.standing)
        });
        !denied && !view.is_offered(*pair) && !view.is_denied(*pair) && !view.is_reordered(*pair)
    })?;
    let (new, standing) = (
        view.item(Of::New, pair.new)?,
        view.item(Of::Standing, pair.standing)?,
    );
    Some(finding(
        view,
        weigh_slot(OPPOSITES, view, pair),
        new,
        standing,
    ))
}

fn finding<'a>(view: &'a View<'a>, score: Score, new: &'a Item, standing: &'a Item) -> Finding<'a> {
    Finding::new(FindingKind::Opposite, score, move || {
        let (new, standing) = (view.new.span(&new.span), view.standing.span(&standing.span));
        Explanation {
            reason: explain::opposite(view.language(), &new.text, &standing.text),
            parts: vec![
                Part::new("rule", "opposites"),
                Part::new("new_word", new.text.clone()),
                Part::new("standing_word", standing.text.clone()),
                Part::new("coverage_percent", view.coverage_percent().to_string()),
            ],
            new_spans: vec![new],
            standing_spans: vec![standing],
        }
    })
}

/// The score of opposites of two languages whose texts the embedding holds to be of one fact.
const ACROSS: u16 = 6_600;

/// The similarity that asks for, in ten-thousandths.
const ACROSS_COSINE: i16 = 6_500;

/// Words cannot be laid side by side here: the one word of direction in each text is looked at.
fn across_languages<'a>(view: &'a View<'a>) -> Option<Finding<'a>> {
    let denies = |of: Of| {
        view.statement(of)
            .items
            .iter()
            .any(|item| item.role == Role::Negator)
    };
    if view.cosine.is_none_or(|cosine| cosine < ACROSS_COSINE)
        || denies(Of::New)
        || denies(Of::Standing)
    {
        return None;
    }
    let directed = |of: Of| {
        let mut found = view
            .statement(of)
            .items
            .iter()
            .filter(|item| item.is_change);
        found.next().filter(|_| found.next().is_none())
    };
    let (new, standing) = (directed(Of::New)?, directed(Of::Standing)?);
    is_opposite(new, standing).then(|| finding(view, score(ACROSS), new, standing))
}

/// How many items before an opposite a denial of it may stand.
const SCOPE: usize = 4;

fn near(of: Of, at: usize, new: usize, standing: usize) -> bool {
    let word = if of == Of::New { new } else { standing };
    at < word && word - at <= SCOPE
}
