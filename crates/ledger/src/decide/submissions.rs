//! What becomes of a submission: accepted, contested, refused, or a corroboration of what is there.

use std::collections::BTreeSet;

use super::{
    Denied, Reason, declarations::unknown_module, illegal_transition, known, known_sources, locked,
    require_role, reviews::successor,
};
use crate::{
    board::{Board, Module, number},
    command::{Context, PairFinding, Proposal},
    event::{Challenger, Event, Submitted},
    evolve::{lock_mode, open_conflicts_of},
    finding::{Certainty, Score},
    id::{AssertionId, ConflictId, Position, RefusalId, RevisionId},
    module::SealMode,
    status::{ConflictCause, ConflictState, Level, Role, Status, Verdict},
};

/// The most missed revisions that a stale base names.
const MAX_STALE_NAMED: usize = 16;

/// What was decided of the earlier items of the same batch, not yet applied to the board.
#[derive(Clone, Debug, Default)]
pub struct Pending {
    asking: bool,
    stored: Vec<(RevisionId, Verdict)>,
    replaced: BTreeSet<RevisionId>,
    new_assertions: usize,
    conflicts: usize,
    refusals: usize,
}

impl Pending {
    /// Begins a batch of which only the verdicts are asked for; that any reader may.
    pub fn asking() -> Self {
        Self {
            asking: true,
            ..Self::default()
        }
    }
}

/// What was decided of one item.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Accepted, contested or refused.
    pub verdict: Verdict,
    /// The revision that was stored, or corroborated.
    pub revision: Option<RevisionId>,
    /// It was there already.
    pub corroborated: bool,
    /// The conflicts that are opened.
    pub conflicts: Vec<ConflictId>,
    /// How often the author was refused the same before, where it is refused now.
    pub earlier_attempts: u32,
    /// What happens.
    pub events: Vec<Event>,
}

/// A conflict that would be opened.
struct Challenge {
    standing: Option<RevisionId>,
    cause: ConflictCause,
    score: Score,
}

/// Says whether a principal may submit at all.
pub fn may_submit(board: &Board, context: &Context) -> Result<(), Denied> {
    require_role(board, context, &[Role::Agent])
}

/// Decides one item of a batch.
pub fn decide_submission(
    board: &Board,
    context: &Context,
    proposal: &Proposal,
    pending: &mut Pending,
) -> Result<Decision, Denied> {
    if !pending.asking {
        may_submit(board, context)?;
    }
    let module = board.modules.get(&proposal.module);
    let module = module.ok_or_else(|| unknown_module(board, &proposal.module))?;
    let base = check_base(board, proposal.base)?;
    check_grounds(board, proposal)?;
    check_supports(board, context, proposal, base, pending)?;
    check_replaced(board, proposal, pending)?;
    check_fresh(board, context, proposal, module, base)?;

    let decision = match proposal
        .report
        .same
        .filter(|same| stays(board, *same, pending))
    {
        Some(same) => corroborate(board, proposal, same, pending),
        None => judge(board, context, proposal, module, base, pending)?,
    };
    Ok(decision)
}

pub(super) fn check_base(board: &Board, base: Option<Position>) -> Result<Position, Denied> {
    let present = board.position();
    match base {
        Some(base) if base > present => Err(Denied::new(
            Reason::BaseInFuture,
            format!("base {base} is ahead of the log, which has {present} entries"),
        )
        .with("base", base)
        .with("position", present)),
        base => Ok(base.unwrap_or(present)),
    }
}

pub(super) fn check_grounds(board: &Board, proposal: &Proposal) -> Result<(), Denied> {
    known_sources(board, &proposal.citations)?;
    if let Some(attribute) = proposal.attribute.as_ref()
        && !board.attributes.contains_key(attribute)
    {
        return Err(Denied::new(
            Reason::AttributeUnknown,
            format!("board `{}` has no attribute `{attribute}`", board.name),
        )
        .with("attribute", attribute));
    }
    match (
        proposal.level,
        proposal.supports.is_empty(),
        proposal.citations.is_empty(),
    ) {
        (Level::Inference, true, _) => Err(Denied::new(
            Reason::SupportMissing,
            "an inference names the revisions that support it, `a1@1` for example",
        )
        .with("field", "supports")),
        (Level::Data | Level::Statement, _, true) => Err(Denied::new(
            Reason::CitationMissing,
            "an assertion cites at least one source; only an inference may rest on supports alone",
        )
        .with("field", "citations")),
        _ => Ok(()),
    }
}

fn check_supports(
    board: &Board,
    context: &Context,
    proposal: &Proposal,
    base: Position,
    pending: &Pending,
) -> Result<(), Denied> {
    for support in &proposal.supports {
        if pending.stored.iter().any(|(stored, _)| stored == support) {
            continue;
        }
        let state = known(board, *support)?;
        let quarantined = state.status == Status::Contested;
        let ended_by_batch = pending.replaced.contains(support);
        if (state.status.stands() || quarantined) && !ended_by_batch {
            continue;
        }
        if state.ended.is_some_and(|ended| ended >= base) && state.author != context.principal {
            return Err(stale(base, board, &[successor(board, *support)]).with("support", support));
        }
        return Err(Denied::new(
            Reason::SupportNotStanding,
            format!(
                "`{support}` is {} and supports nothing; its latest successor is `{}`",
                state.status,
                successor(board, *support)
            ),
        )
        .with("support", support)
        .with("successor", successor(board, *support)));
    }
    let Some(replaces) = proposal.replaces else {
        return Ok(());
    };
    let below = board.all_dependents(replaces);
    match proposal
        .supports
        .iter()
        .find(|it| **it == replaces || below.contains(it))
    {
        None => Ok(()),
        Some(support) => Err(Denied::new(
            Reason::SupportCycle,
            format!("`{support}` rests on `{replaces}`, which this replaces; name other supports"),
        )
        .with("support", support)),
    }
}

fn check_replaced(board: &Board, proposal: &Proposal, pending: &Pending) -> Result<(), Denied> {
    let Some(old) = proposal.replaces else {
        return Ok(());
    };
    let state = known(board, old)?;
    if state.module != proposal.module {
        return Err(Denied::new(
            Reason::FieldInvalid,
            format!(
                "`{old}` belongs to module `{}` and stays there",
                state.module
            ),
        )
        .with("field", "module")
        .with("module", &state.module));
    }
    if let Some(ends) = board.in_place_of(Some(old))
        && lock_mode(board, ends).is_some()
    {
        return Err(locked(ends, "replaced"));
    }
    let ends = state.status.stands() || state.status == Status::Contested;
    let later = (old.revision.saturating_add(1)..)
        .map(|revision| RevisionId { revision, ..old })
        .map_while(|id| Some((id, board.revision(id)?)))
        .find(|(_, it)| it.status.stands() || it.status == Status::Contested);
    let in_batch = pending.stored.iter().map(|(id, _)| id);
    let mut in_batch = in_batch.chain(&pending.replaced);
    let in_batch = in_batch.find(|id| id.assertion == old.assertion).copied();
    match later.map(|(id, _)| id).or(in_batch) {
        None if ends => Ok(()),
        latest => {
            let latest = latest.or(board.latest(old.assertion)).unwrap_or(old);
            Err(illegal_transition(old, state, "replaced").with("latest", latest))
        }
    }
}

/// Refuses what was written in ignorance of something that has changed since its base.
fn check_fresh(
    board: &Board,
    context: &Context,
    proposal: &Proposal,
    module: &Module,
    base: Position,
) -> Result<(), Denied> {
    let mut missed: Vec<RevisionId> = proposal
        .report
        .same_key
        .iter()
        .copied()
        .filter(|id| {
            board.revision(*id).is_some_and(|state| {
                state.status.stands()
                    && state.current_since >= base
                    && state.author != context.principal
            })
        })
        .collect();
    if module.sealed.is_some_and(|sealed| sealed >= base) {
        let since = |id: &&RevisionId| {
            board
                .revision(**id)
                .is_some_and(|state| state.snapshot == module.current)
        };
        missed.extend(module.standing.iter().filter(since));
    }
    missed.sort_unstable();
    missed.dedup();
    if missed.is_empty() {
        Ok(())
    } else {
        Err(stale(base, board, &missed))
    }
}

fn stale(base: Position, board: &Board, missed: &[RevisionId]) -> Denied {
    let named: Vec<String> = missed
        .iter()
        .take(MAX_STALE_NAMED)
        .map(ToString::to_string)
        .collect();
    Denied::new(
        Reason::StaleBase,
        format!(
            "the board has changed since base {base}: read {} and submit again with base {}",
            named.join(", "),
            board.position()
        ),
    )
    .with("base", base)
    .with("position", board.position())
    .with("missed", named.join(","))
}

/// Says whether a revision, of the board or of this batch, is there to be corroborated.
fn stays(board: &Board, same: RevisionId, pending: &Pending) -> bool {
    let in_batch = pending.stored.iter().any(|(stored, _)| *stored == same);
    let on_board = board
        .revision(same)
        .is_some_and(|state| state.status.stands() || state.status == Status::Contested);
    in_batch || (on_board && !pending.replaced.contains(&same))
}

fn corroborate(
    board: &Board,
    proposal: &Proposal,
    same: RevisionId,
    pending: &Pending,
) -> Decision {
    let in_batch = pending.stored.iter().find(|(stored, _)| *stored == same);
    let contested = match in_batch {
        Some((_, verdict)) => *verdict == Verdict::Contested,
        None => board
            .revision(same)
            .is_some_and(|state| state.status == Status::Contested),
    };
    Decision {
        verdict: if contested {
            Verdict::Contested
        } else {
            Verdict::Accepted
        },
        revision: Some(same),
        corroborated: true,
        conflicts: Vec::new(),
        earlier_attempts: 0,
        events: vec![Event::Corroborated {
            revision: same,
            citations: proposal.citations.clone(),
        }],
    }
}

fn judge(
    board: &Board,
    context: &Context,
    proposal: &Proposal,
    module: &Module,
    base: Position,
    pending: &mut Pending,
) -> Result<Decision, Denied> {
    let counted = counted_findings(board, proposal, pending);
    let refusing: Vec<&PairFinding> = counted
        .iter()
        .filter(|finding| refuses(board, finding))
        .collect();
    if !refusing.is_empty() {
        return Ok(refuse(board, proposal, &refusing, pending));
    }
    let mut challenges: Vec<Challenge> = counted
        .iter()
        .filter(|it| it.score >= board.policy.conflict || it.kind.certainty() == Certainty::Exact)
        .map(|finding| Challenge {
            standing: Some(finding.standing),
            cause: ConflictCause::Finding(finding.kind),
            score: finding.score,
        })
        .collect();
    challenges.extend(reworded(board, proposal, &challenges));
    challenges.extend(foreign_revision(board, context, proposal, &challenges));
    challenges.extend(foreign_module(context, module));
    store(board, proposal, base, &challenges, pending)
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
    refusing: &[&PairFinding],
    pending: &mut Pending,
) -> Decision {
    pending.refusals += 1;
    let refusal = RefusalId(number(board.refusals.len() + pending.refusals));
    let earlier_attempts = number(proposal.report.repeats.len());
    let mut events = vec![Event::Refused {
        refusal,
        module: proposal.module.clone(),
        content: proposal.content,
        check: proposal.check,
        earlier_attempts,
    }];
    let challenges: Vec<Challenge> = refusing
        .iter()
        .map(|finding| Challenge {
            standing: Some(finding.standing),
            cause: ConflictCause::Finding(finding.kind),
            score: finding.score,
        })
        .collect();
    let conflicts = open(
        board,
        Challenger::Refusal(refusal),
        &challenges,
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
        conflict.state != ConflictState::Dismissed
            && conflict.standing.is_some_and(|standing| {
                lock_mode(board, standing).is_some() && !is_dismissed(board, proposal, standing)
            })
            && !already
                .iter()
                .any(|challenge| challenge.standing == conflict.standing)
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
        cause: ConflictCause::Replacement,
        score: Score::MAX,
    })
}

fn foreign_module(context: &Context, module: &Module) -> Option<Challenge> {
    let owners = &module.declaration.owners;
    let foreign = !owners.is_empty() && !owners.contains(&context.principal);
    foreign.then_some(Challenge {
        standing: None,
        cause: ConflictCause::Ownership,
        score: Score::MAX,
    })
}

fn store(
    board: &Board,
    proposal: &Proposal,
    base: Position,
    challenges: &[Challenge],
    pending: &mut Pending,
) -> Result<Decision, Denied> {
    let revision = next_revision(board, proposal.replaces, pending)?;
    let verdict = if challenges.is_empty() {
        Verdict::Accepted
    } else {
        Verdict::Contested
    };
    let mut events = vec![Event::Submitted(Box::new(Submitted {
        revision,
        module: proposal.module.clone(),
        level: proposal.level,
        kind: proposal.kind,
        confidence: proposal.confidence,
        content: proposal.content,
        words: proposal.words,
        citations: proposal.citations.clone(),
        supports: proposal.supports.clone(),
        replaces: proposal.replaces,
        base,
        attribute: proposal.attribute.clone(),
        verdict,
        check: proposal.check,
    }))];
    let challenger = Challenger::Revision(revision);
    let conflicts = open(board, challenger, challenges, pending, &mut events);
    pending.stored.push((revision, verdict));
    if let (Verdict::Accepted, Some(old)) = (verdict, proposal.replaces) {
        pending.replaced.append(&mut put_out_of_force(board, old));
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
fn put_out_of_force(board: &Board, old: RevisionId) -> BTreeSet<RevisionId> {
    let mut ended = BTreeSet::new();
    let mut waiting = vec![old];
    while let Some(id) = waiting.pop() {
        let Some(state) = board.revision(id).filter(|_| ended.insert(id)) else {
            continue;
        };
        if !state.status.stands() {
            waiting.extend(board.in_place_of(Some(id)));
        }
        let conflicts = state.conflicts.iter().filter_map(|it| board.conflict(*it));
        for conflict in conflicts.filter(|it| it.standing == Some(id)) {
            let Challenger::Revision(challenger) = conflict.challenger else {
                continue;
            };
            let lost = |conflict| {
                let standing = board.conflict(conflict).and_then(|it| it.standing);
                standing.is_some_and(|it| ended.contains(&it))
            };
            if open_conflicts_of(board, challenger).all(lost) {
                waiting.extend(board.revision(challenger).and_then(|it| it.replaces));
            }
        }
    }
    ended
}

pub(super) fn next_revision(
    board: &Board,
    replaces: Option<RevisionId>,
    pending: &mut Pending,
) -> Result<RevisionId, Denied> {
    if let Some(old) = replaces {
        let latest = board.latest(old.assertion).unwrap_or(old);
        let in_batch = pending
            .stored
            .iter()
            .filter(|(id, _)| id.assertion == old.assertion)
            .count();
        return Ok(RevisionId {
            assertion: old.assertion,
            revision: latest.revision.saturating_add(number(in_batch + 1)),
        });
    }
    pending.new_assertions += 1;
    let count = number(pending.new_assertions);
    board.assertion_count().checked_add(count).map_or_else(
        || {
            Err(Denied::new(
                Reason::BoardLimit,
                "a board holds at most 4,294,967,295 assertions",
            )
            .with("limit", u32::MAX))
        },
        |number| {
            Ok(RevisionId {
                assertion: AssertionId(number),
                revision: 1,
            })
        },
    )
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
                cause: challenge.cause,
                score: challenge.score,
            });
            conflict
        })
        .collect()
}
