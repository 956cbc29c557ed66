//! The sections of a document: a heading with what stands under it.

use std::ops::Range;

use crate::hygiene::comparison_form;

/// A heading with what stands under it, up to the next heading of its level or above.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) title: String,
    /// Its range of the source.
    pub(super) range: Range<usize>,
    /// From 1, the highest.
    level: u8,
}

/// Sections as they are read, in the order of the source.
#[derive(Debug, Default)]
pub(super) struct Outline {
    sections: Vec<Section>,
    /// The sections that go on, each deeper than the one before.
    open: Vec<usize>,
}

impl Outline {
    /// Begins a section, and ends those of its level and below. It goes on to the end of the source unless another ends
    /// it.
    pub(super) fn open(&mut self, level: u8, start: usize, end_of_source: usize) {
        while let Some(section) = self
            .open
            .last()
            .and_then(|&place| self.sections.get_mut(place))
            && section.level >= level
        {
            section.range.end = start;
            self.open.pop();
        }
        self.open.push(self.sections.len());
        self.sections.push(Section {
            title: String::new(),
            range: start..end_of_source,
            level,
        });
    }

    /// Names the section that was begun last.
    pub(super) fn name(&mut self, title: &str) {
        if let Some(section) = self.sections.last_mut() {
            section.title = comparison_form(title);
        }
    }

    pub(super) fn into_sections(self) -> Vec<Section> {
        self.sections
    }
}

/// The ranges of the sections with this title.
pub(super) fn named(sections: &[Section], title: &str) -> Vec<Range<usize>> {
    let title = comparison_form(title);
    let named = sections.iter().filter(|section| section.title == title);
    named.map(|section| section.range.clone()).collect()
}

/// The title of the smallest section that a range lies in.
pub(super) fn around(sections: &[Section], range: &Range<usize>) -> Option<String> {
    let last = sections.partition_point(|section| section.range.start <= range.start);
    let mut before = sections.get(..last)?.iter().rev();
    let around = before.find(|section| range.end <= section.range.end)?;
    Some(around.title.clone())
}
