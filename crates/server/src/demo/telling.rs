//! The story as a person reads it.

use std::path::Path;

use super::{
    play::{Played, Unmet},
    story::{Chapter, Member, Step},
};
use crate::cli::{
    failure::Failure,
    output::{Output, Page},
    text,
    tone::Tone,
};

/// How far the answers stand in.
const INDENT: &str = "      ";

/// Prints as the story goes, unless it is wanted as data.
pub(crate) struct Teller<'a> {
    output: &'a mut Output,
}

impl<'a> Teller<'a> {
    pub(crate) fn new(output: &'a mut Output) -> Self {
        Self { output }
    }

    /// The page inside of the indent.
    pub(crate) fn page(&self) -> Page {
        let indent = u16::try_from(INDENT.len()).unwrap_or_default();
        let width = self.output.page().table_width();
        Page::of_width(width.map(|width| width.saturating_sub(indent)))
    }

    pub(crate) fn beginning(&mut self, directory: &Path, with_model: bool) -> Result<(), Failure> {
        let model = if with_model {
            "with the sentence model"
        } else {
            "without the sentence model"
        };
        self.say(&format!(
            "{}\na server {model}, its store in {}\n",
            Tone::Strong.paint("pawl demo"),
            directory.display()
        ))
    }

    pub(crate) fn member(&mut self, member: &Member, process: Option<u32>) -> Result<(), Failure> {
        let process = process.map(|number| format!(", process {number}"));
        let role = member.role.trim_start_matches("ROLE_").to_lowercase();
        self.say(&format!(
            "  {:<6} {role}{}: {}\n",
            member.name,
            process.unwrap_or_default(),
            member.description
        ))
    }

    pub(crate) fn chapter(&mut self, chapter: &Chapter) -> Result<(), Failure> {
        let told = text::wrapped("", &chapter.text, self.output.page().text_width());
        self.say(&format!(
            "\n{}\n{}",
            Tone::Strong.paint(&chapter.title),
            Tone::Faint.paint(told.trim_end())
        ))?;
        self.say("\n")
    }

    pub(crate) fn step(
        &mut self,
        number: usize,
        step: &Step,
        answer: &str,
        unmet: &[Unmet],
    ) -> Result<(), Failure> {
        let mark = if unmet.is_empty() {
            Tone::Good.paint("✓")
        } else {
            Tone::Bad.paint("✗")
        };
        let who = Tone::Strong.paint(&step.who);
        let mut told = format!("{mark} {number:>2}  {who} {}\n", step.does);
        for line in answer.lines() {
            told.push_str(&format!("{INDENT}{line}\n"));
        }
        for one in unmet {
            told.push_str(&format!(
                "{INDENT}{} at {}: expected {}, got {}\n",
                Tone::Bad.paint("not as it should be"),
                one.at,
                one.expected,
                text::harmless(&one.got.to_string()),
            ));
        }
        self.say(&told)
    }

    pub(crate) fn end(&mut self, played: &Played, commands: &[String]) -> Result<(), Failure> {
        let steps = played.steps.len();
        let told = match played.failed {
            0 => Tone::Good.paint(format!("all {steps} steps came out as they should")),
            failed => Tone::Bad.paint(format!(
                "{failed} of {steps} steps did not come out as they should"
            )),
        };
        let commands: String = commands.iter().map(|one| format!("  {one}\n")).collect();
        let look = Tone::Strong.paint("Look around in what it made");
        let figures = format!("{}\n{}", Tone::Strong.paint("Figures"), played.told);
        self.say(&format!("\n{figures}\n{told}\n\n{look}\n{commands}"))
    }

    fn say(&mut self, told: &str) -> Result<(), Failure> {
        if self.output.is_json() {
            return Ok(());
        }
        self.output.print(told)
    }
}
