//! Judges names and categories: two members of an exclusive set, two holders of a relation that has one.

use std::ops::Range;

use pawl_ledger::finding::FindingKind;

use crate::align::{Gap, Pair, Relation};
use crate::compare::{Explanation, Finding, Part};
use crate::explain;
use crate::item::Item;
use crate::score::{score, weigh_slot};
use crate::statement::Span;
use crate::text::term::Term;
use crate::view::{Frame, Of, View};

/// The strength of two members of a shipped set.
const MEMBERS: u16 = 7_600;

/// The score of two members of a declared set where everything else is equal.
const DECLARED: u16 = 9_800;

/// The score of two holders of a relation where everything else is equal.
const HOLDERS: u16 = 6_800;

/// Judges categories and names; at most one finding of each.
pub(crate) fn judge<'a>(view: &'a View<'a>) -> Vec<Finding<'a>> {
    if !view.lone_negators.is_empty()
        || view.is_existential()
        || view.pairs(Relation::Opposite).next().is_some()
    {
        return Vec::new();
    }
    let members = view.pairs(Relation::Exclusive).find(|pair| {
        !view.is_offered(*pair) && !view.is_denied(*pair) && !view.is_reordered(*pair)
    });
    [
        members.and_then(|pair| exclusive(view, pair)),
        holders(view),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn exclusive<'a>(view: &'a View<'a>, pair: Pair) -> Option<Finding<'a>> {
    let (new, standing) = (
        view.item(Of::New, pair.new)?,
        view.item(Of::Standing, pair.standing)?,
    );
    let shared = |member: &&crate::lexicon::Membership| {
        standing
            .memberships
            .iter()
            .any(|that| that.set == member.set)
    };
    let sets = &view.vocabulary.lexicon().sets;
    let set = new
        .memberships
        .iter()
        .filter(shared)
        .filter_map(|member| sets.get(usize::from(member.set)))
        .max_by_key(|set| set.declared)?;
    let sure = set.declared
        && !view.is_in_subject(pair)
        && view.frame == Frame::Exact
        && view.pairs(Relation::Exclusive).count() == 1
        && view.pairs(Relation::Quantity).next().is_none()
        && !view.new.is_indefinite;
    let (kind, score) = if sure {
        (FindingKind::ExclusiveSet, score(DECLARED))
    } else {
        (FindingKind::Category, weigh_slot(MEMBERS, view, pair))
    };
    Some(Finding::new(kind, score, move || {
        let spans = (view.new.span(&new.span), view.standing.span(&standing.span));
        let reason = explain::category(view.language(), &set.name, &spans.0.text, &spans.1.text);
        let parts = vec![
            Part::new("rule", "exclusive_set"),
            Part::new("set", set.name.clone()),
        ];
        explanation(reason, parts, spans)
    }))
}

fn explanation(reason: String, mut parts: Vec<Part>, (new, standing): (Span, Span)) -> Explanation {
    parts.push(Part::new("new_word", new.text.clone()));
    parts.push(Part::new("standing_word", standing.text.clone()));
    Explanation {
        reason,
        new_spans: vec![new],
        standing_spans: vec![standing],
        parts,
    }
}

/// One name replaced by another beside a relation that has one holder, everything else equal.
fn holders<'a>(view: &'a View<'a>) -> Option<Finding<'a>> {
    let alignment = view.alignment.as_ref()?;
    let has_content = |gap: &&Gap| {
        view.slice(Of::New, &gap.new)
            .iter()
            .chain(view.slice(Of::Standing, &gap.standing))
            .any(Item::is_content)
    };
    let mut gaps = alignment.gaps.iter().filter(has_content);
    let gap = gaps.next()?;
    let other_slots = [Relation::Quantity, Relation::Exclusive]
        .into_iter()
        .any(|relation| view.pairs(relation).next().is_some());
    if gaps.next().is_some()
        || other_slots
        || !is_name(view, Of::New, &gap.new)
        || !is_name(view, Of::Standing, &gap.standing)
    {
        return None;
    }
    if !is_holder_slot(view, gap) {
        return None;
    }
    let relation = alignment
        .pairs
        .iter()
        .filter_map(|pair| view.item(Of::New, pair.new))
        .find(|item| item.is_relation)?;
    let (new, standing) = (
        whole(view, Of::New, &gap.new)?,
        whole(view, Of::Standing, &gap.standing)?,
    );
    Some(Finding::new(
        FindingKind::Category,
        score(HOLDERS),
        move || {
            let spans = (view.new.span(&new), view.standing.span(&standing));
            let word = view.new.span(&relation.span).text;
            let reason = explain::holder(view.language(), &word, &spans.0.text, &spans.1.text);
            let parts = vec![
                Part::new("rule", "single_holder"),
                Part::new("relation", word),
            ];
            explanation(reason, parts, spans)
        },
    ))
}

/// Whether a gap stands where the holder is named: after `is`, after `made by`, or before `is` at the head of the text.
fn is_holder_slot(view: &View<'_>, gap: &Gap) -> bool {
    let links = |item: &Item| [Term::of("be"), Term::of("是"), Term::of("为")].contains(&item.term);
    let before = gap
        .new
        .start
        .checked_sub(1)
        .and_then(|at| view.item(Of::New, at));
    match before {
        Some(item) => item.is_relation || links(item),
        None => view.item(Of::New, gap.new.end).is_some_and(links),
    }
}

/// A run of capitalised words, or of two to six Han characters.
fn is_name(view: &View<'_>, of: Of, range: &Range<usize>) -> bool {
    let items = view.slice(of, range);
    let content = || items.iter().filter(|item| item.is_content());
    content().next().is_some()
        && content().all(|item| {
            item.quantity.is_none() && item.narrowing.is_none() && (item.capital || item.han)
        })
        && (items.iter().all(|item| !item.han) || (2..=6).contains(&items.len()))
}

fn whole(view: &View<'_>, of: Of, range: &Range<usize>) -> Option<Range<usize>> {
    let items = view.slice(of, range);
    Some(items.first()?.span.start..items.last()?.span.end)
}
