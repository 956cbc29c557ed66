//! Judges quantifiers (all, some, none) and modalities (must, may, must not) that exclude each other.

use pawl_ledger::finding::FindingKind;

use crate::align::{Pair, Relation};
use crate::compare::{Explanation, Finding, Part};
use crate::explain::{self, Operators};
use crate::lexicon::{Modal, Quantifier, Role};
use crate::score::weigh;
use crate::view::{Of, View};

/// The strength of two quantifiers or modalities that exclude each other.
const EXCLUDED: u16 = 8_400;

/// Judges quantifiers and modalities.
pub(crate) fn judge<'a>(view: &'a View<'a>) -> Vec<Finding<'a>> {
    if !view.lone_negators.is_empty() || view.pairs(Relation::Opposite).next().is_some() {
        return Vec::new();
    }
    let quantifiers = view
        .pairs(Relation::Quantifier)
        .find(|pair| excludes(view, *pair));
    let modals = view
        .pairs(Relation::Modal)
        .find(|pair| excludes(view, *pair));
    [
        quantifiers
            .and_then(|pair| finding(view, pair, FindingKind::Quantifier, Operators::Quantifier)),
        modals.and_then(|pair| finding(view, pair, FindingKind::Modality, Operators::Modality)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn excludes(view: &View<'_>, pair: Pair) -> bool {
    let role = |of, at| view.item(of, at).map(|item| item.role);
    match (role(Of::New, pair.new), role(Of::Standing, pair.standing)) {
        (Some(Role::Quantifier(new)), Some(Role::Quantifier(standing))) => {
            quantifiers(new, standing) || quantifiers(standing, new)
        }
        (Some(Role::Modal(new)), Some(Role::Modal(standing))) => {
            modals(new, standing) || modals(standing, new)
        }
        _ => false,
    }
}

fn quantifiers(one: Quantifier, other: Quantifier) -> bool {
    matches!(
        (one, other),
        (
            Quantifier::All,
            Quantifier::NotAll | Quantifier::None | Quantifier::Few
        ) | (
            Quantifier::None,
            Quantifier::Some | Quantifier::Most | Quantifier::Few
        ) | (Quantifier::Most, Quantifier::Few)
    )
}

fn modals(one: Modal, other: Modal) -> bool {
    matches!(
        (one, other),
        (Modal::Forbidden, Modal::Required | Modal::Permitted) | (Modal::Required, Modal::Optional)
    )
}

fn finding<'a>(
    view: &'a View<'a>,
    pair: Pair,
    kind: FindingKind,
    what: Operators,
) -> Option<Finding<'a>> {
    let new = &view.item(Of::New, pair.new)?.span;
    let standing = &view.item(Of::Standing, pair.standing)?.span;
    Some(Finding::new(kind, weigh(EXCLUDED, view), move || {
        let (new, standing) = (view.new.span(new), view.standing.span(standing));
        let rule = if what == Operators::Quantifier {
            "quantifiers"
        } else {
            "modalities"
        };
        Explanation {
            reason: explain::operators(view.language(), what, &new.text, &standing.text),
            parts: vec![
                Part::new("rule", rule),
                Part::new("new_word", new.text.clone()),
                Part::new("standing_word", standing.text.clone()),
                Part::new("coverage_percent", view.coverage_percent().to_string()),
            ],
            new_spans: vec![new],
            standing_spans: vec![standing],
        }
    }))
}
