//! `pawl rescan`

use clap::Args;
use pawl_proto::v1::{RescanRequest, RescanResponse};

use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Compares standing facts anew.
#[derive(Args, Debug)]
pub(crate) struct Rescan {
    /// Only the facts of this module, with all that stands.
    #[arg(long, default_value = "", hide_default_value = true)]
    module: String,
    /// Write nothing: tell what would be opened.
    #[arg(long)]
    validate_only: bool,
}

impl Rescan {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = RescanRequest {
            board: session.board()?,
            module: self.module,
            validate_only: self.validate_only,
        };
        let mut answers = session
            .conflict_streams()
            .await?
            .rescan(request)
            .await?
            .into_inner();
        let mut whole = RescanResponse::default();
        while let Some(answer) = answers.message().await? {
            let mut found = std::mem::take(&mut whole.found);
            found.extend(answer.found);
            whole = RescanResponse { found, ..answer };
        }
        if !whole.done {
            return Err(tonic::Status::unavailable("the server ended the comparison").into());
        }
        session.answer(&whole, render::conflict::rescan)
    }
}
