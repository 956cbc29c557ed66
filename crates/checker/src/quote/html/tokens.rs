//! What the tokenizer finds, passed on to the page with its place in the source.

use std::convert::Infallible;
use std::ops::Range;

use html5gum::{Emitter, Error, State};

use super::elements;
use super::page::Page;

/// Takes what the tokenizer finds, piece by piece.
pub(super) struct Tokens<'source, 'page> {
    source: &'source str,
    page: &'page mut Page<'source>,
    /// How far the tokenizer has read.
    place: usize,
    /// The end of what was passed on last.
    passed_on: usize,
    tag: Tag,
    last_start_tag: Vec<u8>,
    attribute: Vec<u8>,
    value: Vec<u8>,
}

/// A tag, as far as it matters.
#[derive(Default)]
pub(super) struct Tag {
    pub(super) name: Vec<u8>,
    pub(super) range: Range<usize>,
    is_end: bool,
    pub(super) closes_itself: bool,
    /// An attribute hides the element.
    pub(super) hidden: bool,
    /// A dialog is open.
    pub(super) open: bool,
    pub(super) columns: Option<u32>,
    pub(super) rows: Option<u32>,
}

impl<'source, 'page> Tokens<'source, 'page> {
    pub(super) fn new(source: &'source str, page: &'page mut Page<'source>) -> Self {
        Self {
            source,
            page,
            place: 0,
            passed_on: 0,
            tag: Tag::default(),
            last_start_tag: Vec::new(),
            attribute: Vec::new(),
            value: Vec::new(),
        }
    }

    fn begin_tag(&mut self, is_end: bool) {
        self.tag = Tag {
            is_end,
            ..Tag::default()
        };
        self.attribute.clear();
        self.value.clear();
    }

    /// Notes the attribute that was read, if it matters.
    fn end_attribute(&mut self) {
        let number = || std::str::from_utf8(&self.value).ok()?.trim().parse().ok();
        match self.attribute.as_slice() {
            b"hidden" => self.tag.hidden = true,
            b"open" => self.tag.open = true,
            b"style" => self.tag.hidden |= hides(&self.value),
            b"colspan" => self.tag.columns = number(),
            b"rowspan" => self.tag.rows = number(),
            _ => {}
        }
        self.attribute.clear();
        self.value.clear();
    }
}

/// Whether a style says that its element is not shown.
fn hides(style: &[u8]) -> bool {
    let style: Vec<u8> = style
        .iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(u8::to_ascii_lowercase)
        .collect();
    style.split(|&byte| byte == b';').any(|declaration| {
        declaration.starts_with(b"display:none") || declaration.starts_with(b"visibility:hidden")
    })
}

impl Emitter for Tokens<'_, '_> {
    type Token = Infallible;

    fn move_position(&mut self, offset: isize) {
        self.place = self.place.saturating_add_signed(offset);
    }

    fn emit_string(&mut self, bytes: &[u8]) {
        let end = self.place.min(self.source.len());
        let start = end.saturating_sub(bytes.len());
        let is_copy = self.source.as_bytes().get(start..end) == Some(bytes);
        let start = if is_copy {
            start
        } else {
            self.passed_on.min(end)
        };
        if let Ok(text) = std::str::from_utf8(bytes) {
            self.page.text(text, start..end, is_copy);
        }
        self.passed_on = end;
    }

    fn init_start_tag(&mut self) {
        self.begin_tag(false);
    }

    fn init_end_tag(&mut self) {
        self.begin_tag(true);
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.end_attribute();
        let end = self.place.min(self.source.len());
        let mut tag = std::mem::take(&mut self.tag);
        tag.range = self.passed_on.min(end)..end;
        self.passed_on = end;
        if tag.is_end {
            self.page.end_tag(&tag);
            return None;
        }
        let is_whole = self.page.start_tag(&tag);
        let content = elements::content(&tag.name).filter(|_| !is_whole);
        self.last_start_tag = tag.name;
        content
    }

    fn emit_current_comment(&mut self) {
        self.passed_on = self.place;
    }

    fn emit_current_doctype(&mut self) {
        self.passed_on = self.place;
    }

    fn set_self_closing(&mut self) {
        self.tag.closes_itself = true;
    }

    fn push_tag_name(&mut self, bytes: &[u8]) {
        self.tag.name.extend_from_slice(bytes);
    }

    fn init_attribute(&mut self) {
        self.end_attribute();
    }

    fn push_attribute_name(&mut self, bytes: &[u8]) {
        self.attribute.extend_from_slice(bytes);
    }

    fn push_attribute_value(&mut self, bytes: &[u8]) {
        self.value.extend_from_slice(bytes);
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.tag.is_end && !self.tag.name.is_empty() && self.tag.name == self.last_start_tag
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.page.reads_as_xml()
    }

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        self.last_start_tag = name.unwrap_or_default().to_owned();
    }

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn pop_token(&mut self) -> Option<Self::Token> {
        None
    }

    fn emit_eof(&mut self) {}
    fn emit_error(&mut self, _: Error) {}
    fn init_comment(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn init_doctype(&mut self) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn set_force_quirks(&mut self) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
}
