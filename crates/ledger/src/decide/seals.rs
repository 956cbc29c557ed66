//! When a module may be sealed, and what an amendment makes happen.

use super::{
    Denied, Reason,
    conflicts::turned,
    declarations::unknown_module,
    is_owner, known, known_sources, require_role,
    submissions::{Pending, check_base, check_grounds, next_revision},
};
use crate::{
    board::{Board, Module, Revision, number},
    command::{Context, PairFinding, Proposal},
    digest::{Commitment, Digest},
    event::{Citation, Event, Submitted},
    evolve::{lock_mode, locked, member_root, members},
    finding::{Certainty, Score},
    id::{AttributeName, ModuleName, Position, RevisionId, Timestamp},
    log::{
        Header, encode, encode_snapshot,
        tree::{NodeHash, leaf_hash},
    },
    module::{SealFigures, SealMode, SealPolicy},
    snapshot::{Snapshot, SnapshotCause},
    status::{Role, Status, Verdict},
};

/// The most members a failed condition names.
const MAX_NAMED: usize = 32;

/// What a seal would hold and which conditions it fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealReport {
    /// What it would hold.
    pub members: Vec<RevisionId>,
    /// What was measured.
    pub figures: SealFigures,
    /// The failed conditions with the members or figures they failed on.
    pub failed: Vec<(&'static str, String)>,
}

/// Measures a module, or one revision of it, against the module's policy.
pub fn seal_report(
    board: &Board,
    name: &ModuleName,
    only: Option<RevisionId>,
    now: Timestamp,
) -> Option<SealReport> {
    let module = board.modules.get(name)?;
    let policy = &module.declaration.policy;
    let members = members(board, name, only);
    let judged: Vec<(RevisionId, &Revision)> = members
        .iter()
        .filter(|id| only.is_none_or(|only| only == **id))
        .filter_map(|id| Some((*id, board.revision(*id)?)))
        .collect();
    let figures = figures(board, module, &members, &judged);
    let mut failed = member_conditions(policy, &judged);
    if only.is_none() {
        failed.extend(module_conditions(board, module, policy, figures, now));
    }
    Some(SealReport {
        members,
        figures,
        failed,
    })
}

fn figures(
    board: &Board,
    module: &Module,
    members: &[RevisionId],
    judged: &[(RevisionId, &Revision)],
) -> SealFigures {
    let expected = &module.declaration.expected;
    let states = || members.iter().filter_map(|id| board.revision(*id));
    let present = expected
        .iter()
        .filter(|name| states().any(|state| state.attribute.as_ref() == Some(name)))
        .count();
    let completeness = share(present, expected.len());
    SealFigures {
        members: number(members.len()),
        validated: number(states().filter(|state| is_validated(state)).count()),
        least_confidence: judged
            .iter()
            .map(|(_, state)| state.confidence)
            .min()
            .unwrap_or_default(),
        completeness,
        challengers_left_out: number(module.contested.len()),
    }
}

/// A share in ten-thousandths; of nothing, all.
fn share(part: usize, all: usize) -> Score {
    let share = (part * 10_000).checked_div(all).unwrap_or(10_000);
    Score::clamped(u16::try_from(share).unwrap_or(u16::MAX))
}

fn is_validated(state: &Revision) -> bool {
    matches!(state.status, Status::Validated | Status::Locked)
}

fn member_conditions(
    policy: &SealPolicy,
    judged: &[(RevisionId, &Revision)],
) -> Vec<(&'static str, String)> {
    let named = |fails: &dyn Fn(&Revision) -> bool| -> Option<String> {
        let failing: Vec<String> = judged
            .iter()
            .filter(|(_, state)| fails(state))
            .take(MAX_NAMED)
            .map(|(id, _)| id.to_string())
            .collect();
        (!failing.is_empty()).then(|| failing.join(","))
    };
    let validated = named(&|state| policy.validated && !is_validated(state));
    let confidence =
        named(&|state| state.confidence < policy.confidence && state.status != Status::Locked);
    let support_lost =
        named(&|state| state.support_lost.is_some() && state.status != Status::Locked);
    [
        ("validated", validated),
        ("confidence", confidence),
        ("support_lost", support_lost),
    ]
    .into_iter()
    .filter_map(|(name, failing)| Some((name, failing?)))
    .collect()
}

fn module_conditions(
    board: &Board,
    module: &Module,
    policy: &SealPolicy,
    figures: SealFigures,
    now: Timestamp,
) -> Vec<(&'static str, String)> {
    let mut failed = Vec::new();
    if figures.completeness < policy.completeness {
        let present = |name: &&AttributeName| {
            module
                .standing
                .iter()
                .filter_map(|id| board.revision(*id))
                .any(|state| state.attribute.as_ref() == Some(name))
        };
        let missing: Vec<&str> = module
            .declaration
            .expected
            .iter()
            .filter(|name| !present(name))
            .map(crate::id::AttributeName::as_str)
            .collect();
        failed.push(("completeness", missing.join(",")));
    }
    let submissions = board
        .submissions
        .saturating_sub(module.changed_at_submission);
    if submissions < u64::from(policy.stable_submissions) {
        failed.push(("stable_submissions", submissions.to_string()));
    }
    let seconds = now.0.saturating_sub(module.changed_at.0) / 1_000;
    if seconds < u64::from(policy.stable_seconds) {
        failed.push(("stable_seconds", seconds.to_string()));
    }
    failed
}

pub(super) fn seal(
    board: &Board,
    context: &Context,
    name: &ModuleName,
    only: Option<RevisionId>,
    mode: SealMode,
) -> Result<Vec<Event>, Denied> {
    let Some(module) = board.modules.get(name) else {
        return Err(unknown_module(board, name));
    };
    if !is_owner(board, name, &context.principal) {
        require_role(board, context, &[Role::Arbiter])?;
    }
    if let Some(only) = only {
        let state = known(board, only)?;
        if state.module != *name || !state.status.stands() {
            return Err(super::illegal_transition(only, state, "sealed"));
        }
    }
    let Some(report) = seal_report(board, name, only, context.now) else {
        return Err(unknown_module(board, name));
    };
    if report.members.is_empty() || already_sealed(board, module, &report, only, mode) {
        return Err(Denied::new(
            Reason::NothingToSeal,
            format!("nothing in module `{name}` is left to seal"),
        )
        .with("module", name));
    }
    if !report.failed.is_empty() {
        return Err(conditions(name, &report));
    }
    let snapshot = SnapshotParts {
        module: name,
        only,
        mode,
        cause: SnapshotCause::Seal,
        position: board.position(),
        before: None,
    };
    let taken = snapshot.event(board, context, &report.members, report.figures, None);
    Ok(taken.into_iter().collect())
}

fn already_sealed(
    board: &Board,
    module: &Module,
    report: &SealReport,
    only: Option<RevisionId>,
    mode: SealMode,
) -> bool {
    let hardens = |id: RevisionId| match lock_mode(board, id) {
        None => true,
        Some(SealMode::Soft) => mode == SealMode::Hard,
        Some(SealMode::Hard) => false,
    };
    match only {
        Some(only) => !hardens(only),
        None => {
            let current = module.current.and_then(|id| board.snapshots.get(&id));
            current.is_some_and(|node| node.members == report.members)
                && !report.members.iter().any(|id| hardens(*id))
        }
    }
}

fn conditions(name: &ModuleName, report: &SealReport) -> Denied {
    let told: Vec<String> = report
        .failed
        .iter()
        .map(|(name, what)| format!("{name} ({what})"))
        .collect();
    let denied = Denied::new(
        Reason::SealConditions,
        format!(
            "module `{name}` does not meet its seal policy: {}",
            told.join("; ")
        ),
    )
    .with("module", name);
    report
        .failed
        .iter()
        .fold(denied, |denied, (name, what)| denied.with(name, what))
}

/// A revision that an amendment locks while its entry is yet to be written.
#[derive(Clone, Copy)]
pub(super) struct Incoming<'a> {
    leaf: NodeHash,
    confidence: Score,
    attribute: Option<&'a AttributeName>,
}

/// What a module measures after an amendment; what takes the place counts as validated by nobody
/// but the amendment.
fn amended_figures(
    board: &Board,
    name: &ModuleName,
    members: &[RevisionId],
    new: RevisionId,
    incoming: Option<Incoming<'_>>,
) -> SealFigures {
    let Some(module) = board.modules.get(name) else {
        return SealFigures::default();
    };
    let known: Vec<(RevisionId, &Revision)> = members
        .iter()
        .filter_map(|id| Some((*id, board.revision(*id)?)))
        .collect();
    let mut figures = figures(board, module, members, &known);
    if let Some(incoming) = incoming.filter(|_| members.contains(&new)) {
        let least = known.iter().map(|(_, state)| state.confidence).min();
        figures.least_confidence =
            least.map_or(incoming.confidence, |it| it.min(incoming.confidence));
        let has = |attribute: &AttributeName| {
            incoming.attribute == Some(attribute)
                || known
                    .iter()
                    .any(|(_, state)| state.attribute.as_ref() == Some(attribute))
        };
        let expected = &module.declaration.expected;
        figures.completeness = share(expected.iter().filter(|it| has(it)).count(), expected.len());
    }
    figures
}

/// What an amendment makes happen, once the new revision is there or about to be: the exchange and
/// the snapshot; two where the new one belongs to another module. `new_leaf` is the leaf hash of a
/// revision whose entry is yet to be written.
pub(super) fn amendment(
    board: &Board,
    context: &Context,
    old: RevisionId,
    new: RevisionId,
    reason: Commitment,
    evidence: &[Citation],
    incoming: Option<Incoming<'_>>,
) -> Vec<Event> {
    let Some(module) = board.revision(old).map(|state| &state.module) else {
        return Vec::new();
    };
    let target = board.revision(new).map_or(module, |state| &state.module);
    let mut events = turned(board, old, new);
    // The conflict's resolution or the new revision comes first.
    let mut position = Position(board.position().0 + 2 + u64::from(number(events.len())));
    events.push(Event::Amended {
        old,
        new,
        reason,
        evidence: evidence.to_vec(),
    });
    let modules = if target == module {
        vec![module]
    } else {
        vec![module, target]
    };
    let mut before = None;
    for name in modules {
        let mut members = locked(board, name);
        members.retain(|id| *id != old);
        if name == target {
            members.push(new);
            members.sort_unstable();
        }
        let snapshot = SnapshotParts {
            module: name,
            only: (name == target).then_some(new),
            mode: lock_mode(board, old).unwrap_or(SealMode::Hard),
            cause: SnapshotCause::Amendment,
            position,
            before,
        };
        let figures = amended_figures(board, name, &members, new, incoming);
        let leaf = incoming.map(|it| (new, it.leaf));
        let Some(taken) = snapshot.event(board, context, &members, figures, leaf) else {
            return Vec::new();
        };
        if let Event::SnapshotTaken { id, .. } = &taken {
            before = Some((name, *id));
        }
        position.0 += 1;
        events.push(taken);
    }
    events
}

pub(super) fn amend(
    board: &Board,
    context: &Context,
    old: RevisionId,
    proposal: &Proposal,
    reason: Commitment,
    evidence: &[Citation],
) -> Result<Vec<Event>, Denied> {
    require_role(board, context, &[Role::Arbiter])?;
    let state = known(board, old)?;
    if state.status != Status::Locked {
        return Err(Denied::new(
            Reason::NotLocked,
            format!(
                "`{old}` is {}; only what is locked is amended",
                state.status
            ),
        )
        .with("assertion", old)
        .with("status", state.status));
    }
    let base = check_base(board, proposal.base)?;
    check_grounds(board, proposal)?;
    known_sources(board, evidence)?;
    check_beside(board, old, &proposal.report.findings)?;
    for support in &proposal.supports {
        let standing = known(board, *support)?.status.stands();
        if !standing || *support == old || board.all_dependents(old).contains(support) {
            return Err(Denied::new(
                Reason::SupportNotStanding,
                format!("`{support}` does not stand by itself once `{old}` is amended"),
            )
            .with("support", support));
        }
    }
    let new = next_revision(board, Some(old), &mut Pending::default())?;
    let submitted = Event::Submitted(Box::new(Submitted {
        revision: new,
        module: state.module.clone(),
        level: proposal.level,
        kind: proposal.kind,
        confidence: proposal.confidence,
        content: proposal.content,
        words: proposal.words,
        citations: proposal.citations.clone(),
        supports: proposal.supports.clone(),
        replaces: Some(old),
        base,
        attribute: proposal.attribute.clone(),
        verdict: Verdict::Accepted,
        check: proposal.check,
    }));
    let header = header(board, context, board.position());
    let leaf = leaf_hash(&encode(&header, &submitted));
    let mut events = vec![submitted];
    events.extend(amendment(
        board,
        context,
        old,
        new,
        reason,
        evidence,
        Some(Incoming {
            leaf,
            confidence: proposal.confidence,
            attribute: proposal.attribute.as_ref(),
        }),
    ));
    Ok(events)
}

/// An amendment may not contradict what else is locked, for sure.
fn check_beside(board: &Board, old: RevisionId, findings: &[PairFinding]) -> Result<(), Denied> {
    let against = findings.iter().find(|finding| {
        finding.standing != old
            && finding.kind.certainty() == Certainty::Exact
            && lock_mode(board, finding.standing).is_some()
    });
    match against {
        None => Ok(()),
        Some(finding) => Err(Denied::new(
            Reason::ContradictsLocked,
            format!(
                "the amendment contradicts `{}`, which is locked too; amend that first",
                finding.standing
            ),
        )
        .with("standing", finding.standing)),
    }
}

/// Seals that a module's policy asks for by itself, after what was just applied.
pub(super) fn automatic(board: &Board, context: &Context, applied: &[Event]) -> Vec<Event> {
    if applied
        .iter()
        .any(|event| matches!(event, Event::SnapshotTaken { .. }))
    {
        return Vec::new();
    }
    for (name, module) in &board.modules {
        let Some(mode) = module.declaration.policy.automatic else {
            continue;
        };
        let Some(report) = seal_report(board, name, None, context.now) else {
            continue;
        };
        let something_new = !report.members.is_empty()
            && report.failed.is_empty()
            && !already_sealed(board, module, &report, None, mode);
        if something_new {
            let snapshot = SnapshotParts {
                module: name,
                only: None,
                mode,
                cause: SnapshotCause::Seal,
                position: board.position(),
                before: None,
            };
            let taken = snapshot.event(board, context, &report.members, report.figures, None);
            return taken.into_iter().collect();
        }
    }
    Vec::new()
}

/// What a snapshot says besides what the board says of its module.
struct SnapshotParts<'a> {
    module: &'a ModuleName,
    only: Option<RevisionId>,
    mode: SealMode,
    cause: SnapshotCause,
    position: Position,
    /// The snapshot of another module that is taken right before.
    before: Option<(&'a ModuleName, Digest)>,
}

impl SnapshotParts<'_> {
    fn event(
        &self,
        board: &Board,
        context: &Context,
        members: &[RevisionId],
        figures: SealFigures,
        new: Option<(RevisionId, NodeHash)>,
    ) -> Option<Event> {
        let module = board.modules.get(self.module)?;
        let snapshot = Snapshot {
            module: self.module.clone(),
            only: self.only,
            mode: self.mode,
            cause: self.cause,
            member_count: number(members.len()),
            member_root: member_root(board, members, new),
            parents: self.parents(board, module),
            policy: module.declaration.policy,
            figures,
            sealed_by: context.principal.clone(),
            at: context.now.max(board.last_at),
            position: self.position,
        };
        Some(Event::SnapshotTaken {
            id: Digest::of(&encode_snapshot(&snapshot)),
            snapshot: Box::new(snapshot),
        })
    }

    /// The module's last snapshot and the current ones of the modules it depends on.
    fn parents(&self, board: &Board, module: &Module) -> Vec<Digest> {
        let needed = module.declaration.depends_on.iter();
        let needed = needed.filter_map(|name| match self.before {
            Some((before, id)) if before == name => Some(id),
            _ => board.modules.get(name)?.current,
        });
        module.current.into_iter().chain(needed).collect()
    }
}

fn header(board: &Board, context: &Context, position: Position) -> Header {
    Header {
        board: board.name.clone(),
        position,
        at: context.now.max(board.last_at),
        principal: context.principal.clone(),
    }
}
