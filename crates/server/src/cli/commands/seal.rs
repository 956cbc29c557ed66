//! `pawl seal` and `pawl snapshots`

use clap::{ArgGroup, Args};
use pawl_proto::v1::{GetSnapshotRequest, ListSnapshotsRequest, SealMode, SealRequest};

use super::{reason::Repeat, resource::Resource, words::Mode};
use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Locks a module, or one assertion.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("sealed").required(true))]
pub(crate) struct Seal {
    /// The module to seal as a whole.
    #[arg(group = "sealed")]
    module: Option<String>,
    /// The one revision to seal instead, `a3@1`.
    #[arg(long, value_name = "REVISION", group = "sealed")]
    assertion: Option<Resource>,
    /// How firmly it holds; hard unless given.
    #[arg(long)]
    mode: Option<Mode>,
    /// Answer with the figures only, write nothing.
    #[arg(long)]
    validate_only: bool,
    #[command(flatten)]
    repeat: Repeat,
}

/// Lists snapshots, or shows one.
#[derive(Args, Debug)]
pub(crate) struct Snapshots {
    /// Show this one: its id, at least the first 8 digits.
    snapshot: Option<Resource>,
    /// Of this module only.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    module: String,
    /// As they were after the board's first so many entries.
    #[arg(long, value_name = "POSITION", conflicts_with = "snapshot")]
    as_of: Option<u64>,
}

impl Seal {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let (board, assertion) = match self.assertion {
            Some(assertion) => (assertion.board(session)?, assertion.id),
            None => (session.board()?, String::new()),
        };
        let request = SealRequest {
            board,
            module: self.module.unwrap_or_default(),
            assertion,
            mode: self.mode.map_or(0, |mode| SealMode::from(mode).into()),
            validate_only: self.validate_only,
            request_id: self.repeat.request_id,
        };
        let snapshot = session.seals().await?.seal(request).await?.into_inner();
        session
            .output
            .message(&snapshot, render::snapshot::snapshot)?;
        Ok(Answer::Yes)
    }
}

impl Snapshots {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let mut client = session.seals().await?;
        if let Some(snapshot) = self.snapshot {
            let board = snapshot.board(session)?;
            let request = GetSnapshotRequest {
                board,
                snapshot: snapshot.id,
            };
            let snapshot = client.get_snapshot(request).await?.into_inner();
            session
                .output
                .message(&snapshot, render::snapshot::snapshot)?;
        } else {
            let request = ListSnapshotsRequest {
                board: session.board()?,
                module: self.module,
                as_of: self.as_of,
            };
            let snapshots = client.list_snapshots(request).await?.into_inner();
            session
                .output
                .message(&snapshots, render::snapshot::snapshots)?;
        }
        Ok(Answer::Yes)
    }
}
