//! What is done to a revision that is there: confirmed, taken back, doubted.

use super::{Denied, Reason, illegal_transition, known, known_sources, locked, require_role};
use crate::{
    board::{Board, Revision, number},
    command::{Command, Context},
    digest::Commitment,
    event::{Citation, Event},
    id::{FlagId, RevisionId},
    status::{Role, Status},
};

pub(super) fn decide(
    board: &Board,
    context: &Context,
    command: &Command,
) -> Result<Vec<Event>, Denied> {
    match command {
        Command::Validate { revision, evidence } => validate(board, context, *revision, evidence),
        Command::Retract { revision, reason } => retract(board, context, *revision, *reason),
        Command::Reaffirm {
            revision,
            supports,
            reason,
        } => reaffirm(board, context, *revision, supports, *reason),
        Command::Flag {
            revision,
            reason,
            citations,
        } => flag(board, context, *revision, *reason, citations),
        Command::CloseFlag { flag, reason } => close_flag(board, context, *flag, *reason),
        _ => Ok(Vec::new()),
    }
}

fn validate(
    board: &Board,
    context: &Context,
    id: RevisionId,
    evidence: &[Citation],
) -> Result<Vec<Event>, Denied> {
    require_role(board, context, &[Role::Verifier])?;
    let revision = known(board, id)?;
    if revision.author == context.principal {
        return Err(own_assertion(id, "validate"));
    }
    if revision.status != Status::Proposed {
        return Err(illegal_transition(id, revision, "validated"));
    }
    known_sources(board, evidence)?;
    if !evidence
        .iter()
        .any(|citation| Revision::is_verified(citation.check))
    {
        return Err(Denied::new(
            Reason::CitationMissing,
            "a validation quotes at least one passage that the server could check; quote a kept \
             source",
        )
        .with("field", "evidence"));
    }
    Ok(vec![Event::Validated {
        revision: id,
        evidence: evidence.to_vec(),
    }])
}

fn own_assertion(id: RevisionId, act: &str) -> Denied {
    Denied::new(
        Reason::OwnAssertion,
        format!("`{id}` is your own; somebody else has to {act} it"),
    )
    .with("assertion", id)
}

fn retract(
    board: &Board,
    context: &Context,
    id: RevisionId,
    reason: Commitment,
) -> Result<Vec<Event>, Denied> {
    require_role(board, context, &[Role::Agent, Role::Arbiter])?;
    let revision = known(board, id)?;
    // An arbiter may take out what nobody validates, so that it does not hold up a seal.
    let is_arbiter = board.has_role(&context.principal, Role::Arbiter);
    if revision.author != context.principal && !is_arbiter {
        return Err(Denied::new(
            Reason::NotAuthor,
            format!(
                "`{id}` is of `{}`; only its author or an arbiter retracts it",
                revision.author
            ),
        )
        .with("assertion", id)
        .with("author", &revision.author));
    }
    match revision.status {
        Status::Proposed | Status::Validated | Status::Contested => Ok(vec![Event::Retracted {
            revision: id,
            reason,
        }]),
        Status::Locked => Err(locked(id, "retracted")),
        Status::Rejected | Status::Superseded | Status::Retracted | Status::RolledBack => {
            Err(illegal_transition(id, revision, "retracted"))
        }
    }
}

fn reaffirm(
    board: &Board,
    context: &Context,
    id: RevisionId,
    supports: &[RevisionId],
    reason: Commitment,
) -> Result<Vec<Event>, Denied> {
    require_role(board, context, &[Role::Verifier])?;
    let revision = known(board, id)?;
    if revision.author == context.principal {
        return Err(own_assertion(id, "reaffirm"));
    }
    if !revision.status.stands() && revision.status != Status::Contested {
        return Err(illegal_transition(id, revision, "reaffirmed"));
    }
    if revision.support_lost.is_none() {
        return Err(Denied::new(
            Reason::SupportNotLost,
            format!("every support of `{id}` stands; there is nothing to reaffirm"),
        )
        .with("assertion", id));
    }
    let supports = match supports {
        [] => revision
            .supports
            .iter()
            .map(|support| successor(board, *support))
            .collect(),
        named => named.to_vec(),
    };
    let below = board.all_dependents(id);
    for support in &supports {
        let state = known(board, *support)?;
        if *support == id || below.contains(support) {
            return Err(Denied::new(
                Reason::SupportCycle,
                format!("`{support}` rests on `{id}`, which would then rest on itself"),
            )
            .with("support", support));
        }
        if !state.status.stands() || state.support_lost.is_some() {
            return Err(Denied::new(
                Reason::SupportNotStanding,
                format!(
                    "`{support}` is {}{}; name a revision that stands and keeps its own supports",
                    state.status,
                    if state.support_lost.is_some() {
                        " and lost a support itself"
                    } else {
                        ""
                    },
                ),
            )
            .with("support", support)
            .with("status", state.status));
        }
    }
    Ok(vec![Event::Reaffirmed {
        revision: id,
        supports,
        reason,
    }])
}

/// Follows what took the place of a revision to the one that stands now.
pub(super) fn successor(board: &Board, id: RevisionId) -> RevisionId {
    let mut at = id;
    while let Some(next) = board.revision(at).and_then(|revision| revision.replaced_by) {
        at = next;
    }
    at
}

fn flag(
    board: &Board,
    context: &Context,
    id: RevisionId,
    reason: Commitment,
    citations: &[Citation],
) -> Result<Vec<Event>, Denied> {
    require_role(
        board,
        context,
        &[Role::Agent, Role::Verifier, Role::Arbiter],
    )?;
    let revision = known(board, id)?;
    if revision.status != Status::Locked {
        return Err(Denied::new(
            Reason::NotLocked,
            format!(
                "`{id}` is {} and can be challenged directly: submit what you hold to be true",
                revision.status
            ),
        )
        .with("assertion", id)
        .with("status", revision.status));
    }
    known_sources(board, citations)?;
    Ok(vec![Event::Flagged {
        flag: FlagId(number(board.flags.len() + 1)),
        revision: id,
        reason,
        citations: citations.to_vec(),
    }])
}

fn close_flag(
    board: &Board,
    context: &Context,
    id: FlagId,
    reason: Commitment,
) -> Result<Vec<Event>, Denied> {
    require_role(board, context, &[Role::Arbiter])?;
    let unknown = || {
        Denied::new(
            Reason::FlagUnknown,
            format!("board `{}` has no flag `{id}`; list the flags", board.name),
        )
        .with("flag", id)
    };
    if board.flag(id).ok_or_else(unknown)?.closed.is_some() {
        return Err(Denied::new(
            Reason::FlagClosed,
            format!("flag `{id}` is answered already"),
        )
        .with("flag", id));
    }
    Ok(vec![Event::FlagClosed { flag: id, reason }])
}
