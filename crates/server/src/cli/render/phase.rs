//! Phases.

use pawl_proto::v1::{ListPhasesResponse, Phase};

use super::{
    table::{plain, table},
    words,
};
use crate::cli::{output::Page, tone::Tone};

pub(crate) fn phases(list: &ListPhasesResponse, page: Page) -> String {
    let headings = ["PHASE", "", "TAKES", "MOVED ON BY", "ONCE", "IN THE WAY"];
    let rows = list.phases.iter().map(|phase| {
        vec![
            plain(&phase.phase),
            Tone::Good.cell(if phase.current { "now" } else { "" }),
            plain(takes(phase)),
            plain(movers(phase)),
            plain(conditions(phase)),
            Tone::Warning.cell(phase.unmet.join("; ")),
        ]
    });
    let nothing = "no phases, so everything may be submitted: declare one with `pawl phase declare \
                   NAME`";
    table(page, nothing, &headings, rows.collect())
}

fn takes(phase: &Phase) -> String {
    let level = |number: &i32| words::level(*number);
    let kind = |number: &i32| words::kind(*number);
    let lists = [
        ("", phase.levels.iter().map(level).collect::<Vec<_>>()),
        ("", phase.kinds.iter().map(kind).collect()),
        ("in ", phase.modules.clone()),
    ];
    let told = lists.into_iter().filter(|(_, list)| !list.is_empty());
    let told: Vec<String> = told
        .map(|(before, list)| format!("{before}{}", list.join(", ")))
        .collect();
    if told.is_empty() {
        "everything".to_owned()
    } else {
        told.join("; ")
    }
}

fn movers(phase: &Phase) -> String {
    let roles = phase.mover_roles.iter().map(|it| words::role(*it));
    let all: Vec<String> = roles.chain(phase.movers.iter().cloned()).collect();
    if all.is_empty() {
        "operator, arbiter".to_owned()
    } else {
        all.join(", ")
    }
}

fn conditions(phase: &Phase) -> String {
    let sealed = phase.sealed.iter().map(|it| format!("{it} is sealed"));
    let conflicts = phase.no_open_conflicts.then(|| "no open conflicts".into());
    let flags = phase.no_open_flags.then(|| "no open flags".into());
    let all: Vec<String> = sealed.chain(conflicts).chain(flags).collect();
    all.join(", ")
}
