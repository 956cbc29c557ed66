//! The snapshot graph in the language of Graphviz. What comes from a board is data: it stands in quoted
//! strings, in which quotes, backslashes and line breaks are escaped.

use std::fmt::Write as _;

use pawl_proto::v1::{SnapshotEdgeKind, SnapshotGraph, SnapshotNode};

use super::words;

/// Writes a graph with edges from each snapshot to those it came from, in the order of the log.
pub(crate) fn dot(graph: &SnapshotGraph) -> String {
    let mut out = String::from("digraph snapshots {\n  rankdir=BT;\n  node [shape=box];\n");
    for node in &graph.nodes {
        let style = if node.current { ", style=bold" } else { "" };
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "  {} [label={}{style}];",
            quoted(words::id(&node.name)),
            quoted(&label(node))
        );
    }
    for edge in &graph.edges {
        let style = match SnapshotEdgeKind::try_from(edge.kind).unwrap_or_default() {
            SnapshotEdgeKind::GoesBackTo => " [style=dashed, label=\"goes back to\"]",
            SnapshotEdgeKind::DependsOn => " [style=dotted, label=\"depends on\"]",
            SnapshotEdgeKind::Follows | SnapshotEdgeKind::Unspecified => "",
        };
        let (child, parent) = (words::id(&edge.child), words::id(&edge.parent));
        let _ = writeln!(out, "  {} -> {}{style};", quoted(child), quoted(parent));
    }
    if graph.left_out > 0 {
        let _ = writeln!(out, "  // {} older snapshots left out", graph.left_out);
    }
    out.push_str("}\n");
    out
}

fn label(node: &SnapshotNode) -> String {
    let members = match node.member_count {
        1 => "1 member".to_owned(),
        count => format!("{count} members"),
    };
    format!(
        "{} {}\n{}, {}, {members}\nby {} at {}",
        node.module,
        words::digest(&node.name),
        words::snapshot_cause(node.cause),
        words::seal_mode(node.mode),
        node.sealed_by,
        node.position
    )
}

/// A quoted string of the language, in which a backslash and a quote would be read.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            control if control.is_control() => {
                out.extend(control.escape_unicode().filter(|it| *it != '\\'))
            }
            plain => out.push(plain),
        }
    }
    out.push('"');
    out
}
