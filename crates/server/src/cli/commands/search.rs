//! `pawl search`

use clap::Args;
use pawl_proto::v1::{self, SearchAssertionsRequest, SearchBy};

use super::words::{Kind, Level};
use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Finds the assertions in force that say something like a text.
#[derive(Args, Debug)]
pub(crate) struct Search {
    /// The text.
    query: String,
    /// The nearest in meaning, by the sentence model; the default.
    #[arg(long, conflicts_with = "text")]
    meaning: bool,
    /// Those that share its words, rare ones weighing more.
    #[arg(long)]
    text: bool,
    /// At most so many, up to 100.
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: u32,
    /// In this module only.
    #[arg(long, value_name = "NAME")]
    module: Option<String>,
    /// Of this level only.
    #[arg(long = "level", value_name = "LEVEL", value_delimiter = ',')]
    levels: Vec<Level>,
    /// Of this kind only.
    #[arg(long = "kind", value_name = "KIND", value_delimiter = ',')]
    kinds: Vec<Kind>,
}

impl Search {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let by = if self.text {
            SearchBy::Text
        } else {
            SearchBy::Meaning
        };
        let levels = self.levels.into_iter();
        let kinds = self.kinds.into_iter();
        let request = SearchAssertionsRequest {
            board: session.board()?,
            query: self.query,
            by: by.into(),
            limit: self.limit,
            module: self.module.unwrap_or_default(),
            levels: levels.map(|it| v1::Level::from(it).into()).collect(),
            kinds: kinds.map(|it| v1::Kind::from(it).into()).collect(),
        };
        let mut client = session.assertions().await?;
        let found = client.search_assertions(request).await?.into_inner();
        session.answer(&found, render::assertion::hits)
    }
}
