//! The headings of a text: what a section is about, and which sections speak of different things.

use std::collections::BTreeSet;

use crate::lexicon::Narrowing;
use crate::statement::Statement;
use crate::text::language::is_han;
use crate::text::term::Term;
use crate::vocabulary::Vocabulary;

/// Every section of a text; the first one is what stands before any heading.
#[derive(Clone, Debug, Default)]
pub(super) struct Sections {
    all: Vec<Section>,
}

/// A heading and what it says.
#[derive(Clone, Debug)]
struct Section {
    title: String,
    level: u8,
    parent: Option<usize>,
    statement: Statement,
    /// It names what its sentences are about, and not an aspect of what the whole text is about.
    is_subject: bool,
}

/// The words of a text as they are written.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// Written small somewhere.
    pub(super) small: BTreeSet<String>,
    /// Written large somewhere within a sentence.
    pub(super) large: BTreeSet<String>,
}

impl Sections {
    /// Opens a section under the last one of a higher level; gives its number.
    pub(super) fn open(&mut self, title: &str, level: u8, vocabulary: &Vocabulary) -> usize {
        let parent = self
            .all
            .iter()
            .enumerate()
            .next_back()
            .and_then(|(last, _)| {
                self.path(last)
                    .into_iter()
                    .find(|number| self.all.get(*number).is_some_and(|it| it.level < level))
            });
        self.all.push(Section {
            title: title.to_owned(),
            level,
            parent,
            statement: Statement::of(title, vocabulary),
            is_subject: false,
        });
        self.all.len() - 1
    }

    /// A section and those it stands in, the innermost first.
    pub(super) fn path(&self, section: usize) -> Vec<usize> {
        std::iter::successors(Some(section), |number| self.all.get(*number)?.parent)
            .filter(|number| *number < self.all.len())
            .collect()
    }

    /// The headings a section stands under, the outermost first.
    pub(super) fn headings(&self, section: usize) -> Vec<String> {
        let mut path = self.path(section);
        path.reverse();
        let sections = path.into_iter().filter_map(|number| self.all.get(number));
        sections
            .map(|section| section.title.clone())
            .filter(|title| !title.is_empty())
            .collect()
    }

    /// The one date of the nearest heading that has one, as written there.
    pub(super) fn period(&self, section: usize) -> Option<String> {
        let dates = |number: usize| -> Vec<String> {
            let Some(section) = self.all.get(number) else {
                return Vec::new();
            };
            let quantities = section.statement.quantities().iter();
            quantities
                .filter(|it| it.dimension.is_calendar())
                // `2023年度` names a year and narrows to the annual; only the year is carried on.
                .map(|it| section.statement.span(&it.span).text.replace("年度", "年"))
                .collect()
        };
        let nearest = self.path(section).into_iter().map(dates);
        let mut nearest = nearest.filter(|dates| !dates.is_empty());
        match nearest.next()?.as_slice() {
            [one] => Some(one.clone()),
            _ => None,
        }
    }

    /// The nearest heading that names a subject. The title of the whole text is none: it tells nothing apart.
    pub(super) fn subject(&self, section: usize) -> Option<&str> {
        self.path(section)
            .into_iter()
            .filter_map(|number| self.all.get(number))
            .find(|section| section.is_subject && !self.is_title(section))
            .map(|section| section.title.as_str())
    }

    /// The words of the headings that narrow what is spoken of: `worldwide`, `retail`.
    pub(super) fn narrowing(&self, section: usize, kind: Narrowing) -> Option<String> {
        self.path(section).into_iter().find_map(|number| {
            let statement = &self.all.get(number)?.statement;
            let narrows = |item: &&crate::item::Item| item.narrowing.is_some_and(|it| it.0 == kind);
            let item = statement.items.iter().find(narrows)?;
            Some(statement.span(&item.span).text)
        })
    }

    /// Finds out which headings name subjects, once all of them are known.
    ///
    /// A heading does if it has a number, a name, a region or a segment in it, or if it differs from another one
    /// beside it in a single word (`Plant A`, `Plant B`); `Costs` and `Summary` do not.
    pub(super) fn classify(&mut self, written: &Written) {
        let subjects: Vec<bool> = (0..self.all.len())
            .map(|number| self.names_subject(number, written))
            .collect();
        for (section, is_subject) in self.all.iter_mut().zip(subjects) {
            section.is_subject = is_subject;
        }
    }

    fn names_subject(&self, number: usize, written: &Written) -> bool {
        let Some(section) = self.all.get(number) else {
            return false;
        };
        let of = &section.statement;
        let names_one = of.items.iter().any(|item| {
            let word = of.span(&item.span).text;
            let name = item.capital
                && item.is_content()
                && !written.small.contains(&word.to_lowercase())
                && written.large.contains(&word);
            name || item.narrowing.is_some() || !item.memberships.is_empty()
        });
        let numbered = of
            .quantities()
            .iter()
            .any(|quantity| !quantity.dimension.is_calendar() && quantity.span.start > 0);
        names_one || numbered || self.has_twin(number)
    }

    fn is_title(&self, section: &Section) -> bool {
        section.level == 1 && self.all.iter().filter(|it| it.level == 1).count() == 1
    }

    /// Whether a heading beside this one is the same but for a name.
    fn has_twin(&self, number: usize) -> bool {
        let Some(section) = self.all.get(number) else {
            return false;
        };
        self.all.iter().enumerate().any(|(other, twin)| {
            other != number
                && twin.parent == section.parent
                && twin.level == section.level
                && are_twins(section, twin)
        })
    }

    /// Whether two statements stand in sections about different subjects, and neither names that of the other.
    pub(super) fn are_apart(&self, one: (usize, &Statement), other: (usize, &Statement)) -> bool {
        let (mine, theirs) = (self.path(one.0), self.path(other.0));
        let own = |path: &[usize], beside: &[usize]| -> Option<BTreeSet<Term>> {
            path.iter()
                .filter(|number| !beside.contains(number))
                .filter_map(|number| self.all.get(*number))
                .find(|section| section.is_subject)
                .map(|section| content(&section.statement))
        };
        let (Some(of_one), Some(of_other)) = (own(&mine, &theirs), own(&theirs, &mine)) else {
            return false;
        };
        let names = |statement: &Statement, subject: &BTreeSet<Term>, beside: &BTreeSet<Term>| {
            let terms = content(statement);
            let mut own = subject.difference(beside).peekable();
            own.peek().is_some() && own.all(|term| terms.contains(term))
        };
        of_one != of_other
            && !names(one.1, &of_other, &of_one)
            && !names(other.1, &of_one, &of_other)
    }
}

/// Whether two titles differ in one word, or in the Han characters before or after what they share.
fn are_twins(one: &Section, other: &Section) -> bool {
    let (mine, theirs) = (content(&one.statement), content(&other.statement));
    if !one.title.chars().any(is_han) {
        let common = mine.intersection(&theirs).count();
        return common > 0 && mine.len() == theirs.len() && mine.len() - common == 1;
    }
    let shared = |mine: &mut dyn Iterator<Item = char>, theirs: &mut dyn Iterator<Item = char>| {
        mine.zip(theirs)
            .take_while(|(one, other)| one == other)
            .count()
    };
    let (mine, theirs) = (one.title.as_str(), other.title.as_str());
    let before = shared(&mut mine.chars(), &mut theirs.chars());
    let after = shared(&mut mine.chars().rev(), &mut theirs.chars().rev());
    let common = before.max(after);
    let rest = |title: &str| title.chars().count() - common;
    mine != theirs && common >= 2 && rest(mine).max(rest(theirs)) <= MAX_NAME_HAN
}

/// The most Han characters in which two titles differ that name two things of one kind.
const MAX_NAME_HAN: usize = 4;

fn content(statement: &Statement) -> BTreeSet<Term> {
    let items = statement.items.iter();
    items
        .filter(|item| item.is_content() && item.quantity.is_none())
        .map(|item| item.term)
        .collect()
}
