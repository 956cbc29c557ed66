//! What an amendment makes happen.

use super::super::{
    Denied, Reason,
    conflicts::turned,
    known, known_sources, require_role,
    submissions::{Pending, as_submitted, check_base, check_grounds, next_revision},
};
use super::{
    SnapshotParts,
    report::{figures, known_members, share},
};
use crate::{
    board::{Board, number},
    command::{Context, PairFinding, Proposal},
    digest::Commitment,
    event::{Citation, Event, Submitted},
    evolve::{lock_mode, locked},
    finding::{Certainty, Score},
    id::{AttributeName, ModuleName, Position, RevisionId},
    log::{
        Header, encode,
        tree::{NodeHash, leaf_hash},
    },
    module::{SealFigures, SealMode},
    reference::{Against, Reference},
    snapshot::SnapshotCause,
    status::{Role, Status, Verdict},
};

/// A revision that an amendment locks while its entry is yet to be written.
#[derive(Clone, Copy)]
pub(in crate::decide) struct Incoming<'a> {
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
    let known = known_members(board, members);
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
pub(in crate::decide) fn amendment(
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
            back_to: None,
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

pub(in crate::decide) fn amend(
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
    check_given(board, proposal)?;
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
        module: state.module.clone(),
        replaces: Some(old),
        ..as_submitted(proposal, new, base, Verdict::Accepted)
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

/// Nor may it contradict what is taken as given.
fn check_given(board: &Board, proposal: &Proposal) -> Result<(), Denied> {
    let mut findings = proposal.report.references.iter();
    let against = findings.find(|finding| {
        let given = match finding.against {
            Against::Known(reference) => board.is_given(reference),
            Against::Fresh(_) => true,
        };
        given && finding.kind.refuses_against_reference()
    });
    match against.map(|finding| finding.against) {
        None => Ok(()),
        Some(Against::Known(Reference::Row(row))) => {
            let table = board.table_mounted_at(row.mounted);
            let table = table.map_or("a table", |(name, _)| name.as_str());
            Err(Denied::new(
                Reason::ContradictsLocked,
                format!(
                    "the amendment contradicts `{table}#{}`; have a newer version of the table \
                     mounted first",
                    row.line
                ),
            )
            .with("standing", format!("{table}#{}", row.line)))
        }
        Some(_) => Err(Denied::new(
            Reason::ContradictsLocked,
            "the amendment contradicts what an authority of this board answers; look it up, and \
             have the authority removed if it is wrong",
        )),
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
