//! Snapshots, amendments and rollbacks.

use pawl_proto::v1::{
    AmendResponse, DiffSnapshotsResponse, ListSnapshotsResponse, RollbackResponse, SnapshotCause,
    SnapshotChange, SnapshotChangeKind, SnapshotRecord,
};

use super::{
    assertion::assertion,
    board::conditions,
    finding::finding,
    table::{Fields, plain, table},
    words,
};
use crate::cli::{output::Page, tone::Tone};

pub(crate) fn snapshots(list: &ListSnapshotsResponse, page: Page) -> String {
    let headings = [
        "SNAPSHOT", "MODULE", "MADE BY", "MODE", "MEMBERS", "CURRENT", "BY", "AT",
    ];
    let rows = list.snapshots.iter().map(|record| {
        let snapshot = record.snapshot.clone().unwrap_or_default();
        vec![
            plain(words::digest(&record.name)),
            plain(&snapshot.module),
            plain(words::snapshot_cause(snapshot.cause)),
            plain(words::seal_mode(snapshot.mode)),
            plain(snapshot.member_count),
            Tone::Locked.cell(if record.current { "yes" } else { "" }),
            plain(&snapshot.sealed_by),
            plain(words::time(record.create_time)),
        ]
    });
    table(
        page,
        "no snapshots: seal a module with `pawl seal MODULE`",
        &headings,
        rows.collect(),
    )
}

pub(crate) fn snapshot(record: &SnapshotRecord, page: Page) -> String {
    let snapshot = record.snapshot.clone().unwrap_or_default();
    let figures = snapshot.figures.unwrap_or_default();
    let parents: Vec<_> = snapshot
        .parents
        .iter()
        .map(|parent| hexadecimal(parent))
        .collect();
    let measured = format!(
        "{} members, {} validated, least confidence {}, completeness {}, {} challengers left out",
        figures.members,
        figures.validated,
        words::share(figures.least_confidence),
        words::share(figures.completeness),
        figures.challengers_left_out,
    );
    let made = format!(
        "{} by {}",
        words::snapshot_cause(snapshot.cause),
        snapshot.sealed_by
    );
    // A dry run answers with figures only: there is no snapshot yet.
    let heading = match words::id(&record.name) {
        "" if snapshot.cause == i32::from(SnapshotCause::Rollback) => {
            format!("module {} can be rolled back", snapshot.module)
        }
        "" => format!("module {} can be sealed", snapshot.module),
        id => format!("snapshot {id}"),
    };
    Fields::new(page, &heading)
        .add("module", &snapshot.module)
        .add_toned("mode", words::seal_mode(snapshot.mode), Tone::Locked)
        .add("made", made)
        .add("at", words::time(record.create_time))
        .add("position", snapshot.position)
        .add("measured", measured)
        .add(
            "policy",
            snapshot.policy.as_ref().map(conditions).unwrap_or_default(),
        )
        .add("member root", hexadecimal(&snapshot.member_root))
        .add("parents", parents.join(", "))
        .add("current", words::yes(record.current))
        .add("members", record.members.join(", "))
        .text()
}

pub(crate) fn amendment(answer: &AmendResponse, page: Page) -> String {
    let mut out = String::new();
    if let Some(amended) = &answer.assertion {
        out.push_str(&assertion(amended, page));
    }
    for found in &answer.findings {
        let content = answer
            .assertion
            .as_ref()
            .and_then(|amended| amended.draft.as_ref());
        out.push_str(&finding(
            found,
            content.map(|draft| draft.content.as_str()),
            page,
        ));
    }
    if let Some(record) = &answer.snapshot {
        out.push_str(&snapshot(record, page));
    }
    if !answer.support_lost.is_empty() {
        let lost: Vec<_> = answer
            .support_lost
            .iter()
            .map(|name| words::id(name))
            .collect();
        out.push_str(&format!(
            "{} {}\n",
            Tone::Warning.paint("lost a support:"),
            lost.join(", ")
        ));
    }
    out
}

pub(crate) fn rollback(answer: &RollbackResponse, page: Page) -> String {
    let named = |names: &[String]| {
        let ids: Vec<_> = names.iter().map(|name| words::id(name)).collect();
        ids.join(", ")
    };
    let record = answer.snapshot.clone().unwrap_or_default();
    let heading = match words::digest(&record.name) {
        "" => "would change",
        _ => "changed",
    };
    let made = if record.name.is_empty() {
        String::new()
    } else {
        snapshot(&record, page)
    };
    let changed = Fields::new(page, heading)
        .add_toned("locked again", named(&answer.reinstated), Tone::Locked)
        .add("rolled back", named(&answer.rolled_back))
        .add_toned("support lost", named(&answer.support_lost), Tone::Warning)
        .add("support back", named(&answer.support_restored))
        .add_toned("contested now", named(&answer.contested), Tone::Warning)
        .add("locked then", record.members.join(", "));
    made + &changed.text()
}

pub(crate) fn difference(answer: &DiffSnapshotsResponse, page: Page) -> String {
    let heading = format!(
        "from snapshot {} to {}",
        words::digest(&answer.from),
        words::digest(&answer.to)
    );
    let counted = format!(
        "{} added, {} amended, {} gone, {} kept",
        answer.added, answer.amended, answer.gone, answer.kept
    );
    let mut out = Fields::new(page, &heading).add("changes", counted).text();
    for change in &answer.changes {
        out.push_str(&changed(change, page));
    }
    if !answer.next_page_token.is_empty() {
        out.push_str(&format!(
            "more with --page-token {}, or all with --all-pages\n",
            answer.next_page_token
        ));
    }
    out
}

fn changed(change: &SnapshotChange, page: Page) -> String {
    let (old, new) = (words::id(&change.old), words::id(&change.new));
    let heading = match SnapshotChangeKind::try_from(change.kind).unwrap_or_default() {
        SnapshotChangeKind::Added => format!("added {new}"),
        SnapshotChangeKind::Gone => format!("gone {old}"),
        SnapshotChangeKind::Amended | SnapshotChangeKind::Unspecified => {
            format!("amended {old} to {new}")
        }
    };
    let mut out = Fields::new(page, &heading)
        .add("before", &change.old_content)
        .add("after", &change.new_content)
        .text();
    for found in &change.findings {
        out.push_str(&finding(found, Some(&change.new_content), page));
    }
    out
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
