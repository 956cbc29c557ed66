//! The text of a page as it grows, and the elements that are open.

use std::ops::Range;

use super::elements::{self, Role, role};
use super::tables::Tables;
use super::tokens::Tag;
use super::{MAX_DEPTH, Parts, Syntax};
use crate::quote::offsets::Derived;
use crate::quote::raised::raised;
use crate::quote::sections::Outline;

/// A page being read.
pub(super) struct Page<'source> {
    source: &'source str,
    syntax: Syntax,
    text: Derived,
    outline: Outline,
    tables: Tables,
    /// Blocks and hidden elements that are open; within hidden ones every element.
    open: Vec<Element>,
    /// How many of them hide their content, keep line breaks, are drawings or formulas.
    hidden: usize,
    preformatted: usize,
    foreign: usize,
    /// How many superscripts are open in the block.
    raised: usize,
    is_too_deep: bool,
}

struct Element {
    name: Vec<u8>,
    role: Role,
    hides: bool,
    /// Where its text starts.
    text: usize,
}

impl<'source> Page<'source> {
    pub(super) fn new(source: &'source str, syntax: Syntax) -> Self {
        Self {
            source,
            syntax,
            text: Derived::default(),
            outline: Outline::default(),
            tables: Tables::default(),
            open: Vec::new(),
            hidden: 0,
            preformatted: 0,
            foreign: 0,
            raised: 0,
            is_too_deep: false,
        }
    }

    pub(super) fn finish(mut self) -> Result<(Derived, Parts), String> {
        let end = self.source.len();
        self.close_from(0, end..end);
        if self.is_too_deep {
            return Err(format!(
                "elements stand in each other deeper than `{MAX_DEPTH}`"
            ));
        }
        let parts = Parts {
            sections: self.outline.into_sections(),
            cells: self.tables.into_cells(),
        };
        Ok((self.text, parts))
    }

    /// Whether elements without content may end themselves, and character data may be marked as such.
    pub(super) fn reads_as_xml(&self) -> bool {
        self.syntax == Syntax::Xml || self.foreign > 0
    }

    /// Takes text that stands in a range of the source, as it is or in another form.
    pub(super) fn text(&mut self, text: &str, range: Range<usize>, is_copy: bool) {
        if self.hidden > 0 || self.is_too_deep {
            return;
        }
        let starts_line = self.text.text().ends_with(['\n', '\t']) || self.text.text().is_empty();
        if starts_line && self.preformatted == 0 && text.trim().is_empty() {
            return;
        }
        if !is_copy {
            if !text.chars().all(is_unseen) {
                self.text.replace(text, range);
            }
        } else if self.raised == 0 && !text.contains(is_unseen) {
            self.text.copy(text, range.start);
        } else {
            self.characters(text, range.start);
        }
    }

    /// Begins an element, and says whether it has no content.
    pub(super) fn start_tag(&mut self, tag: &Tag) -> bool {
        let is_whole = elements::is_void(&tag.name) || (tag.closes_itself && self.reads_as_xml());
        let (ended, stops) = elements::ended_by(&tag.name);
        if !ended.is_empty() {
            self.close_implied(ended, stops, tag.range.start);
        }
        let role = match role(&tag.name) {
            Role::Block if self.foreign > 0 && tag.name == b"title" => Role::Hidden,
            role => role,
        };
        let hides = role == Role::Hidden || tag.hidden || (tag.name == b"dialog" && !tag.open);
        if is_whole {
            if !hides {
                self.show_whole(role, &tag.range);
            }
            return true;
        }
        if hides || self.hidden > 0 || !matches!(role, Role::Inline | Role::Superscript) {
            self.open(tag, role, hides);
        } else if role == Role::Superscript {
            self.raised += 1;
        }
        self.foreign += usize::from(is_foreign(&tag.name));
        false
    }

    pub(super) fn end_tag(&mut self, tag: &Tag) {
        let name = tag.name.as_slice();
        let crosses = elements::is_of_table(name);
        let mut place = self.open.len();
        while let Some(element) = place.checked_sub(1).and_then(|last| self.open.get(last)) {
            place -= 1;
            if element.name == name {
                self.close_from(place, tag.range.clone());
                break;
            }
            if elements::bounds(&element.name) && !crosses {
                break;
            }
        }
        if self.hidden == 0 && name == b"sup" {
            self.raised = self.raised.saturating_sub(1);
        }
        if is_foreign(name) {
            self.foreign = self.foreign.saturating_sub(1);
        }
    }

    fn characters(&mut self, text: &str, start: usize) {
        for (place, character) in text.char_indices() {
            let place = start + place;
            let end = place + character.len_utf8();
            match raised(character).filter(|_| self.raised > 0) {
                _ if is_unseen(character) => {}
                Some(raised) => self.text.replace(raised, place..end),
                None => self.text.copy(character.encode_utf8(&mut [0; 4]), place),
            }
        }
    }

    fn show_whole(&mut self, role: Role, range: &Range<usize>) {
        match role {
            Role::Break if self.hidden == 0 => self.text.replace("\n", range.clone()),
            Role::Block => self.part("\n\n", range.end),
            _ => {}
        }
    }

    fn open(&mut self, tag: &Tag, role: Role, hides: bool) {
        if self.open.len() >= MAX_DEPTH {
            self.is_too_deep = true;
            return;
        }
        if self.hidden == 0 && !hides {
            match role {
                Role::Cell => self.tables.open_cell(tag, self.text.text().len()),
                Role::Row => self.tables.open_row(),
                Role::Table => self.tables.open_table(),
                Role::Heading(level) => {
                    self.outline.open(level, tag.range.start, self.source.len());
                }
                _ => {}
            }
            if !matches!(role, Role::Inline | Role::Superscript | Role::Cell) {
                self.part("\n\n", tag.range.start);
            }
        }
        self.hidden += usize::from(hides);
        self.preformatted += usize::from(role == Role::Preformatted);
        self.open.push(Element {
            name: tag.name.clone(),
            role,
            hides,
            text: self.text.text().len(),
        });
    }

    /// Ends the elements that a start tag implies the end of.
    fn close_implied(&mut self, ended: &[&[u8]], stops: &[&[u8]], start: usize) {
        let mut place = self.open.len();
        while let Some(element) = place.checked_sub(1).and_then(|last| self.open.get(last)) {
            place -= 1;
            let name = element.name.as_slice();
            if ended.contains(&name) {
                self.close_from(place, start..start);
                // A row that ends may stand in a body that ends as well.
                continue;
            }
            let is_other_bound = elements::bounds(name) && stops.is_empty();
            if stops.contains(&name) || is_other_bound {
                return;
            }
        }
    }

    /// Ends the open elements from one on, the innermost first, at a tag.
    fn close_from(&mut self, place: usize, tag: Range<usize>) {
        while self.open.len() > place
            && let Some(element) = self.open.pop()
        {
            self.hidden -= usize::from(element.hides);
            self.preformatted -= usize::from(element.role == Role::Preformatted);
            if self.hidden == 0 && !element.hides {
                self.close(&element, &tag);
            }
        }
    }

    fn close(&mut self, element: &Element, tag: &Range<usize>) {
        match element.role {
            Role::Heading(_) => {
                let title = self.text.text().get(element.text..).unwrap_or_default();
                self.outline.name(title);
            }
            Role::Cell => {
                self.tables.close_cell(self.text.text(), tag.start);
                self.raised = 0;
                self.text.replace("\t", tag.end..tag.end);
                return;
            }
            Role::Table => self.tables.close_table(),
            _ => {}
        }
        if !matches!(element.role, Role::Inline | Role::Superscript) {
            self.part("\n\n", tag.end);
        }
    }

    /// Parts what stood before from what comes, once.
    fn part(&mut self, separator: &str, place: usize) {
        self.raised = 0;
        let text = self.text.text();
        if self.hidden == 0 && !text.is_empty() && !text.ends_with(separator) {
            self.text.replace(separator, place..place);
        }
    }
}

/// Elements of drawings and formulas, whose elements are read as those of XML.
fn is_foreign(name: &[u8]) -> bool {
    matches!(name, b"svg" | b"math")
}

/// Characters that only say where a line may break.
fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\0' | '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}'
    )
}
