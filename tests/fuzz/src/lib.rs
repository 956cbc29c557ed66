//! Every reader of bytes that come from outside, as a function of any bytes.
//!
//! A target asserts what its reader promises, not only that it returns. `make fuzz` runs all of them under libFuzzer;
//! `cargo test` hands them the files in `inputs/`, where each input that once broke a promise stays.

mod backups;
mod documents;
mod entries;
mod hygiene;
mod intake;
mod names;
pub mod panics;
mod quotes;
mod requests;
mod settings;
mod statements;
mod tables;
mod text;

/// Panics where its reader breaks a promise.
pub type Target = fn(&[u8]);

/// One target per reader, by name.
pub const TARGETS: &[(&str, Target)] = &[
    ("answer", tables::answer),
    ("backup", backups::backup),
    ("csv_table", tables::comma_separated),
    ("document", documents::document),
    ("draft", requests::draft),
    ("entry", entries::entry),
    ("hygiene", hygiene::hygiene),
    ("intake", intake::intake),
    ("jsonl_table", tables::json_lines),
    ("manifest", backups::manifest),
    ("names", names::names),
    ("quote_csv", quotes::comma_separated),
    ("quote_html", quotes::html),
    ("quote_json", quotes::json),
    ("quote_markdown", quotes::markdown),
    ("quote_pdf", quotes::pdf),
    ("quote_plain", quotes::plain),
    ("request", requests::request),
    ("settings", settings::settings),
    ("snapshot", entries::snapshot),
    ("statement", statements::statement),
    ("store", backups::store),
];
