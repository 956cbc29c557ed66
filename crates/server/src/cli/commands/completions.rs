//! `pawl completions`

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::{Cli, exit_code::Answer, failure::Failure, session::Session};

/// Prints the completions of a shell.
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// Which shell.
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        // Into memory first: the generator panics where its writer fails.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "pawl", &mut script);
        session.output.print(&String::from_utf8_lossy(&script))?;
        Ok(Answer::Yes)
    }
}
