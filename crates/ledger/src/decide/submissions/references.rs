//! What a proposal stands against that is no revision: rows of tables, answers of authorities.

use super::Pending;
use crate::{
    board::{Board, number},
    command::Proposal,
    event::Event,
    finding::{FindingKind, Score},
    id::LookupId,
    reference::{Against, Reference},
    status::ConflictState,
};

/// A finding against a row or an answer that counts.
pub(super) struct Counted {
    pub(super) reference: Reference,
    pub(super) kind: FindingKind,
    pub(super) score: Score,
}

/// Records the answers a proposal came with. An earlier item of the batch may have recorded one
/// already. Gives each its number; none where its authority is no longer asked.
pub(super) fn record(
    board: &Board,
    proposal: &Proposal,
    pending: &mut Pending,
    events: &mut Vec<Event>,
) -> Vec<Option<LookupId>> {
    let numbered = |place: usize| LookupId(number(board.lookups.len() + place + 1));
    let mut numbers = Vec::with_capacity(proposal.report.answers.len());
    for fresh in &proposal.report.answers {
        if !board.is_asked(&fresh.authority, fresh.declared) {
            numbers.push(None);
            continue;
        }
        let known = pending.lookups.iter().position(|it| *it == fresh.answer);
        let place = known.unwrap_or_else(|| {
            pending.lookups.push(fresh.answer);
            let place = pending.lookups.len() - 1;
            events.push(Event::LookupRecorded {
                lookup: numbered(place),
                authority: fresh.authority.clone(),
                answer: fresh.answer,
            });
            place
        });
        numbers.push(Some(numbered(place)));
    }
    numbers
}

/// The findings against rows and answers that are taken as given and that no arbiter dismissed,
/// the strongest of each; exact ones first.
pub(super) fn counted(
    board: &Board,
    proposal: &Proposal,
    numbers: &[Option<LookupId>],
) -> Vec<Counted> {
    let mut counted: Vec<Counted> = proposal
        .report
        .references
        .iter()
        .filter_map(|finding| {
            let reference = match finding.against {
                Against::Known(reference) if board.is_given(reference) => reference,
                Against::Known(_) => return None,
                Against::Fresh(place) => Reference::Answer((*numbers.get(place)?)?),
            };
            let dismissed = is_dismissed(board, proposal, reference);
            (!dismissed).then_some(Counted {
                reference,
                kind: finding.kind,
                score: finding.score,
            })
        })
        .collect();
    counted.sort_by_key(|it| {
        let strength = (
            !it.kind.refuses_against_reference(),
            std::cmp::Reverse(it.score),
        );
        (it.reference, strength, it.kind)
    });
    counted.dedup_by_key(|it| it.reference);
    counted
}

/// An arbiter dismissed the same finding before, of an earlier refusal of the same words.
pub(super) fn is_dismissed(board: &Board, proposal: &Proposal, reference: Reference) -> bool {
    let same_words = proposal.report.repeats.iter().filter(|it| it.same_words);
    same_words
        .filter_map(|repeat| board.refusal(repeat.refusal))
        .flat_map(|refusal| &refusal.conflicts)
        .filter_map(|id| board.conflict(*id))
        .any(|it| it.state == ConflictState::Dismissed && it.reference == Some(reference))
}
