//! Who declares what, and who may do what.

use super::{Denied, Reason, known_attributes, require_role, rules, within};
use crate::{
    board::Board,
    command::{Command, Context},
    event::{Event, ModuleDeclaration},
    id::{ModuleName, PrincipalName},
    status::Role,
};

/// The most of anything that is declared on a board.
const MAX_DECLARED: usize = 10_000;
/// The most owners, dependencies or expected attributes of a module.
const MAX_LISTED: usize = 256;

pub(super) fn decide(
    board: &Board,
    context: &Context,
    command: &Command,
) -> Result<Vec<Event>, Denied> {
    if let Command::RegisterSource {
        source,
        size_bytes,
        kept,
        description,
        replaces,
        rank,
        dated,
    } = command
    {
        require_role(
            board,
            context,
            &[Role::Agent, Role::Verifier, Role::Arbiter, Role::Operator],
        )?;
        return Ok(match board.sources.get(source) {
            Some(known) if known.kept || !kept => Vec::new(),
            _ => vec![Event::SourceRegistered {
                source: *source,
                size_bytes: *size_bytes,
                kept: *kept,
                description: *description,
                replaces: *replaces,
                rank: *rank,
                dated: *dated,
            }],
        });
    }
    match command {
        Command::GrantRole(..) if context.server_operator => {}
        _ => require_role(board, context, &[Role::Operator])?,
    }
    match command {
        Command::SetPolicy(policy) if board.policy == *policy => Ok(Vec::new()),
        Command::SetPolicy(policy) if policy.note > policy.conflict => Err(Denied::new(
            Reason::FieldInvalid,
            format!(
                "the note threshold {} is over the conflict threshold {}; what contests is noted \
                 too, so give at most the latter",
                policy.note.ratio(),
                policy.conflict.ratio()
            ),
        )
        .with("field", "note_threshold")),
        Command::SetPolicy(policy) => Ok(vec![Event::PolicyChanged { policy: *policy }]),
        Command::SetResolutionRules {
            rules,
            by_address,
            authority,
        } => rules::set(board, rules, by_address, *authority),
        Command::GrantRole(principal, role) => grant(board, principal, *role),
        Command::RevokeRole(principal, role) => revoke(board, principal, *role),
        Command::DeclareModule(module, declaration) => {
            check_module(board, module, declaration)?;
            Ok(vec![Event::ModuleDeclared {
                module: module.clone(),
                declaration: declaration.clone(),
            }])
        }
        Command::DeclareAttribute {
            attribute,
            value_type,
            multi_valued,
            definition,
        } => {
            let new = !board.attributes.contains_key(attribute);
            within(
                board.attributes.len() + usize::from(new),
                MAX_DECLARED,
                "attributes",
            )?;
            Ok(vec![Event::AttributeDeclared {
                attribute: attribute.clone(),
                value_type: *value_type,
                multi_valued: *multi_valued,
                definition: *definition,
            }])
        }
        _ => Ok(Vec::new()),
    }
}

fn grant(board: &Board, principal: &PrincipalName, role: Role) -> Result<Vec<Event>, Denied> {
    if board.has_role(principal, role) {
        return Ok(Vec::new());
    }
    let new = !board.roles.contains_key(principal);
    within(
        board.roles.len() + usize::from(new),
        MAX_DECLARED,
        "principals",
    )?;
    Ok(vec![Event::RoleGranted {
        principal: principal.clone(),
        role,
    }])
}

fn revoke(board: &Board, principal: &PrincipalName, role: Role) -> Result<Vec<Event>, Denied> {
    if !board.has_role(principal, role) {
        return Ok(Vec::new());
    }
    let operators = board
        .roles
        .values()
        .filter(|roles| roles.contains(&Role::Operator))
        .count();
    if role == Role::Operator && operators == 1 {
        return Err(Denied::new(
            Reason::FieldInvalid,
            format!(
                "`{principal}` is the last operator of board `{}`; grant it to another first",
                board.name
            ),
        )
        .with("field", "role")
        .with("principal", principal));
    }
    Ok(vec![Event::RoleRevoked {
        principal: principal.clone(),
        role,
    }])
}

fn check_module(
    board: &Board,
    module: &ModuleName,
    declaration: &ModuleDeclaration,
) -> Result<(), Denied> {
    if board.tables.contains_key(module) {
        return Err(Denied::new(
            Reason::AlreadyExists,
            format!("`{module}` is a reference table; choose another name for the module"),
        )
        .with("module", module));
    }
    let new = !board.modules.contains_key(module);
    within(
        board.modules.len() + usize::from(new),
        MAX_DECLARED,
        "modules",
    )?;
    let lists = [
        ("owners", declaration.owners.len()),
        ("depends_on", declaration.depends_on.len()),
        ("expected_attributes", declaration.expected.len()),
    ];
    if let Some((field, length)) = lists.into_iter().find(|(_, length)| *length > MAX_LISTED) {
        return Err(Denied::new(
            Reason::FieldTooLong,
            format!("`{field}` has {length} members; at most {MAX_LISTED}"),
        )
        .with("field", field));
    }
    for needed in &declaration.depends_on {
        if needed != module && !board.modules.contains_key(needed) {
            return Err(unknown_module(board, needed));
        }
        if needed == module
            || board
                .with_dependencies(std::slice::from_ref(needed))
                .contains(module)
        {
            return Err(Denied::new(
                Reason::ModuleCycle,
                format!("`{module}` would depend on itself through `{needed}`; leave one out"),
            )
            .with("module", needed));
        }
    }
    known_attributes(board, &declaration.expected)
}

pub(super) fn unknown_module(board: &Board, module: &ModuleName) -> Denied {
    Denied::new(
        Reason::ModuleUnknown,
        format!(
            "board `{}` has no module `{module}`; declare it, or list the modules",
            board.name
        ),
    )
    .with("module", module)
}
