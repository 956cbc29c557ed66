//! Declared modules and attributes with the words beside them.

use std::sync::Arc;

use pawl_ledger::{
    board::{Attribute, Module},
    command::Command,
    decide::{Denied, Reason, decide},
    event::ModuleDeclaration,
    id::{AttributeName, ModuleName, PrincipalName},
    status::{Role, ValueType},
    store::StoreError,
};
use pawl_proto::v1::AttributeWords;
use prost::Message;

use super::{App, LiveBoard, boards::apply, error::AppError, judge, message_words, text};
use crate::auth::Caller;

/// The longest unit, in bytes.
const MAX_UNIT_BYTES: usize = 64;
/// The longest alias, in bytes.
const MAX_ALIAS_BYTES: usize = 128;
/// The most aliases of an attribute.
const MAX_ALIASES: usize = 64;
/// The longest description of an attribute, in bytes.
const MAX_DESCRIPTION_BYTES: usize = 1_024;

/// A module as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleRecord {
    /// Its name.
    pub name: ModuleName,
    /// Its state.
    pub state: Module,
    /// How many of its standing revisions are locked.
    pub locked: u32,
}

/// An attribute as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeRecord {
    /// Its name.
    pub name: AttributeName,
    /// Its state.
    pub state: Attribute,
    /// Unit, aliases and description; empty where the words were erased.
    pub words: AttributeWords,
}

impl App {
    /// Runs a command that has no words, and whose answer is read from the board afterwards.
    pub async fn command(
        &self,
        live: &LiveBoard,
        caller: &Caller,
        command: &Command,
    ) -> Result<(), AppError> {
        self.execute::<()>(live, caller, None, |transaction| {
            apply(transaction, command, []).map(|_| ())
        })
        .await?;
        Ok(())
    }

    /// Declares a module, or declares it anew. Its owners have to be principals of the server.
    pub async fn declare_module(
        &self,
        live: &LiveBoard,
        caller: &Caller,
        name: &ModuleName,
        declaration: ModuleDeclaration,
    ) -> Result<ModuleRecord, AppError> {
        for owner in &declaration.owners {
            self.identity.principal(owner)?;
        }
        let command = Command::DeclareModule(name.clone(), declaration);
        self.command(live, caller, &command).await?;
        let board = live.open.state.read();
        let state = board.modules.get(name).cloned();
        state
            .map(|state| module_record(&board, name, state))
            .ok_or_else(|| AppError::Internal(format!("module `{name}` was not declared")))
    }

    /// The modules by name.
    pub async fn modules(
        &self,
        live: &LiveBoard,
        caller: &Caller,
    ) -> Result<Vec<ModuleRecord>, AppError> {
        self.read(live, caller, |board| {
            let modules = board.modules.iter();
            let records = modules.map(|(name, state)| module_record(board, name, state.clone()));
            Ok(records.collect())
        })
        .await
    }

    /// Declares an attribute, or declares it anew.
    pub async fn declare_attribute(
        &self,
        live: &LiveBoard,
        caller: &Caller,
        name: &AttributeName,
        (value_type, multi_valued): (ValueType, bool),
        words: &AttributeWords,
    ) -> Result<AttributeRecord, AppError> {
        let accepted = accept_words(words)?;
        let words = message_words(&accepted)?;
        let command = Command::DeclareAttribute {
            attribute: name.clone(),
            value_type,
            multi_valued,
            definition: words.commitment(),
        };
        // One at a time, so that the words of all earlier ones are in the store.
        let _declaring = live.declaring.lock().await;
        let vocabulary = {
            let board = live.open.state.read();
            decide(&board, &caller.context(), &command)?;
            let fresh = judge::declared(name, value_type, multi_valued, accepted);
            judge::vocabulary_with(&self.ledger, live.open.number, &board, fresh)?
        };
        self.execute::<()>(live, caller, None, |transaction| {
            apply(transaction, &command, [words])?;
            let mut judge = live.judge.write();
            judge.relearn(vocabulary, transaction.board())?;
            Ok(())
        })
        .await?;
        let state = live.open.state.read().attributes.get(name).cloned();
        let missing = || AppError::Internal(format!("attribute `{name}` was not declared"));
        self.attribute_record(live, name.clone(), state.ok_or_else(missing)?)
    }

    /// The attributes by name.
    pub async fn attributes(
        &self,
        live: &LiveBoard,
        caller: &Caller,
    ) -> Result<Vec<AttributeRecord>, AppError> {
        let attributes = self
            .read(live, caller, |board| Ok(board.attributes.clone()))
            .await?;
        attributes
            .into_iter()
            .map(|(name, state)| self.attribute_record(live, name, state))
            .collect()
    }

    /// Gives a principal of the server a role.
    pub async fn grant_role(
        self: &Arc<Self>,
        live: &LiveBoard,
        caller: &Caller,
        principal: PrincipalName,
        role: Role,
    ) -> Result<(), AppError> {
        self.identity.principal(&principal)?;
        self.command(live, caller, &Command::GrantRole(principal, role))
            .await
    }

    fn attribute_record(
        &self,
        live: &LiveBoard,
        name: AttributeName,
        state: Attribute,
    ) -> Result<AttributeRecord, AppError> {
        let words = self
            .ledger
            .words(live.open.number, state.position, state.definition)?;
        let words = words.map_or(Ok(AttributeWords::default()), |words| {
            AttributeWords::decode(words.bytes())
                .map_err(|_| StoreError::Damaged(format!("the words of attribute `{name}`")))
        })?;
        Ok(AttributeRecord { name, state, words })
    }
}

fn module_record(
    board: &pawl_ledger::board::Board,
    name: &ModuleName,
    state: Module,
) -> ModuleRecord {
    let is_locked = |id: &&pawl_ledger::id::RevisionId| {
        board
            .revision(**id)
            .is_some_and(|revision| revision.status == pawl_ledger::status::Status::Locked)
    };
    let locked = state.standing.iter().filter(is_locked).count();
    ModuleRecord {
        name: name.clone(),
        locked: u32::try_from(locked).unwrap_or(u32::MAX),
        state,
    }
}

fn accept_words(words: &AttributeWords) -> Result<AttributeWords, AppError> {
    if words.aliases.len() > MAX_ALIASES {
        return Err(Denied::new(
            Reason::FieldTooLong,
            format!(
                "field `aliases` has {} members, at most {MAX_ALIASES}; leave some out",
                words.aliases.len()
            ),
        )
        .with("field", "aliases")
        .with("limit", MAX_ALIASES)
        .into());
    }
    let aliases = words
        .aliases
        .iter()
        .map(|alias| Ok(text::accept_some("aliases", alias, MAX_ALIAS_BYTES)?.text));
    Ok(AttributeWords {
        unit: text::accept("unit", &words.unit, MAX_UNIT_BYTES)?.text,
        aliases: aliases.collect::<Result<_, AppError>>()?,
        description: text::accept("description", &words.description, MAX_DESCRIPTION_BYTES)?.text,
    })
}
