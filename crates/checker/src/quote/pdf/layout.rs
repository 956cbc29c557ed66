//! Letters with their places on a page, made into lines and words.

use hayro_font::hayro_cmap::BfString;
use hayro_font::kurbo::{Point, Vec2};

use crate::quote::raised::raised;

/// The gap between two letters that is a space, in parts of the size of the letters.
const SPACE: f64 = 0.2;
/// How far from its line a letter still belongs to it.
const LINE: f64 = 0.5;
/// The step to the next line that ends a paragraph.
const PARAGRAPH: f64 = 2.2;
/// How far over its line a letter is raised, and how small it then is.
const RAISED: (f64, f64) = (0.15, 0.85);

/// The text of the pages so far.
#[derive(Default)]
pub(super) struct Layout {
    text: String,
    line: Option<Line>,
    letters: usize,
    unknown: usize,
}

/// A letter where it stands.
pub(super) struct Letter {
    /// What it is; none where the font does not say.
    pub(super) unicode: Option<BfString>,
    /// Where it begins and where the next one would, on the page.
    pub(super) start: Point,
    pub(super) end: Point,
    /// Which way is up for its line, of length one.
    pub(super) up: Vec2,
    /// The size of the font on the page.
    pub(super) size: f64,
}

/// The line that is being read.
struct Line {
    /// A place on the line.
    origin: Point,
    up: Vec2,
    size: f64,
    /// Where the last letter ended.
    end: Point,
}

impl Layout {
    /// Begins a page, and says where.
    pub(super) fn begin_page(&mut self) -> usize {
        self.line = None;
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.len()
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// How many letters were read, the unknown ones among them.
    pub(super) fn letters(&self) -> usize {
        self.letters
    }

    pub(super) fn unknown(&self) -> usize {
        self.unknown
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    pub(super) fn push(&mut self, letter: &Letter) {
        let is_raised = self.place(letter);
        match &letter.unicode {
            Some(BfString::Char(character)) => self.write(*character, is_raised),
            Some(BfString::String(characters)) => {
                for character in characters.chars() {
                    self.write(character, is_raised);
                }
            }
            None => self.write(char::REPLACEMENT_CHARACTER, false),
        }
    }

    /// Parts a letter from the one before as their places do, and says whether it is raised.
    fn place(&mut self, letter: &Letter) -> bool {
        let Some(line) = &mut self.line else {
            self.line = Some(Line::of(letter));
            return false;
        };
        let over = (letter.start - line.origin).dot(line.up);
        let along = Vec2::new(line.up.y, -line.up.x);
        let gap = (letter.start - line.end).dot(along);
        let size = line.size.max(letter.size).max(f64::MIN_POSITIVE);
        let turned = line.up.dot(letter.up) < 0.9;
        let is_raised = over > RAISED.0 * line.size
            && over < line.size
            && letter.size < RAISED.1 * line.size
            && gap.abs() < line.size;
        if is_raised && !turned {
            line.end = letter.end;
            return true;
        }
        if turned || over.abs() > LINE * size || gap < -size {
            let ends_paragraph = turned || -over > PARAGRAPH * size;
            self.line = Some(Line::of(letter));
            self.end_line(if ends_paragraph { "\n\n" } else { "\n" });
            return false;
        }
        *line = Line::of(letter);
        if gap > SPACE * size && !self.text.ends_with(char::is_whitespace) {
            self.text.push(' ');
        }
        false
    }

    fn end_line(&mut self, separator: &str) {
        let kept = self.text.trim_end_matches(' ').len();
        self.text.truncate(kept);
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push_str(separator);
        }
    }

    fn write(&mut self, character: char, is_raised: bool) {
        if character.is_whitespace() {
            if !self.text.ends_with(char::is_whitespace) {
                self.text.push(' ');
            }
            return;
        }
        if character.is_control() {
            return;
        }
        self.letters += 1;
        let is_unknown = character == char::REPLACEMENT_CHARACTER
            || matches!(character, '\u{e000}'..='\u{f8ff}');
        self.unknown += usize::from(is_unknown);
        match (raised(character).filter(|_| is_raised), ligature(character)) {
            (Some(raised), _) => self.text.push_str(raised),
            (None, Some(letters)) => self.text.push_str(letters),
            (None, None) => self.text.push(character),
        }
    }
}

impl Line {
    fn of(letter: &Letter) -> Self {
        Self {
            origin: letter.start,
            up: letter.up,
            size: letter.size,
            end: letter.end,
        }
    }
}

/// The letters of a ligature: in a PDF it is how a font draws them, not how somebody wrote them.
fn ligature(character: char) -> Option<&'static str> {
    Some(match character {
        'ﬀ' => "ff",
        'ﬁ' => "fi",
        'ﬂ' => "fl",
        'ﬃ' => "ffi",
        'ﬄ' => "ffl",
        'ﬅ' | 'ﬆ' => "st",
        _ => return None,
    })
}
