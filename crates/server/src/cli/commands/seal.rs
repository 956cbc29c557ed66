//! `pawl seal`

use clap::{ArgGroup, Args};
use pawl_proto::v1::{SealMode, SealRequest};

use super::{reason::Repeat, resource::Resource, words::Mode};
use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Locks a module, or one assertion.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("sealed").required(true))]
pub(crate) struct Seal {
    /// The module to seal as a whole.
    #[arg(group = "sealed")]
    module: Option<String>,
    /// The one revision to seal instead, `a3@1`.
    #[arg(long, value_name = "REVISION", group = "sealed")]
    assertion: Option<Resource>,
    /// How firmly it holds; hard unless given.
    #[arg(long)]
    mode: Option<Mode>,
    /// Answer with the figures only, write nothing.
    #[arg(long)]
    validate_only: bool,
    #[command(flatten)]
    repeat: Repeat,
}

impl Seal {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let (board, assertion) = match self.assertion {
            Some(assertion) => (assertion.board(session)?, assertion.id),
            None => (session.board()?, String::new()),
        };
        let request = SealRequest {
            board,
            module: self.module.unwrap_or_default(),
            assertion,
            mode: self.mode.map_or(0, |mode| SealMode::from(mode).into()),
            validate_only: self.validate_only,
            request_id: self.repeat.request_id,
        };
        let snapshot = session.seals().await?.seal(request).await?.into_inner();
        session.answer(&snapshot, render::snapshot::snapshot)
    }
}
