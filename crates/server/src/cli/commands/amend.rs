//! `pawl amend`

use clap::Args;
use pawl_proto::v1::AmendRequest;

use super::{citation::pairs, draft::DraftOptions, reason::Reason, resource::Resource};
use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Replaces a locked assertion.
#[derive(Args, Debug)]
pub(crate) struct Amend {
    /// The locked revision, `a3@1`.
    assertion: Resource,
    #[command(flatten)]
    reason: Reason,
    /// The log position read up to before; the present unless given.
    #[arg(long, value_name = "POSITION")]
    base: Option<u64>,
    /// What the amendment rests on besides the citations of the assertion; may be repeated.
    #[arg(long, num_args = 2, value_names = ["SOURCE", "QUOTE"], action = clap::ArgAction::Append)]
    evidence: Vec<String>,
    #[command(flatten)]
    draft: DraftOptions,
}

impl Amend {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        if !self.draft.has_content() {
            let usage = "nothing to put in its place: pass --content";
            return Err(Failure::Usage(usage.to_owned()));
        }
        let evidence = pairs(self.evidence);
        let board = self.assertion.board(session)?;
        let request = AmendRequest {
            assertion: self.assertion.id,
            draft: Some(self.draft.into_message(&board)?),
            board,
            reason: self.reason.reason,
            evidence,
            base: self.base,
            request_id: self.reason.repeat.request_id,
        };
        let answer = session.seals().await?.amend(request).await?.into_inner();
        session.answer(&answer, render::snapshot::amendment)
    }
}
