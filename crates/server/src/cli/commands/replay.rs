//! `pawl replay`

use clap::{Args, ValueEnum};
use pawl_proto::v1::ReplayRequest;

use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Tells what happened.
#[derive(Args, Debug)]
pub(crate) struct Replay {
    /// Of this module only.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    module: String,
    /// Of this assertion only, `a3`.
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
    assertion: String,
    /// Up to this log position; the present unless given.
    #[arg(long, value_name = "POSITION")]
    to: Option<u64>,
    /// How it is told; --json means json.
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    format: Format,
}

/// How a history is told.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// A line and the words for each entry.
    Plain,
    /// One JSON object a line for each entry.
    Json,
    /// A Markdown list.
    Markdown,
}

impl Replay {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let board = session.board()?;
        if self.format == Format::Json {
            session.output.use_json();
        }
        let render = match self.format {
            Format::Markdown => render::record::markdown,
            Format::Plain | Format::Json => render::record::record,
        };
        let request = ReplayRequest {
            board,
            module: self.module,
            assertion: self.assertion,
            to: self.to,
        };
        let mut stream = session
            .log_streams()
            .await?
            .replay(request)
            .await?
            .into_inner();
        while let Some(answer) = stream.message().await? {
            for record in &answer.records {
                session.output.stream_item(record, render)?;
            }
        }
        Ok(Answer::Yes)
    }
}
