//! What has to hold of the source itself.

use std::{
    fs,
    path::{Path, PathBuf},
};

use pawl_proto::v1::ErrorReason;

/// The most lines of a source file.
const MAX_LINES: usize = 400;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .unwrap()
}

/// Every file below some folders with one of these endings.
fn files(folders: &[&str], endings: &[&str]) -> Vec<PathBuf> {
    let mut waiting: Vec<PathBuf> = folders.iter().map(|it| root().join(it)).collect();
    let mut found = Vec::new();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(fs::read_dir(path).unwrap().map(|it| it.unwrap().path()));
        } else if endings
            .iter()
            .any(|ending| path.extension().is_some_and(|it| it == *ending))
        {
            found.push(path);
        }
    }
    found.sort();
    assert!(!found.is_empty(), "there are no files below {folders:?}");
    found
}

fn told(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().display().to_string()
}

/// Looks at every line; gives where something is wrong.
fn wrong(paths: &[PathBuf], is_wrong: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for path in paths {
        for (number, line) in fs::read_to_string(path).unwrap().lines().enumerate() {
            if is_wrong(line) {
                found.push(format!("{}:{}: {}", told(path), number + 1, line.trim()));
            }
        }
    }
    found
}

#[test]
fn nothing_is_left_to_be_done_later() {
    let words = ["todo", "fixme", "xxx"].map(str::to_uppercase);
    let call = ["todo", "!"].concat();
    let unfinished = ["unimplemented", "!"].concat();
    let files = files(
        &["crates", "tests", "proto", "scripts"],
        &["rs", "proto", "py", "toml"],
    );
    let left = wrong(&files, |line| {
        words.iter().any(|word| line.contains(word.as_str()))
            || line.contains(&call)
            || line.contains(&unfinished)
    });
    assert!(left.is_empty(), "{}", left.join("\n"));
}

#[test]
fn no_test_is_ignored() {
    let mark = ["#[", "ignore"].concat();
    let found = wrong(&files(&["crates", "tests"], &["rs"]), |line| {
        line.contains(&mark)
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_file_holds_one_idea() {
    let mut long = Vec::new();
    for path in files(&["crates"], &["rs"]) {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        if lines > MAX_LINES && path.components().any(|it| it.as_os_str() == "src") {
            long.push(format!("{} has {lines} lines", told(&path)));
        }
    }
    assert!(
        long.is_empty(),
        "over {MAX_LINES} lines, split:\n{}",
        long.join("\n")
    );
}

#[test]
fn every_reason_is_explained() {
    let path = root().join("docs/error-reasons.md");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| {
        panic!("`{}`, which explains the reasons: {error}", path.display())
    });
    let reasons = (0..256).filter_map(|number| ErrorReason::try_from(number).ok());
    let names = reasons
        .filter(|it| *it != ErrorReason::Unspecified)
        .map(|it| {
            it.as_str_name()
                .strip_prefix("ERROR_REASON_")
                .unwrap()
                .to_owned()
        });
    let missing: Vec<String> = names
        .filter(|name| !text.contains(&format!("`{name}`")))
        .collect();
    assert!(
        missing.is_empty(),
        "not in `docs/error-reasons.md`: {}",
        missing.join(", ")
    );
}

/// A capital letter and one or two digits, by which a list of behaviours may be numbered; halves of
/// a year are written so too.
fn is_row(word: &str) -> bool {
    let mut letters = word.chars();
    let letter = letters.next().is_some_and(|it| "BCGHP".contains(it));
    let digits = letters.as_str();
    let number = (1..=2).contains(&digits.len()) && digits.chars().all(|it| it.is_ascii_digit());
    letter && number && !["H1", "H2"].contains(&word)
}

#[test]
fn the_project_speaks_of_itself_alone() {
    let files = files(
        &["crates", "tests", "proto", "scripts"],
        &["rs", "proto", "py"],
    );
    let found = wrong(&files, |line| {
        let comment = line
            .find("//")
            .or_else(|| line.find('#'))
            .map_or("", |at| &line[at..]);
        comment.split(|it: char| !it.is_alphanumeric()).any(is_row)
    });
    assert!(
        found.is_empty(),
        "numbers of behaviours, by which nobody here knows them:\n{}",
        found.join("\n")
    );
}
