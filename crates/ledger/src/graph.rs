//! The two graphs of a board: what rests on what, and which snapshot came from which.

mod difference;

pub use difference::{Difference, difference};

use std::collections::BTreeSet;

use petgraph::{
    Direction,
    graph::{DiGraph, NodeIndex},
    graphmap::DiGraphMap,
    visit::{Bfs, Dfs, Reversed},
};
use serde::{Deserialize, Serialize};

use crate::{
    digest::Digest,
    id::{ModuleName, RevisionId},
    snapshot::Snapshot,
};

/// Edges from a support to what rests on it. Acyclic: `decide` refuses what would close a cycle.
#[derive(Clone, Debug, Default)]
pub struct SupportGraph(DiGraphMap<RevisionId, ()>);

impl PartialEq for SupportGraph {
    fn eq(&self, other: &Self) -> bool {
        let edges = |graph: &Self| -> BTreeSet<(RevisionId, RevisionId)> {
            graph
                .0
                .all_edges()
                .map(|(from, to, ())| (from, to))
                .collect()
        };
        edges(self) == edges(other)
    }
}

impl SupportGraph {
    /// Puts the supports of a dependent in the place of its old ones.
    pub fn set(&mut self, dependent: RevisionId, old: &[RevisionId], new: &[RevisionId]) {
        for support in old {
            self.0.remove_edge(*support, dependent);
        }
        for support in new {
            self.0.add_edge(*support, dependent, ());
        }
    }

    /// What rests directly on a revision, in order.
    pub fn dependents(&self, revision: RevisionId) -> Vec<RevisionId> {
        let mut dependents: Vec<RevisionId> = self
            .0
            .neighbors_directed(revision, Direction::Outgoing)
            .collect();
        dependents.sort_unstable();
        dependents
    }

    /// What rests on a revision, directly or not.
    pub fn all_dependents(&self, revision: RevisionId) -> BTreeSet<RevisionId> {
        let mut found = BTreeSet::new();
        if self.0.contains_node(revision) {
            let mut search = Dfs::new(&self.0, revision);
            while let Some(node) = search.next(&self.0) {
                found.insert(node);
            }
            found.remove(&revision);
        }
        found
    }
}

/// The snapshots of a board with edges from each to its parents.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SnapshotGraph {
    nodes: Vec<SnapshotNode>,
    #[serde(skip)]
    graph: DiGraph<Digest, ()>,
    #[serde(skip)]
    places: std::collections::BTreeMap<Digest, usize>,
}

/// A snapshot with its id and members.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotNode {
    /// The digest of the snapshot's bytes as written.
    pub id: Digest,
    /// The snapshot.
    pub snapshot: Snapshot,
    /// What it holds, in order.
    pub members: Vec<RevisionId>,
}

impl PartialEq for SnapshotGraph {
    fn eq(&self, other: &Self) -> bool {
        self.nodes == other.nodes
    }
}

impl SnapshotGraph {
    /// Adds a snapshot, whose parents are there already.
    pub fn add(&mut self, node: SnapshotNode) {
        self.link(&node, self.nodes.len());
        self.nodes.push(node);
    }

    /// Every snapshot in the order they were made.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &SnapshotNode> {
        self.nodes.iter()
    }

    /// A snapshot by its id.
    pub fn get(&self, id: &Digest) -> Option<&SnapshotNode> {
        self.nodes.get(*self.places.get(id)?)
    }

    /// The snapshots whose id starts with these hexadecimal digits.
    pub fn with_prefix(&self, digits: &str) -> Vec<&SnapshotNode> {
        self.nodes
            .iter()
            .filter(|node| node.id.to_string().starts_with(digits))
            .collect()
    }

    /// The snapshots of a module in the order they were made.
    pub fn of_module(&self, module: &ModuleName) -> impl Iterator<Item = &SnapshotNode> {
        self.nodes
            .iter()
            .filter(move |node| node.snapshot.module == *module)
    }

    /// What a snapshot came from, directly or not, nearest first.
    pub fn ancestors(&self, id: &Digest) -> Vec<Digest> {
        let Some(start) = self.places.get(id) else {
            return Vec::new();
        };
        let mut search = Bfs::new(&self.graph, NodeIndex::new(*start));
        let found = std::iter::from_fn(|| search.next(&self.graph));
        found
            .skip(1)
            .filter_map(|node| self.graph.node_weight(node).copied())
            .collect()
    }

    /// What came from a snapshot, directly or not, nearest first.
    pub fn descendants(&self, id: &Digest) -> Vec<Digest> {
        let Some(start) = self.places.get(id) else {
            return Vec::new();
        };
        let reversed = Reversed(&self.graph);
        let mut search = Bfs::new(reversed, NodeIndex::new(*start));
        let found = std::iter::from_fn(|| search.next(reversed));
        found
            .skip(1)
            .filter_map(|node| self.graph.node_weight(node).copied())
            .collect()
    }

    pub(crate) fn rebuild(&mut self) {
        self.graph = DiGraph::new();
        self.places.clear();
        for (place, node) in std::mem::take(&mut self.nodes).into_iter().enumerate() {
            self.link(&node, place);
            self.nodes.push(node);
        }
    }

    fn link(&mut self, node: &SnapshotNode, place: usize) {
        let child = self.graph.add_node(node.id);
        self.places.insert(node.id, place);
        for parent in &node.snapshot.parents {
            if let Some(parent) = self.places.get(parent) {
                self.graph.add_edge(child, NodeIndex::new(*parent), ());
            }
        }
    }
}
