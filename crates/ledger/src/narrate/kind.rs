//! The names of events.

use crate::event::Event;

/// The name of an event's field in the `Entry` message.
pub fn kind(event: &Event) -> &'static str {
    match event {
        Event::BoardCreated { .. } => "board_created",
        Event::PolicyChanged { .. } => "policy_changed",
        Event::RoleGranted { .. } => "role_granted",
        Event::RoleRevoked { .. } => "role_revoked",
        Event::ModuleDeclared { .. } => "module_declared",
        Event::AttributeDeclared { .. } => "attribute_declared",
        Event::SourceRegistered { .. } => "source_registered",
        Event::TableMounted { .. } => "table_mounted",
        Event::TableUnmounted { .. } => "table_unmounted",
        Event::AuthorityDeclared { .. } => "authority_declared",
        Event::LookupRecorded { .. } => "lookup_recorded",
        Event::Submitted(_) => "submitted",
        Event::Corroborated { .. } => "corroborated",
        Event::Refused { .. } => "refused",
        Event::ConflictOpened { .. } => "conflict_opened",
        Event::ConflictAppealed { .. } => "conflict_appealed",
        Event::ConflictResolved { .. } => "conflict_resolved",
        Event::ConflictDismissed { .. } => "conflict_dismissed",
        Event::Validated { .. } => "validated",
        Event::Retracted { .. } => "retracted",
        Event::Reaffirmed { .. } => "reaffirmed",
        Event::Flagged { .. } => "flagged",
        Event::FlagClosed { .. } => "flag_closed",
        Event::Amended { .. } => "amended",
        Event::RolledBack { .. } => "rolled_back",
        Event::SnapshotTaken { .. } => "snapshot_taken",
        Event::PhasesDeclared { .. } => "phases_declared",
        Event::PhaseEntered { .. } => "phase_entered",
        Event::QuotasSet { .. } => "quotas_set",
        Event::BoardArchived { .. } => "board_archived",
        Event::BoardReopened { .. } => "board_reopened",
        Event::SourceRemoved { .. } => "source_removed",
        Event::Rescanned(_) => "rescanned",
        Event::ResolutionRulesSet { .. } => "resolution_rules_set",
    }
}
