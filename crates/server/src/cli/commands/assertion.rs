//! `pawl show`, `validate`, `retract` and `reaffirm`

use clap::Args;
use pawl_proto::v1::{GetAssertionRequest, ReaffirmRequest, RetractRequest, ValidateRequest};

use super::{
    citation::Citations,
    reason::{Reason, Repeat},
    resource::{Resource, ids_on},
};
use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Shows one assertion.
#[derive(Args, Debug)]
pub(crate) struct Show {
    /// `a3@1`, or `a3` for its latest revision.
    assertion: Resource,
    /// As it was after the board's first so many entries.
    #[arg(long, value_name = "POSITION")]
    as_of: Option<u64>,
}

/// Confirms what another principal proposed.
#[derive(Args, Debug)]
pub(crate) struct Validate {
    /// `a3@1`.
    assertion: Resource,
    #[command(flatten)]
    repeat: Repeat,
    #[command(flatten)]
    evidence: Citations,
}

/// Takes an assertion back.
#[derive(Args, Debug)]
pub(crate) struct Retract {
    /// `a3@1`.
    assertion: Resource,
    #[command(flatten)]
    reason: Reason,
}

/// Confirms an assertion on what its supports have become.
#[derive(Args, Debug)]
pub(crate) struct Reaffirm {
    /// The dependent, `a3@1`.
    assertion: Resource,
    /// What it rests on from here on; each lost support's current successor unless given.
    #[arg(long = "support", value_name = "REVISION")]
    supports: Vec<Resource>,
    #[command(flatten)]
    reason: Reason,
}

impl Show {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = GetAssertionRequest {
            board: self.assertion.board(session)?,
            assertion: self.assertion.id,
            as_of: self.as_of,
        };
        let assertion = session
            .assertions()
            .await?
            .get_assertion(request)
            .await?
            .into_inner();
        session.answer(&assertion, render::assertion::assertion)
    }
}

impl Validate {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let evidence = self.evidence.into_messages()?;
        if evidence.is_empty() {
            let usage = "nothing to validate it by: pass --source and --quote for what you read";
            return Err(Failure::Usage(usage.to_owned()));
        }
        let request = ValidateRequest {
            board: self.assertion.board(session)?,
            assertion: self.assertion.id,
            evidence,
            request_id: self.repeat.request_id,
        };
        let assertion = session
            .assertions()
            .await?
            .validate(request)
            .await?
            .into_inner();
        session.answer(&assertion, render::assertion::assertion)
    }
}

impl Retract {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = RetractRequest {
            board: self.assertion.board(session)?,
            assertion: self.assertion.id,
            reason: self.reason.reason,
            request_id: self.reason.repeat.request_id,
        };
        let assertion = session
            .assertions()
            .await?
            .retract(request)
            .await?
            .into_inner();
        session.answer(&assertion, render::assertion::assertion)
    }
}

impl Reaffirm {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let board = self.assertion.board(session)?;
        let request = ReaffirmRequest {
            assertion: self.assertion.id,
            supports: ids_on(&self.supports, &board)?,
            board,
            reason: self.reason.reason,
            request_id: self.reason.repeat.request_id,
        };
        let assertion = session
            .assertions()
            .await?
            .reaffirm(request)
            .await?
            .into_inner();
        session.answer(&assertion, render::assertion::assertion)
    }
}
