//! Doubts about locked facts.

use pawl_proto::v1::{FlagRecord, ListFlagsResponse};

use super::{
    assertion::citation,
    table::{Fields, plain, table, toned},
    words,
};
use crate::cli::{output::Page, text, tone::Tone};

pub(crate) fn flags(list: &ListFlagsResponse, page: Page) -> String {
    let headings = ["FLAG", "STATE", "ASSERTION", "BY", "REASON", "ANSWER"];
    let rows = list.flags.iter().map(|flag| {
        vec![
            plain(words::id(&flag.name)),
            toned(state(flag)),
            plain(words::id(&flag.assertion)),
            plain(&flag.principal),
            plain(text::headline(&flag.reason, 120)),
            plain(text::headline(&flag.answer, 120)),
        ]
    });
    table(page, "no flags", &headings, rows.collect())
}

pub(crate) fn flag(flag: &FlagRecord, page: Page) -> String {
    let (state, tone) = state(flag);
    let cited: String = flag
        .citations
        .iter()
        .map(|one| citation("  ", one, page))
        .collect();
    Fields::new(page, &format!("flag {}", words::id(&flag.name)))
        .add("assertion", words::id(&flag.assertion))
        .add_toned("state", state, tone)
        .add("by", &flag.principal)
        .add("raised", words::time(flag.create_time))
        .add("reason", &flag.reason)
        .add("answer", &flag.answer)
        .block(&cited)
        .text()
}

fn state(flag: &FlagRecord) -> (String, Tone) {
    if flag.open {
        ("open".to_owned(), Tone::Warning)
    } else {
        ("answered".to_owned(), Tone::Good)
    }
}
