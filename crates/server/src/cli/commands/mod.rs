//! The commands, one file for each thing they work on.

mod amend;
mod assertion;
mod attribute;
mod authority;
mod backup;
mod board;
mod brief;
mod citation;
mod claim;
mod compact;
mod completions;
mod config;
mod conflict;
mod demo;
mod doctor;
mod document;
mod draft;
mod evidence;
mod export;
mod flag;
mod items;
mod list;
mod module;
mod moment;
mod paging;
mod phase;
mod principal;
mod reason;
mod replay;
mod rescan;
mod resource;
mod role;
mod rollback;
mod rules;
mod seal;
mod search;
mod serve;
mod server;
mod share;
mod snapshot;
mod source;
mod submit;
mod table;
mod token;
mod upkeep;
pub(crate) mod verify;
mod watch;
mod whoami;
mod words;

use clap::Subcommand;

use super::{
    exit_code::{Answer, LONG_HELP},
    failure::Failure,
    session::Session,
};

/// What `pawl` can do. A new command is a line here and a line in `run`.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Runs the server until it is told to stop.
    Serve(serve::Serve),
    /// Looks after a server that runs.
    #[command(subcommand)]
    Server(server::Command),
    /// Says what a server would be told, and by whom.
    #[command(subcommand)]
    Config(config::Command),
    /// Looks at how a server is set up and how it fares.
    Doctor(Box<doctor::Doctor>),
    /// Makes, shows and tunes boards.
    #[command(subcommand)]
    Board(board::Command),
    /// Divides a board's work into phases, and moves it on.
    #[command(subcommand)]
    Phase(phase::Command),
    /// Declares what is sealed together.
    #[command(subcommand)]
    Module(module::Command),
    /// Declares what is said of subjects.
    #[command(subcommand)]
    Attribute(attribute::Command),
    /// Mounts reference tables, which are taken as given.
    #[command(subcommand)]
    Table(table::Command),
    /// Declares who is asked over HTTP.
    #[command(subcommand)]
    Authority(authority::Command),
    /// Asks what tables and authorities say of a subject.
    Lookup(authority::Lookup),
    /// Adds who acts.
    #[command(subcommand)]
    Principal(principal::Command),
    /// Issues and revokes what principals call with.
    #[command(subcommand)]
    Token(token::Command),
    /// Grants and revokes what principals may do on a board.
    #[command(subcommand)]
    Role(role::Command),
    /// Uploads and reads the documents that are cited.
    #[command(subcommand)]
    Source(source::Command),
    /// Submits assertions: an intake document, or one assertion by options.
    Submit(submit::Submit),
    /// Gives the verdicts a submission would get, and writes nothing.
    Check(submit::Check),
    /// Checks a finished text against the board and against itself.
    CheckDocument(document::CheckDocument),
    /// Prints the JSON Schema of the intake document.
    Schema(submit::Schema),
    /// Lists assertions.
    List(list::List),
    /// Finds the assertions in force that say something like a text.
    Search(search::Search),
    /// Shows one assertion.
    Show(assertion::Show),
    /// Shows everything an assertion rests on, down to the quotes.
    Evidence(evidence::Evidence),
    /// Confirms what another principal proposed.
    Validate(assertion::Validate),
    /// Raises a doubt about a locked assertion.
    Flag(flag::Flag),
    /// Lists doubts, and answers them.
    Flags(flag::Flags),
    /// Takes back one's own unlocked assertion.
    Retract(assertion::Retract),
    /// Confirms an assertion on what its supports have become.
    Reaffirm(assertion::Reaffirm),
    /// Lists conflicts, or shows one.
    Conflicts(conflict::Conflicts),
    /// Decides a conflict for one side.
    Resolve(conflict::Resolve),
    /// Finds a conflict to be none.
    Dismiss(conflict::Dismiss),
    /// Asks an arbiter to look at a refusal again.
    Appeal(conflict::Appeal),
    /// Compares standing facts anew and opens what conflicts are new.
    Rescan(rescan::Rescan),
    /// Locks a module, or one assertion.
    Seal(seal::Seal),
    /// Lists snapshots, shows one, or draws how they came from each other.
    Snapshots(snapshot::Snapshots),
    /// Shows a snapshot, or what changed between two.
    #[command(subcommand)]
    Snapshot(snapshot::Command),
    /// Replaces a locked assertion.
    Amend(amend::Amend),
    /// Takes a module back to an earlier snapshot.
    Rollback(rollback::Rollback),
    /// Prints the locked facts to work from.
    Brief(brief::Brief),
    /// Follows what happens.
    Watch(watch::Watch),
    /// Tells what happened.
    Replay(replay::Replay),
    /// Writes a whole board as JSON lines.
    Export(export::Export),
    /// Backs up everything the server keeps, while it works.
    Backup(backup::Backup),
    /// Restores a backup into an empty data directory.
    Restore(backup::Restore),
    /// Rederives a store or a backup from its logs and compares.
    Verify(verify::Verify),
    /// Rewrites a store without what was deleted.
    Compact(compact::Compact),
    /// Runs the main job on real input: three agents, one board, every verdict.
    Demo(demo::Demo),
    /// Acts for the demonstration: carries out the orders on standard input.
    #[command(hide = true)]
    DemoAgent(demo::DemoAgent),
    /// Says who the caller is.
    Whoami(whoami::Whoami),
    /// Prints the completions of a shell.
    Completions(completions::Completions),
    /// Explains the exit status.
    #[command(long_about = LONG_HELP)]
    ExitCodes,
}

impl Command {
    /// Carries the command out.
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        match self {
            Self::Serve(command) => command.run().await,
            Self::Server(command) => command.run(session).await,
            Self::Config(command) => command.run(session),
            Self::Doctor(command) => command.run(session).await,
            Self::Verify(command) => command.run(session),
            Self::Compact(command) => command.run(session),
            Self::Restore(command) => command.run(session),
            Self::Backup(command) => command.run(session).await,
            Self::Export(command) => command.run(session).await,
            Self::Board(command) => command.run(session).await,
            Self::Phase(command) => command.run(session).await,
            Self::Module(command) => command.run(session).await,
            Self::Attribute(command) => command.run(session).await,
            Self::Table(command) => command.run(session).await,
            Self::Authority(command) => command.run(session).await,
            Self::Lookup(command) => command.run(session).await,
            Self::Principal(command) => command.run(session).await,
            Self::Token(command) => command.run(session).await,
            Self::Role(command) => command.run(session).await,
            Self::Source(command) => command.run(session).await,
            Self::Submit(command) => command.run(session).await,
            Self::Check(command) => command.run(session).await,
            Self::CheckDocument(command) => command.run(session).await,
            Self::Schema(command) => command.run(session).await,
            Self::List(command) => command.run(session).await,
            Self::Search(command) => command.run(session).await,
            Self::Show(command) => command.run(session).await,
            Self::Evidence(command) => command.run(session).await,
            Self::Validate(command) => command.run(session).await,
            Self::Flag(command) => command.run(session).await,
            Self::Flags(command) => command.run(session).await,
            Self::Retract(command) => command.run(session).await,
            Self::Reaffirm(command) => command.run(session).await,
            Self::Conflicts(command) => command.run(session).await,
            Self::Resolve(command) => command.run(session).await,
            Self::Dismiss(command) => command.run(session).await,
            Self::Appeal(command) => command.run(session).await,
            Self::Rescan(command) => command.run(session).await,
            Self::Seal(command) => command.run(session).await,
            Self::Snapshots(command) => command.run(session).await,
            Self::Snapshot(command) => command.run(session).await,
            Self::Amend(command) => command.run(session).await,
            Self::Rollback(command) => command.run(session).await,
            Self::Brief(command) => command.run(session).await,
            Self::Watch(command) => command.run(session).await,
            Self::Replay(command) => command.run(session).await,
            Self::Demo(command) => command.run(session).await,
            Self::DemoAgent(command) => command.run(session).await,
            Self::Whoami(command) => command.run(session).await,
            Self::Completions(command) => command.run(session),
            Self::ExitCodes => {
                session.output.print(&format!("{LONG_HELP}\n"))?;
                Ok(Answer::Yes)
            }
        }
    }
}
