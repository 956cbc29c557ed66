//! The pages people follow, followed: every command of the README, of the page on running a server and of the how-tos is
//! run in order. What wants another machine stands in `text` blocks there.
//!
//! A page's commands are its `sh` blocks. They are typed into one shell, in an empty directory, beside a server with an
//! empty store that was started before. A comment behind a command is held to:
//!
//! - `exit N` is the status it ends with, else 0;
//! - verdicts, reasons such as `QUOTE_NOT_FOUND`, and names such as `a3@1` or `c1` stand in what it prints;
//! - `server stopped` says that it is for a time when no server runs.
//!
//! A line `pawl serve` alone says where the server is started; building before it is what runs these tests.

mod page;
mod shell;

use std::path::{Path, PathBuf};

use self::{page::Step, shell::Shell};

/// Follows a page to its end.
fn follow(page: &Path) {
    let text = std::fs::read_to_string(page).unwrap();
    let steps = page::steps(&text);
    assert!(
        !steps.is_empty(),
        "`{}` has no command to run; is it marked as `sh`?",
        page.display()
    );
    let mut shell = Shell::start();
    for session in steps.split_inclusive(|step| step.last_before_stop) {
        let said = shell.run(session);
        for (step, said) in session.iter().zip(said) {
            compare(page, step, &said);
        }
        if session.last().is_some_and(|step| step.last_before_stop) {
            shell.stop_server();
        }
    }
}

fn compare(page: &Path, step: &Step, said: &shell::Said) {
    let place = format!(
        "{}:{}\n$ {}\n{}",
        page.display(),
        step.line,
        step.command,
        said.output
    );
    assert_eq!(said.status, Some(step.status), "{place}");
    for shown in &step.shown {
        assert!(
            said.output.contains(shown.as_str()),
            "`{shown}` is not in what it prints: {place}"
        );
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn the_first_ten_minutes_go_as_the_readme_says() {
    follow(&root().join("README.md"));
}

#[test]
fn a_server_is_run_as_its_page_says() {
    follow(&root().join("docs/operations.md"));
}

#[test]
fn every_how_to_goes_as_it_says() {
    let mut pages: Vec<PathBuf> = std::fs::read_dir(root().join("docs/howto"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "md"))
        .filter(|path| !path.ends_with("README.md"))
        .collect();
    pages.sort();
    // One beside the other would fight for the two cores that a slow page is already short of.
    for page in pages {
        follow(&page);
    }
}
