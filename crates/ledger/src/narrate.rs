//! Tells an entry to a person: who did what, to what, and why.
//!
//! What was written by others is data: it stands in quotation marks or alone, and its control
//! characters are escaped, so that it can neither move a cursor nor pose as another line.

mod about;
mod kind;
mod life;
mod tables;
mod text;

pub use kind::kind;

use about::about;
use text::{article, clause, counted, listed, ratio, told};

use crate::{
    board::{Board, Conflict},
    digest::Commitment,
    event::{Challenger, Event, Grounds, Recorded, Rescan, Submitted},
    finding::Score,
    id::{ConflictId, ModuleName, RevisionId},
    module::SealMode,
    snapshot::{Snapshot, SnapshotCause},
    status::{ConflictCause, Policy, Role, Verdict},
};

/// Reads the words of a commitment of the entry, without their salt; none where they are gone.
pub type ReadWords<'a> = dyn Fn(Commitment) -> Option<Vec<u8>> + 'a;

/// An entry as a person reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Narration {
    /// The event's name in `Entry`: `submitted`, `conflict_opened` and so on.
    pub kind: &'static str,
    /// One sentence: who did what.
    pub summary: String,
    /// The content or the reason; empty where there is none.
    pub detail: String,
    /// The module it is about.
    pub module: Option<ModuleName>,
    /// The revisions it is about, the first being the subject.
    pub revisions: Vec<RevisionId>,
}

/// Tells an entry, given the board at any position after the entries it speaks of.
pub fn narrate(board: &Board, recorded: &Recorded, words: &ReadWords<'_>) -> Narration {
    let (module, revisions) = about(board, &recorded.event);
    Narration {
        kind: kind(&recorded.event),
        summary: format!("{} {}", recorded.principal, act(board, &recorded.event)),
        detail: detail(board, recorded, words),
        module,
        revisions,
    }
}

/// The content or the reason that a person wants to read with the entry.
fn detail(board: &Board, recorded: &Recorded, words: &ReadWords<'_>) -> String {
    let commitment = match &recorded.event {
        Event::ConflictResolved {
            grounds: Grounds::Rule(figures),
            ..
        } => return figures.to_string(),
        Event::ConflictResolved { .. } | Event::Amended { .. } if by_itself(board, recorded) => {
            return "more distinct verified sources than what was softly locked".into();
        }
        Event::Submitted(submitted) => submitted.content,
        Event::Refused { content, .. } => *content,
        Event::ConflictAppealed { reason, .. }
        | Event::ConflictResolved {
            grounds: Grounds::Reason(reason),
            ..
        }
        | Event::ConflictDismissed { reason, .. }
        | Event::Retracted { reason, .. }
        | Event::TableUnmounted { reason, .. }
        | Event::Reaffirmed { reason, .. }
        | Event::Flagged { reason, .. }
        | Event::FlagClosed { reason, .. }
        | Event::Amended { reason, .. }
        | Event::RolledBack { reason, .. }
        | Event::BoardArchived { reason }
        | Event::BoardReopened { reason }
        | Event::PhaseEntered {
            reason: Some(reason),
            ..
        } => *reason,
        _ => return String::new(),
    };
    told(commitment, words)
}

/// Says whether a soft lock gave way by itself; then nobody wrote a reason, and what is committed
/// to is the check or the quote that turned the scale.
fn by_itself(board: &Board, recorded: &Recorded) -> bool {
    let principal = &recorded.principal;
    let decided = |state: &Conflict| match &recorded.event {
        Event::Amended { old, new, .. } => {
            state.challenger == Challenger::Revision(*new) && state.standing == Some(*old)
        }
        _ => false,
    };
    let conflict = match &recorded.event {
        Event::ConflictResolved { conflict, .. } => board.conflict(*conflict),
        _ => board.conflicts.iter().rev().find(|state| decided(state)),
    };
    conflict.is_some_and(|state| {
        state.cause != ConflictCause::Ownership
            && (state.principal == *principal || !board.has_role(principal, Role::Arbiter))
    })
}

fn act(board: &Board, event: &Event) -> String {
    match event {
        Event::BoardCreated { policy } => format!("created the board; {}", settings(*policy)),
        Event::PolicyChanged { policy } => format!("changed the settings: {}", settings(*policy)),
        Event::RoleGranted { principal, role } => format!("granted {principal} the role {role}"),
        Event::RoleRevoked { principal, role } => {
            format!("took the role {role} from {principal}")
        }
        Event::ModuleDeclared {
            module,
            declaration,
        } => {
            let owners = listed(&declaration.owners);
            let needed = listed(&declaration.depends_on);
            format!(
                "declared module {module}{}{}",
                clause(", owned by ", &owners),
                clause(", building on ", &needed)
            )
        }
        Event::AttributeDeclared {
            attribute,
            value_type,
            multi_valued,
            ..
        } => format!(
            "declared attribute {attribute}, {} {value_type}",
            if *multi_valued {
                "any number of values of type"
            } else {
                "one value of type"
            }
        ),
        Event::SourceRegistered {
            source,
            size_bytes,
            kept,
            replaces,
            ..
        } => format!(
            "registered source {}{}{}",
            source.short(),
            if *kept {
                format!(" and handed in its {size_bytes} bytes")
            } else {
                String::new()
            },
            replaces.map_or(String::new(), |old| {
                format!("; citations of {} have drifted", old.short())
            }),
        ),
        Event::Submitted(submitted) => submission(submitted),
        Event::Corroborated {
            revision,
            citations,
        } => format!(
            "submitted what {revision} says already, with {}",
            counted(citations.len(), "citation")
        ),
        Event::Validated { revision, evidence } => format!(
            "validated {revision} with {}",
            counted(evidence.len(), "quote")
        ),
        Event::Retracted { revision, .. } => format!("retracted {revision}"),
        Event::Reaffirmed {
            revision, supports, ..
        } => format!(
            "reaffirmed {revision}, which rests on {} now",
            listed(supports)
        ),
        Event::Flagged { flag, revision, .. } => format!("raised flag {flag} on {revision}"),
        Event::FlagClosed { flag, .. } => {
            let on = board.flag(*flag).map(|it| format!(" on {}", it.revision));
            format!("answered flag {flag}{}", on.unwrap_or_default())
        }
        Event::Amended { old, new, .. } => format!("amended {old}: {new} is locked in its place"),
        Event::RolledBack { module, to, .. } => {
            let of = board.snapshots.get(to).map(|it| it.snapshot.position);
            let of = of.map_or(String::new(), |at| format!(", taken at position {at}"));
            format!("rolled module {module} back to snapshot {}{of}", to.short())
        }
        Event::SnapshotTaken { id, snapshot } => taken(&id.short(), snapshot),
        Event::PhasesDeclared { .. }
        | Event::PhaseEntered { .. }
        | Event::QuotasSet { .. }
        | Event::BoardArchived { .. }
        | Event::BoardReopened { .. }
        | Event::SourceRemoved { .. } => life::act(event),
        Event::Rescanned(rescan) => rescanned(rescan),
        Event::ResolutionRulesSet { rules, .. } => match rules.order.as_slice() {
            [] => "left every conflict to an arbiter".into(),
            order => format!("set the rules that decide conflicts: {}", listed(order)),
        },
        _ => dispute(board, event),
    }
}

fn dispute(board: &Board, event: &Event) -> String {
    match event {
        Event::Refused {
            refusal,
            module,
            earlier_attempts,
            ..
        } => {
            let before = match earlier_attempts {
                0 => String::new(),
                times => format!(", after {} before", counted(*times, "attempt")),
            };
            format!("was refused a submission to module {module} ({refusal}){before}")
        }
        Event::ConflictOpened {
            conflict,
            challenger,
            standing,
            reference,
            cause,
            score,
            rescan,
        } => {
            let against = match (standing, reference) {
                (Some(standing), _) => format!(" against {standing}"),
                (None, Some(given)) => format!(" against {}", tables::reference(board, *given)),
                (None, None) => String::new(),
            };
            format!(
                "opened conflict {conflict}: {}{against}, {}{}",
                side(*challenger),
                about_what(*cause, *score),
                if *rescan { "; both stand" } else { "" }
            )
        }
        Event::ConflictAppealed { conflict, .. } => {
            format!("appealed against {}", sides(board, *conflict))
        }
        Event::ConflictResolved {
            conflict,
            challenger_wins,
            grounds,
        } => {
            let winner = match (board.conflict(*conflict), challenger_wins) {
                (Some(state), true) => side(state.challenger),
                (Some(state), false) => state
                    .standing
                    .map_or("what stands".to_owned(), |it| it.to_string()),
                (None, _) => "a side".to_owned(),
            };
            let by = match grounds {
                Grounds::Reason(_) => String::new(),
                Grounds::Rule(figures) => {
                    format!(", by the board's rule of {}", figures.measure.rule())
                }
            };
            format!("resolved {} for {winner}{by}", sides(board, *conflict))
        }
        Event::ConflictDismissed { conflict, .. } => {
            format!("dismissed {}", sides(board, *conflict))
        }
        _ => tables::act(event),
    }
}

fn submission(submitted: &Submitted) -> String {
    let replaces = submitted
        .replaces
        .map_or(String::new(), |old| format!(" in the place of {old}"));
    let rests = listed(&submitted.supports);
    let verdict = match submitted.verdict {
        Verdict::Contested => "; it is contested",
        Verdict::Accepted | Verdict::Refused => "",
    };
    format!(
        "submitted {} to module {}{replaces}: {} {} with confidence {}{}{verdict}",
        submitted.revision,
        submitted.module,
        article(submitted.kind.as_str()),
        submitted.kind,
        ratio(submitted.confidence),
        clause(", resting on ", &rests),
    )
}

fn taken(id: &str, snapshot: &Snapshot) -> String {
    let mode = match snapshot.mode {
        SealMode::Hard => "hard",
        SealMode::Soft => "soft",
    };
    let members = counted(snapshot.member_count, "member");
    let module = &snapshot.module;
    match (snapshot.cause, snapshot.only) {
        (SnapshotCause::Seal, None) => {
            format!("sealed module {module}, {mode}: snapshot {id} with {members}")
        }
        (SnapshotCause::Seal, Some(only)) => {
            format!("sealed {only} in module {module}, {mode}: snapshot {id} with {members}")
        }
        (SnapshotCause::Amendment, _) => {
            format!("took snapshot {id} of the amended module {module} with {members}")
        }
        (SnapshotCause::Rollback, _) => {
            format!("took snapshot {id} of the rolled back module {module} with {members}")
        }
    }
}

fn rescanned(rescan: &Rescan) -> String {
    let of = match &rescan.module {
        Some(module) => format!(" of module {module}"),
        None => String::new(),
    };
    let pairs = counted(rescan.compared, "pair");
    let opened = counted(rescan.opened, "conflict");
    format!("compared the standing facts{of} anew: {pairs}, {opened} opened")
}

fn settings(policy: Policy) -> String {
    format!(
        "findings contest from {} and are noted from {}",
        ratio(policy.conflict),
        ratio(policy.note)
    )
}

fn about_what(cause: ConflictCause, score: Score) -> String {
    match cause {
        ConflictCause::Finding(kind) => format!("{kind:?} at {}", ratio(score)).to_lowercase(),
        ConflictCause::Ownership => "the module's owner has to agree".into(),
        ConflictCause::Replacement => "it replaces what another said".into(),
        ConflictCause::Rewording => "it rewords what was refused before".into(),
    }
}

fn side(challenger: Challenger) -> String {
    match challenger {
        Challenger::Revision(revision) => revision.to_string(),
        Challenger::Refusal(refusal) => format!("refused {refusal}"),
    }
}

fn sides(board: &Board, id: ConflictId) -> String {
    let Some(state) = board.conflict(id) else {
        return format!("conflict {id}");
    };
    let challenger = side(state.challenger);
    let given = || Some(tables::reference(board, state.reference?));
    let standing = state.standing.map(|it| it.to_string()).or_else(given);
    match standing {
        Some(standing) => format!("conflict {id} of {challenger} with {standing}"),
        None => format!("conflict {id} of {challenger}"),
    }
}
