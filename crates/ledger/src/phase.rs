//! The phases of a board's work: what may be submitted in each, and when the next one begins.

use serde::{Deserialize, Serialize};

use crate::{
    board::Board,
    id::{ModuleName, PhaseName, Position, PrincipalName, Timestamp},
    status::{Kind, Level, Role, Status},
};

/// A phase as it was declared. An empty list leaves everything open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phase {
    /// Its name.
    pub name: PhaseName,
    /// The levels that may be submitted.
    pub levels: Vec<Level>,
    /// The kinds that may be submitted.
    pub kinds: Vec<Kind>,
    /// The modules that may be submitted to.
    pub modules: Vec<ModuleName>,
    /// Who may move the board on from it.
    pub movers: Movers,
    /// What has to hold before.
    pub conditions: Conditions,
}

/// Who may move a board on; with no role and no principal, operators and arbiters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Movers {
    /// Whoever has one of these roles.
    pub roles: Vec<Role>,
    /// These principals.
    pub principals: Vec<PrincipalName>,
}

/// What has to hold before a board is moved on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// These modules are sealed, with nothing unlocked in them.
    pub sealed: Vec<ModuleName>,
    /// No conflict is open.
    pub no_open_conflicts: bool,
    /// No flag is open.
    pub no_open_flags: bool,
}

/// The phase a board is in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Current {
    /// Which.
    pub name: PhaseName,
    /// The position of the entry that began it.
    pub since: Position,
    /// When that was.
    pub at: Timestamp,
}

/// A condition that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unmet {
    /// A module is not sealed, or something in it is not locked.
    Unsealed(ModuleName),
    /// So many conflicts are open.
    OpenConflicts(usize),
    /// So many flags are open.
    OpenFlags(usize),
}

impl Phase {
    /// Makes a phase that leaves everything open.
    pub fn open(name: PhaseName) -> Self {
        Self {
            name,
            levels: Vec::new(),
            kinds: Vec::new(),
            modules: Vec::new(),
            movers: Movers::default(),
            conditions: Conditions::default(),
        }
    }

    /// The field of a submission that the phase does not allow, with its value.
    pub fn excludes(
        &self,
        level: Level,
        kind: Kind,
        module: &ModuleName,
    ) -> Option<(&'static str, String)> {
        if !allows(&self.levels, &level) {
            Some(("level", level.to_string()))
        } else if !allows(&self.kinds, &kind) {
            Some(("kind", kind.to_string()))
        } else if !allows(&self.modules, module) {
            Some(("module", module.to_string()))
        } else {
            None
        }
    }

    /// The conditions for leaving it that do not hold.
    pub fn unmet(&self, board: &Board) -> Vec<Unmet> {
        let unsealed = self.conditions.sealed.iter();
        let unsealed = unsealed.filter(|name| !is_sealed(board, name));
        let mut unmet: Vec<Unmet> = unsealed.cloned().map(Unmet::Unsealed).collect();
        let conflicts = board.open_conflicts().count();
        if self.conditions.no_open_conflicts && conflicts > 0 {
            unmet.push(Unmet::OpenConflicts(conflicts));
        }
        let flags = board.flags.iter().filter(|it| it.closed.is_none()).count();
        if self.conditions.no_open_flags && flags > 0 {
            unmet.push(Unmet::OpenFlags(flags));
        }
        unmet
    }
}

impl Movers {
    /// Says whether a principal may move a board on.
    pub fn include(&self, board: &Board, principal: &PrincipalName) -> bool {
        const UNLESS_SAID: [Role; 2] = [Role::Operator, Role::Arbiter];
        let has = |role: &Role| board.has_role(principal, *role);
        if self.roles.is_empty() && self.principals.is_empty() {
            return UNLESS_SAID.iter().any(has);
        }
        self.principals.contains(principal) || self.roles.iter().any(has)
    }
}

impl std::fmt::Display for Movers {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.roles.is_empty() && self.principals.is_empty() {
            return formatter.write_str("an operator or an arbiter");
        }
        let roles = self.roles.iter().map(ToString::to_string);
        let all: Vec<String> = roles
            .chain(self.principals.iter().map(|it| format!("`{it}`")))
            .collect();
        formatter.write_str(&all.join(" or "))
    }
}

impl std::fmt::Display for Unmet {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unsealed(module) => write!(formatter, "module `{module}` is not sealed"),
            Self::OpenConflicts(count) => write!(formatter, "{count} open conflicts"),
            Self::OpenFlags(count) => write!(formatter, "{count} open flags"),
        }
    }
}

/// Says whether all that stands in a module is locked, by a seal that left a snapshot.
fn is_sealed(board: &Board, name: &ModuleName) -> bool {
    board.modules.get(name).is_some_and(|module| {
        let mut standing = module.standing.iter();
        module.current.is_some()
            && standing.all(|id| {
                let state = board.revision(*id);
                state.is_some_and(|state| state.status == Status::Locked)
            })
    })
}

fn allows<T: PartialEq>(list: &[T], value: &T) -> bool {
    list.is_empty() || list.contains(value)
}
