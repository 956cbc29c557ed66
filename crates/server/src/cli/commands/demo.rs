//! `pawl demo`, and the agents in it

use std::path::PathBuf;

use clap::Args;

use crate::{
    cli::{exit_code::Answer, failure::Failure, session::Session},
    demo::{self, DemoError, Wishes},
};

/// Runs the main job on real input.
#[derive(Args, Debug)]
pub(crate) struct Demo {
    /// Keep what it makes in this new or empty directory; a temporary one that stays unless given.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Run without the sentence model: candidates by claim key and terms only.
    #[arg(long, env = "PAWL_NO_EMBEDDING")]
    no_embedding: bool,
    /// Find the sentence model here [default: $XDG_CACHE_HOME/pawl/models or ~/.cache/pawl/models].
    #[arg(long, env = "PAWL_MODELS", value_name = "DIR")]
    models: Option<PathBuf>,
    /// Play this story instead of the shipped one.
    #[arg(long, value_name = "FILE", hide = true)]
    story: Option<PathBuf>,
}

/// Carries out the orders of the demonstration.
#[derive(Args, Debug)]
pub(crate) struct DemoAgent {
    /// Who it acts for; for people who look at the list of processes.
    #[arg(value_name = "NAME")]
    _name: String,
}

impl Demo {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let wishes = Wishes {
            keep: self.keep,
            no_embedding: self.no_embedding,
            models: self.models,
            story: self.story,
        };
        match demo::run(wishes, session).await {
            Ok(true) => Ok(Answer::Yes),
            Ok(false) => Ok(Answer::No),
            Err(DemoError::Call(failure)) => Err(failure),
            Err(taken @ DemoError::Taken(_)) => Err(Failure::Usage(taken.to_string())),
            Err(error) => Err(Failure::Local(Box::new(error))),
        }
    }
}

impl DemoAgent {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        demo::obey(session).await?;
        Ok(Answer::Yes)
    }
}
