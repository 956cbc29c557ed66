//! `pawl module`

use clap::{Args, Subcommand};
use pawl_proto::v1::{DeclareModuleRequest, ListModulesRequest, SealMode, SealPolicy};

use super::{share::Share, words::Mode};
use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Declares what is sealed together.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Declares a module, or declares it anew.
    Declare(Declare),
    /// Lists modules with their figures.
    List,
}

/// Declares a module.
#[derive(Args, Debug)]
pub(crate) struct Declare {
    /// The module: 1–63 of `a–z 0–9 - _`, a letter first.
    name: String,
    /// Who may write to it without asking; every agent unless given.
    #[arg(long = "owner", value_name = "PRINCIPAL", value_delimiter = ',')]
    owners: Vec<String>,
    /// A module it builds on.
    #[arg(long, value_name = "MODULE", value_delimiter = ',')]
    depends_on: Vec<String>,
    /// An attribute it is expected to hold.
    #[arg(long = "expects", value_name = "ATTRIBUTE", value_delimiter = ',')]
    expected_attributes: Vec<String>,
    #[command(flatten)]
    seal: SealConditions,
}

/// When a module may be sealed.
#[derive(Args, Debug)]
#[command(next_help_heading = "When it may be sealed")]
struct SealConditions {
    /// Also with members that nobody validated.
    #[arg(long)]
    unvalidated: bool,
    /// The least confidence of every member, from 0 to 1; 0.9 unless given.
    #[arg(long, value_name = "SHARE")]
    confidence: Option<Share>,
    /// The least share of expected attributes present, from 0 to 1; 0.8 unless given.
    #[arg(long, value_name = "SHARE")]
    completeness: Option<Share>,
    /// No change of the module in this many last submissions.
    #[arg(long, value_name = "N", default_value_t = 0)]
    stable_submissions: u32,
    /// No change of the module for this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    stable_seconds: u32,
    /// Seal as soon as the conditions hold.
    #[arg(long)]
    automatic: bool,
    /// The mode of automatic seals; soft unless given.
    #[arg(long, value_name = "MODE", requires = "automatic")]
    automatic_mode: Option<Mode>,
}

impl From<SealConditions> for SealPolicy {
    fn from(conditions: SealConditions) -> Self {
        Self {
            validated: conditions.unvalidated.then_some(false),
            confidence: conditions.confidence.map(|share| share.0),
            completeness: conditions.completeness.map(|share| share.0),
            stable_submissions: conditions.stable_submissions,
            stable_seconds: conditions.stable_seconds,
            automatic: conditions.automatic,
            automatic_mode: conditions
                .automatic_mode
                .map_or(0, |mode| SealMode::from(mode).into()),
        }
    }
}

impl Command {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        match self {
            Self::Declare(declare) => declare.run(session).await,
            Self::List => list(session).await,
        }
    }
}

impl Declare {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = DeclareModuleRequest {
            board: session.board()?,
            module: self.name,
            owners: self.owners,
            depends_on: self.depends_on,
            expected_attributes: self.expected_attributes,
            seal_policy: Some(self.seal.into()),
        };
        let module = session
            .boards()
            .await?
            .declare_module(request)
            .await?
            .into_inner();
        session.answer(&module, render::board::module)
    }
}

async fn list(session: &mut Session) -> Result<Answer, Failure> {
    let request = ListModulesRequest {
        board: session.board()?,
    };
    let modules = session
        .boards()
        .await?
        .list_modules(request)
        .await?
        .into_inner();
    session.answer(&modules, render::board::modules)
}
