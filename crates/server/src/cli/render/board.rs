//! Boards and what is declared on them.

use pawl_proto::v1::{
    Attribute, Board, BoardPolicy, ListAttributesResponse, ListBoardsResponse, ListModulesResponse,
    ListRolesResponse, Module, SealPolicy,
};

use super::{
    table::{Fields, plain, table},
    words,
};
use crate::cli::{output::Page, tone::Tone};

pub(crate) fn board(board: &Board, page: Page) -> String {
    let figures = board.figures.unwrap_or_default();
    let open = |count: u32| {
        if count > 0 {
            Tone::Warning
        } else {
            Tone::Plain
        }
    };
    let fields = Fields::new(page, &format!("board {}", words::id(&board.name)))
        .add("created", words::time(board.create_time))
        .add_toned("archived", words::time(board.archive_time), Tone::Warning)
        .add("phase", &board.phase)
        .add("entries", board.entries)
        .add_toned("locked", figures.locked, Tone::Locked)
        .add("validated", figures.validated)
        .add("proposed", figures.proposed)
        .add_toned("contested", figures.contested, open(figures.contested))
        .add("gone", figures.gone)
        .add("refused", figures.refusals)
        .add_toned(
            "conflicts",
            format!("{} open", figures.open_conflicts),
            open(figures.open_conflicts),
        )
        .add_toned(
            "flags",
            format!("{} open", figures.open_flags),
            open(figures.open_flags),
        )
        .add_toned(
            "support lost",
            figures.support_lost,
            open(figures.support_lost),
        );
    policy_fields(fields, board.policy.unwrap_or_default()).text()
}

pub(crate) fn policy(board: &Board, page: Page) -> String {
    let fields = Fields::new(page, &format!("policy of {}", words::id(&board.name)));
    policy_fields(fields, board.policy.unwrap_or_default()).text()
}

fn policy_fields(fields: Fields, policy: BoardPolicy) -> Fields {
    fields
        .add("contests from", words::share(policy.conflict_threshold))
        .add("notes from", words::share(policy.note_threshold))
}

pub(crate) fn boards(list: &ListBoardsResponse, page: Page) -> String {
    let headings = [
        "BOARD",
        "ENTRIES",
        "LOCKED",
        "VALIDATED",
        "PROPOSED",
        "CONTESTED",
        "CONFLICTS",
        "FLAGS",
    ];
    let rows = list.boards.iter().map(|board| {
        let figures = board.figures.unwrap_or_default();
        vec![
            plain(words::id(&board.name)),
            plain(board.entries),
            Tone::Locked.cell(figures.locked),
            plain(figures.validated),
            plain(figures.proposed),
            plain(figures.contested),
            plain(figures.open_conflicts),
            plain(figures.open_flags),
        ]
    });
    table(
        page,
        "no boards: make one with `pawl board create NAME`",
        &headings,
        rows.collect(),
    )
}

pub(crate) fn module(module: &Module, page: Page) -> String {
    let policy = module.seal_policy.unwrap_or_default();
    Fields::new(page, &format!("module {}", words::id(&module.name)))
        .add("owners", owners(module))
        .add("depends on", words::list(&module.depends_on))
        .add("expects", words::list(&module.expected_attributes))
        .add("seals when", conditions(&policy))
        .add("automatic", automatic(&policy))
        .add("standing", module.standing)
        .add_toned("locked", module.locked, Tone::Locked)
        .add("snapshot", words::digest(&module.snapshot))
        .text()
}

pub(crate) fn modules(list: &ListModulesResponse, page: Page) -> String {
    let headings = [
        "MODULE",
        "LOCKED",
        "STANDING",
        "SNAPSHOT",
        "OWNERS",
        "DEPENDS ON",
        "EXPECTS",
    ];
    let rows = list.modules.iter().map(|module| {
        vec![
            plain(words::id(&module.name)),
            Tone::Locked.cell(module.locked),
            plain(module.standing),
            plain(words::digest(&module.snapshot)),
            plain(owners(module)),
            plain(words::list(&module.depends_on)),
            plain(words::list(&module.expected_attributes)),
        ]
    });
    table(
        page,
        "no modules: declare one with `pawl module declare NAME`",
        &headings,
        rows.collect(),
    )
}

fn owners(module: &Module) -> String {
    if module.owners.is_empty() {
        "every agent".to_owned()
    } else {
        module.owners.join(", ")
    }
}

/// Tells a seal policy; where a field is unset, the value the API gives it.
pub(crate) fn conditions(policy: &SealPolicy) -> String {
    let mut conditions = Vec::new();
    if policy.validated.unwrap_or(true) {
        conditions.push("every member is validated".to_owned());
    }
    conditions.push(format!(
        "confidence ≥ {}",
        words::share(policy.confidence.unwrap_or(9_000))
    ));
    conditions.push(format!(
        "completeness ≥ {}",
        words::share(policy.completeness.unwrap_or(8_000))
    ));
    if policy.stable_submissions > 0 {
        conditions.push(format!(
            "unchanged for {} submissions",
            policy.stable_submissions
        ));
    }
    if policy.stable_seconds > 0 {
        conditions.push(format!("unchanged for {} s", policy.stable_seconds));
    }
    conditions.join(", ")
}

fn automatic(policy: &SealPolicy) -> String {
    match (policy.automatic, policy.automatic_mode) {
        (false, _) => String::new(),
        (true, 0) => "yes, soft".to_owned(),
        (true, mode) => format!("yes, {}", words::seal_mode(mode)),
    }
}

pub(crate) fn attribute(attribute: &Attribute, page: Page) -> String {
    Fields::new(page, &format!("attribute {}", words::id(&attribute.name)))
        .add("type", words::value_type(attribute.r#type))
        .add("unit", &attribute.unit)
        .add("aliases", attribute.aliases.join(", "))
        .add("many values", words::yes(attribute.multi_valued))
        .add("description", &attribute.description)
        .text()
}

pub(crate) fn attributes(list: &ListAttributesResponse, page: Page) -> String {
    let headings = [
        "ATTRIBUTE",
        "TYPE",
        "UNIT",
        "MANY VALUES",
        "ALIASES",
        "DESCRIPTION",
    ];
    let rows = list.attributes.iter().map(|attribute| {
        vec![
            plain(words::id(&attribute.name)),
            plain(words::value_type(attribute.r#type)),
            plain(&attribute.unit),
            plain(words::yes(attribute.multi_valued)),
            plain(words::list(&attribute.aliases)),
            plain(&attribute.description),
        ]
    });
    let nothing = "no attributes: declare one with `pawl attribute declare NAME --type TYPE`";
    table(page, nothing, &headings, rows.collect())
}

pub(crate) fn roles(list: &ListRolesResponse, page: Page) -> String {
    let rows = list
        .grants
        .iter()
        .map(|grant| vec![plain(&grant.principal), plain(words::role(grant.role))]);
    table(
        page,
        "no roles: grant one with `pawl role grant NAME ROLE`",
        &["PRINCIPAL", "ROLE"],
        rows.collect(),
    )
}
