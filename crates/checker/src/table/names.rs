//! Which column means what.

use std::collections::BTreeMap;

use super::{Problem, Row, TableError, sentence::date};

/// What a column can mean; any other column is a qualifier under its own name.
const MEANINGS: [&str; 7] = [
    "subject",
    "attribute",
    "value",
    "unit",
    "valid_from",
    "valid_to",
    "authority",
];
/// What every row says.
const NEEDED: [&str; 3] = ["subject", "attribute", "value"];
/// The most qualifiers of a row.
const MAX_QUALIFIERS: usize = 64;

/// The columns of a table that have another name than their meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// Column name to meaning.
    named: BTreeMap<String, &'static str>,
}

impl Columns {
    /// Takes a mapping from meanings to column names; gives the meaning that there is not, or whose
    /// column is given twice.
    pub fn new(columns: &BTreeMap<String, String>) -> Result<Self, String> {
        let mut named = BTreeMap::new();
        for (meaning, column) in columns {
            let known = MEANINGS.iter().find(|it| *it == meaning);
            let Some(known) = known.filter(|_| !column.is_empty()) else {
                return Err(format!(
                    "`{meaning}={column}` names no column; name one for {}",
                    MEANINGS.join(", ")
                ));
            };
            if named.insert(column.clone(), *known).is_some() {
                return Err(format!("column `{column}` is named twice; name it once"));
            }
        }
        Ok(Self { named })
    }

    /// What a column means; none for a qualifier.
    fn meaning(&self, column: &str) -> Option<&'static str> {
        let renamed = |meaning: &str| self.named.values().any(|it| *it == meaning);
        let own = MEANINGS.iter().find(|it| **it == column);
        let own = own.copied().filter(|meaning| !renamed(meaning));
        self.named.get(column).copied().or(own)
    }

    /// The column with a meaning.
    pub(super) fn column<'a>(&'a self, meaning: &'a str) -> &'a str {
        let mut named = self.named.iter();
        named
            .find(|(_, it)| **it == meaning)
            .map_or(meaning, |(column, _)| column)
    }

    /// Refuses a header without what every row says, or with a name that stands twice.
    pub(super) fn check_header(&self, header: &[&str], problems: &mut TableError) {
        for meaning in NEEDED.iter().chain(self.named.values()) {
            let column = self.column(meaning);
            if !header.contains(&column) {
                let what = format!(
                    "the header has no column `{column}`; name the column that holds the \
                     {meaning} with `{meaning}=COLUMN`"
                );
                problems.add(Problem::new(1, "", "", &what));
            }
        }
        for (place, name) in header.iter().enumerate() {
            let twice = header.iter().take(place).any(|it| it == name);
            let what = match (twice, name.is_empty()) {
                (true, _) => "the header names the column twice; name each once",
                (_, true) => "the header has a column without a name; name it, or leave it out",
                _ => continue,
            };
            problems.add(Problem::new(1, name, name, what));
        }
    }

    /// Where the text of a column goes.
    pub(super) fn place<'row>(&self, column: &str, row: &'row mut Row) -> &'row mut String {
        match self.meaning(column) {
            Some("subject") => &mut row.subject,
            Some("attribute") => &mut row.attribute,
            Some("value") => &mut row.value,
            Some("unit") => &mut row.unit,
            Some("valid_from") => &mut row.valid_from,
            Some("valid_to") => &mut row.valid_to,
            Some("authority") => &mut row.authority,
            _ => row.qualifiers.entry(column.to_owned()).or_default(),
        }
    }

    /// Refuses a row that leaves out what every row says, or holds at no time.
    pub(super) fn check_row(&self, row: &Row, problems: &mut TableError) {
        let line = usize::try_from(row.line).unwrap_or(usize::MAX);
        for (meaning, text) in [
            ("subject", &row.subject),
            ("attribute", &row.attribute),
            ("value", &row.value),
        ] {
            if text.is_empty() {
                let what = format!("it is empty; every row has a {meaning}");
                problems.add(Problem::new(line, self.column(meaning), text, &what));
            }
        }
        if row.qualifiers.len() > MAX_QUALIFIERS {
            let what = format!("a row has at most {MAX_QUALIFIERS} qualifiers; leave some out");
            problems.add(Problem::new(line, "", "", &what));
        }
        let mut day = |meaning: &'static str, text: &str| {
            if text.is_empty() {
                return None;
            }
            let days = date(text);
            if days.is_none() {
                let what = "write a date as `2024`, `2024-06` or `2024-06-30`";
                problems.add(Problem::new(line, self.column(meaning), text, what));
            }
            days
        };
        let from = day("valid_from", &row.valid_from);
        let to = day("valid_to", &row.valid_to);
        if let (Some((first, _)), Some((_, last))) = (from, to)
            && first > last
        {
            let column = self.column("valid_to");
            let what = format!("it is before `{}`; exchange the two", row.valid_from);
            problems.add(Problem::new(line, column, &row.valid_to, &what));
        }
    }
}
