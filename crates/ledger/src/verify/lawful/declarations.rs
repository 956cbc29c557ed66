//! Settings, rights and what is declared are the operators' to change.

use std::collections::BTreeSet;

use super::{Wrong, holds, role};
use crate::{
    board::Board,
    event::{Event, ModuleDeclaration, Recorded},
    id::ModuleName,
    status::Role,
};

pub(super) fn check(board: &Board, recorded: &Recorded, wrong: &mut Wrong) {
    match &recorded.event {
        Event::PolicyChanged { .. }
        | Event::RoleRevoked { .. }
        | Event::AttributeDeclared { .. } => role(board, recorded, &[Role::Operator], wrong),
        Event::ModuleDeclared {
            module,
            declaration,
        } => {
            role(board, recorded, &[Role::Operator], wrong);
            module_declared(board, module, declaration, wrong);
        }
        Event::SourceRegistered { .. } => role(
            board,
            recorded,
            &[Role::Agent, Role::Verifier, Role::Arbiter, Role::Operator],
            wrong,
        ),
        _ => {}
    }
}

fn module_declared(
    board: &Board,
    module: &ModuleName,
    declaration: &ModuleDeclaration,
    wrong: &mut Wrong,
) {
    holds(
        !board.tables.contains_key(module),
        || format!("module `{module}` has the name of a table"),
        wrong,
    );
    for attribute in &declaration.expected {
        holds(
            board.attributes.contains_key(attribute),
            || format!("it expects attribute `{attribute}`, which was not declared"),
            wrong,
        );
    }
    let mut seen = BTreeSet::new();
    let mut waiting: Vec<&ModuleName> = declaration.depends_on.iter().collect();
    while let Some(needed) = waiting.pop() {
        if needed == module {
            wrong.push(format!("module `{module}` depends on itself"));
            break;
        }
        match board.modules.get(needed) {
            None => wrong.push(format!("it depends on `{needed}`, which was not declared")),
            Some(state) if seen.insert(needed) => waiting.extend(&state.declaration.depends_on),
            Some(_) => {}
        }
    }
}
