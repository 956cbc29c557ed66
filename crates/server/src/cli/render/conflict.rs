//! Conflicts: in a table, and one in full.

use pawl_proto::v1::{Conflict, ConflictState, Finding, ListConflictsResponse, RescanResponse};

use super::{
    assertion::more,
    finding::finding,
    reference,
    table::{Fields, plain, table, toned},
    words,
};
use crate::cli::{output::Page, text, tone::Tone};

pub(crate) fn conflicts(list: &ListConflictsResponse, page: Page) -> String {
    let headings = [
        "CONFLICT",
        "STATE",
        "KIND",
        "CHALLENGER",
        "STANDING",
        "BY",
        "REASON",
    ];
    let rows = list.conflicts.iter().map(|conflict| {
        let found = conflict.finding.clone().unwrap_or_default();
        vec![
            plain(words::id(&conflict.name)),
            toned(state(conflict)),
            plain(words::finding_kind(found.kind)),
            plain(challenger(conflict)),
            plain(standing(&found)),
            plain(&conflict.principal),
            plain(text::headline(&found.reason, 120)),
        ]
    });
    table(page, "no conflicts", &headings, rows.collect()) + &more(&list.next_page_token)
}

pub(crate) fn conflict(conflict: &Conflict, page: Page) -> String {
    let (state, tone) = state(conflict);
    let is_dismissed = conflict.state() == ConflictState::Dismissed;
    let winner = match (conflict.decided_by.is_empty(), conflict.challenger_won) {
        (true, _) => "",
        // What a dismissal of a refusal lets pass does not stand yet.
        _ if is_dismissed && !conflict.challenger.is_empty() => "both sides",
        (false, true) => "the challenger",
        (false, false) => "what stood",
    };
    let found = conflict.finding.clone().unwrap_or_default();
    Fields::new(page, &format!("conflict {}", words::id(&conflict.name)))
        .add_toned("state", state, tone)
        .add("challenger", challenger(conflict))
        .add("standing", standing(&found))
        .add("by", &conflict.principal)
        .add("opened", words::time(conflict.create_time))
        .add("decided by", decided_by(conflict))
        .add("stays", winner)
        .add("because", &conflict.reason)
        .add("rules", opinions(conflict))
        .block(&finding(&found, Some(&conflict.challenger_content), page))
        .text()
}

/// The side that stands: a revision, a row or an answer.
fn standing(found: &Finding) -> String {
    match &found.reference {
        Some(given) => reference::name(given),
        None => words::id(&found.standing).to_owned(),
    }
}

/// Who decided; where a rule did, whose act set it off.
fn decided_by(conflict: &Conflict) -> String {
    if conflict.rule == 0 {
        return conflict.decided_by.clone();
    }
    let rule = words::rule(conflict.rule);
    format!("the rule of {rule}, set off by {}", conflict.decided_by)
}

/// What each of the board's rules says of an open conflict.
fn opinions(conflict: &Conflict) -> String {
    let told = conflict.rules.iter().map(|opinion| {
        let says = match (opinion.decides, opinion.for_challenger) {
            (true, true) => "for the challenger",
            (true, false) => "for what stands",
            (false, _) => "passes",
        };
        let rule = words::rule(opinion.rule);
        format!("{rule} {says} ({})", opinion.reason)
    });
    told.collect::<Vec<_>>().join("; ")
}

pub(crate) fn rescan(answer: &RescanResponse, page: Page) -> String {
    let headings = ["CONFLICT", "KIND", "CHALLENGER", "STANDING", "REASON"];
    let rows = answer.found.iter().map(|found| {
        let finding = found.finding.clone().unwrap_or_default();
        vec![
            plain(words::id(&found.conflict)),
            plain(words::finding_kind(finding.kind)),
            plain(words::id(&found.challenger)),
            plain(words::id(&finding.standing)),
            plain(text::headline(&finding.reason, 120)),
        ]
    });
    let told = format!(
        "{} facts compared, {} comparisons, {} found\n",
        answer.facts, answer.compared, answer.opened
    );
    table(page, "no new conflicts", &headings, rows.collect()) + &told
}

fn challenger(conflict: &Conflict) -> String {
    if conflict.challenger.is_empty() {
        format!("{} (refused)", words::id(&conflict.refusal))
    } else {
        words::id(&conflict.challenger).to_owned()
    }
}

fn state(conflict: &Conflict) -> (String, Tone) {
    let (mut state, tone) = words::conflict_state(conflict.state);
    if conflict.appealed {
        state.push_str(", appealed");
    }
    if conflict.rescan {
        state.push_str(", both stand");
    }
    (state, tone)
}
