//! The verdict over a submission: accepted, contested or refused, with the conflicts it opens.

use super::super::Denied;
use super::{
    Decision, Pending, Waiting, as_submitted, next_revision,
    references::{self, Counted},
};
use crate::{
    board::{Board, Module, number},
    command::{Context, PairFinding, Proposal},
    event::{Challenger, Event},
    evolve::{lock_mode, open_conflicts_of},
    finding::{Certainty, FindingKind, Score},
    id::{ConflictId, Position, RefusalId, RevisionId},
    module::SealMode,
    reference::Reference,
    status::{ConflictCause, ConflictState, Verdict},
};
use std::collections::BTreeSet;

/// A conflict that would be opened.
struct Challenge {
    standing: Option<RevisionId>,
    reference: Option<Reference>,
    cause: ConflictCause,
    score: Score,
}

pub(super) fn judge(
    board: &Board,
    context: &Context,
    proposal: &Proposal,
    module: &Module,
    base: Position,
    pending: &mut Pending,
) -> Result<Decision, Denied> {
    let counted = counted_findings(board, proposal, pending);
    let mut events = Vec::new();
    let numbers = references::record(board, proposal, pending, &mut events);
    let given = references::counted(board, proposal, &numbers);
    let refusing: Vec<Challenge> = counted
        .iter()
        .filter(|finding| refuses(board, finding))
        .map(Challenge::of)
        .chain(
            given
                .iter()
                .filter(|it| it.kind.refuses_against_reference())
                .map(Challenge::of_reference),
        )
        .collect();
    if !refusing.is_empty() {
        return Ok(refuse(board, proposal, &refusing, events, pending));
    }
    let contests = |kind: FindingKind, score: Score| {
        score >= board.policy.conflict || kind.certainty() == Certainty::Exact
    };
    let mut challenges: Vec<Challenge> = counted
        .iter()
        .filter(|it| contests(it.kind, it.score))
        .map(Challenge::of)
        .collect();
    let given = given.iter().filter(|it| contests(it.kind, it.score));
    challenges.extend(given.map(Challenge::of_reference));
    challenges.extend(reworded(board, proposal, &challenges));
    challenges.extend(foreign_revision(board, context, proposal, &challenges));
    challenges.extend(foreign_module(context, module));
    store(board, proposal, base, &challenges, events, pending)
}

impl Challenge {
    fn of(finding: &PairFinding) -> Self {
        Self {
            standing: Some(finding.standing),
            reference: None,
            cause: ConflictCause::Finding(finding.kind),
            score: finding.score,
        }
    }

    fn of_reference(finding: &Counted) -> Self {
        Self {
            standing: None,
            reference: Some(finding.reference),
            cause: ConflictCause::Finding(finding.kind),
            score: finding.score,
        }
    }
}

/// The findings that count: against what stands, not dismissed, not about the revision that is
/// replaced, the strongest of each pair.
fn counted_findings(board: &Board, proposal: &Proposal, pending: &Pending) -> Vec<PairFinding> {
    let mut counted: Vec<PairFinding> = Vec::new();
    let mut findings = proposal.report.findings.clone();
    findings.sort_by_key(|it| {
        (
            it.standing,
            it.kind.certainty() == Certainty::Scored,
            std::cmp::Reverse(it.score),
            it.kind,
        )
    });
    for finding in findings {
        let stands = match pending
            .stored
            .iter()
            .find(|(id, _)| *id == finding.standing)
        {
            Some((_, verdict)) => *verdict == Verdict::Accepted,
            None => {
                board
                    .revision(finding.standing)
                    .is_some_and(|state| state.status.stands())
                    && !pending.replaced.contains(&finding.standing)
            }
        };
        let counts = stands
            && proposal.replaces != Some(finding.standing)
            && !is_dismissed(board, proposal, finding.standing);
        if counts
            && counted
                .last()
                .is_none_or(|last| last.standing != finding.standing)
        {
            counted.push(finding);
        }
    }
    counted
}

/// An arbiter dismissed the same finding before, of an earlier refusal of the same words.
fn is_dismissed(board: &Board, proposal: &Proposal, standing: RevisionId) -> bool {
    let dismissed = |id: &ConflictId| {
        board.conflict(*id).is_some_and(|conflict| {
            conflict.state == ConflictState::Dismissed && conflict.standing == Some(standing)
        })
    };
    proposal
        .report
        .repeats
        .iter()
        .filter(|repeat| repeat.same_words)
        .filter_map(|repeat| board.refusal(repeat.refusal))
        .any(|refusal| refusal.conflicts.iter().any(dismissed))
}

fn refuses(board: &Board, finding: &PairFinding) -> bool {
    finding.kind.certainty() == Certainty::Exact
        && lock_mode(board, finding.standing) == Some(SealMode::Hard)
}

fn refuse(
    board: &Board,
    proposal: &Proposal,
    challenges: &[Challenge],
    mut events: Vec<Event>,
    pending: &mut Pending,
) -> Decision {
    pending.refusals += 1;
    let refusal = RefusalId(number(board.refusals.len() + pending.refusals));
    let earlier_attempts = number(proposal.report.repeats.len());
    events.push(Event::Refused {
        refusal,
        module: proposal.module.clone(),
        content: proposal.content,
        check: proposal.check,
        earlier_attempts,
    });
    let conflicts = open(
        board,
        Challenger::Refusal(refusal),
        challenges,
        pending,
        &mut events,
    );
    Decision {
        verdict: Verdict::Refused,
        revision: None,
        corroborated: false,
        conflicts,
        earlier_attempts,
        events,
    }
}

/// A rewording of what its author was refused is contested, as long as what refused it is locked
/// and no arbiter dismissed the finding.
fn reworded(board: &Board, proposal: &Proposal, already: &[Challenge]) -> Option<Challenge> {
    let stands = |conflict: &&crate::board::Conflict| {
        let locked = conflict.standing.is_some_and(|standing| {
            lock_mode(board, standing).is_some() && !is_dismissed(board, proposal, standing)
        });
        let given = conflict
            .reference
            .is_some_and(|it| board.is_given(it) && !references::is_dismissed(board, proposal, it));
        let sides = (conflict.standing, conflict.reference);
        conflict.state != ConflictState::Dismissed
            && (locked || given)
            && !already
                .iter()
                .any(|challenge| (challenge.standing, challenge.reference) == sides)
    };
    proposal
        .report
        .repeats
        .iter()
        .filter_map(|repeat| board.refusal(repeat.refusal))
        .flat_map(|refusal| {
            refusal
                .conflicts
                .iter()
                .filter_map(|id| board.conflict(*id))
        })
        .find(stands)
        .map(|conflict| Challenge {
            standing: conflict.standing,
            reference: conflict.reference,
            cause: ConflictCause::Rewording,
            score: conflict.score,
        })
}

fn foreign_revision(
    board: &Board,
    context: &Context,
    proposal: &Proposal,
    already: &[Challenge],
) -> Option<Challenge> {
    // What is replaced may itself be in quarantine, for want of another's agreement.
    let old = board.in_place_of(proposal.replaces)?;
    let foreign = board.revision(old)?.author != context.principal;
    let new = !already
        .iter()
        .any(|challenge| challenge.standing == Some(old));
    (foreign && new).then_some(Challenge {
        standing: Some(old),
        reference: None,
        cause: ConflictCause::Replacement,
        score: Score::MAX,
    })
}

fn foreign_module(context: &Context, module: &Module) -> Option<Challenge> {
    let owners = &module.declaration.owners;
    let foreign = !owners.is_empty() && !owners.contains(&context.principal);
    foreign.then_some(Challenge {
        standing: None,
        reference: None,
        cause: ConflictCause::Ownership,
        score: Score::MAX,
    })
}

fn store(
    board: &Board,
    proposal: &Proposal,
    base: Position,
    challenges: &[Challenge],
    mut events: Vec<Event>,
    pending: &mut Pending,
) -> Result<Decision, Denied> {
    let revision = next_revision(board, proposal.replaces, pending)?;
    let verdict = if challenges.is_empty() {
        Verdict::Accepted
    } else {
        Verdict::Contested
    };
    let submitted = as_submitted(proposal, revision, base, verdict);
    events.push(Event::Submitted(Box::new(submitted)));
    let challenger = Challenger::Revision(revision);
    let conflicts = open(board, challenger, challenges, pending, &mut events);
    pending.stored.push((revision, verdict));
    match (verdict, proposal.replaces) {
        (Verdict::Accepted, Some(old)) => {
            let mut ended = put_out_of_force(board, old, &pending.waiting);
            pending.replaced.append(&mut ended);
        }
        (Verdict::Contested, replaces) => pending.waiting.push(Waiting {
            against: challenges
                .iter()
                .map(|challenge| challenge.standing)
                .collect(),
            replaces,
        }),
        _ => {}
    }
    Ok(Decision {
        verdict,
        revision: Some(revision),
        corroborated: false,
        conflicts,
        earlier_attempts: 0,
        events,
    })
}

/// All that ends once a revision is replaced: what it was itself to replace, and what challengers
/// replace that are free to stand with the end of what they challenged.
fn put_out_of_force(board: &Board, old: RevisionId, waiting: &[Waiting]) -> BTreeSet<RevisionId> {
    let mut ended: BTreeSet<RevisionId> = replaced(board, Some(old)).collect();
    // Each end may free challengers whose other opponents ended before, so until nothing more ends.
    loop {
        let freed: Vec<RevisionId> = board
            .open_conflicts()
            .filter_map(|(_, conflict)| match conflict.challenger {
                Challenger::Revision(challenger) if !conflict.rescan => Some(challenger),
                Challenger::Revision(_) | Challenger::Refusal(_) => None,
            })
            .filter(|challenger| is_freed(board, *challenger, &ended))
            .filter_map(|challenger| board.revision(challenger))
            .map(|state| state.replaces)
            .chain(
                waiting
                    .iter()
                    .filter(|it| it.is_freed(&ended))
                    .map(|it| it.replaces),
            )
            .flat_map(|old| replaced(board, old))
            .collect();
        let known = ended.len();
        ended.extend(freed);
        if ended.len() == known {
            return ended;
        }
    }
}

/// What is replaced, what that was to replace, and so on to what stands.
fn replaced(board: &Board, old: Option<RevisionId>) -> impl Iterator<Item = RevisionId> + '_ {
    std::iter::successors(old, |id| {
        let state = board.revision(*id)?;
        state.replaces.filter(|_| !state.status.stands())
    })
}

impl Waiting {
    fn is_freed(&self, ended: &BTreeSet<RevisionId>) -> bool {
        self.against
            .iter()
            .all(|it| it.is_some_and(|it| ended.contains(&it)))
    }
}

/// All that a challenger challenges has ended.
fn is_freed(board: &Board, challenger: RevisionId, ended: &BTreeSet<RevisionId>) -> bool {
    open_conflicts_of(board, challenger).all(|conflict| {
        let standing = board.conflict(conflict).and_then(|it| it.standing);
        standing.is_some_and(|it| ended.contains(&it))
    })
}

fn open(
    board: &Board,
    challenger: Challenger,
    challenges: &[Challenge],
    pending: &mut Pending,
    events: &mut Vec<Event>,
) -> Vec<ConflictId> {
    challenges
        .iter()
        .map(|challenge| {
            pending.conflicts += 1;
            let conflict = ConflictId(number(board.conflicts.len() + pending.conflicts));
            events.push(Event::ConflictOpened {
                conflict,
                challenger,
                standing: challenge.standing,
                reference: challenge.reference,
                cause: challenge.cause,
                score: challenge.score,
                rescan: false,
            });
            conflict
        })
        .collect()
}
