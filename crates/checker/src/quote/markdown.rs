//! The text of a Markdown source as a reader sees it, and its sections.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::offsets::Derived;
use super::sections::{Outline, Section};

/// Takes the markup away: blocks are parted by a blank line, cells by a tab, rows and items by a line break.
pub(super) fn extract(source: &str) -> (Derived, Vec<Section>) {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
    let mut extraction = Extraction {
        source,
        text: Derived::default(),
        outline: Outline::default(),
        heading: None,
    };
    for (event, range) in Parser::new_ext(source, options).into_offset_iter() {
        extraction.read(&event, range);
    }
    (extraction.text, extraction.outline.into_sections())
}

struct Extraction<'source> {
    source: &'source str,
    text: Derived,
    outline: Outline,
    /// Where the text of the heading being read starts.
    heading: Option<usize>,
}

impl Extraction<'_> {
    fn read(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Text(text) => self.append(text, range),
            Event::Code(code) => {
                // The code stands somewhere between its back ticks.
                let inner = self
                    .source
                    .get(range.clone())
                    .and_then(|piece| piece.find(code.as_ref()));
                let range = inner.map_or(range.clone(), |at| {
                    range.start + at..range.start + at + code.len()
                });
                self.append(code, range);
            }
            Event::SoftBreak | Event::HardBreak => self.text.replace("\n", range),
            Event::FootnoteReference(name) => self.append(name, range),
            Event::Start(Tag::Heading { level, .. }) => {
                self.heading = Some(self.text.text().len());
                self.outline
                    .open(*level as u8, range.start, self.source.len());
            }
            Event::End(end) => self.close(*end, &range),
            _ => {}
        }
    }

    /// Appends text as a copy where it stands in the source as it is, else as a replacement.
    fn append(&mut self, text: &str, range: Range<usize>) {
        if self.source.get(range.clone()) == Some(text) {
            self.text.copy(text, range.start);
        } else {
            self.text.replace(text, range);
        }
    }

    fn close(&mut self, end: TagEnd, range: &Range<usize>) {
        if matches!(end, TagEnd::Heading(_))
            && let Some(start) = self.heading.take()
        {
            self.outline
                .name(self.text.text().get(start..).unwrap_or_default());
        }
        let separator = match end {
            TagEnd::TableCell => "\t",
            TagEnd::TableRow | TagEnd::TableHead | TagEnd::Item => "\n",
            TagEnd::Paragraph
            | TagEnd::Heading(_)
            | TagEnd::CodeBlock
            | TagEnd::Table
            | TagEnd::List(_) => "\n\n",
            _ => return,
        };
        self.text.replace(separator, range.end..range.end);
    }
}
