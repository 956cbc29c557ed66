//! The command line: a client of the same API every other client uses.
//!
//! A command parses its arguments, makes its calls and hands the answer to `Output`, which prints it
//! for a person or as JSON. Nothing here reads the store or judges anything.

pub(crate) mod commands;
mod connection;
pub(crate) mod credentials;
mod data_directory;
#[cfg(test)]
mod documented;
pub(crate) mod exit_code;
pub(crate) mod failure;
mod input;
pub(crate) mod json;
pub(crate) mod options;
pub(crate) mod output;
mod remedy;
pub(crate) mod render;
pub(crate) mod report;
pub(crate) mod session;
pub(crate) mod text;
pub(crate) mod tone;

use std::{ffi::OsString, process::ExitCode};

use clap::{
    CommandFactory, FromArgMatches, Parser,
    error::{ContextKind, ContextValue},
};

use self::{
    commands::Command, exit_code::Answer, failure::Failure, options::Options, report::Report,
    session::Session,
};

pub use self::data_directory::data_directory;

/// Works with a Pawl server.
///
/// A shared fact board for teams of AI agents: assertions with sources are checked against what
/// stands, locked when they are agreed, and not turned back quietly.
#[derive(Parser, Debug)]
#[command(name = "pawl", version, after_help = exit_code::SHORT_HELP)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Command,
}

/// Runs the command line of this process and says how it came out.
#[must_use]
pub fn main() -> ExitCode {
    ExitCode::from(run(std::env::args_os()))
}

fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match parse(arguments) {
        Ok(cli) => cli,
        Err(usage) => {
            // Help and version come this way too, with status 0; a closed pipe is no failure.
            let _ = usage.print();
            return u8::try_from(usage.exit_code()).unwrap_or(exit_code::USAGE);
        }
    };
    let report = Report::new(&cli.options);
    match execute(cli) {
        Ok(Answer::Yes) => exit_code::YES,
        Ok(Answer::No) => exit_code::NO,
        Ok(Answer::Unprocessed) => exit_code::INPUT,
        Err(failure) => {
            report.print(&failure);
            failure.exit_code()
        }
    }
}

fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let matches = Cli::command().try_get_matches_from(arguments);
    let matches = matches.map_err(without_hidden)?;
    Cli::from_arg_matches(&matches)
}

/// Takes the hidden commands out of what an error lists.
fn without_hidden(mut error: clap::Error) -> clap::Error {
    let listed = match error.get(ContextKind::ValidSubcommand) {
        Some(ContextValue::Strings(listed)) => listed.clone(),
        _ => return error,
    };
    let tree = Cli::command();
    let is_hidden = |name: &String| {
        tree.find_subcommand(name)
            .is_some_and(clap::Command::is_hide_set)
    };
    let shown = listed.into_iter().filter(|name| !is_hidden(name)).collect();
    error.insert(ContextKind::ValidSubcommand, ContextValue::Strings(shown));
    error
}

fn execute(cli: Cli) -> Result<Answer, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Failure::Runtime)?;
    runtime.block_on(async {
        let mut session = Session::new(cli.options);
        cli.command.run(&mut session).await
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_tree_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn usage_errors_end_with_two() {
        let error = parse(["pawl", "no-such-command"].map(OsString::from)).expect_err("no such");
        assert_eq!(error.exit_code(), i32::from(exit_code::USAGE));
    }
}
