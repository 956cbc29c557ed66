//! A node of the snapshot graph.

use serde::{Deserialize, Serialize};

use crate::{
    digest::Digest,
    id::{ModuleName, Position, PrincipalName, RevisionId, Timestamp},
    log::tree::NodeHash,
    module::{SealFigures, SealMode, SealPolicy},
};

/// What sealing makes. Its id is the digest of its encoded bytes as written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The module.
    pub module: ModuleName,
    /// Set where a single assertion was sealed.
    pub only: Option<RevisionId>,
    /// Hard or soft.
    pub mode: SealMode,
    /// What made it.
    pub cause: SnapshotCause,
    /// How many revisions it holds.
    pub member_count: u32,
    /// RFC 6962 tree hash over the members' leaf hashes in order.
    pub member_root: NodeHash,
    /// The last snapshot of the module, at a rollback then the one gone back to, and the current
    /// ones of the modules it depends on.
    pub parents: Vec<Digest>,
    /// The policy in force.
    pub policy: SealPolicy,
    /// What was measured against it.
    pub figures: SealFigures,
    /// Who sealed it.
    pub sealed_by: PrincipalName,
    /// When.
    pub at: Timestamp,
    /// The position of the entry that holds it.
    pub position: Position,
}

/// What made a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SnapshotCause {
    /// A seal.
    Seal,
    /// A locked revision was replaced.
    Amendment,
    /// A module went back to an earlier snapshot.
    Rollback,
}
