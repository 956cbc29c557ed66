//! What happens to a revision, and what that means for what rests on it.

use thin_vec::ThinVec;

use super::{EvolveError, set_status, take_place, unknown};
use crate::{
    board::{Board, Revision},
    digest::Digest,
    event::{Citation, Recorded, Submitted},
    id::{Position, RevisionId},
    status::{Status, Verdict},
};

pub(super) fn submitted(
    board: &mut Board,
    recorded: &Recorded,
    submitted: &Submitted,
) -> Result<(), EvolveError> {
    let id = submitted.revision;
    check_supports(board, recorded, id, &submitted.supports)?;
    insert(board, recorded, submitted)?;
    board.submissions += 1;
    board.supports.set(id, &[], &submitted.supports);
    refresh(board, id);

    let status = match submitted.verdict {
        Verdict::Contested => Status::Contested,
        Verdict::Accepted => Status::Proposed,
        Verdict::Refused => {
            return Err(EvolveError::new(
                recorded,
                "a refused submission is no revision",
            ));
        }
    };
    // The revision was inserted as retracted, which counts nowhere until now.
    *board.counts.entry(Status::Retracted).or_default() += 1;
    set_status(board, recorded, id, status)?;
    if status == Status::Proposed {
        take_place(board, recorded, id)?;
    }
    Ok(())
}

/// Supports are there before what rests on them, so that no circle closes.
fn check_supports(
    board: &Board,
    recorded: &Recorded,
    id: RevisionId,
    supports: &[RevisionId],
) -> Result<(), EvolveError> {
    for support in supports {
        if *support == id || board.revision(*support).is_none() {
            return Err(unknown(recorded, *support));
        }
    }
    Ok(())
}

fn insert(
    board: &mut Board,
    recorded: &Recorded,
    submitted: &Submitted,
) -> Result<(), EvolveError> {
    let id = submitted.revision;
    let module = board.shared_module(&submitted.module);
    let author = board.shared_principal(&recorded.principal);
    let mut verified_sources = ThinVec::new();
    add_verified(&mut verified_sources, &submitted.citations);
    let assertions = board.assertions.len();
    let place = usize::try_from(id.assertion.0).unwrap_or(usize::MAX);
    if place == assertions + 1 {
        board.assertions.push(ThinVec::with_capacity(1));
    }
    let revisions = place
        .checked_sub(1)
        .and_then(|place| board.assertions.get_mut(place));
    let revisions = revisions.ok_or_else(|| unknown(recorded, id))?;
    if usize::try_from(id.revision).ok() != Some(revisions.len() + 1) {
        return Err(EvolveError::new(
            recorded,
            format!("`{id}` is not the next revision"),
        ));
    }
    let earlier = |old: RevisionId| old.assertion == id.assertion && old.revision < id.revision;
    if let Some(old) = submitted.replaces.filter(|old| !earlier(*old)) {
        return Err(EvolveError::new(
            recorded,
            format!("`{id}` does not come after `{old}`"),
        ));
    }
    revisions.push(Revision {
        status: Status::Retracted,
        module,
        author,
        level: submitted.level,
        kind: submitted.kind,
        confidence: submitted.confidence,
        verdict: submitted.verdict,
        position: recorded.position,
        at: recorded.at,
        leaf: recorded.leaf,
        base: submitted.base,
        current_since: Position(0),
        ended: None,
        attribute: submitted.attribute.clone(),
        supports: submitted.supports.iter().copied().collect(),
        replaces: submitted.replaces,
        replaced_by: None,
        verified_sources,
        confirming_sources: ThinVec::new(),
        valid_from: submitted.valid_from,
        corroborations: 0,
        validated: None,
        snapshot: None,
        support_lost: None,
        conflicts: ThinVec::new(),
        challenged: 0,
        flags: ThinVec::new(),
    });
    Ok(())
}

pub(super) fn corroborated(
    board: &mut Board,
    recorded: &Recorded,
    id: RevisionId,
    citations: &[Citation],
) -> Result<(), EvolveError> {
    let revision = board
        .revision_mut(id)
        .ok_or_else(|| unknown(recorded, id))?;
    revision.corroborations = revision.corroborations.saturating_add(1);
    add_verified(&mut revision.verified_sources, citations);
    Ok(())
}

pub(super) fn validated(
    board: &mut Board,
    recorded: &Recorded,
    id: RevisionId,
    evidence: &[Citation],
) -> Result<(), EvolveError> {
    let revision = board
        .revision_mut(id)
        .ok_or_else(|| unknown(recorded, id))?;
    add_verified(&mut revision.confirming_sources, evidence);
    revision.validated = Some((recorded.principal.clone(), recorded.position));
    set_status(board, recorded, id, Status::Validated)
}

pub(super) fn retracted(
    board: &mut Board,
    recorded: &Recorded,
    id: RevisionId,
) -> Result<(), EvolveError> {
    set_status(board, recorded, id, Status::Retracted)
}

pub(super) fn reaffirmed(
    board: &mut Board,
    recorded: &Recorded,
    id: RevisionId,
    supports: &[RevisionId],
) -> Result<(), EvolveError> {
    check_supports(board, recorded, id, supports)?;
    let below = board.all_dependents(id);
    if let Some(support) = supports.iter().find(|support| below.contains(support)) {
        return Err(EvolveError::new(
            recorded,
            format!("`{support}` rests on `{id}`"),
        ));
    }
    let revision = board
        .revision_mut(id)
        .ok_or_else(|| unknown(recorded, id))?;
    let old = std::mem::replace(&mut revision.supports, supports.iter().copied().collect());
    board.supports.set(id, &old, supports);
    if refresh(board, id) {
        refresh_dependents(board, id);
    }
    Ok(())
}

/// Works out anew, transitively, what rests on a revision that came into force or went out of it.
pub(super) fn refresh_dependents(board: &mut Board, id: RevisionId) {
    let mut waiting = board.dependents(id);
    while let Some(dependent) = waiting.pop() {
        if refresh(board, dependent) {
            waiting.extend(board.dependents(dependent));
        }
    }
}

/// Works out which support of a revision is lost; says whether that changed.
fn refresh(board: &mut Board, id: RevisionId) -> bool {
    let Some(revision) = board.revision(id) else {
        return false;
    };
    let lost = revision
        .supports
        .iter()
        .find_map(|support| match board.revision(*support) {
            Some(state) if state.status.stands() => state.support_lost,
            _ => Some(*support),
        });
    let Some(revision) = board.revision_mut(id) else {
        return false;
    };
    std::mem::replace(&mut revision.support_lost, lost) != lost
}

/// Adds the sources whose quotes were found; a list stays in order, each once.
fn add_verified(sources: &mut ThinVec<Digest>, citations: &[Citation]) {
    for citation in citations {
        if Revision::is_verified(citation.check)
            && let Err(place) = sources.binary_search(&citation.source)
        {
            sources.reserve_exact(1);
            sources.insert(place, citation.source);
        }
    }
}
