//! Reference tables, authorities and the answers they gave.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Board;
use crate::{
    digest::{Commitment, Digest},
    id::{AttributeName, ConflictId, LookupId, ModuleName, Position, PrincipalName, Timestamp},
    reference::Reference,
    status::{ConflictState, WhenUnavailable},
};

/// A reference table's state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// Its versions, in order; at least one.
    pub versions: Vec<TableVersion>,
    /// The last version is taken as given; else the table was unmounted.
    pub mounted: bool,
}

/// A version of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableVersion {
    /// Where it was mounted.
    pub position: Position,
    /// The bytes its rows were read from.
    pub source: Digest,
    /// How many rows it has.
    pub rows: u32,
    /// The digest of the rows as they were understood.
    pub parsed: Digest,
    /// How it is read.
    pub definition: Commitment,
    /// When it was mounted.
    pub at: Timestamp,
    /// By whom.
    pub principal: PrincipalName,
}

/// An authority's state; one that was removed has no attributes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Authority {
    /// What it is asked about.
    pub attributes: BTreeSet<AttributeName>,
    /// What becomes of a submission while it cannot be asked.
    pub when_unavailable: WhenUnavailable,
    /// How it is asked.
    pub definition: Commitment,
    /// Where it was declared.
    pub position: Position,
}

/// An authority's recorded answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lookup {
    /// Who answered.
    pub authority: ModuleName,
    /// The declaration it was asked under.
    pub declared: Position,
    /// Commits to the answer.
    pub answer: Commitment,
    /// Where it was recorded.
    pub position: Position,
}

impl Table {
    /// The version that is taken as given.
    pub fn current(&self) -> Option<&TableVersion> {
        self.versions.last().filter(|_| self.mounted)
    }
}

impl Board {
    /// A recorded answer.
    pub fn lookup(&self, id: LookupId) -> Option<&Lookup> {
        self.lookups.get(super::index(id.0)?)
    }

    /// The table, and its version, that was mounted at a position.
    pub fn table_mounted_at(&self, position: Position) -> Option<(&ModuleName, &TableVersion)> {
        self.tables.iter().find_map(|(name, table)| {
            let versions = &table.versions;
            let place = versions.binary_search_by_key(&position, |it| it.position);
            Some((name, versions.get(place.ok()?)?))
        })
    }

    /// The table that a version of was read from a source, mounted still or not: what was decided by its rows is
    /// told from there.
    pub fn table_of(&self, source: &Digest) -> Option<&ModuleName> {
        let mut tables = self.tables.iter();
        let table = tables.find(|(_, it)| it.versions.iter().any(|it| it.source == *source))?;
        Some(table.0)
    }

    /// Says whether a row or an answer is taken as given now: the version is mounted, or the
    /// declaration it was asked under is in force.
    pub fn is_given(&self, reference: Reference) -> bool {
        match reference {
            Reference::Row(row) => {
                let mut current = self.tables.values().filter_map(Table::current);
                current.any(|version| version.position == row.mounted)
            }
            Reference::Answer(id) => self
                .lookup(id)
                .is_some_and(|lookup| self.is_asked(&lookup.authority, lookup.declared)),
        }
    }

    /// Says whether a declaration of an authority is in force.
    pub fn is_asked(&self, authority: &ModuleName, declared: Position) -> bool {
        self.authorities
            .get(authority)
            .is_some_and(|it| it.position == declared && !it.attributes.is_empty())
    }

    /// The open conflicts with rows and answers that are no longer taken as given.
    pub(crate) fn open_without_reference(&self) -> Vec<ConflictId> {
        let gone = |reference| !self.is_given(reference);
        (1..)
            .map(ConflictId)
            .zip(&self.conflicts)
            .filter(|(_, it)| it.state == ConflictState::Open && it.reference.is_some_and(gone))
            .map(|(id, _)| id)
            .collect()
    }
}
