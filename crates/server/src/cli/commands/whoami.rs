//! `pawl whoami`

use clap::Args;
use pawl_proto::v1::WhoAmIRequest;

use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Says who the caller is.
#[derive(Args, Debug)]
pub(crate) struct Whoami {}

impl Whoami {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let answer = session
            .identities()
            .await?
            .who_am_i(WhoAmIRequest {})
            .await?
            .into_inner();
        session.answer(&answer, render::identity::who_am_i)
    }
}
