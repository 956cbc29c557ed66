//! `pawl rollback`

use clap::Args;
use pawl_proto::v1::RollbackRequest;

use super::{citation::pairs, reason::Reason, resource::Resource};
use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Takes a module back to an earlier snapshot; nothing is deleted.
#[derive(Args, Debug)]
pub(crate) struct Rollback {
    /// The module.
    module: String,
    /// The snapshot of it to go back to: its id, at least the first 8 digits.
    #[arg(long, value_name = "SNAPSHOT")]
    to: Resource,
    #[command(flatten)]
    reason: Reason,
    /// What the rollback rests on; may be repeated.
    #[arg(long, num_args = 2, value_names = ["SOURCE", "QUOTE"], action = clap::ArgAction::Append)]
    evidence: Vec<String>,
    /// Answer with what would change only, write nothing.
    #[arg(long)]
    validate_only: bool,
}

impl Rollback {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = RollbackRequest {
            board: self.to.board(session)?,
            module: self.module,
            to: self.to.id,
            reason: self.reason.reason,
            evidence: pairs(self.evidence),
            validate_only: self.validate_only,
            request_id: self.reason.repeat.request_id,
        };
        let answer = session.seals().await?.rollback(request).await?.into_inner();
        session.answer(&answer, render::snapshot::rollback)
    }
}
