//! Compiles the data files; the only place that knows what their columns mean.

use std::sync::{Arc, LazyLock};

use rust_decimal::Decimal;

use super::rows::{Row, rows};
use super::{
    CalendarEntry, Comparator, ComparatorEntry, Entry, Lexicon, Modal, Narrowing, NumeralEntry,
    Quantifier, Role, UnitEntry,
};
use crate::text::language::is_han;
use crate::text::stem::stem;
use crate::text::term::Term;
use crate::text::token::{Token, tokenise};

/// The shipped files, in the order they are compiled and digested.
pub(crate) const FILES: [(&str, &str); 12] = [
    ("words.tsv", include_str!("../../data/words.tsv")),
    ("irregular.tsv", include_str!("../../data/irregular.tsv")),
    ("operators.tsv", include_str!("../../data/operators.tsv")),
    ("numerals.tsv", include_str!("../../data/numerals.tsv")),
    ("calendar.tsv", include_str!("../../data/calendar.tsv")),
    ("units.tsv", include_str!("../../data/units.tsv")),
    ("currencies.tsv", include_str!("../../data/currencies.tsv")),
    (
        "comparators.tsv",
        include_str!("../../data/comparators.tsv"),
    ),
    ("opposites.tsv", include_str!("../../data/opposites.tsv")),
    ("exclusive.tsv", include_str!("../../data/exclusive.tsv")),
    ("qualifiers.tsv", include_str!("../../data/qualifiers.tsv")),
    ("synonyms.tsv", include_str!("../../data/synonyms.tsv")),
];

/// A row that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line} of lexicon `{file}` cannot be read: {reason}; see docs/lexicons.md for its columns"
)]
pub struct LexiconError {
    /// The file.
    pub file: String,
    /// The line, counted from one.
    pub line: usize,
    /// What is wrong.
    pub reason: &'static str,
}

static SHIPPED: LazyLock<Arc<Lexicon>> = LazyLock::new(|| {
    let mut lexicon = Lexicon::default();
    for (name, text) in FILES {
        lexicon
            .load(name, text)
            .expect("the shipped files are read by a test");
    }
    Arc::new(lexicon)
});

/// The shipped lexicon, compiled once.
pub(crate) fn shipped() -> Arc<Lexicon> {
    Arc::clone(&SHIPPED)
}

impl Lexicon {
    fn load(&mut self, file: &str, text: &str) -> Result<(), LexiconError> {
        for row in rows(text) {
            let read = match file {
                "words.tsv" => self.words(&row),
                "irregular.tsv" => self.irregular(&row),
                "operators.tsv" => self.operators(&row),
                "numerals.tsv" => self.numeral_row(&row),
                "calendar.tsv" => self.calendar_row(&row),
                "units.tsv" => self.unit_row(&row),
                "currencies.tsv" => self.currency_row(&row),
                "comparators.tsv" => self.comparator_row(&row),
                "opposites.tsv" => {
                    self.add_opposites(row.members(0), row.members(1), row.column(2) == "change")
                }
                "exclusive.tsv" => self.add_exclusive(row.column(0), row.members(1), false),
                "qualifiers.tsv" => self.qualifier_row(&row),
                "synonyms.tsv" => self.synonym_row(&row),
                _ => Err("no such file"),
            };
            read.map_err(|reason| LexiconError {
                file: file.to_owned(),
                line: row.line,
                reason,
            })?;
        }
        Ok(())
    }

    /// Cuts a phrase into tokens, making a Han phrase one word.
    pub(crate) fn phrase(&mut self, text: &str) -> Vec<Token> {
        if text.chars().count() > 1 && text.chars().all(is_han) {
            self.han.insert(Term::of(text), ());
        }
        tokenise(text, self)
    }

    pub(super) fn entry(&mut self, text: &str) -> Result<&mut Entry, &'static str> {
        let phrase = self.phrase(text);
        self.entries
            .entry(&phrase)
            .ok_or("a phrase is empty or longer than five words")
    }

    fn words(&mut self, row: &Row<'_>) -> Result<(), &'static str> {
        for word in row.members(0) {
            self.phrase(word);
        }
        Ok(())
    }

    fn irregular(&mut self, row: &Row<'_>) -> Result<(), &'static str> {
        let base = Term::of(&stem(row.column(0)));
        for form in row.members(1) {
            self.bases.insert(Term::of(form), base);
        }
        Ok(())
    }

    fn operators(&mut self, row: &Row<'_>) -> Result<(), &'static str> {
        let class = row.column(0);
        let role = match class {
            "stop" => Role::Stop,
            "negator" => Role::Negator,
            "all" => Role::Quantifier(Quantifier::All),
            "not_all" => Role::Quantifier(Quantifier::NotAll),
            "most" => Role::Quantifier(Quantifier::Most),
            "some" => Role::Quantifier(Quantifier::Some),
            "few" => Role::Quantifier(Quantifier::Few),
            "none" => Role::Quantifier(Quantifier::None),
            "required" => Role::Modal(Modal::Required),
            "permitted" => Role::Modal(Modal::Permitted),
            "forbidden" => Role::Modal(Modal::Forbidden),
            "optional" => Role::Modal(Modal::Optional),
            "event" | "relation" | "numbered" => Role::Content,
            _ => return Err("the class is unknown"),
        };
        for phrase in row.members(1) {
            let entry = self.entry(phrase)?;
            match class {
                "event" => entry.is_event = true,
                "relation" => entry.is_relation = true,
                "numbered" => entry.is_numbered = true,
                _ => entry.role = role,
            }
        }
        Ok(())
    }

    fn numeral_row(&mut self, row: &Row<'_>) -> Result<(), &'static str> {
        let value: Decimal = row
            .column(1)
            .parse()
            .map_err(|_| "the value is no decimal")?;
        let entry = match row.column(0) {
            "small" => NumeralEntry::Small(value),
            "scale" => NumeralEntry::Scale {
                factor: value,
                glued_only: false,
            },
            "glued" => NumeralEntry::Scale {
                factor: value,
                glued_only: true,
            },
            "ordinal" => NumeralEntry::Ordinal(value),
            "fraction" => NumeralEntry::Fraction(value),
            _ => return Err("the class is unknown"),
        };
        for word in row.members(2) {
            self.numerals.insert(Term::of(word), entry);
        }
        Ok(())
    }

    fn calendar_row(&mut self, row: &Row<'_>) -> Result<(), &'static str> {
        let value: i8 = row
            .column(1)
            .parse()
            .map_err(|_| "the value is no small number")?;
        let entry = match row.column(0) {
            "month" => CalendarEntry::Month(value),
            "quarter" => CalendarEntry::Quarter(value),
            "half" => CalendarEntry::Half(value),
            _ => return Err("the class is unknown"),
        };
        for word in row.members(2) {
            let phrase = self.phrase(word);
            let key =
                Term::joined(phrase.iter().map(|token| token.term)).ok_or("a word is empty")?;
            self.calendar.insert(key, entry);
        }
        Ok(())
    }

    fn unit_row(&mut self, row: &Row<'_>) -> Result<(), &'static str> {
        let entry = UnitEntry {
            dimension: row.column(0).to_owned(),
            factor: row
                .column(1)
                .parse()
                .map_err(|_| "the factor is no decimal")?,
            offset: row
                .column(2)
                .parse()
                .map_err(|_| "the offset is no decimal")?,
            glued_only: row.column(3) == "glued",
        };
        let names = if entry.glued_only { 4 } else { 3 };
        for name in row.members(names) {
            let phrase = self.phrase(name);
            if !self.units.put(&phrase, entry.clone()) {
                return Err("a name is empty or longer than five words");
            }
        }
        Ok(())
    }

    fn currency_row(&mut self, row: &Row<'_>) -> Result<(), &'static str> {
        for name in row.members(1) {
            let phrase = self.phrase(name);
            if !self.currencies.put(&phrase, row.column(0).to_owned()) {
                return Err("a name is empty or longer than five words");
            }
        }
        Ok(())
    }

    fn comparator_row(&mut self, row: &Row<'_>) -> Result<(), &'static str> {
        let comparator = match row.column(0) {
            "over" => Comparator::Over,
            "past" => Comparator::Past,
            "at_least" => Comparator::AtLeast,
            "under" => Comparator::Under,
            "at_most" => Comparator::AtMost,
            "about" => Comparator::About,
            "nearly" => Comparator::Nearly,
            _ => return Err("the comparator is unknown"),
        };
        let of = row.column(2);
        let entry = ComparatorEntry {
            comparator,
            numbers: of != "date",
            dates: of != "number",
        };
        for name in row.members(3) {
            let phrase = self.phrase(name);
            let put = match row.column(1) {
                "before" => self.before.put(&phrase, entry),
                "after" => self.after.put(&phrase, entry),
                _ => return Err("the place is neither before nor after"),
            };
            if !put {
                return Err("a phrase is empty or longer than five words");
            }
        }
        Ok(())
    }

    fn qualifier_row(&mut self, row: &Row<'_>) -> Result<(), &'static str> {
        let narrowing = match row.column(0) {
            "region" => Narrowing::Region,
            "segment" => Narrowing::Segment,
            "scope" => Narrowing::Scope,
            _ => return Err("the kind is unknown"),
        };
        for member in row.members(1) {
            let mut names = member.split('|');
            let canonical = Term::of(names.clone().next().unwrap_or_default());
            names.try_for_each(|name| {
                let entry = self.entry(name)?;
                entry.narrowing = Some((narrowing, canonical));
                entry.canonical = Some(canonical);
                Ok::<(), &'static str>(())
            })?;
        }
        Ok(())
    }

    fn synonym_row(&mut self, row: &Row<'_>) -> Result<(), &'static str> {
        let canonical = Term::of(row.members(0).next().ok_or("the row is empty")?);
        for name in row.members(0) {
            self.entry(name)?.canonical.get_or_insert(canonical);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_row_is_read() {
        let mut lexicon = Lexicon::default();
        for (name, text) in FILES {
            lexicon.load(name, text).unwrap();
            assert!(rows(text).count() >= 3, "{name} is nearly empty");
        }
    }

    #[test]
    fn a_bad_row_is_named() {
        let error = Lexicon::default()
            .load("numerals.tsv", "# head\nsmall\tx\tone")
            .unwrap_err();
        assert_eq!((error.line, error.reason), (2, "the value is no decimal"));
    }
}
