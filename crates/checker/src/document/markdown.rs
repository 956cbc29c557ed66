//! The blocks of a Markdown text. Left out: code, HTML, images, bare addresses, footnote marks, front matter.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use super::blocks::{Block, BlockKind, Blocks};

/// Cuts a Markdown text into blocks.
pub(super) fn blocks(source: &str) -> Vec<Block> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut reader = Reader {
        source,
        blocks: Blocks::default(),
        groups: 0,
        lists: Vec::new(),
        quotes: 0,
        hidden: 0,
        links: Vec::new(),
        heading: None,
        cell: (0, 0),
    };
    for (event, range) in Parser::new_ext(source, options).into_offset_iter() {
        reader.read(&event, range);
    }
    reader.close();
    reader.blocks.finish()
}

struct Reader<'source> {
    source: &'source str,
    blocks: Blocks,
    /// How many lists and tables there were.
    groups: usize,
    /// The lists that are open, the innermost last.
    lists: Vec<usize>,
    quotes: usize,
    /// How many things are open whose text is not read.
    hidden: usize,
    /// The links that are open, and whether their text is not read.
    links: Vec<bool>,
    heading: Option<u8>,
    cell: (usize, usize),
}

impl Reader<'_> {
    fn read(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(end) => self.end(*end),
            _ if self.hidden > 0 => {}
            Event::Text(text) => self.append(text, range),
            Event::Code(code) => {
                let inner = self
                    .source
                    .get(range.clone())
                    .and_then(|piece| piece.find(code.as_ref()))
                    .map(|at| range.start + at..range.start + at + code.len());
                self.append(code, inner.unwrap_or(range));
            }
            Event::SoftBreak | Event::HardBreak => self.blocks.replace("\n", range),
            _ => {}
        }
    }

    fn append(&mut self, text: &str, range: Range<usize>) {
        if self.source.get(range.clone()) == Some(text) {
            self.blocks.copy(text, range.start);
        } else {
            self.blocks.replace(text, range);
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.close();
                self.heading = Some(*level as u8);
            }
            Tag::List(_) => {
                self.close();
                self.groups += 1;
                self.lists.push(self.groups);
            }
            Tag::Table(_) => {
                self.close();
                self.groups += 1;
                self.cell = (0, 0);
            }
            Tag::BlockQuote(_) => {
                self.close();
                self.quotes += 1;
            }
            Tag::Item | Tag::Paragraph | Tag::FootnoteDefinition(_) => self.close(),
            Tag::Link { link_type, .. } => {
                let bare = matches!(link_type, LinkType::Autolink | LinkType::Email);
                self.links.push(bare);
                self.hidden += usize::from(bare);
            }
            tag if is_hidden(tag) => self.hidden += 1,
            _ => {}
        }
    }

    fn end(&mut self, end: TagEnd) {
        match end {
            TagEnd::Heading(_) => {
                self.close();
                self.heading = None;
            }
            TagEnd::List(_) => {
                self.close();
                self.lists.pop();
            }
            TagEnd::BlockQuote(_) => {
                self.close();
                self.quotes = self.quotes.saturating_sub(1);
            }
            TagEnd::TableCell => {
                let (row, column) = self.cell;
                let kind = BlockKind::Cell { row, column };
                self.blocks.close(kind, Some(self.groups));
                self.cell.1 += 1;
            }
            TagEnd::TableHead | TagEnd::TableRow => self.cell = (self.cell.0 + 1, 0),
            TagEnd::Item | TagEnd::Paragraph | TagEnd::FootnoteDefinition => self.close(),
            TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::Image | TagEnd::MetadataBlock(_) => {
                self.hidden = self.hidden.saturating_sub(1);
            }
            TagEnd::Link => {
                let bare = self.links.pop().unwrap_or(false);
                self.hidden = self.hidden.saturating_sub(usize::from(bare));
            }
            _ => {}
        }
    }

    /// Closes what is open as the kind of block that it stands in.
    fn close(&mut self) {
        let kind = match self.heading {
            Some(level) => BlockKind::Heading(level),
            None if self.quotes > 0 => BlockKind::Quote,
            None if !self.lists.is_empty() => BlockKind::Item,
            None => BlockKind::Paragraph,
        };
        self.blocks.close(kind, self.lists.last().copied());
    }
}

fn is_hidden(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::Image { .. } | Tag::MetadataBlock(_)
    )
}
