//! From blocks to statements with what they take from their context.

use super::blocks::{Block, BlockKind};
use super::claim::is_claim;
use super::dated;
use super::sections::{Sections, Written};
use super::sentences::{ends_sentence, sentences};
use super::subject::{Opening, opening, preamble, subject};
use super::{Document, Kind, MAX_STATEMENTS, Passage, ReadError};
use crate::hygiene::comparison_form;
use crate::statement::Statement;
use crate::text::language::Language;
use crate::vocabulary::Vocabulary;

/// Reads the blocks of a text.
pub(super) fn read(
    source: &str,
    blocks: &[Block],
    vocabulary: &Vocabulary,
) -> Result<Document, ReadError> {
    let mut reading = Reading {
        source,
        vocabulary,
        sections: Sections::default(),
        section: 0,
        passages: Vec::new(),
        paragraph: 0,
        lead_in: None,
        header: Vec::new(),
        row_subject: String::new(),
    };
    reading.section = reading.sections.open("", 0, vocabulary);
    for block in blocks {
        reading.block(block);
        if reading.passages.len() > MAX_STATEMENTS {
            return Err(ReadError::TooMany);
        }
    }
    let mut document = Document {
        passages: reading.passages,
        sections: reading.sections,
    };
    document.sections.classify(&written(&document.passages));
    let mut before: Option<(usize, String)> = None;
    for passage in &mut document.passages {
        let earlier = before.take();
        let earlier = earlier.filter(|(paragraph, _)| *paragraph == passage.paragraph);
        let subject = resolve(passage, earlier.as_ref().map(|(_, named)| named.as_str()));
        before = subject.map(|named| (passage.paragraph, named));
        give_context(passage, &document.sections, vocabulary);
    }
    Ok(document)
}

struct Reading<'a> {
    source: &'a str,
    vocabulary: &'a Vocabulary,
    sections: Sections,
    section: usize,
    passages: Vec<Passage>,
    /// How many blocks were read.
    paragraph: usize,
    /// The sentence before a list that ends with a colon, and the list it leads to.
    lead_in: Option<(String, Option<usize>)>,
    header: Vec<String>,
    row_subject: String,
}

impl Reading<'_> {
    fn block(&mut self, block: &Block) {
        self.paragraph += 1;
        if let BlockKind::Heading(level) = block.kind {
            let title = one_line(block.text.text());
            self.section = self.sections.open(&title, level, self.vocabulary);
            self.lead_in = None;
            return;
        }
        if let BlockKind::Cell { row, column } = block.kind {
            self.cell(block, row, column);
            return;
        }
        let text = block.text.text();
        let found = sentences(text);
        let last = found.last().and_then(|range| text.get(range.clone()));
        let lead_in = last
            .filter(|last| last.ends_with([':', '：']) && block.kind != BlockKind::Item)
            .map(|last| (one_line(last.trim_end_matches([':', '：'])), None));
        for range in found {
            let text = one_line(text.get(range.clone()).unwrap_or_default());
            let kind = match block.kind {
                BlockKind::Item => Kind::Item,
                BlockKind::Quote => Kind::Quote,
                _ => Kind::Sentence,
            };
            let is_fragment = kind == Kind::Item && !ends_sentence(&text);
            let compared = match self.lead_of(block.group) {
                Some(lead) if is_fragment => format!("{lead}: {text}"),
                _ => text.clone(),
            };
            self.push(Passage {
                range: block.text.source(&range),
                is_claim: false,
                compared,
                text,
                kind,
                headings: Vec::new(),
                is_subject_unknown: false,
                section: self.section,
                paragraph: self.paragraph,
                group: block.group,
                is_fragment,
            });
        }
        if block.kind != BlockKind::Item {
            self.lead_in = lead_in;
        }
    }

    /// What leads to a list; the first list after it takes it.
    fn lead_of(&mut self, group: Option<usize>) -> Option<String> {
        let (lead, list) = self.lead_in.as_mut()?;
        let taken = *list.get_or_insert(group?);
        (Some(taken) == group).then(|| lead.clone())
    }

    /// A cell says of the subject of its row what its column is headed with.
    fn cell(&mut self, block: &Block, row: usize, column: usize) {
        let text = one_line(block.text.text());
        if row == 0 {
            if column == 0 {
                self.header.clear();
            }
            self.header.push(text);
            return;
        }
        if column == 0 {
            self.row_subject.clone_from(&text);
            return;
        }
        let heading = self.header.get(column).cloned().unwrap_or_default();
        let has_words = text.chars().any(char::is_alphanumeric);
        if !has_words || self.row_subject.is_empty() || is_nothing(&text) {
            return;
        }
        let space = match Language::of(&self.row_subject) {
            Language::Chinese => "",
            _ => " ",
        };
        let said = format!("{}{space}{heading}: {text}", self.row_subject);
        let whole = block.text.text();
        let start = whole.len() - whole.trim_start().len();
        let range = block.text.source(&(start..whole.trim_end().len()));
        self.push(Passage {
            range,
            is_claim: false,
            compared: said.clone(),
            text: said,
            kind: Kind::Cell,
            headings: Vec::new(),
            is_subject_unknown: false,
            section: self.section,
            paragraph: self.paragraph,
            group: block.group,
            is_fragment: true,
        });
    }

    fn push(&mut self, passage: Passage) {
        let statement = Statement::of(&passage.compared, self.vocabulary);
        let is_here = self.source.get(passage.range.clone()).is_some();
        if is_here {
            self.passages.push(Passage {
                is_claim: is_claim(&passage.text, &statement),
                headings: self.sections.headings(self.section),
                ..passage
            });
        }
    }
}

/// Whether a cell says that there is nothing in it.
fn is_nothing(text: &str) -> bool {
    matches!(
        text.to_lowercase().as_str(),
        "n/a" | "na" | "none" | "nil" | "tbd" | "无" | "暂无" | "不详"
    )
}

/// Puts the subject of the sentence before in the place of the word that stands for it; gives the subject that the
/// next sentence may speak of.
fn resolve(passage: &mut Passage, before: Option<&str>) -> Option<String> {
    if passage.kind == Kind::Cell {
        return None;
    }
    passage.compared.drain(..preamble(&passage.compared));
    match opening(&passage.compared) {
        Opening::Named => {
            let pronoun = dated::pronoun(&passage.compared);
            if let (Some(named), Some(pronoun)) = (before, pronoun) {
                let named = named.to_owned();
                passage
                    .compared
                    .replace_range(pronoun, &dated::within(&named));
                return Some(named);
            }
        }
        Opening::Pointing => passage.is_subject_unknown = true,
        Opening::Pronoun { length, possessive } => match before {
            Some(named) => {
                passage.compared = with_subject(&passage.compared, named, length, possessive);
            }
            None => passage.is_subject_unknown = true,
        },
    }
    subject(&passage.compared).map(str::to_owned)
}

/// Puts what a statement takes from its headings before what is compared of it.
fn give_context(passage: &mut Passage, sections: &Sections, vocabulary: &Vocabulary) {
    if let Some(title) = sections
        .subject(passage.section)
        .filter(|_| passage.is_fragment)
    {
        passage.compared = format!("{title}: {}", passage.compared);
    }
    let dated = Statement::of(&passage.compared, vocabulary)
        .quantities()
        .iter()
        .any(|quantity| quantity.dimension.is_calendar());
    if !dated && let Some(period) = sections.period(passage.section) {
        let comma = match Language::of(&passage.compared) {
            Language::Chinese => "，",
            _ => ", ",
        };
        passage.compared = format!("{period}{comma}{}", passage.compared);
    }
}

fn with_subject(text: &str, named: &str, length: usize, possessive: bool) -> String {
    let rest = text.get(length..).unwrap_or_default();
    match (Language::of(text), possessive) {
        (Language::Chinese, true) => format!("{named}的{rest}"),
        (Language::Chinese, false) => format!("{named}{rest}"),
        (_, true) => format!("{named}'s{rest}"),
        (_, false) => format!("{named}{rest}"),
    }
}

/// The words of a text as they are written, sentence by sentence.
fn written(passages: &[Passage]) -> Written {
    let mut written = Written::default();
    for passage in passages {
        let words = passage.text.split(|letter: char| !letter.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        for (place, word) in words.enumerate() {
            if word.starts_with(char::is_lowercase) {
                written.small.insert(word.to_owned());
            } else if place > 0 && word.starts_with(char::is_uppercase) {
                written.large.insert(word.to_owned());
            }
        }
    }
    written
}

/// A text on one line, as quotes are compared.
fn one_line(text: &str) -> String {
    comparison_form(text).trim().to_owned()
}
