//! The rules: what a command makes happen on a board, or why it does not. Pure; writes nothing.

mod conflicts;
mod declarations;
mod life;
mod phases;
mod rescans;
mod reviews;
mod rules;
mod seals;
mod submissions;
mod tables;

pub use pawl_proto::v1::ErrorReason as Reason;
pub use rescans::{challenger_first, met};
pub use rules::{Opinion, opinions, waiting_challengers};
pub use seals::{RollbackPlan, SealReport, automatic_seals, rollback_plan, seal_due, seal_report};
pub use submissions::{Decision, Pending, decide_submission, may_submit};
pub use tables::unknown_table;

use crate::{
    board::{Board, Revision},
    command::{Command, Context},
    event::{Citation, Event},
    id::{AttributeName, PrincipalName, RevisionId},
    status::Role,
};

/// Why a command was not carried out: a reason a program branches on, then a text for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Denied {
    /// The reason.
    pub reason: Reason,
    /// What was wrong, with what value, and what to do.
    pub message: String,
    /// The offending values.
    pub metadata: Vec<(&'static str, String)>,
}

impl Denied {
    /// Makes a denial without metadata.
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self {
            reason,
            message: message.into(),
            metadata: Vec::new(),
        }
    }

    /// Adds an offending value.
    #[must_use]
    #[allow(
        clippy::needless_pass_by_value,
        reason = "ids that are `Copy` and references to names are passed alike"
    )]
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.metadata.push((name, value.to_string()));
        self
    }
}

/// Decides everything but submissions.
pub fn decide(board: &Board, context: &Context, command: &Command) -> Result<Vec<Event>, Denied> {
    life::check_open(board, Some(command))?;
    match command {
        Command::SetPolicy(_)
        | Command::SetResolutionRules { .. }
        | Command::GrantRole(..)
        | Command::RevokeRole(..)
        | Command::DeclareModule(..)
        | Command::DeclareAttribute { .. }
        | Command::RegisterSource { .. } => declarations::decide(board, context, command),
        Command::MountTable { .. }
        | Command::UnmountTable { .. }
        | Command::DeclareAuthority { .. } => tables::decide(board, context, command),
        Command::Validate { .. }
        | Command::Retract { .. }
        | Command::Reaffirm { .. }
        | Command::Flag { .. }
        | Command::CloseFlag { .. } => reviews::decide(board, context, command),
        Command::Resolve { .. } | Command::Dismiss { .. } | Command::Appeal { .. } => {
            conflicts::decide(board, context, command)
        }
        Command::ApplyRules(challenger) => Ok(rules::outcome(board, *challenger)),
        Command::Rescan {
            module,
            found,
            done,
        } => rescans::decide(board, context, module.as_ref(), found, done.as_ref()),
        Command::Seal { module, only, mode } => seals::seal(board, context, module, *only, *mode),
        Command::Amend {
            old,
            proposal,
            reason,
            evidence,
        } => seals::amend(board, context, *old, proposal, *reason, evidence),
        Command::Rollback {
            module,
            to,
            reason,
            evidence,
            findings,
        } => seals::rollback(board, context, (module, to), *reason, evidence, findings),
        Command::DeclarePhases(phases) => phases::declare(board, context, phases),
        Command::EnterPhase { phase, reason } => phases::enter(board, context, phase, *reason),
        Command::SetQuotas(_)
        | Command::Archive { .. }
        | Command::Reopen { .. }
        | Command::RemoveSource(_) => life::decide(board, context, command),
    }
}

/// What follows by itself from events that were just applied: soft locks that a better sourced
/// challenger overcomes, what the board's resolution rules decide, and automatic seals. To be asked
/// again until nothing follows.
pub fn follow_up(board: &Board, context: &Context, applied: &[Event]) -> Vec<Event> {
    if board.archived.is_some() {
        return Vec::new();
    }
    let won = conflicts::soft_locks_overcome(board, context, applied);
    if !won.is_empty() {
        return won;
    }
    let decided = rules::follow(board, applied);
    if !decided.is_empty() {
        return decided;
    }
    seals::automatic(board, context, applied)
}

fn require_role(board: &Board, context: &Context, roles: &[Role]) -> Result<(), Denied> {
    if roles
        .iter()
        .any(|role| board.has_role(&context.principal, *role))
    {
        return Ok(());
    }
    let wanted: Vec<&str> = roles.iter().map(|role| role.as_str()).collect();
    let wanted = wanted.join(" or ");
    Err(Denied::new(
        Reason::RoleMissing,
        format!(
            "`{}` needs the role {wanted} on board `{}`; ask an operator of the board to grant it",
            context.principal, board.name
        ),
    )
    .with("principal", &context.principal)
    .with("role", wanted)
    .with("board", &board.name))
}

fn known(board: &Board, id: RevisionId) -> Result<&Revision, Denied> {
    board.revision(id).ok_or_else(|| {
        Denied::new(
            Reason::AssertionUnknown,
            format!(
                "board `{}` has no revision `{id}`; list the board's assertions",
                board.name
            ),
        )
        .with("assertion", id)
    })
}

fn illegal_transition(id: RevisionId, revision: &Revision, wanted: &str) -> Denied {
    let legal = revision.status.legal_transitions();
    Denied::new(
        Reason::TransitionIllegal,
        format!(
            "`{id}` is {} and cannot be {wanted}; possible: {legal}",
            revision.status
        ),
    )
    .with("assertion", id)
    .with("status", revision.status)
    .with("legal", legal)
}

fn locked(id: RevisionId, wanted: &str) -> Denied {
    Denied::new(
        Reason::Locked,
        format!(
            "`{id}` is locked and cannot be {wanted}; flag it as a potential issue, or ask an \
             arbiter to amend it"
        ),
    )
    .with("assertion", id)
    .with("remedy", "flag, amend")
}

/// Every cited source is registered on the board.
fn known_sources(board: &Board, citations: &[Citation]) -> Result<(), Denied> {
    match citations
        .iter()
        .find(|citation| !board.sources.contains_key(&citation.source))
    {
        None => Ok(()),
        Some(citation) => Err(Denied::new(
            Reason::SourceUnknown,
            format!(
                "board `{}` has no source `{}`; upload or register it first",
                board.name, citation.source
            ),
        )
        .with("source", citation.source)),
    }
}

fn known_attributes(board: &Board, attributes: &[AttributeName]) -> Result<(), Denied> {
    let undeclared = |name: &&AttributeName| !board.attributes.contains_key(name);
    match attributes.iter().find(undeclared) {
        None => Ok(()),
        Some(attribute) => Err(Denied::new(
            Reason::AttributeUnknown,
            format!(
                "board `{}` has no attribute `{attribute}`; declare it first",
                board.name
            ),
        )
        .with("attribute", attribute)),
    }
}

fn within(count: usize, limit: usize, what: &'static str) -> Result<(), Denied> {
    if count <= limit {
        return Ok(());
    }
    Err(Denied::new(
        Reason::BoardLimit,
        format!("a board has at most {limit} {what}; leave some out"),
    )
    .with("limit", limit))
}

fn is_owner(board: &Board, module: &crate::id::ModuleName, principal: &PrincipalName) -> bool {
    let module = board.modules.get(module);
    module.is_some_and(|module| module.declaration.owners.contains(principal))
}
