//! Reads values and gathers problems: whatever is wrong is noted, and reading goes on.

use std::collections::HashSet;
use std::fmt::Display;

use serde_json::value::RawValue;

use super::names::nearest_name;
use super::problem::{MOST_TOLD, Problem, Problems};
use super::{Intake, Item, Limits, Notice};
use crate::hygiene;
use crate::raw_json::{Opened, open, pointer};

/// Gathers the problems of one document.
pub(super) struct Reader {
    pub(super) limits: Limits,
    /// The first problems; the rest are only counted.
    problems: Vec<Problem>,
    more: usize,
    notices: Vec<Notice>,
}

/// A value with the place it stands at.
#[derive(Clone, Debug)]
pub(super) struct Node<'text> {
    pub(super) pointer: String,
    pub(super) value: &'text RawValue,
}

/// The members of an object whose names are all known.
#[derive(Debug)]
pub(super) struct Fields<'text> {
    pub(super) pointer: String,
    pub(super) members: Vec<(String, &'text RawValue)>,
}

impl<'text> Fields<'text> {
    /// A member, if it is there.
    pub(super) fn optional(&self, name: &str) -> Option<Node<'text>> {
        let (_, value) = self.members.iter().find(|(member, _)| member == name)?;
        Some(Node {
            pointer: pointer(&self.pointer, name),
            value,
        })
    }

    /// A member that must be there.
    pub(super) fn required(
        &self,
        reader: &mut Reader,
        name: &str,
        expected: &str,
    ) -> Option<Node<'text>> {
        let node = self.optional(name);
        if node.is_none() {
            let message = format!("the field `{name}` is missing; add it");
            reader.note(&self.pointer, message, expected, "no such field");
        }
        node
    }
}

impl Reader {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            problems: Vec::new(),
            more: 0,
            notices: Vec::new(),
        }
    }

    /// Gives what was read if nothing was wrong.
    pub(super) fn finish(mut self, items: Vec<Item>) -> Result<Intake, Problems> {
        if self.problems.is_empty() {
            return Ok(Intake {
                items,
                notices: self.notices,
            });
        }
        let more = self.more;
        if more > 0
            && let Some(last) = self.problems.last_mut()
        {
            last.message = format!("{}; and {more} more problems after this one", last.message);
        }
        Err(Problems(self.problems))
    }

    /// Notes a problem; one more than is told is only counted.
    pub(super) fn note(
        &mut self,
        pointer: &str,
        message: impl Into<String>,
        expected: impl Into<String>,
        got: &str,
    ) {
        if self.is_full() {
            self.more += 1;
        } else {
            self.problems
                .push(Problem::new(pointer, message, expected, got));
        }
    }

    /// Whether as many problems are noted as are told.
    fn is_full(&self) -> bool {
        self.problems.len() >= MOST_TOLD
    }

    /// Reads an object of which all names are known; those that are not are noted and left out.
    pub(super) fn object<'text>(
        &mut self,
        node: &Node<'text>,
        known: &[&str],
    ) -> Option<Fields<'text>> {
        let members = self.members(node)?;
        let mut fields = Fields {
            pointer: node.pointer.clone(),
            members: Vec::new(),
        };
        for (name, value) in members {
            if known.contains(&name.as_str()) {
                fields.members.push((name, value));
            } else if self.is_full() {
                // Looking for the name that was meant costs more than all the rest, and nobody would read it.
                self.more += 1;
            } else {
                let hint = nearest_name(&name, known).map_or_else(
                    || "leave it out".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                );
                let message = format!("the field `{name}` is not known; {hint}");
                let expected = format!("one of `{}`", known.join("`, `"));
                self.note(&pointer(&node.pointer, &name), message, expected, &name);
            }
        }
        Some(fields)
    }

    /// Reads an object of any names, each of which may stand once.
    pub(super) fn members<'text>(
        &mut self,
        node: &Node<'text>,
    ) -> Option<Vec<(String, &'text RawValue)>> {
        let Opened::Object(members) = self.open(node, "object")? else {
            return None;
        };
        let mut seen = HashSet::with_capacity(members.len());
        let repeats: Vec<bool> = members
            .iter()
            .map(|(name, _)| !seen.insert(name.as_str()))
            .collect();
        let mut once: Vec<(String, &RawValue)> = Vec::with_capacity(members.len());
        for ((name, value), repeats) in members.into_iter().zip(repeats) {
            if repeats {
                let message = format!("the field `{name}` stands twice; keep one");
                self.note(
                    &pointer(&node.pointer, &name),
                    message,
                    "each field once",
                    value.get(),
                );
            } else {
                once.push((name, value));
            }
        }
        Some(once)
    }

    /// Reads an array of at least and at most so many elements.
    pub(super) fn array<'text>(
        &mut self,
        node: &Node<'text>,
        least: usize,
        most: usize,
    ) -> Option<Vec<Node<'text>>> {
        let Opened::Array(elements) = self.open(node, "array")? else {
            return None;
        };
        let count = elements.len();
        if count < least || count > most {
            let message = if count < least {
                "the list has too few members"
            } else {
                "the list has too many members"
            };
            let expected = format!("{least} to {most} members");
            self.note(
                &node.pointer,
                message,
                expected,
                &format!("{count} members"),
            );
            // An over-long list is not read on: its length is what must be mended first.
            return None;
        }
        let numbered = elements.into_iter().enumerate();
        let at = |number: usize| pointer(&node.pointer, &number.to_string());
        Some(
            numbered
                .map(|(number, value)| Node {
                    pointer: at(number),
                    value,
                })
                .collect(),
        )
    }

    /// Reads a text that says something, of at most so many characters, without what hides in it.
    pub(super) fn text(&mut self, node: &Node<'_>, most: usize) -> Option<String> {
        let text = self.verbatim(node, most)?;
        match hygiene::accept(&text, most) {
            Ok(accepted) => {
                if !accepted.stripped.is_empty() {
                    self.notices.push(Notice {
                        pointer: node.pointer.clone(),
                        stripped: accepted.stripped,
                    });
                }
                self.said(node, accepted.text)
            }
            Err(error) => self.refuse(node, error, "text without control characters"),
        }
    }

    /// Reads a name: a text of one line.
    pub(super) fn name(&mut self, node: &Node<'_>) -> Option<String> {
        let name = self.text(node, self.limits.name)?;
        if name.contains(['\n', '\t']) {
            let message = "a name stands on one line; take the line breaks and tabs out";
            self.note(&node.pointer, message, "a text of one line", &name);
            return None;
        }
        Some(name)
    }

    /// Reads a text that must stay as it is, since it is compared with another one.
    pub(super) fn quote(&mut self, node: &Node<'_>, most: usize) -> Option<String> {
        let text = self.verbatim(node, most)?;
        match hygiene::accept(&text, most) {
            Ok(_) => self.said(node, text),
            Err(error) => self.refuse(node, error, "text without control characters"),
        }
    }

    fn verbatim(&mut self, node: &Node<'_>, most: usize) -> Option<String> {
        let Opened::Text(text) = self.open(node, "string")? else {
            return None;
        };
        let length = text.chars().count();
        if length > most {
            let message = "the text is too long; shorten it";
            self.note(
                &node.pointer,
                message,
                format!("at most {most} characters"),
                &format!("{length} characters"),
            );
            return None;
        }
        Some(text)
    }

    fn said(&mut self, node: &Node<'_>, text: String) -> Option<String> {
        if text.trim().is_empty() {
            let message = "the text says nothing; write it, or leave the field out if it may be";
            self.note(&node.pointer, message, "a text that is not blank", &text);
            return None;
        }
        Some(text)
    }

    fn refuse<T>(&mut self, node: &Node<'_>, error: impl Display, expected: &str) -> Option<T> {
        self.note(&node.pointer, error.to_string(), expected, node.value.get());
        None
    }

    /// Opens a value that must be of one kind.
    pub(super) fn open<'text>(&mut self, node: &Node<'text>, kind: &str) -> Option<Opened<'text>> {
        match open(node.value) {
            Ok(opened) if opened.kind() == kind => Some(opened),
            Ok(opened) => {
                let message = match opened {
                    Opened::Null => "the field has no value; leave it out, or give one".to_owned(),
                    _ => format!("this is of the wrong type: `{}`", opened.kind()),
                };
                self.note(&node.pointer, message, kind, node.value.get());
                None
            }
            Err(error) => self.refuse(
                node,
                format!("this text has escapes that are no characters: {error}"),
                kind,
            ),
        }
    }
}
