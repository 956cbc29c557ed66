//! One assertion as it is handed in.

use pawl_ledger::claim::Claim;
use pawl_ledger::finding::Score;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde_json::value::RawValue;

use super::citation::{self, Citation};
use super::claim;
use super::reader::{Fields, Node, Reader};

/// An assertion as it is handed in, its parts valid by themselves; whether what it names exists is not looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What is asserted.
    pub content: String,
    /// Where it stands; at least one, unless it is an inference.
    pub citations: Vec<Citation>,
    /// How sure the author is, rounded to ten-thousandths.
    pub confidence: Score,
    /// The module it belongs to.
    pub module: Option<String>,
    /// 1 data point, 2 statement, 3 inference; 2 if nothing is said.
    pub level: u8,
    /// The kind, in the board's own words.
    pub kind: Option<String>,
    /// Why the author thinks so.
    pub rationale: Option<String>,
    /// What it is about.
    pub entities: Vec<String>,
    /// Labels.
    pub tags: Vec<String>,
    /// The structured part.
    pub claim: Option<Claim>,
    /// The revisions it rests on; at least one for an inference.
    pub supports: Vec<RevisionName>,
    /// The revision it takes the place of.
    pub replaces: Option<RevisionName>,
    /// The first day, month or year it holds for, in ISO 8601 form.
    pub valid_from: Option<String>,
    /// The last one.
    pub valid_to: Option<String>,
}

/// The name of a revision, as `a3@1`: the first revision of the third assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RevisionName {
    /// The assertion.
    pub assertion: u64,
    /// Its revision, counted from one.
    pub revision: u32,
}

impl RevisionName {
    /// Reads `a3@1`.
    pub fn parse(text: &str) -> Option<Self> {
        let (assertion, revision) = text.strip_prefix('a')?.split_once('@')?;
        let counted = |digits: &str| {
            !digits.starts_with('0')
                && digits.len() <= 18
                && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        if !counted(assertion) || !counted(revision) {
            return None;
        }
        Some(Self {
            assertion: assertion.parse().ok()?,
            revision: revision.parse().ok()?,
        })
    }
}

impl std::fmt::Display for RevisionName {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "a{}@{}", self.assertion, self.revision)
    }
}

const FIELDS: &[&str] = &[
    "content",
    "source",
    "quote",
    "prefix",
    "suffix",
    "locator",
    "citations",
    "confidence",
    "module",
    "level",
    "kind",
    "rationale",
    "entities",
    "tags",
    "claim",
    "supports",
    "replaces",
    "valid_from",
    "valid_to",
];

/// Reads the assertions of a document.
pub(super) fn read_all(reader: &mut Reader, document: &RawValue) -> Vec<Item> {
    let root = Node {
        pointer: String::new(),
        value: document,
    };
    let most = reader.limits.assertions;
    let Some(fields) = reader.object(&root, &["assertions"]) else {
        return Vec::new();
    };
    let list = fields.required(reader, "assertions", "a list of assertions");
    let items = list
        .and_then(|list| reader.array(&list, 1, most))
        .unwrap_or_default();
    // Every one is read, so that every problem is told.
    let items: Vec<_> = items.iter().map(|node| read(reader, node)).collect();
    items.into_iter().flatten().collect()
}

fn read(reader: &mut Reader, node: &Node<'_>) -> Option<Item> {
    let fields = reader.object(node, FIELDS)?;
    let limits = reader.limits;
    let content = fields.required(reader, "content", "the assertion, one sentence");
    let content = content.and_then(|node| reader.text(&node, limits.content));
    let level = match fields.optional("level") {
        Some(node) => reader
            .whole(&node, 1, 3)
            .and_then(|level| u8::try_from(level).ok()),
        None => Some(2),
    };
    let confidence = fields.required(reader, "confidence", "a number from 0 to 1");
    let confidence = confidence.and_then(|node| confidence_of(reader, &node));
    let citations = citation::read_all(reader, &fields);
    let supports = revisions(reader, &fields);
    rests_on_something(
        reader,
        &fields,
        level,
        !citations.is_empty(),
        !supports.is_empty(),
    );
    let (valid_from, valid_to) = validity(reader, &fields);
    let item = Item {
        content: content.unwrap_or_default(),
        citations,
        confidence: confidence.unwrap_or_default(),
        module: optional_name(reader, &fields, "module"),
        level: level.unwrap_or_default(),
        kind: optional_name(reader, &fields, "kind"),
        rationale: fields
            .optional("rationale")
            .and_then(|node| reader.text(&node, limits.rationale)),
        entities: names(reader, &fields, "entities"),
        tags: names(reader, &fields, "tags"),
        claim: fields
            .optional("claim")
            .and_then(|node| claim::read(reader, &node)),
        supports,
        replaces: fields
            .optional("replaces")
            .and_then(|node| revision(reader, &node)),
        valid_from,
        valid_to,
    };
    // Defaults stand only where a problem was noted, and then the whole document is refused.
    Some(item)
}

/// Reads a confidence and rounds it to ten-thousandths, half away from zero.
fn confidence_of(reader: &mut Reader, node: &Node<'_>) -> Option<Score> {
    let number = reader.number(node)?;
    if number < Decimal::ZERO || number > Decimal::ONE {
        let message = "the confidence is out of range; 1 is certain, 0.5 is even";
        reader.note(
            &node.pointer,
            message,
            "a number from 0 to 1",
            node.value.get(),
        );
        return None;
    }
    let rounded =
        (number * Decimal::from(Score::MAX.ten_thousandths()) + Decimal::new(5, 1)).trunc();
    rounded.to_u16().and_then(Score::new)
}

/// Notes an assertion that has nothing to rest on.
fn rests_on_something(
    reader: &mut Reader,
    fields: &Fields<'_>,
    level: Option<u8>,
    cited: bool,
    supported: bool,
) {
    let given = |name: &str| fields.optional(name).is_some();
    if level == Some(3) {
        if !supported && !given("supports") {
            let message = "an inference names what it rests on; add `supports`";
            reader.note(
                &fields.pointer,
                message,
                "`supports`: revisions such as `a3@1`",
                "no such field",
            );
        }
    } else if level.is_some()
        && !cited
        && !given("source")
        && !given("quote")
        && !given("citations")
    {
        let message = "an assertion says where it stands; add `source` and `quote`, or `citations`";
        reader.note(
            &fields.pointer,
            message,
            "`source` with `quote`, or `citations`",
            "no such field",
        );
    }
}

/// Reads from when to when it holds, and notes a span that ends before it starts.
fn validity(reader: &mut Reader, fields: &Fields<'_>) -> (Option<String>, Option<String>) {
    let mut day = |name: &str| {
        fields
            .optional(name)
            .and_then(|node| claim::date(reader, &node))
    };
    let (from, to) = (day("valid_from"), day("valid_to"));
    if let (Some(from), Some(to)) = (&from, &to)
        && from
            .bytes()
            .zip(to.bytes())
            .find(|(from, to)| from != to)
            .is_some_and(|(from, to)| from > to)
    {
        let message = format!("`valid_to` lies before `valid_from`, which is `{from}`");
        reader.note(
            &format!("{}/valid_to", fields.pointer),
            message,
            "a date not before `valid_from`",
            to,
        );
    }
    (from, to)
}

pub(super) fn optional_name(
    reader: &mut Reader,
    fields: &Fields<'_>,
    name: &str,
) -> Option<String> {
    fields.optional(name).and_then(|node| reader.name(&node))
}

fn names(reader: &mut Reader, fields: &Fields<'_>, list: &str) -> Vec<String> {
    let nodes = elements(reader, fields, list, 0);
    nodes.iter().filter_map(|node| reader.name(node)).collect()
}

fn revisions(reader: &mut Reader, fields: &Fields<'_>) -> Vec<RevisionName> {
    let nodes = elements(reader, fields, "supports", 1);
    nodes
        .iter()
        .filter_map(|node| revision(reader, node))
        .collect()
}

/// The elements of a list, none where the list is not there.
fn elements<'text>(
    reader: &mut Reader,
    fields: &Fields<'text>,
    list: &str,
    least: usize,
) -> Vec<Node<'text>> {
    let most = reader.limits.list;
    fields
        .optional(list)
        .and_then(|node| reader.array(&node, least, most))
        .unwrap_or_default()
}

fn revision(reader: &mut Reader, node: &Node<'_>) -> Option<RevisionName> {
    let text = reader.name(node)?;
    let name = RevisionName::parse(&text);
    if name.is_none() {
        let expected = "an assertion and its revision, such as `a3@1`";
        reader.note(&node.pointer, "this names no revision", expected, &text);
    }
    name
}
