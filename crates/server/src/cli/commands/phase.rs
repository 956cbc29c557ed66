//! `pawl phase`

use clap::{Args, Subcommand};
use pawl_proto::v1::{
    self as proto, DeclarePhasesRequest, EnterPhaseRequest, ListPhasesRequest, Phase,
};

use super::words::{Kind, Level, Role};
use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Divides a board's work into phases, and moves it on.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Declares a phase: after the others, or anew where it stands.
    Declare(Declare),
    /// Takes a phase out, but not the one the board is in; the last one ends them all.
    Drop(Drop),
    /// Lists the phases, and says what stands in the way of leaving the present one.
    List,
    /// Moves the board on to the next phase.
    Advance(Advance),
    /// Moves the board back to an earlier phase.
    Back(Back),
}

/// Declares a phase.
#[derive(Args, Debug)]
pub(crate) struct Declare {
    /// The phase: 1–63 of `a–z 0–9 - _`, a letter first.
    name: String,
    /// A level that may be submitted; all unless given.
    #[arg(long = "level", value_name = "LEVEL", value_delimiter = ',')]
    levels: Vec<Level>,
    /// A kind that may be submitted; all unless given.
    #[arg(long = "kind", value_name = "KIND", value_delimiter = ',')]
    kinds: Vec<Kind>,
    /// A module that may be submitted to; all unless given.
    #[arg(long = "module", value_name = "MODULE", value_delimiter = ',')]
    modules: Vec<String>,
    /// A role that may move the board on from it.
    #[arg(long = "mover-role", value_name = "ROLE", value_delimiter = ',')]
    mover_roles: Vec<Role>,
    /// A principal that may; operators and arbiters unless a role or a principal is given.
    #[arg(long = "mover", value_name = "PRINCIPAL", value_delimiter = ',')]
    movers: Vec<String>,
    /// A module that has to be sealed before the board is moved on.
    #[arg(long = "sealed", value_name = "MODULE", value_delimiter = ',')]
    sealed: Vec<String>,
    /// No conflict may be open then.
    #[arg(long)]
    no_open_conflicts: bool,
    /// No flag may be open then.
    #[arg(long)]
    no_open_flags: bool,
}

/// Takes a phase out.
#[derive(Args, Debug)]
pub(crate) struct Drop {
    /// The phase.
    name: String,
}

/// Moves the board on.
#[derive(Args, Debug)]
pub(crate) struct Advance {
    /// The phase that comes next; given, nothing happens where another moved the board on already.
    name: Option<String>,
    /// Why.
    #[arg(long, default_value = "", hide_default_value = true)]
    reason: String,
}

/// Moves the board back.
#[derive(Args, Debug)]
pub(crate) struct Back {
    /// The earlier phase.
    name: String,
    /// Why.
    #[arg(long)]
    reason: String,
}

impl Command {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        match self {
            Self::Declare(declare) => declare.run(session).await,
            Self::Drop(drop) => drop.run(session).await,
            Self::List => {
                let phases = phases(session).await?;
                tell(session, phases)
            }
            Self::Advance(advance) => advance.run(session).await,
            Self::Back(back) => enter(session, back.name, back.reason).await,
        }
    }
}

impl Declare {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let phase = self.phase();
        let mut phases = phases(session).await?;
        match phases.iter_mut().find(|it| it.phase == phase.phase) {
            Some(before) => *before = phase,
            None => phases.push(phase),
        }
        declare(session, phases).await
    }

    fn phase(self) -> Phase {
        let levels = self.levels.into_iter().map(proto::Level::from);
        let kinds = self.kinds.into_iter().map(proto::Kind::from);
        let roles = self.mover_roles.into_iter().map(proto::Role::from);
        Phase {
            phase: self.name,
            levels: levels.map(i32::from).collect(),
            kinds: kinds.map(i32::from).collect(),
            modules: self.modules,
            mover_roles: roles.map(i32::from).collect(),
            movers: self.movers,
            sealed: self.sealed,
            no_open_conflicts: self.no_open_conflicts,
            no_open_flags: self.no_open_flags,
            ..Phase::default()
        }
    }
}

impl Drop {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let mut phases = phases(session).await?;
        let count = phases.len();
        phases.retain(|it| it.phase != self.name);
        if phases.len() == count {
            return Err(Failure::Usage(format!(
                "the board has no phase `{}`; see `pawl phase list`",
                self.name
            )));
        }
        declare(session, phases).await
    }
}

impl Advance {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let next = match self.name {
            Some(name) => name,
            None => next(&phases(session).await?)?,
        };
        enter(session, next, self.reason).await
    }
}

/// The phase after the one the board is in.
fn next(phases: &[Phase]) -> Result<String, Failure> {
    let mut rest = phases.iter().skip_while(|it| !it.current);
    let current = rest.next().ok_or_else(|| {
        Failure::Usage("the board has no phases; declare one with `pawl phase declare NAME`".into())
    })?;
    rest.next().map(|it| it.phase.clone()).ok_or_else(|| {
        Failure::Usage(format!(
            "`{}` is the last phase; declare another with `pawl phase declare NAME`",
            current.phase
        ))
    })
}

async fn phases(session: &mut Session) -> Result<Vec<Phase>, Failure> {
    let board = session.board()?;
    let mut client = session.boards().await?;
    let list = client.list_phases(ListPhasesRequest { board }).await?;
    Ok(list.into_inner().phases)
}

async fn declare(session: &mut Session, phases: Vec<Phase>) -> Result<Answer, Failure> {
    let board = session.board()?;
    let mut client = session.boards().await?;
    let request = DeclarePhasesRequest { board, phases };
    let list = client.declare_phases(request).await?;
    tell(session, list.into_inner().phases)
}

async fn enter(session: &mut Session, phase: String, reason: String) -> Result<Answer, Failure> {
    let request = EnterPhaseRequest {
        board: session.board()?,
        phase,
        reason,
    };
    let list = session.boards().await?.enter_phase(request).await?;
    tell(session, list.into_inner().phases)
}

fn tell(session: &mut Session, phases: Vec<Phase>) -> Result<Answer, Failure> {
    let list = proto::ListPhasesResponse { phases };
    session.answer(&list, render::phase::phases)
}
