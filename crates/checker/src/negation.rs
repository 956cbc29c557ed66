//! Judges denial: one text denies exactly what the other says.

use std::ops::Range;

use pawl_ledger::finding::FindingKind;

use crate::align::Relation;
use crate::compare::{Explanation, Finding, Part};
use crate::explain;
use crate::item::Item;
use crate::score::weigh;
use crate::view::{LoneNegator, Of, View};

/// The strength of a denial that only one text has.
const DENIAL: u16 = 8_600;

/// Judges denials; none when both texts deny something, when it is denied twice, or when an opposite takes it back.
pub(crate) fn judge<'a>(view: &'a View<'a>) -> Option<Finding<'a>> {
    let [negator] = view.lone_negators.as_slice() else {
        return None;
    };
    if view.is_existential() {
        return None;
    }
    let head = negator
        .head
        .filter(|head| head.relation == Relation::Same)?;
    let opposed = view.pairs(Relation::Opposite).next().is_some();
    let both_deny = view.pairs(Relation::Negator).next().is_some();
    if opposed
        || both_deny
        || view.is_alternative(negator.of, negator.at)
        || denies_more(view, *negator)
    {
        return None;
    }
    let (negator, head) = (*negator, &view.item(Of::New, head.new)?.span);
    let finding = Finding::new(FindingKind::Negation, weigh(DENIAL, view), move || {
        explanation(view, negator, head)
    });
    Some(finding)
}

/// Whether the denying text says more after its denial: `not working at looms` does not deny `working`.
fn denies_more(view: &View<'_>, negator: LoneNegator) -> bool {
    view.alignment
        .iter()
        .flat_map(|alignment| &alignment.gaps)
        .any(|gap| {
            let range = if negator.of == Of::New {
                &gap.new
            } else {
                &gap.standing
            };
            let after = range.start.max(negator.at + 1)..range.end;
            !after.is_empty() && view.slice(negator.of, &after).iter().any(Item::is_content)
        })
}

fn explanation(view: &View<'_>, negator: LoneNegator, head: &Range<usize>) -> Explanation {
    let statement = view.statement(negator.of);
    let denial = view
        .item(negator.of, negator.at)
        .map(|item| statement.span(&item.span));
    let head = view.new.span(head);
    let word = denial.as_ref().map_or("", |span| span.text.as_str());
    let in_new = negator.of == Of::New;
    let reason = explain::negation(view.language(), word, &head.text, in_new);
    let parts = vec![
        Part::new("rule", "negation"),
        Part::new("denial", word),
        Part::new("of", head.text.clone()),
        Part::new("coverage_percent", view.coverage_percent().to_string()),
    ];
    let mut new_spans = vec![head];
    let mut standing_spans = Vec::new();
    if let Some(denial) = denial {
        if in_new {
            new_spans.insert(0, denial);
        } else {
            standing_spans.push(denial);
        }
    }
    Explanation {
        reason,
        new_spans,
        standing_spans,
        parts,
    }
}
