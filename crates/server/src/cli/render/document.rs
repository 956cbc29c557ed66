//! What was found in a finished text, place by place, as a compiler tells it.

use pawl_proto::v1::{
    Backing, CheckDocumentResponse, DocumentStatement, DocumentSummary, SelfContradiction, Standing,
};

use super::{finding::finding, words};
use crate::cli::{output::Page, text, tone::Tone};

/// A text that was checked, and how much is told of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checked<'a> {
    /// Its name.
    pub(crate) file: &'a str,
    /// Tell of every statement.
    pub(crate) all: bool,
    /// It was checked against itself only.
    pub(crate) alone: bool,
}

impl Checked<'_> {
    /// Tells what was found, in the order of the text.
    pub(crate) fn told(self, answer: &CheckDocumentResponse, page: Page) -> String {
        let mut out = String::new();
        for (number, statement) in answer.statements.iter().enumerate() {
            out.push_str(&self.statement(statement, page));
            for found in &answer.self_contradictions {
                if usize::try_from(found.second) == Ok(number) {
                    out.push_str(&self.self_contradiction(answer, found, page));
                }
            }
        }
        let summary = answer.summary.unwrap_or_default();
        out.push_str(&self.end(answer, &summary));
        out
    }

    fn statement(self, statement: &DocumentStatement, page: Page) -> String {
        let standing = statement.standing();
        let is_quiet = matches!(
            standing,
            Standing::Backed | Standing::NotAClaim | Standing::Unspecified
        );
        if is_quiet && !self.all && statement.notes.is_empty() {
            return String::new();
        }
        if standing == Standing::Unbacked && !self.all {
            return self.one_line(statement, page) + &notes(statement, page);
        }
        let mut out = self.heading(statement, standing);
        let width = page.text_width();
        let told: Vec<_> = statement
            .findings
            .iter()
            .filter(|it| it.conflict && standing != Standing::Backed)
            .collect();
        if told.is_empty() {
            out.push_str(&text::wrapped("  ", &statement.text, width));
        }
        for found in told {
            out.push_str(&finding(found, Some(&statement.compared), page));
        }
        if let Some(superseded) = &statement.superseded {
            let said = format!(
                "{} was superseded by {}: {}",
                words::id(&superseded.assertion),
                words::id(&superseded.replaced_by),
                superseded.content
            );
            out.push_str(&text::wrapped("  outdated: ", &said, width));
        }
        for by in &statement.backing {
            out.push_str(&text::wrapped("  ", &backed_by(by), width));
        }
        if !statement.bare_figures.is_empty() {
            let bare = statement.bare_figures.join("`, `");
            let said = format!("nothing is behind `{bare}`");
            out.push_str(&text::wrapped("  ", &said, width));
        }
        out.push_str(&notes(statement, page));
        out
    }

    fn heading(self, statement: &DocumentStatement, standing: Standing) -> String {
        let (word, tone) = words::standing(standing);
        format!("{}: {}\n", self.place(statement), tone.paint(word))
    }

    /// A text may have many statements that nothing is behind; each is told on one line.
    fn one_line(self, statement: &DocumentStatement, page: Page) -> String {
        let (word, tone) = words::standing(Standing::Unbacked);
        let range = statement.range.unwrap_or_default();
        let place = format!("{}:{}:{}: {word}: ", self.file, range.line, range.column);
        let room = page.text_width().saturating_sub(text::columns(&place));
        let said = text::headline(&statement.text, room.max(20));
        format!("{}: {}: {said}\n", self.place(statement), tone.paint(word))
    }

    fn place(self, statement: &DocumentStatement) -> String {
        let range = statement.range.unwrap_or_default();
        let place = format!("{}:{}:{}", self.file, range.line, range.column);
        Tone::Strong.paint(place)
    }

    fn self_contradiction(
        self,
        answer: &CheckDocumentResponse,
        found: &SelfContradiction,
        page: Page,
    ) -> String {
        let at = |number: u32| answer.statements.get(usize::try_from(number).ok()?);
        let (Some(first), Some(second), Some(told)) =
            (at(found.first), at(found.second), &found.finding)
        else {
            return String::new();
        };
        let line = first.range.unwrap_or_default();
        format!(
            "{}: {} what line {}:{} says\n{}",
            self.place(second),
            Tone::Bad.paint("contradicts"),
            line.line,
            line.column,
            finding(told, Some(&second.compared), page)
        )
    }

    fn end(self, answer: &CheckDocumentResponse, summary: &DocumentSummary) -> String {
        let counts = if self.alone {
            format!(
                "{} statements, {} no claims",
                summary.statements, summary.not_claims
            )
        } else {
            let uncompared = match summary.not_compared {
                0 => String::new(),
                count => format!(" ({count} not compared)"),
            };
            format!(
                "{} statements: {} backed, {} partly backed, {} unbacked{uncompared}, {} \
                 contradicted, {} outdated, {} no claims",
                summary.statements,
                summary.backed,
                summary.partly_backed,
                summary.unbacked,
                summary.contradicted,
                summary.outdated,
                summary.not_claims
            )
        };
        let mut line = format!(
            "{counts}; {} self-contradictions",
            summary.self_contradictions
        );
        if self.alone && summary.not_compared > 0 {
            line.push_str(&format!("; {} not compared", summary.not_compared));
        }
        if !self.alone {
            line.push_str(&format!("; position {}", answer.position));
        }
        if !answer.with_model {
            line.push_str("; without a sentence model, so other wordings are missed");
        }
        format!("{}\n", Tone::Faint.paint(line))
    }
}

fn notes(statement: &DocumentStatement, page: Page) -> String {
    let notes = statement.notes.iter();
    notes
        .map(|note| text::wrapped("  note: ", note, page.text_width()))
        .collect()
}

fn backed_by(by: &Backing) -> String {
    let (status, _) = words::status(by.status);
    let how = if by.same {
        "says the same"
    } else {
        "bears it out"
    };
    format!(
        "{} ({status}) {how}: {}",
        words::id(&by.assertion),
        by.content
    )
}
