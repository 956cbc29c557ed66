//! `pawl board rules`

use clap::{Args, ValueEnum};
use pawl_proto::v1::{
    AuthorityRank, GetResolutionRulesRequest, ResolutionRule, ResolutionRules,
    SetResolutionRulesRequest, SetResolutionRulesResponse,
};

use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Shows or sets the rules by which the board decides conflicts.
#[derive(Args, Debug)]
pub(crate) struct Rules {
    /// The rules in the order they are asked, comma-separated; they take the place of all before.
    #[arg(
        long,
        value_name = "RULES",
        value_delimiter = ',',
        conflicts_with = "clear"
    )]
    order: Vec<Rule>,
    /// The sources of one rank, comma-separated: hosts, beginnings of addresses, digests; the highest
    /// rank first, one option each.
    #[arg(long, value_name = "SOURCES", requires = "order")]
    authority: Vec<String>,
    /// Take all rules away, so that an arbiter decides everything.
    #[arg(long)]
    clear: bool,
}

/// A rule, as the command line names it.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Rule {
    /// The side that quotes the source of the higher rank.
    Authority,
    /// The side that holds from a later day, else the one with the later source.
    Recency,
    /// The side with more distinct sources in which its quotes were found.
    FurtherSource,
    /// Reserved for a probe that the server runs; refused by this version.
    Evidence,
    /// No side: it waits for an arbiter. Ends the list.
    Arbiter,
}

impl Rule {
    fn to_wire(self) -> i32 {
        let rule = match self {
            Self::Authority => ResolutionRule::Authority,
            Self::Recency => ResolutionRule::Recency,
            Self::FurtherSource => ResolutionRule::FurtherSource,
            Self::Evidence => ResolutionRule::Evidence,
            Self::Arbiter => ResolutionRule::Arbiter,
        };
        rule.into()
    }
}

impl Rules {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let board = session.board()?;
        let mut client = session.boards().await?;
        if self.order.is_empty() && !self.clear {
            let request = GetResolutionRulesRequest { board };
            let rules = client.get_resolution_rules(request).await?.into_inner();
            session.output.message(&rules, render::rules::rules)?;
            return Ok(Answer::Yes);
        }
        let ranks = self.authority.iter().map(|rank| AuthorityRank {
            sources: rank.split(',').map(|it| it.trim().to_owned()).collect(),
        });
        let rules = ResolutionRules {
            order: self.order.iter().map(|rule| rule.to_wire()).collect(),
            authority: ranks.collect(),
        };
        let request = SetResolutionRulesRequest {
            board,
            rules: Some(rules),
        };
        let set: SetResolutionRulesResponse =
            client.set_resolution_rules(request).await?.into_inner();
        session.answer(&set, render::rules::set)
    }
}
