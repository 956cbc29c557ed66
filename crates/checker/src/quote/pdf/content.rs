//! The operators of a page that show text (ISO 32000-1, 9.4), and those that move where it is shown.

use std::sync::Arc;
use std::time::Instant;

use hayro_font::kurbo::{Affine, Point, Vec2};
use hayro_font::{CMapResolverFn, FontResolverFn};
use hayro_font::{Font, FontCache, FontGlyph, FontQuery, UNITS_PER_EM};
use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction;
use hayro_syntax::object::{Array, Dict, Number, Object, Stream};
use hayro_syntax::page::{Page, Resources};

use super::PdfError;
use super::layout::{Layout, Letter};
use crate::quote::document::MAX_BYTES;

/// How deep forms may stand in forms.
const MAX_FORMS: usize = 16;
/// How many states of a page may be saved at once.
const MAX_STATES: usize = 1_024;

/// Reads the pages of one file.
pub(super) struct Reader<'a> {
    fonts: FontCache<'a>,
    font_resolver: FontResolverFn,
    cmap_resolver: CMapResolverFn,
    deadline: Instant,
}

/// What of the graphics state decides where text is shown (ISO 32000-1, 9.3).
#[derive(Clone)]
struct State<'a> {
    page: Affine,
    font: Option<Font<'a>>,
    size: f64,
    between_letters: f64,
    between_words: f64,
    stretch: f64,
    leading: f64,
    rise: f64,
    text: Affine,
    line: Affine,
}

impl<'a> Reader<'a> {
    pub(super) fn new(deadline: Instant) -> Self {
        Self {
            fonts: FontCache::new(),
            font_resolver: Arc::new(|query| {
                Some(match query {
                    FontQuery::Standard(font) => font.get_font_data(),
                    FontQuery::Fallback(query) => query.pick_standard_font().get_font_data(),
                })
            }),
            cmap_resolver: Arc::new(hayro_cmap::load_embedded),
            deadline,
        }
    }

    pub(super) fn page(&self, page: &Page<'a>, layout: &mut Layout) -> Result<(), PdfError> {
        let Some(content) = content(page.raw()) else {
            return Ok(());
        };
        let state = State::new(Affine::IDENTITY);
        self.operators(&content, page.resources(), state, 0, layout)
    }

    fn operators(
        &self,
        content: &[u8],
        resources: &Resources<'a>,
        mut state: State<'a>,
        depth: usize,
        layout: &mut Layout,
    ) -> Result<(), PdfError> {
        let mut saved: Vec<State<'a>> = Vec::new();
        let mut operators = TypedIter::new(content);
        while let Some(operator) = operators.next() {
            self.check(layout)?;
            match operator {
                TypedInstruction::SaveState(_) if saved.len() < MAX_STATES => {
                    saved.push(state.clone());
                }
                TypedInstruction::RestoreState(_) => {
                    if let Some(last) = saved.pop() {
                        state = last;
                    }
                }
                TypedInstruction::TextFont(font) => {
                    state.size = font.1.as_f64();
                    state.font = resources.get_font(font.0).and_then(|dict| self.font(&dict));
                }
                TypedInstruction::XObject(object) if depth < MAX_FORMS => {
                    if let Some(form) = resources.get_x_object(object.0) {
                        self.form(&form, resources, &state, depth, layout)?;
                    }
                }
                TypedInstruction::ShowText(text) => state.show(text.0.as_bytes(), layout),
                TypedInstruction::ShowTexts(texts) => state.show_all(texts.0, layout),
                TypedInstruction::NextLineAndShowText(text) => {
                    state.next_line(0.0, -state.leading);
                    state.show(text.0.as_bytes(), layout);
                }
                TypedInstruction::ShowTextWithParameters(text) => {
                    state.between_words = text.0.as_f64();
                    state.between_letters = text.1.as_f64();
                    state.next_line(0.0, -state.leading);
                    state.show(text.2.as_bytes(), layout);
                }
                other => state.apply(&other),
            }
        }
        Ok(())
    }

    fn font(&self, dict: &Dict<'a>) -> Option<Font<'a>> {
        self.fonts
            .font(dict, &self.font_resolver, &self.cmap_resolver)
    }

    /// Reads a form, a page within the page.
    fn form(
        &self,
        form: &Stream<'a>,
        resources: &Resources<'a>,
        state: &State<'a>,
        depth: usize,
        layout: &mut Layout,
    ) -> Result<(), PdfError> {
        let dict = form.dict();
        let is_form = dict
            .get::<hayro_syntax::object::Name<'_>>("Subtype")
            .is_some_and(|kind| kind.as_ref() == b"Form");
        let Some(content) = form.decoded_data().ok().filter(|_| is_form) else {
            return Ok(());
        };
        let own = dict.get::<Dict<'a>>("Resources").map(Resources::new);
        let matrix = dict
            .get::<[f64; 6]>("Matrix")
            .map_or(Affine::IDENTITY, Affine::new);
        let inner = State {
            page: state.page * matrix,
            ..state.clone()
        };
        let resources = own.as_ref().unwrap_or(resources);
        self.operators(&content, resources, inner, depth + 1, layout)
    }

    fn check(&self, layout: &Layout) -> Result<(), PdfError> {
        if layout.len() > MAX_BYTES {
            return Err(PdfError::TooLarge("text"));
        }
        if Instant::now() > self.deadline {
            return Err(PdfError::TooLarge("time"));
        }
        Ok(())
    }
}

impl State<'_> {
    fn new(page: Affine) -> Self {
        Self {
            page,
            font: None,
            size: 1.0,
            between_letters: 0.0,
            between_words: 0.0,
            stretch: 1.0,
            leading: 0.0,
            rise: 0.0,
            text: Affine::IDENTITY,
            line: Affine::IDENTITY,
        }
    }

    /// Takes an operator that shows nothing.
    fn apply(&mut self, operator: &TypedInstruction<'_, '_>) {
        match operator {
            TypedInstruction::Transform(it) => {
                let numbers = [&it.0, &it.1, &it.2, &it.3, &it.4, &it.5];
                self.page *= Affine::new(numbers.map(Number::as_f64));
            }
            TypedInstruction::SetTextMatrix(it) => {
                let numbers = [&it.0, &it.1, &it.2, &it.3, &it.4, &it.5];
                self.line = Affine::new(numbers.map(Number::as_f64));
                self.text = self.line;
            }
            TypedInstruction::BeginText(_) => {
                self.line = Affine::IDENTITY;
                self.text = Affine::IDENTITY;
            }
            TypedInstruction::NextLine(it) => self.next_line(it.0.as_f64(), it.1.as_f64()),
            TypedInstruction::NextLineAndSetLeading(it) => {
                self.leading = -it.1.as_f64();
                self.next_line(it.0.as_f64(), it.1.as_f64());
            }
            TypedInstruction::NextLineUsingLeading(_) => self.next_line(0.0, -self.leading),
            TypedInstruction::HorizontalScaling(it) => self.stretch = it.0.as_f64() / 100.0,
            TypedInstruction::TextLeading(it) => self.leading = it.0.as_f64(),
            TypedInstruction::CharacterSpacing(it) => self.between_letters = it.0.as_f64(),
            TypedInstruction::WordSpacing(it) => self.between_words = it.0.as_f64(),
            TypedInstruction::TextRise(it) => self.rise = it.0.as_f64(),
            _ => {}
        }
    }

    fn next_line(&mut self, x: f64, y: f64) {
        self.line *= Affine::translate((x, y));
        self.text = self.line;
    }

    /// Shows strings, moving by the numbers between them.
    fn show_all(&mut self, texts: &Array<'_>, layout: &mut Layout) {
        for object in texts.iter::<Object<'_>>() {
            match object {
                Object::String(text) => self.show(text.as_bytes(), layout),
                Object::Number(number) => {
                    let step = -number.as_f64() / f64::from(UNITS_PER_EM) * self.size;
                    let is_horizontal = self.font.as_ref().is_none_or(Font::is_horizontal);
                    self.text *= if is_horizontal {
                        Affine::translate((step * self.stretch, 0.0))
                    } else {
                        Affine::translate((0.0, step))
                    };
                }
                _ => {}
            }
        }
    }

    fn show(&mut self, bytes: &[u8], layout: &mut Layout) {
        let Some(font) = self.font.clone() else {
            return;
        };
        let mut place = 0;
        while place < bytes.len() {
            let (code, length) = font.read_code(bytes, place);
            place += length.max(1);
            let is_space = code == 32 && length == 1;
            let letter = self.letter(&font, code, is_space);
            layout.push(&letter);
        }
    }

    /// The letter of a code where it stands; moves on to the next one.
    fn letter(&mut self, font: &Font<'_>, code: u32, is_space: bool) -> Letter {
        let unicode = match font.glyph(font.map_code(code), code) {
            FontGlyph::Outline(glyph) => glyph.as_unicode(),
            FontGlyph::Type3(glyph) => glyph.as_unicode(),
        };
        let advance = font.code_advance(code) * (self.size / f64::from(UNITS_PER_EM));
        let spacing = self.between_letters + if is_space { self.between_words } else { 0.0 };
        let (drawn, step) = if font.is_horizontal() {
            let drawn = Vec2::new(advance.x * self.stretch, 0.0);
            (drawn, drawn + Vec2::new(spacing * self.stretch, 0.0))
        } else {
            let drawn = Vec2::new(0.0, advance.y);
            (drawn, drawn + Vec2::new(0.0, spacing))
        };
        let shown = self.page * self.text;
        let start = shown * Point::new(0.0, self.rise);
        let end = shown * (Point::new(0.0, self.rise) + drawn);
        let upwards = if font.is_horizontal() {
            Point::new(0.0, self.rise + 1.0)
        } else {
            Point::new(1.0, self.rise)
        };
        let up = shown * upwards - start;
        let scale = up.hypot();
        self.text *= Affine::translate(step);
        Letter {
            unicode,
            start,
            end,
            up: if scale > 0.0 {
                up / scale
            } else {
                Vec2::new(0.0, 1.0)
            },
            size: (self.size * scale).abs(),
        }
    }
}

/// The operators of a page; its streams are one with a space between them.
fn content(page: &Dict<'_>) -> Option<Vec<u8>> {
    if let Some(stream) = page.get::<Stream<'_>>("Contents") {
        return Some(stream.decoded_data().ok()?.into_owned());
    }
    let mut content = Vec::new();
    for stream in page.get::<Array<'_>>("Contents")?.iter::<Stream<'_>>() {
        if let Ok(piece) = stream.decoded_data() {
            content.extend_from_slice(&piece);
            content.push(b' ');
        }
    }
    Some(content)
}
