//! The few colours there are, by what they mean.

use anstyle::{AnsiColor, Style};
use comfy_table::{Attribute, Cell, Color};

/// What a colour says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// As wished.
    Good,
    /// Locked for good.
    Locked,
    /// To be looked at.
    Warning,
    /// Not as wished.
    Bad,
    /// Of less weight.
    Faint,
    /// A heading.
    Strong,
    /// Nothing.
    Plain,
}

impl Tone {
    /// Paints a text.
    pub(crate) fn paint(self, text: impl std::fmt::Display) -> String {
        let style = self.style();
        format!("{style}{text}{style:#}")
    }

    /// Makes a cell of a table.
    pub(crate) fn cell(self, text: impl std::fmt::Display) -> Cell {
        let cell = Cell::new(text);
        match self {
            Self::Good => cell.fg(Color::DarkGreen),
            Self::Locked => cell.fg(Color::DarkCyan),
            Self::Warning => cell.fg(Color::DarkYellow),
            Self::Bad => cell.fg(Color::DarkRed),
            Self::Faint => cell.add_attribute(Attribute::Dim),
            Self::Strong => cell.add_attribute(Attribute::Bold),
            Self::Plain => cell,
        }
    }

    fn style(self) -> Style {
        match self {
            Self::Good => AnsiColor::Green.on_default(),
            Self::Locked => AnsiColor::Cyan.on_default(),
            Self::Warning => AnsiColor::Yellow.on_default(),
            Self::Bad => AnsiColor::Red.on_default().bold(),
            Self::Faint => Style::new().dimmed(),
            Self::Strong => Style::new().bold(),
            Self::Plain => Style::new(),
        }
    }
}
