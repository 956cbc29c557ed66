//! `pawl config`

use clap::{Args, Subcommand};

use crate::{
    cli::{exit_code::Answer, failure::Failure, render, session::Session, text},
    config::{Report, ServeArgs, shipped_file},
};

/// Says what a server would be told, and by whom.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Reads the settings as `serve` would and says what is wrong; ends with 1 where a server would not start.
    Check(Box<Settings>),
    /// Prints the settings in effect as a file, with what each says.
    Show(Box<Settings>),
    /// Prints a file with every setting as shipped.
    Default,
}

/// What `serve` would be given.
#[derive(Args, Debug)]
pub(crate) struct Settings {
    #[command(flatten)]
    args: ServeArgs,
}

impl Command {
    pub(crate) fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        match self {
            Self::Check(settings) => {
                let report = report(*settings)?;
                if session.output.is_json() {
                    let document = serde_json::to_value(&report)
                        .map_err(|error| Failure::Answer(error.to_string()))?;
                    session.output.document(&document)?;
                } else {
                    let shown = render::server::settings(&report, session.output.page());
                    session.output.print(&shown)?;
                }
                Ok(if report.valid {
                    Answer::Yes
                } else {
                    Answer::No
                })
            }
            Self::Show(settings) => {
                let report = report(*settings)?;
                session.output.print(&text::harmless(&report.to_file()))?;
                Ok(if report.valid {
                    Answer::Yes
                } else {
                    Answer::No
                })
            }
            Self::Default => {
                session.output.print(&shipped_file())?;
                Ok(Answer::Yes)
            }
        }
    }
}

fn report(settings: Settings) -> Result<Report, Failure> {
    let report = Report::of(settings.args).map_err(|error| Failure::Local(Box::new(error)))?;
    Ok(report.0)
}
