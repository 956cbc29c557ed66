//! What is wrong with a table, row by row.

/// The most problems that are told of a table.
pub const MAX_TOLD: usize = 20;
/// The most characters of a cell that are shown with a problem.
const MAX_SHOWN: usize = 80;

/// What is wrong with one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line it begins on, from 1.
    pub line: u32,
    /// The column; empty for the row as a whole.
    pub column: String,
    /// What stands there, at most 80 characters of it.
    pub value: String,
    /// What is wrong, and what to write instead.
    pub what: String,
}

/// Why a table cannot be read: every problem counted, the first ones told.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct TableError {
    /// The first problems, by line; at most 20.
    pub problems: Vec<Problem>,
    /// How many there are.
    pub count: usize,
}

impl Problem {
    pub(super) fn new(line: usize, column: &str, value: &str, what: &str) -> Self {
        Self {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: shown(column),
            value: shown(value),
            what: what.to_owned(),
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "line {}", self.line)?;
        if !self.column.is_empty() {
            write!(formatter, ", `{}` is `{}`", self.column, self.value)?;
        }
        write!(formatter, ": {}", self.what)
    }
}

impl TableError {
    pub(super) fn add(&mut self, problem: Problem) {
        self.count += 1;
        if self.problems.len() < MAX_TOLD {
            self.problems.push(problem);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn sentence(&self) -> String {
        let told: Vec<String> = self.problems.iter().map(ToString::to_string).collect();
        let told = told.join("; ");
        match self.count - self.problems.len() {
            0 => told,
            more => format!("{told}; and {more} more"),
        }
    }
}

impl From<Problem> for TableError {
    fn from(problem: Problem) -> Self {
        let mut error = Self::default();
        error.add(problem);
        error
    }
}

fn shown(text: &str) -> String {
    text.chars().take(MAX_SHOWN).collect()
}
