//! `pawl snapshots` and `pawl snapshot`

use clap::{Args, Subcommand, ValueEnum};
use pawl_proto::v1::{
    DiffSnapshotsRequest, GetSnapshotGraphRequest, GetSnapshotRequest, ListSnapshotsRequest,
    SnapshotRelation,
};

use super::{paging::Paging, resource::Resource};
use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Lists snapshots, shows one, or draws how they came from each other.
#[derive(Args, Debug)]
pub(crate) struct Snapshots {
    /// Show this one, or draw the graph around it: its id, at least the first 8 digits.
    snapshot: Option<Resource>,
    /// Of this module only.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true,
        conflicts_with = "graph"
    )]
    module: String,
    /// As they were after the board's first so many entries.
    #[arg(long, value_name = "POSITION", conflicts_with_all = ["snapshot", "graph"])]
    as_of: Option<u64>,
    /// Print the graph of all, or of what is around one, in this form.
    #[arg(long, value_name = "FORM")]
    graph: Option<Form>,
    /// Draw only what the snapshot came from, or what came from it.
    #[arg(long, requires = "graph", requires = "snapshot")]
    only: Option<Relation>,
}

/// How a graph is written.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// The language of Graphviz.
    Dot,
    /// Nodes and edges as JSON.
    Json,
}

/// How snapshots are related to one.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum Relation {
    /// It came from them.
    Ancestors,
    /// They came from it.
    Dependents,
}

/// Works with one snapshot or two.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Shows a snapshot with its members.
    Show(Show),
    /// Tells what changed from one snapshot of a module to another.
    Diff(Diff),
}

/// Shows a snapshot with its members.
#[derive(Args, Debug)]
pub(crate) struct Show {
    /// Its id, at least the first 8 digits.
    snapshot: Resource,
}

/// Tells what changed from one snapshot of a module to another.
#[derive(Args, Debug)]
pub(crate) struct Diff {
    /// The one to compare from.
    from: Resource,
    /// The one to compare to.
    to: Resource,
    #[command(flatten)]
    paging: Paging,
}

impl Snapshots {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        if let Some(form) = self.graph {
            return self.draw(session, form).await;
        }
        if let Some(snapshot) = self.snapshot {
            return Show { snapshot }.run(session).await;
        }
        let request = ListSnapshotsRequest {
            board: session.board()?,
            module: self.module,
            as_of: self.as_of,
        };
        let mut client = session.seals().await?;
        let snapshots = client.list_snapshots(request).await?.into_inner();
        session.answer(&snapshots, render::snapshot::snapshots)
    }

    async fn draw(self, session: &mut Session, form: Form) -> Result<Answer, Failure> {
        let (board, snapshot) = match self.snapshot {
            Some(snapshot) => (snapshot.board(session)?, snapshot.id),
            None => (session.board()?, String::new()),
        };
        let relation = match self.only {
            Some(Relation::Ancestors) => SnapshotRelation::Ancestors,
            Some(Relation::Dependents) => SnapshotRelation::Dependents,
            None => SnapshotRelation::Unspecified,
        };
        let request = GetSnapshotGraphRequest {
            board,
            snapshot,
            relation: relation.into(),
        };
        let mut client = session.seals().await?;
        let graph = client.get_snapshot_graph(request).await?.into_inner();
        if form == Form::Json {
            session.output.use_json();
        }
        let dot = |graph: &_, _| render::snapshot_graph::dot(graph);
        session.answer(&graph, dot)
    }
}

impl Command {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        match self {
            Self::Show(command) => command.run(session).await,
            Self::Diff(command) => command.run(session).await,
        }
    }
}

impl Show {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = GetSnapshotRequest {
            board: self.snapshot.board(session)?,
            snapshot: self.snapshot.id,
        };
        let mut client = session.seals().await?;
        let snapshot = client.get_snapshot(request).await?.into_inner();
        session.answer(&snapshot, render::snapshot::snapshot)
    }
}

impl Diff {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let board = self.from.board(session)?;
        let mut request = DiffSnapshotsRequest {
            to: self.to.id_on(&board)?,
            from: self.from.id,
            board,
            page_size: self.paging.size(),
            page_token: self.paging.first(),
        };
        let mut client = session.seals().await?;
        let mut difference = client.diff_snapshots(request.clone()).await?.into_inner();
        while let Some(next) = self.paging.after(&difference.next_page_token) {
            request.page_token = next;
            let page = client.diff_snapshots(request.clone()).await?.into_inner();
            difference.changes.extend(page.changes);
            difference.next_page_token = page.next_page_token;
        }
        session.answer(&difference, render::snapshot::difference)
    }
}
