//! Which words lie beside an event's entry, and what it cites.

use super::{Citation, Event, Grounds};
use crate::digest::Commitment;

impl Event {
    /// The pointers into sources that the event's entry holds.
    pub fn citations(&self) -> &[Citation] {
        match self {
            Self::Submitted(submitted) => &submitted.citations,
            Self::Corroborated { citations, .. }
            | Self::Validated {
                evidence: citations,
                ..
            }
            | Self::Flagged { citations, .. }
            | Self::Amended {
                evidence: citations,
                ..
            } => citations,
            _ => &[],
        }
    }

    /// The commitments of the event, whose words lie beside its entry.
    pub fn commitments(&self) -> Vec<Commitment> {
        let quotes = |citations: &[Citation]| -> Vec<Commitment> {
            citations.iter().map(|citation| citation.quote).collect()
        };
        match self {
            Self::BoardCreated { .. }
            | Self::PolicyChanged { .. }
            | Self::RoleGranted { .. }
            | Self::RoleRevoked { .. }
            | Self::ModuleDeclared { .. }
            | Self::ConflictOpened { .. }
            | Self::Rescanned(_)
            | Self::SnapshotTaken { .. }
            | Self::PhasesDeclared { .. }
            | Self::QuotasSet { .. }
            | Self::SourceRemoved { .. } => Vec::new(),
            Self::PhaseEntered { reason, .. } => reason.iter().copied().collect(),
            Self::ResolutionRulesSet { authority, .. } => authority.iter().copied().collect(),
            Self::ConflictResolved { grounds, .. } => match grounds {
                Grounds::Reason(reason) => vec![*reason],
                Grounds::Rule(_) => Vec::new(),
            },
            Self::AttributeDeclared { definition, .. } => vec![*definition],
            Self::SourceRegistered { description, .. } => vec![*description],
            Self::TableMounted { definition, .. } | Self::AuthorityDeclared { definition, .. } => {
                vec![*definition]
            }
            Self::LookupRecorded { answer, .. } => vec![*answer],
            Self::Submitted(submitted) => {
                let mut all = vec![submitted.content, submitted.check];
                all.extend(submitted.words);
                all.extend(quotes(&submitted.citations));
                all
            }
            Self::Corroborated { citations, .. } => quotes(citations),
            Self::Refused { content, check, .. } => vec![*content, *check],
            Self::Validated { evidence, .. } => quotes(evidence),
            Self::ConflictAppealed { reason, .. }
            | Self::ConflictDismissed { reason, .. }
            | Self::Retracted { reason, .. }
            | Self::TableUnmounted { reason, .. }
            | Self::Reaffirmed { reason, .. }
            | Self::FlagClosed { reason, .. }
            | Self::BoardArchived { reason }
            | Self::BoardReopened { reason } => vec![*reason],
            Self::Flagged {
                reason, citations, ..
            }
            | Self::Amended {
                reason,
                evidence: citations,
                ..
            }
            | Self::RolledBack {
                reason,
                evidence: citations,
                ..
            } => {
                let mut all = vec![*reason];
                all.extend(quotes(citations));
                all
            }
        }
    }
}
