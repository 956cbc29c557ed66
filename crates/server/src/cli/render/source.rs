//! Sources.

use pawl_proto::v1::{ListSourcesResponse, RemoveSourceResponse, Source};

use super::{
    assertion::more,
    table::{Fields, plain, table},
    words,
};
use crate::cli::{output::Page, tone::Tone};

pub(crate) fn source(source: &Source, page: Page) -> String {
    let is_checked = source.kept && source.unchecked_reason.is_empty();
    let kept = match (source.kept, is_checked) {
        (true, true) => "yes, quotes are checked",
        (true, false) => "yes, quotes stay unverified",
        (false, _) => "no, quotes stay unverified",
    };
    Fields::new(page, &format!("source {}", words::id(&source.name)))
        .add("title", &source.title)
        .add("address", &source.uri)
        .add("media type", &source.media_type)
        .add("dated", &source.date)
        .add("rank", rank(source.rank))
        .add("bytes", source.size_bytes)
        .add_toned(
            "kept",
            kept,
            if is_checked {
                Tone::Good
            } else {
                Tone::Warning
            },
        )
        .add_toned("unverified, since", &source.unchecked_reason, Tone::Warning)
        .add_toned("drifted", drifted(source.drifted), Tone::Warning)
        .add(
            "registered",
            format!(
                "{} by {}",
                words::time(source.create_time),
                source.principal
            ),
        )
        .text()
}

fn rank(rank: u32) -> String {
    if rank == 0 {
        String::new()
    } else {
        rank.to_string()
    }
}

pub(crate) fn sources(list: &ListSourcesResponse, page: Page) -> String {
    let headings = [
        "SOURCE",
        "BYTES",
        "MEDIA TYPE",
        "KEPT",
        "TITLE",
        "ADDRESS",
        "DRIFTED",
    ];
    let rows = list.sources.iter().map(|source| {
        vec![
            plain(words::digest(&source.name)),
            plain(source.size_bytes),
            plain(&source.media_type),
            plain(words::yes(source.kept)),
            plain(&source.title),
            plain(&source.uri),
            Tone::Warning.cell(if source.drifted { "yes" } else { "" }),
        ]
    });
    let nothing = "no sources: upload one with `pawl source add FILE`";
    table(page, nothing, &headings, rows.collect()) + &more(&list.next_page_token)
}

pub(crate) fn removed(answer: &RemoveSourceResponse, _: Page) -> String {
    if answer.bytes_removed {
        "removed, and its bytes with it\n".to_owned()
    } else {
        "removed; its bytes are kept where another board has them\n".to_owned()
    }
}

fn drifted(drifted: bool) -> &'static str {
    if drifted {
        "a later version of the same address has other bytes"
    } else {
        ""
    }
}
