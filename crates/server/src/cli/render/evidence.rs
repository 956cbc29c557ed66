//! Everything a revision rests on, as a tree down to the quotes.

use std::collections::{HashMap, HashSet};

use pawl_proto::v1::{Assertion, Draft, EvidenceNode, GetEvidenceResponse};

use super::{
    assertion::{citation, marks},
    words,
};
use crate::cli::{output::Page, text, tone::Tone};

pub(crate) fn evidence(answer: &GetEvidenceResponse, page: Page) -> String {
    let mut tree = Tree {
        nodes: answer
            .nodes
            .iter()
            .filter_map(|node| Some((id_of(node)?, node)))
            .collect(),
        shown: HashSet::new(),
        page,
        out: String::new(),
    };
    if let Some(root) = answer.nodes.first().and_then(id_of) {
        tree.grow(root);
    }
    tree.out
}

struct Tree<'a> {
    nodes: HashMap<&'a str, &'a EvidenceNode>,
    shown: HashSet<&'a str>,
    page: Page,
    out: String,
}

/// A line of the tree that is still to be drawn.
struct Branch<'a> {
    id: &'a str,
    /// What stands before the branch itself.
    before: String,
    /// What stands before the lines under it.
    under: String,
}

impl<'a> Tree<'a> {
    /// Draws depth first, with a list of branches to come instead of the call stack.
    fn grow(&mut self, root: &'a str) {
        let mut branches = vec![Branch {
            id: root,
            before: String::new(),
            under: String::new(),
        }];
        while let Some(branch) = branches.pop() {
            let Some(node) = self.nodes.get(branch.id).copied() else {
                self.line(&branch, &format!("{} (not in this answer)", branch.id));
                continue;
            };
            if !self.shown.insert(branch.id) {
                self.line(&branch, &format!("{} (as above)", branch.id));
                continue;
            }
            let supports = supports(node);
            self.node(&branch, node, !supports.is_empty());
            let last = supports.len().saturating_sub(1);
            branches.extend(supports.iter().enumerate().rev().map(|(number, id)| {
                let (corner, line) = if number == last {
                    ("└─ ", "   ")
                } else {
                    ("├─ ", "│  ")
                };
                Branch {
                    id: words::id(id),
                    before: format!("{}{corner}", branch.under),
                    under: format!("{}{line}", branch.under),
                }
            }));
        }
    }

    fn line(&mut self, branch: &Branch<'_>, text: &str) {
        self.out.push_str(&format!("{}{text}\n", branch.before));
    }

    fn node(&mut self, branch: &Branch<'_>, node: &EvidenceNode, has_supports: bool) {
        let empty = Assertion::default();
        let assertion = node.assertion.as_ref().unwrap_or(&empty);
        let (status, tone) = words::status(assertion.status);
        let author = format!("by {},", assertion.principal);
        let mut heading = format!(
            "{} {} {}",
            Tone::Strong.paint(branch.id),
            Tone::Faint.paint(author),
            tone.paint(status)
        );
        let marks = marks(assertion);
        if !marks.is_empty() {
            heading.push_str(&format!(" {}", Tone::Warning.paint(marks)));
        }
        self.line(branch, &heading);

        let indent = format!(
            "{}{}",
            branch.under,
            if has_supports { "│  " } else { "   " }
        );
        let draft = assertion.draft.clone().unwrap_or_default();
        self.indented(
            &indent,
            &text::wrapped("", &draft.content, self.room(&indent)),
        );
        self.quotes(&indent, &draft);
        if !node.validation.is_empty() {
            let read = format!("validated by {} on", assertion.validated_by);
            self.indented(&indent, &format!("{}\n", Tone::Good.paint(read)));
            for one in &node.validation {
                self.indented(&indent, &citation("  ", one, self.page));
            }
        }
    }

    fn quotes(&mut self, indent: &str, draft: &Draft) {
        for one in &draft.citations {
            self.indented(indent, &citation("", one, self.page));
        }
    }

    fn indented(&mut self, indent: &str, text: &str) {
        for line in text.lines() {
            self.out.push_str(&format!("{indent}{line}\n"));
        }
    }

    fn room(&self, indent: &str) -> usize {
        self.page.text_width().saturating_sub(text::columns(indent))
    }
}

fn id_of(node: &EvidenceNode) -> Option<&str> {
    node.assertion
        .as_ref()
        .map(|assertion| words::id(&assertion.name))
}

fn supports(node: &EvidenceNode) -> &[String] {
    node.assertion
        .as_ref()
        .and_then(|assertion| assertion.draft.as_ref())
        .map(|draft| draft.supports.as_slice())
        .unwrap_or_default()
}
