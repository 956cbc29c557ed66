//! `pawl brief`

use clap::Args;
use pawl_proto::v1::GetBriefRequest;

use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Prints the locked facts to work from.
#[derive(Args, Debug)]
pub(crate) struct Brief {
    /// The modules; those they depend on come with them. All unless given.
    modules: Vec<String>,
    /// What is about to be done; the most relevant facts come first.
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    task: String,
    /// Only what changed since this log position.
    #[arg(long, value_name = "POSITION")]
    since: Option<u64>,
    /// The most tokens of the text, at most 100,000; 2,000 unless given.
    #[arg(
        long,
        value_name = "TOKENS",
        default_value_t = 0,
        hide_default_value = true
    )]
    budget: u32,
}

impl Brief {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = GetBriefRequest {
            board: session.board()?,
            modules: self.modules,
            token_budget: self.budget,
            task: self.task,
            since: self.since,
        };
        let brief = session.log().await?.get_brief(request).await?.into_inner();
        session.answer(&brief, render::brief::brief)
    }
}
