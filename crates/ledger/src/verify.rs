//! Rederives everything a store holds from its logs and compares. Reads only, and never fails on
//! damaged bytes: it names them.
//!
//! Without a head kept outside the store it cannot know that a whole store was put back to an older
//! copy, and an entry that was changed into another lawful one shows in the tree hash only.

mod boards;
mod derived;
mod lawful;
mod log;
mod sources;
mod words;

use std::fmt;

use serde::Serialize;

use crate::{
    id::{BoardName, Position},
    store::{Store, StoreError},
};

/// The most problems that are listed; what is beyond is counted.
pub const MAX_LISTED: usize = 10_000;

/// What was looked at and what is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The boards.
    pub boards: u64,
    /// The entries of their logs.
    pub entries: u64,
    /// The commitments whose words were looked for.
    pub words: u64,
    /// The kept sources.
    pub sources: u64,
    /// What is wrong.
    pub findings: Vec<Problem>,
    /// What is not wrong but worth knowing, such as an image that is not used.
    pub notes: Vec<Problem>,
    /// How many findings are not listed.
    pub left_out: u64,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The board; none where it is of no board, or of an unknown one.
    pub board: Option<BoardName>,
    /// The entry; none where it is of none, or where it cannot be known of which.
    pub position: Option<Position>,
    /// What sort of thing it is.
    pub kind: ProblemKind,
    /// What is wrong, for people.
    pub what: String,
}

/// The sorts of things that can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    /// A board's record, or something of a board that has none.
    Board,
    /// The recorded size and tree hash of a log.
    Head,
    /// An entry that is not there.
    EntryMissing,
    /// An entry beyond the end of its log.
    EntryStray,
    /// Bytes that are no entry, or not this one's.
    EntryUnreadable,
    /// An entry that does not follow from those before it.
    EntryNotFollowing,
    /// An entry that the rules do not allow.
    EntryUnlawful,
    /// The tree hash over the entries.
    Tree,
    /// Words that an entry commits to and that are not there.
    WordsMissing,
    /// Words that are not the ones an entry commits to.
    WordsChanged,
    /// Words that no entry commits to.
    WordsStray,
    /// A kept source.
    Source,
    /// The image of a board's state.
    Image,
    /// The kept answer to a repeatable request.
    Request,
    /// What is counted of who has written what.
    Usage,
    /// A file of a backup.
    Backup,
}

/// Rederives everything a store holds.
///
/// # Errors
/// Where the store cannot be read at all; what is read and is wrong is in the report.
pub fn verify(store: &dyn Store) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let mut kept = sources::Kept::default();
    for (name, number) in boards::check(store, &mut report)? {
        report.boards += 1;
        log::check(store, &name, number, &mut kept, &mut report)?;
    }
    sources::check(store, &kept, &mut report)?;
    report.findings.sort_by(|one, other| {
        let place = |it: &Problem| (it.board.clone(), it.position.is_none(), it.position);
        place(one).cmp(&place(other))
    });
    Ok(report)
}

impl Report {
    /// Says whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    /// The first entry that something is wrong with, of the first board that has one.
    pub fn first_wrong_entry(&self) -> Option<(&BoardName, Position)> {
        self.findings
            .iter()
            .find_map(|it| Some((it.board.as_ref()?, it.position?)))
    }

    /// What is wrong with the files of a backup, of which nothing else was looked at then.
    pub(crate) fn of_backup(problems: impl IntoIterator<Item = String>) -> Self {
        let mut report = Self::default();
        for what in problems {
            report.find(Problem::new(ProblemKind::Backup, what));
        }
        report
    }

    fn find(&mut self, problem: Problem) {
        if self.findings.len() < MAX_LISTED {
            self.findings.push(problem);
        } else {
            self.left_out += 1;
        }
    }
}

impl Problem {
    fn new(kind: ProblemKind, what: impl Into<String>) -> Self {
        Self {
            board: None,
            position: None,
            kind,
            what: what.into(),
        }
    }

    fn on(mut self, board: &BoardName) -> Self {
        self.board = Some(board.clone());
        self
    }

    fn at(mut self, position: Position) -> Self {
        self.position = Some(position);
        self
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            boards,
            entries,
            words,
            sources,
            ..
        } = self;
        writeln!(
            formatter,
            "boards: {boards}, entries: {entries}, words: {words}, kept sources: {sources}"
        )?;
        for note in &self.notes {
            writeln!(formatter, "note: {note}")?;
        }
        for finding in &self.findings {
            writeln!(formatter, "wrong: {finding}")?;
        }
        if self.left_out > 0 {
            writeln!(formatter, "and {} more", self.left_out)?;
        }
        match self.first_wrong_entry() {
            None if self.is_clean() => write!(formatter, "everything agrees"),
            None => write!(formatter, "not everything agrees"),
            Some((board, position)) => write!(
                formatter,
                "the first wrong entry is {position} of board `{board}`"
            ),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(board) = &self.board {
            write!(formatter, "board `{board}`, ")?;
        }
        if let Some(position) = self.position {
            write!(formatter, "entry {position}, ")?;
        }
        write!(formatter, "{}: {}", self.kind, self.what)
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Board => "board record",
            Self::Head => "head of the log",
            Self::EntryMissing => "entry missing",
            Self::EntryStray => "entry beyond the log",
            Self::EntryUnreadable => "entry unreadable",
            Self::EntryNotFollowing => "entry does not follow",
            Self::EntryUnlawful => "entry against the rules",
            Self::Tree => "tree hash",
            Self::WordsMissing => "words missing",
            Self::WordsChanged => "words changed",
            Self::WordsStray => "words of no entry",
            Self::Source => "source",
            Self::Image => "image of the state",
            Self::Request => "kept answer",
            Self::Usage => "counts",
            Self::Backup => "backup",
        })
    }
}
