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
                out.extend(control.escape_unicode().filter(|it| *it != '\\'));
            }
            plain => out.push(plain),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use pawl_proto::v1::{SealMode, SnapshotCause, SnapshotEdge};

    use super::*;

    fn name(digit: char) -> String {
        format!("boards/energy/snapshots/{}", String::from(digit).repeat(64))
    }

    fn node(digit: char, module: &str, cause: SnapshotCause, current: bool) -> SnapshotNode {
        SnapshotNode {
            name: name(digit),
            module: module.to_owned(),
            cause: cause.into(),
            mode: SealMode::Hard.into(),
            member_count: 2,
            sealed_by: "cleo".to_owned(),
            create_time: None,
            position: 7,
            current,
        }
    }

    fn edge(child: char, parent: char, kind: SnapshotEdgeKind) -> SnapshotEdge {
        SnapshotEdge {
            child: name(child),
            parent: name(parent),
            kind: kind.into(),
        }
    }

    fn graph(module: &str) -> SnapshotGraph {
        SnapshotGraph {
            nodes: vec![
                node('a', module, SnapshotCause::Seal, false),
                node('b', module, SnapshotCause::Amendment, false),
                node('c', module, SnapshotCause::Rollback, true),
                node('d', "outlook", SnapshotCause::Seal, true),
            ],
            edges: vec![
                edge('b', 'a', SnapshotEdgeKind::Follows),
                edge('c', 'b', SnapshotEdgeKind::Follows),
                edge('c', 'a', SnapshotEdgeKind::GoesBackTo),
                edge('d', 'c', SnapshotEdgeKind::DependsOn),
            ],
            left_out: 3,
        }
    }

    /// The tokens of a text by the grammar of the language: quoted strings, in which a backslash and a
    /// quote are a quote and nothing else is special; names; comments to the end of the line.
    fn tokens(text: &str) -> Vec<String> {
        let mut rest = text;
        let mut all = Vec::new();
        while let Some(first) = rest.chars().next() {
            let length = if first == '"' {
                let mut escaped = false;
                let end = rest.char_indices().skip(1).find(|(_, it)| {
                    let ends = *it == '"' && !escaped;
                    escaped = *it == '\\' && !escaped;
                    ends
                });
                end.expect("a string ends").0 + 1
            } else if first.is_alphanumeric() {
                rest.find(|it: char| !it.is_alphanumeric())
                    .unwrap_or(rest.len())
            } else if rest.starts_with("->") {
                2
            } else if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else {
                first.len_utf8()
            };
            let (token, after) = rest.split_at(length);
            if !token.trim().is_empty() && !token.starts_with("//") {
                all.push(token.to_owned());
            }
            rest = after;
        }
        all
    }

    #[test]
    fn a_graph_is_drawn_in_the_order_of_the_log() {
        insta::assert_snapshot!(dot(&graph("supply")));
    }

    #[test]
    fn what_comes_from_a_board_stays_in_its_string() {
        let harmless = tokens(&dot(&graph("supply")));
        for module in [
            "\"];x->y;\"",
            "a\\",
            "\\\"",
            "a\nb",
            "// no",
            "\u{7}\u{202e}",
            "供应",
        ] {
            let told = tokens(&dot(&graph(module)));
            assert_eq!(
                told.len(),
                harmless.len(),
                "{module:?} became more than a label"
            );
            let arrows = told.iter().filter(|it| *it == "->").count();
            assert_eq!(arrows, 4, "{module:?}");
        }
    }
}
