//! What boards and the server take.

use pawl_proto::v1::{
    ArchiveBoardResponse, BoardUsage, DeleteBoardResponse, Quotas, ReopenBoardResponse, ServerUsage,
};

use super::{
    table::{Fields, plain, table},
    words,
};
use crate::cli::output::Page;

pub(crate) fn board(usage: &BoardUsage, page: Page) -> String {
    let (disk, memory) = (
        usage.disk.unwrap_or_default(),
        usage.memory.unwrap_or_default(),
    );
    let fields = Fields::new(page, &format!("usage of board {}", words::id(&usage.name)))
        .add(
            "entries",
            format!("{}, {}", disk.entries, bytes(disk.entry_bytes)),
        )
        .add("words", bytes(disk.word_bytes))
        .add("sources", bytes(disk.source_bytes))
        .add("vectors", bytes(disk.vector_bytes))
        .add("image", bytes(disk.image_bytes))
        .add("kept answers", bytes(disk.answer_bytes))
        .add(
            "state",
            format!("about {} of memory", bytes(memory.state_bytes)),
        )
        .add(
            "checker",
            format!(
                "about {} of memory, for {} texts",
                bytes(memory.judge_bytes),
                memory.texts
            ),
        );
    let quotas = usage.quotas.unwrap_or_default();
    quota_fields(fields, &quotas, &usage.own_quotas.unwrap_or_default())
        .block("\n")
        .block(&principals(usage, page))
        .text()
}

fn quota_fields(fields: Fields, quotas: &Quotas, own: &Quotas) -> Fields {
    let whose = |own: Option<u64>| if own.is_some() { "" } else { " (the server's)" };
    let plain = |value: Option<u64>, own| format!("{}{}", value.unwrap_or_default(), whose(own));
    let size =
        |value: Option<u64>, own| format!("{}{}", bytes(value.unwrap_or_default()), whose(own));
    fields
        .block("each principal may write or keep\n")
        .add(
            "entries per second",
            plain(quotas.entries_per_second, own.entries_per_second),
        )
        .add("at once", plain(quotas.entries_burst, own.entries_burst))
        .add("words", size(quotas.word_bytes, own.word_bytes))
        .add("sources", plain(quotas.sources, own.sources))
        .add("their bytes", size(quotas.source_bytes, own.source_bytes))
        .add(
            "refusals per hour",
            plain(quotas.refusals_per_hour, own.refusals_per_hour),
        )
}

fn principals(usage: &BoardUsage, page: Page) -> String {
    let headings = [
        "PRINCIPAL",
        "ENTRIES",
        "LEFT NOW",
        "WORDS",
        "SOURCES",
        "THEIR BYTES",
        "REFUSED",
        "LEFT NOW",
    ];
    let rows = usage.principals.iter().map(|it| {
        vec![
            plain(&it.principal),
            plain(it.entries),
            plain(it.entries_left),
            plain(bytes(it.word_bytes)),
            plain(it.sources),
            plain(bytes(it.source_bytes)),
            plain(it.refusals),
            plain(it.refusals_left),
        ]
    });
    table(
        page,
        "nobody has written anything",
        &headings,
        rows.collect(),
    )
}

pub(crate) fn server(usage: &ServerUsage, page: Page) -> String {
    Fields::new(page, "usage of the server")
        .add(
            "boards",
            format!("{}, {} of them open", usage.boards, usage.open_boards),
        )
        .add("being deleted", usage.deleting)
        .add(
            "entries",
            format!("{}, {}", usage.entries, bytes(usage.entry_bytes)),
        )
        .add("words", bytes(usage.word_bytes))
        .add(
            "source cache",
            format!("about {} of memory", bytes(usage.document_cache_bytes)),
        )
        .add("memory", bytes(usage.resident_bytes))
        .text()
}

pub(crate) fn archived(answer: &ArchiveBoardResponse, _: Page) -> String {
    format!(
        "archived after {} entries; it is read and not written to\n",
        answer.position
    )
}

pub(crate) fn reopened(answer: &ReopenBoardResponse, _: Page) -> String {
    format!("reopened after {} entries\n", answer.position)
}

pub(crate) fn deleted(answer: &DeleteBoardResponse, _: Page) -> String {
    format!(
        "deleted with {} records; `pawl compact` gives their space back at once\n",
        answer.records
    )
}

/// Tells a size in the largest unit that leaves a whole number before the point.
fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if count < 1_024 {
        return format!("{count} B");
    }
    let (mut whole, mut rest, mut unit) = (count, 0, "B");
    for next in UNITS {
        if whole < 1_024 {
            break;
        }
        (whole, rest, unit) = (whole / 1_024, whole % 1_024, next);
    }
    format!("{whole}.{} {unit}", rest * 10 / 1_024)
}
