//! `pawl list`, `show`, `validate`, `retract` and `reaffirm`

use clap::Args;
use pawl_proto::v1::{
    self, GetAssertionRequest, ListAssertionsRequest, ListAssertionsResponse, ReaffirmRequest,
    RetractRequest, ValidateRequest,
};

use super::{
    citation::Citations,
    paging::Paging,
    reason::{Reason, Repeat},
    resource::{Resource, ids_on},
    words::Status,
};
use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Lists assertions.
#[derive(Args, Debug)]
pub(crate) struct List {
    /// In this module only.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    module: String,
    /// Of this status only; the standing and the contested unless given.
    #[arg(long = "status", value_name = "STATUS", value_delimiter = ',')]
    statuses: Vec<Status>,
    #[command(flatten)]
    paging: Paging,
}

/// Shows one assertion.
#[derive(Args, Debug)]
pub(crate) struct Show {
    /// `a3@1`, or `a3` for its latest revision.
    assertion: Resource,
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

impl List {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let board = session.board()?;
        let statuses: Vec<i32> = self
            .statuses
            .iter()
            .map(|status| v1::Status::from(*status).into())
            .collect();
        let mut client = session.assertions().await?;
        let mut list = ListAssertionsResponse::default();
        let mut next = Some(self.paging.first());
        while let Some(page_token) = next {
            let request = ListAssertionsRequest {
                board: board.clone(),
                module: self.module.clone(),
                statuses: statuses.clone(),
                page_size: self.paging.size(),
                page_token,
            };
            let page = client.list_assertions(request).await?.into_inner();
            list.assertions.extend(page.assertions);
            list.position = page.position;
            list.next_page_token = page.next_page_token;
            next = self.paging.after(&list.next_page_token);
        }
        session
            .output
            .message(&list, render::assertion::assertions)?;
        Ok(Answer::Yes)
    }
}

impl Show {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = GetAssertionRequest {
            board: self.assertion.board(session)?,
            assertion: self.assertion.id,
        };
        let assertion = session
            .assertions()
            .await?
            .get_assertion(request)
            .await?
            .into_inner();
        session
            .output
            .message(&assertion, render::assertion::assertion)?;
        Ok(Answer::Yes)
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
        session
            .output
            .message(&assertion, render::assertion::assertion)?;
        Ok(Answer::Yes)
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
        session
            .output
            .message(&assertion, render::assertion::assertion)?;
        Ok(Answer::Yes)
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
        session
            .output
            .message(&assertion, render::assertion::assertion)?;
        Ok(Answer::Yes)
    }
}
