//! The page about the command line is held to the command line: every command stands there, and every example is read.

use std::{collections::BTreeSet, ffi::OsString};

use clap::CommandFactory;

use super::{Cli, parse};

const PAGE: &str = include_str!("../../../../docs/cli.md");

/// The examples as words, without what the shell does with their input and output.
fn examples() -> Vec<Vec<String>> {
    PAGE.lines()
        .filter(|line| line.starts_with("pawl "))
        .map(words)
        .collect()
}

fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, piece) in line.split('"').enumerate() {
        if number % 2 == 1 {
            words.push(piece.to_owned());
        } else {
            words.extend(piece.split_whitespace().map(str::to_owned));
        }
    }
    let end = words
        .iter()
        .position(|word| matches!(word.as_str(), "<" | ">" | "|"));
    words.truncate(end.unwrap_or(words.len()));
    words
}

fn commands(command: &clap::Command, path: &[String], found: &mut BTreeSet<Vec<String>>) {
    if path.len() > 1 && !command.is_subcommand_required_set() {
        found.insert(path.to_vec());
    }
    let shown = |subcommand: &&clap::Command| !subcommand.is_hide_set();
    for subcommand in command.get_subcommands().filter(shown) {
        let path = [path, &[subcommand.get_name().to_owned()]].concat();
        commands(subcommand, &path, found);
    }
}

#[test]
fn every_command_has_an_example() {
    let mut found = BTreeSet::new();
    commands(&Cli::command(), &["pawl".to_owned()], &mut found);
    let examples = examples();
    let missing: Vec<_> = found
        .iter()
        .filter(|path| !examples.iter().any(|example| example.starts_with(path)))
        .map(|path| path.join(" "))
        .collect();
    assert!(missing.is_empty(), "without an example: {missing:?}");
    assert!(found.len() > 40, "{found:?}");
}

#[test]
fn every_example_is_read() {
    for example in examples() {
        let is_help = example.get(1).is_some_and(|word| word == "help");
        let read = parse(example.iter().map(OsString::from));
        match read {
            Ok(_) => {}
            Err(error) if is_help && error.exit_code() == 0 => {}
            Err(error) => panic!("{}\n{error}", example.join(" ")),
        }
    }
}
