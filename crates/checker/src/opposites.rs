//! Judges words of opposite meaning in one slot; a denial of one of them takes the contradiction away.

use pawl_ledger::finding::FindingKind;

use crate::align::Relation;
use crate::compare::{Judgement, Part};
use crate::explain;
use crate::score::weigh;
use crate::view::{Of, View};

/// The strength of two opposites in one slot.
const OPPOSITES: u16 = 8_800;

/// Judges the opposites of two texts; at most one finding.
pub(crate) fn judge(view: &View<'_>) -> Option<Judgement> {
    if view.is_existential() {
        return None;
    }
    let pair = view.pairs(Relation::Opposite).find(|pair| {
        let denied = view.lone_negators.iter().any(|negator| {
            negator.head.is_some_and(|head| head.new == pair.new)
                || near(negator.of, negator.at, pair.new, pair.standing)
        });
        !denied && !view.is_denied(*pair)
    })?;
    let new = view.new.span(&view.item(Of::New, pair.new)?.span);
    let standing = view
        .standing
        .span(&view.item(Of::Standing, pair.standing)?.span);
    Some(Judgement {
        kind: FindingKind::Opposite,
        score: weigh(OPPOSITES, view),
        reason: explain::opposite(view.language(), &new.text, &standing.text),
        parts: vec![
            Part::new("rule", "opposites"),
            Part::new("new_word", new.text.clone()),
            Part::new("standing_word", standing.text.clone()),
            Part::new("coverage_percent", view.coverage_percent().to_string()),
        ],
        new_spans: vec![new],
        standing_spans: vec![standing],
    })
}

/// How many items before an opposite a denial of it may stand.
const SCOPE: usize = 4;

fn near(of: Of, at: usize, new: usize, standing: usize) -> bool {
    let word = if of == Of::New { new } else { standing };
    at < word && word - at <= SCOPE
}
