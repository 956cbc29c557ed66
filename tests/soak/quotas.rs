//! A board with quotas so low that people reach them, and whether they held.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{
    afterwards::{Check, pages},
    people::Person,
    tally::Counts,
    wire::{Wire, json as as_json},
};

/// The board that has them.
pub(crate) const LIMITED: &str = "board-1";

const ENTRIES_PER_SECOND: u64 = 1;
const ENTRIES_BURST: u64 = 60;
const REFUSALS_PER_HOUR: u64 = 30;
const SOURCES: u64 = 25;

/// The most entries of one call that people here make; the call that uses a rate up may go over it by so many.
const ENTRIES_OF_A_CALL: u64 = 200;

/// What is asked for the board.
pub(crate) fn asked() -> Value {
    json!({
        "entries_per_second": ENTRIES_PER_SECOND, "entries_burst": ENTRIES_BURST,
        "refusals_per_hour": REFUSALS_PER_HOUR, "sources": SOURCES,
    })
}

/// What somebody wrote.
#[derive(Default)]
struct Written {
    entries: u64,
    refusals: u64,
    sources: u64,
}

/// Counts what each person wrote. Rates begin anew with the server, so each start gives what may be had at once.
pub(crate) async fn look(
    auditor: &Wire,
    people: &[Person],
    counts: &Counts,
    (seconds, starts): (f64, u64),
) -> Check {
    let written = written(auditor).await;
    let seconds = seconds.ceil() as u64;
    let most = Written {
        entries: seconds * ENTRIES_PER_SECOND + starts * (ENTRIES_BURST + ENTRIES_OF_A_CALL),
        refusals: seconds * REFUSALS_PER_HOUR / 3_600 + 1 + starts * REFUSALS_PER_HOUR,
        sources: SOURCES,
    };
    let over: Vec<String> = people
        .iter()
        .filter_map(|person| Some((&person.name, written.get(&person.name)?)))
        .filter(|(_, by)| {
            by.entries > most.entries || by.refusals > most.refusals || by.sources > most.sources
        })
        .map(|(name, by)| {
            format!(
                "{name}: {} entries, {} refusals, {} sources",
                by.entries, by.refusals, by.sources
            )
        })
        .collect();
    let exceeded = counts.reasons.get("QUOTA_EXCEEDED").copied();
    let busiest = |of: fn(&Written) -> u64| written.values().map(of).max().unwrap_or(0);
    Check {
        what: "every quota held, and was reached",
        held: over.is_empty() && exceeded.is_some(),
        figure: format!(
            "at most {} entries of {}, {} refusals of {}, {} sources of {}; {} calls were over one{}",
            busiest(|it| it.entries),
            most.entries,
            busiest(|it| it.refusals),
            most.refusals,
            busiest(|it| it.sources),
            most.sources,
            exceeded.unwrap_or(0),
            over.iter()
                .map(|it| format!("\n    {it}"))
                .collect::<String>(),
        ),
    }
}

async fn written(auditor: &Wire) -> BTreeMap<String, Written> {
    let mut written: BTreeMap<String, Written> = BTreeMap::new();
    let by = |it: &Value| it["principal"].as_str().unwrap_or_default().to_owned();
    let body = json!({"board": LIMITED});
    let sent = vec![auditor.message("LogService/Replay", &body)];
    let told = auditor.call("LogService/Replay", sent, usize::MAX).await;
    for record in told.unwrap().iter().map(as_json) {
        for record in record["records"].as_array().into_iter().flatten() {
            let written = written.entry(by(record)).or_default();
            written.entries += 1;
            written.refusals += u64::from(record["kind"] == json!("refused"));
        }
    }
    for source in pages(auditor, "SourceService/ListSources", "sources", body).await {
        written.entry(by(&source)).or_default().sources += 1;
    }
    written
}
