//! From events to the bytes that are written once.

use pawl_proto::v1::{self as proto, entry};
use prost::Message;

mod tables;

use super::rules;
use super::wire::{
    WireEnum, phase_to_wire, policy_to_wire, quotas_to_wire, revision_to_wire, score_to_wire,
    seal_figures_to_wire, seal_policy_to_wire,
};
use crate::{
    digest::Commitment,
    event::{Challenger, Citation, Event, ModuleDeclaration, Submitted},
    id::{BoardName, Position, PrincipalName, Timestamp},
    snapshot::Snapshot,
};

/// What an entry says around its event.
#[derive(Clone, Debug)]
pub struct Header {
    /// The board.
    pub board: BoardName,
    /// The place in the log.
    pub position: Position,
    /// The server's clock.
    pub at: Timestamp,
    /// Who acted.
    pub principal: PrincipalName,
}

/// Encodes an entry. The result is what is stored, hashed and served.
pub fn encode(header: &Header, event: &Event) -> Vec<u8> {
    proto::Entry {
        board: header.board.to_string(),
        position: header.position.0,
        at_ms: header.at.0,
        principal: header.principal.to_string(),
        event: Some(event_to_wire(event)),
    }
    .encode_to_vec()
}

/// Encodes a snapshot; its id is the digest of the result.
pub fn encode_snapshot(snapshot: &Snapshot) -> Vec<u8> {
    proto::Snapshot {
        module: snapshot.module.to_string(),
        only: snapshot.only.map(revision_to_wire),
        mode: snapshot.mode.to_wire(),
        cause: snapshot.cause.to_wire(),
        member_count: snapshot.member_count,
        member_root: snapshot.member_root.0.to_vec(),
        parents: snapshot
            .parents
            .iter()
            .map(|parent| parent.0.to_vec())
            .collect(),
        policy: Some(seal_policy_to_wire(&snapshot.policy)),
        figures: Some(seal_figures_to_wire(snapshot.figures)),
        sealed_by: snapshot.sealed_by.to_string(),
        at_ms: snapshot.at.0,
        position: snapshot.position.0,
    }
    .encode_to_vec()
}

fn event_to_wire(event: &Event) -> entry::Event {
    use entry::Event as Wire;
    match event {
        Event::BoardCreated { policy } => Wire::BoardCreated(proto::BoardCreated {
            policy: Some(policy_to_wire(*policy)),
        }),
        Event::PolicyChanged { policy } => Wire::PolicyChanged(proto::PolicyChanged {
            policy: Some(policy_to_wire(*policy)),
        }),
        Event::RoleGranted { principal, role } => Wire::RoleGranted(proto::RoleGranted {
            principal: principal.to_string(),
            role: role.to_wire(),
        }),
        Event::RoleRevoked { principal, role } => Wire::RoleRevoked(proto::RoleRevoked {
            principal: principal.to_string(),
            role: role.to_wire(),
        }),
        Event::ModuleDeclared {
            module,
            declaration,
        } => Wire::ModuleDeclared(module_to_wire(module.to_string(), declaration)),
        Event::AttributeDeclared {
            attribute,
            value_type,
            multi_valued,
            definition,
        } => Wire::AttributeDeclared(proto::AttributeDeclared {
            attribute: attribute.to_string(),
            r#type: value_type.to_wire(),
            multi_valued: *multi_valued,
            definition: bytes(*definition),
        }),
        Event::SourceRegistered {
            source,
            size_bytes,
            kept,
            description,
            replaces,
            rank,
            dated,
        } => Wire::SourceRegistered(proto::SourceRegistered {
            source: source.0.to_vec(),
            size_bytes: *size_bytes,
            kept: *kept,
            description: bytes(*description),
            replaces: replaces.map(|digest| digest.0.to_vec()).unwrap_or_default(),
            rank: rank.unwrap_or_default(),
            dated_day: dated.map(|day| day.0),
        }),
        Event::Submitted(submitted) => Wire::Submitted(submitted_to_wire(submitted)),
        Event::Corroborated {
            revision,
            citations,
        } => Wire::Corroborated(proto::Corroborated {
            revision: Some(revision_to_wire(*revision)),
            citations: citations_to_wire(citations),
        }),
        Event::Validated { revision, evidence } => Wire::Validated(proto::Validated {
            revision: Some(revision_to_wire(*revision)),
            evidence: citations_to_wire(evidence),
        }),
        Event::Retracted { revision, reason } => Wire::Retracted(proto::Retracted {
            revision: Some(revision_to_wire(*revision)),
            reason: bytes(*reason),
        }),
        Event::Reaffirmed {
            revision,
            supports,
            reason,
        } => Wire::Reaffirmed(proto::Reaffirmed {
            revision: Some(revision_to_wire(*revision)),
            supports: supports.iter().copied().map(revision_to_wire).collect(),
            reason: bytes(*reason),
        }),
        Event::Flagged {
            flag,
            revision,
            reason,
            citations,
        } => Wire::Flagged(proto::Flagged {
            flag: flag.0,
            revision: Some(revision_to_wire(*revision)),
            reason: bytes(*reason),
            citations: citations_to_wire(citations),
        }),
        Event::FlagClosed { flag, reason } => Wire::FlagClosed(proto::FlagClosed {
            flag: flag.0,
            reason: bytes(*reason),
        }),
        Event::Amended {
            old,
            new,
            reason,
            evidence,
        } => Wire::Amended(proto::Amended {
            old: Some(revision_to_wire(*old)),
            new: Some(revision_to_wire(*new)),
            reason: bytes(*reason),
            evidence: citations_to_wire(evidence),
        }),
        Event::RolledBack {
            module,
            to,
            reason,
            evidence,
        } => Wire::RolledBack(proto::RolledBack {
            module: module.to_string(),
            to: to.0.to_vec(),
            reason: bytes(*reason),
            evidence: citations_to_wire(evidence),
        }),
        Event::SnapshotTaken { snapshot, .. } => Wire::SnapshotTaken(proto::SnapshotTaken {
            snapshot: encode_snapshot(snapshot),
        }),
        Event::TableMounted { .. }
        | Event::TableUnmounted { .. }
        | Event::AuthorityDeclared { .. }
        | Event::LookupRecorded { .. } => tables::event_to_wire(event),
        Event::Rescanned(rescan) => Wire::Rescanned(rules::rescan_to_wire(rescan)),
        Event::ResolutionRulesSet {
            rules,
            by_address,
            authority,
        } => Wire::ResolutionRulesSet(rules::rules_to_wire(rules, by_address, *authority)),
        Event::Refused { .. }
        | Event::ConflictOpened { .. }
        | Event::ConflictAppealed { .. }
        | Event::ConflictResolved { .. }
        | Event::ConflictDismissed { .. } => conflict_event_to_wire(event),
        Event::PhasesDeclared { .. }
        | Event::PhaseEntered { .. }
        | Event::QuotasSet { .. }
        | Event::BoardArchived { .. }
        | Event::BoardReopened { .. }
        | Event::SourceRemoved { .. } => life_to_wire(event),
    }
}

fn conflict_event_to_wire(event: &Event) -> entry::Event {
    use entry::Event as Wire;
    use proto::conflict_opened::Challenger as WireChallenger;
    match event {
        Event::Refused {
            refusal,
            module,
            content,
            check,
            earlier_attempts,
        } => Wire::Refused(proto::Refused {
            refusal: refusal.0,
            module: module.to_string(),
            content: bytes(*content),
            check: bytes(*check),
            earlier_attempts: *earlier_attempts,
        }),
        Event::ConflictOpened {
            conflict,
            challenger,
            standing,
            reference,
            cause,
            score,
            rescan,
        } => Wire::ConflictOpened(proto::ConflictOpened {
            conflict: conflict.0,
            challenger: Some(match challenger {
                Challenger::Revision(revision) => {
                    WireChallenger::Revision(revision_to_wire(*revision))
                }
                Challenger::Refusal(refusal) => WireChallenger::Refusal(refusal.0),
            }),
            standing: standing.map(revision_to_wire),
            kind: cause.to_wire(),
            score: score_to_wire(*score),
            reference: reference.map(tables::reference_to_wire),
            rescan: *rescan,
        }),
        Event::ConflictAppealed { conflict, reason } => {
            Wire::ConflictAppealed(proto::ConflictAppealed {
                conflict: conflict.0,
                reason: bytes(*reason),
            })
        }
        Event::ConflictResolved {
            conflict,
            challenger_wins,
            grounds,
        } => Wire::ConflictResolved(rules::resolved_to_wire(
            *conflict,
            *challenger_wins,
            *grounds,
        )),
        Event::ConflictDismissed { conflict, reason } => {
            Wire::ConflictDismissed(proto::ConflictDismissed {
                conflict: conflict.0,
                reason: bytes(*reason),
            })
        }
        other => event_to_wire(other),
    }
}

fn life_to_wire(event: &Event) -> entry::Event {
    use entry::Event as Wire;
    match event {
        Event::PhasesDeclared { phases } => Wire::PhasesDeclared(proto::PhasesDeclared {
            phases: phases.iter().map(phase_to_wire).collect(),
        }),
        Event::PhaseEntered { phase, reason } => Wire::PhaseEntered(proto::PhaseEntered {
            phase: phase.to_string(),
            reason: reason.map(bytes).unwrap_or_default(),
        }),
        Event::QuotasSet { quotas } => Wire::QuotasSet(proto::QuotasSet {
            quotas: Some(quotas_to_wire(quotas)),
        }),
        Event::BoardArchived { reason } => Wire::BoardArchived(proto::BoardArchived {
            reason: bytes(*reason),
        }),
        Event::BoardReopened { reason } => Wire::BoardReopened(proto::BoardReopened {
            reason: bytes(*reason),
        }),
        Event::SourceRemoved { source } => Wire::SourceRemoved(proto::SourceRemoved {
            source: source.0.to_vec(),
        }),
        other => event_to_wire(other),
    }
}

fn module_to_wire(module: String, declaration: &ModuleDeclaration) -> proto::ModuleDeclared {
    proto::ModuleDeclared {
        module,
        owners: declaration.owners.iter().map(ToString::to_string).collect(),
        depends_on: declaration
            .depends_on
            .iter()
            .map(ToString::to_string)
            .collect(),
        expected: declaration
            .expected
            .iter()
            .map(ToString::to_string)
            .collect(),
        policy: Some(seal_policy_to_wire(&declaration.policy)),
    }
}

fn submitted_to_wire(submitted: &Submitted) -> proto::Submitted {
    proto::Submitted {
        revision: Some(revision_to_wire(submitted.revision)),
        module: submitted.module.to_string(),
        level: submitted.level.to_wire(),
        kind: submitted.kind.to_wire(),
        confidence: score_to_wire(submitted.confidence),
        content: bytes(submitted.content),
        words: submitted.words.map(bytes).unwrap_or_default(),
        citations: citations_to_wire(&submitted.citations),
        supports: submitted
            .supports
            .iter()
            .copied()
            .map(revision_to_wire)
            .collect(),
        replaces: submitted.replaces.map(revision_to_wire),
        base: submitted.base.0,
        attribute: submitted
            .attribute
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default(),
        verdict: submitted.verdict.to_wire(),
        check: bytes(submitted.check),
        valid_from_day: submitted.valid_from.map(|day| day.0),
    }
}

fn citations_to_wire(citations: &[Citation]) -> Vec<proto::CitationEntry> {
    citations
        .iter()
        .map(|citation| proto::CitationEntry {
            source: citation.source.0.to_vec(),
            quote: bytes(citation.quote),
            check: citation.check.to_wire(),
        })
        .collect()
}

pub(super) fn bytes(commitment: Commitment) -> Vec<u8> {
    commitment.0.0.to_vec()
}
