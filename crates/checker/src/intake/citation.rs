//! Where an assertion stands.

use super::reader::{Fields, Node, Reader};
use crate::quote::{Column, Locator, TextQuote};

/// A pointer into a source with a quote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The source: its id, digest, or registered URI.
    pub source: String,
    /// The words that show the assertion.
    pub quote: TextQuote,
    /// Where in the source they stand.
    pub locator: Option<Locator>,
}

const FIELDS: &[&str] = &["source", "quote", "prefix", "suffix", "locator"];

/// Reads the citations of an assertion: one beside its content, or a list of them.
pub(super) fn read_all(reader: &mut Reader, fields: &Fields<'_>) -> Vec<Citation> {
    let beside = FIELDS.iter().find(|name| fields.optional(name).is_some());
    let Some(list) = fields.optional("citations") else {
        return beside
            .and_then(|_| citation(reader, fields))
            .into_iter()
            .collect();
    };
    if let Some(name) = beside {
        let message =
            format!("both `citations` and `{name}` are given; move all of it into `citations`");
        reader.note(
            &fields.pointer,
            message,
            "either `citations` or `source` with `quote`",
            name,
        );
    }
    let most = reader.limits.list;
    let nodes = reader.array(&list, 1, most).unwrap_or_default();
    let citations: Vec<_> = nodes.iter().map(|node| read(reader, node)).collect();
    citations.into_iter().flatten().collect()
}

fn read(reader: &mut Reader, node: &Node<'_>) -> Option<Citation> {
    let fields = reader.object(node, FIELDS)?;
    citation(reader, &fields)
}

fn citation(reader: &mut Reader, fields: &Fields<'_>) -> Option<Citation> {
    let limits = reader.limits;
    let source = fields.required(
        reader,
        "source",
        "the id, digest or URI of a registered source",
    );
    let source = source.and_then(|node| reader.name(&node));
    let quote = fields.required(
        reader,
        "quote",
        "the words of the source that show the assertion",
    );
    let quote = quote.and_then(|node| reader.quote(&node, limits.quote));
    let mut around = |name: &str| match fields.optional(name) {
        Some(node) => reader.quote(&node, limits.quote),
        None => Some(String::new()),
    };
    let (prefix, suffix) = (around("prefix"), around("suffix"));
    let locator = match fields.optional("locator") {
        Some(node) => locator(reader, &node).map(Some),
        None => Some(None),
    };
    let quote = TextQuote::new(quote?, prefix?, suffix?).ok()?;
    Some(Citation {
        source: source?,
        quote,
        locator: locator?,
    })
}

const LOCATORS: &[&str] = &["page", "line", "section", "pointer", "cell", "characters"];

fn locator(reader: &mut Reader, node: &Node<'_>) -> Option<Locator> {
    let (name, value) = one_of(reader, node, LOCATORS)?;
    match name.as_str() {
        "page" => reader.whole(&value, 1, u32::MAX).map(Locator::Page),
        "line" => {
            let (first, last) = span(reader, &value, ["first", "last"], 1)?;
            ordered(reader, &value, first, last, first <= last)?;
            Some(Locator::Line { first, last })
        }
        "characters" => {
            let (start, end) = span(reader, &value, ["start", "end"], 0)?;
            ordered(reader, &value, start, end, start < end)?;
            Some(Locator::Characters { start, end })
        }
        "section" => reader.name(&value).map(Locator::Section),
        "pointer" => pointer(reader, &value),
        _ => cell(reader, &value),
    }
}

/// Reads an object of exactly one member, whose name is one of those known.
pub(super) fn one_of<'text>(
    reader: &mut Reader,
    node: &Node<'text>,
    known: &[&str],
) -> Option<(String, Node<'text>)> {
    let mut fields = reader.object(node, known)?;
    if fields.members.len() == 1
        && let Some((name, value)) = fields.members.pop()
    {
        let pointer = crate::raw_json::pointer(&node.pointer, &name);
        return Some((name, Node { pointer, value }));
    }
    let expected = format!("an object with one of `{}`", known.join("`, `"));
    reader.note(
        &node.pointer,
        "exactly one field says what this is",
        expected,
        node.value.get(),
    );
    None
}

fn span(reader: &mut Reader, node: &Node<'_>, names: [&str; 2], least: u32) -> Option<(u32, u32)> {
    let fields = reader.object(node, &names)?;
    let mut bound = |name: &str| {
        let node = fields.required(reader, name, "a whole number")?;
        reader.whole(&node, least, u32::MAX)
    };
    let [first, last] = names;
    let (first, last) = (bound(first), bound(last));
    Some((first?, last?))
}

fn ordered(reader: &mut Reader, node: &Node<'_>, first: u32, last: u32, fits: bool) -> Option<()> {
    if !fits {
        let message = format!("the span from `{first}` to `{last}` holds nothing");
        reader.note(
            &node.pointer,
            message,
            "a span that ends after it starts",
            node.value.get(),
        );
    }
    fits.then_some(())
}

fn pointer(reader: &mut Reader, node: &Node<'_>) -> Option<Locator> {
    let text = reader.name(node)?;
    if !text.starts_with('/') {
        reader.note(
            &node.pointer,
            "this is no JSON pointer",
            "a pointer such as `/results/0/value`",
            &text,
        );
        return None;
    }
    Some(Locator::Pointer(text))
}

fn cell(reader: &mut Reader, node: &Node<'_>) -> Option<Locator> {
    let fields = reader.object(node, &["row", "column"])?;
    let row = fields.required(reader, "row", "the row, counted from 1 with the header");
    let row = row.and_then(|node| reader.whole(&node, 1, u32::MAX));
    let column = fields.required(reader, "column", "the heading of the column, or its number")?;
    let column = if column.value.get().starts_with('"') {
        reader.name(&column).map(Column::Heading)
    } else {
        reader.whole(&column, 1, u32::MAX).map(Column::Number)
    };
    Some(Locator::Cell {
        row: row?,
        column: column?,
    })
}
