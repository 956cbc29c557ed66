//! The server itself.

use clap::Args;

use crate::{
    cli::{exit_code::Answer, failure::Failure},
    config::ServeArgs,
};

#[derive(Args, Debug)]
pub(crate) struct Serve {
    #[command(flatten)]
    args: ServeArgs,
}

impl Serve {
    pub(crate) async fn run(self) -> Result<Answer, Failure> {
        match crate::serve::run(self.args).await {
            Ok(()) => Ok(Answer::Yes),
            Err(error) => Err(Failure::Local(Box::new(error))),
        }
    }
}
