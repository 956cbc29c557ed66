//! `pawl evidence`

use clap::Args;
use pawl_proto::v1::GetEvidenceRequest;

use super::resource::Resource;
use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Shows everything an assertion rests on.
#[derive(Args, Debug)]
pub(crate) struct Evidence {
    /// `a3@1`.
    assertion: Resource,
    /// As it was after the board's first so many entries.
    #[arg(long, value_name = "POSITION")]
    as_of: Option<u64>,
}

impl Evidence {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = GetEvidenceRequest {
            board: self.assertion.board(session)?,
            assertion: self.assertion.id,
            as_of: self.as_of,
        };
        let answer = session
            .assertions()
            .await?
            .get_evidence(request)
            .await?
            .into_inner();
        session.answer(&answer, render::evidence::evidence)
    }
}
