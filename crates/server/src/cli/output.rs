//! Where answers go: for people or as JSON, on standard output.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use prost::Name;

use super::{failure::Failure, json, text};

/// What a renderer has to know of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page {
    /// The columns of the terminal; nothing for files and pipes, where rows are not broken.
    width: Option<u16>,
}

/// The columns of running text where there is no terminal.
const TEXT_WIDTH: u16 = 100;

impl Page {
    /// Tells how wide tables may be.
    pub(crate) fn table_width(self) -> Option<u16> {
        self.width
    }

    /// Tells how wide running text is.
    pub(crate) fn text_width(self) -> usize {
        usize::from(self.width.unwrap_or(TEXT_WIDTH))
    }

    /// Makes a page of so many columns, or one without a limit.
    pub(crate) fn of_width(width: Option<u16>) -> Self {
        Self { width }
    }

    /// Makes a page that no terminal limits.
    #[cfg(test)]
    pub(crate) fn endless() -> Self {
        Self { width: None }
    }
}

/// Standard output with the caller's wishes.
pub(crate) struct Output {
    json: bool,
    terminal: bool,
    page: Page,
    out: AutoStream<io::Stdout>,
}

impl Output {
    /// Opens standard output.
    pub(crate) fn to_stdout(json: bool, color: ColorChoice) -> Self {
        let terminal = io::stdout().is_terminal();
        let width = comfy_table::Table::new().width().filter(|_| terminal);
        let out = AutoStream::new(io::stdout(), color);
        Self {
            json,
            terminal,
            page: Page { width },
            out,
        }
    }

    /// Tells what a renderer has to know of the page.
    pub(crate) fn page(&self) -> Page {
        self.page
    }

    /// Says whether JSON was asked for.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Says whether a person looks at it.
    pub(crate) fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Prints JSON from here on.
    pub(crate) fn use_json(&mut self) {
        self.json = true;
    }

    /// Prints an answer; the renderer sees texts that were made harmless.
    pub(crate) fn message<M: Name + Default>(
        &mut self,
        message: &M,
        render: impl FnOnce(&M, Page) -> String,
    ) -> Result<(), Failure> {
        if self.json {
            return self.document(&json::from_message(message));
        }
        let text = render(&json::harmless(message), self.page);
        self.print(&text)
    }

    /// Prints one object of a stream and flushes, so that a reader has it at once.
    pub(crate) fn stream_item<M: Name + Default>(
        &mut self,
        message: &M,
        render: impl FnOnce(&M, Page) -> String,
    ) -> Result<(), Failure> {
        let text = if self.json {
            json::escaped(&json::from_message(message).to_string()) + "\n"
        } else {
            render(&json::harmless(message), self.page)
        };
        self.print(&text)
    }

    /// Prints a JSON document.
    pub(crate) fn document(&mut self, value: &serde_json::Value) -> Result<(), Failure> {
        self.print(&(json::escaped(&format!("{value:#}")) + "\n"))
    }

    /// Prints a text as it is; the caller answers for it being harmless.
    pub(crate) fn print(&mut self, text: &str) -> Result<(), Failure> {
        let written = self
            .out
            .write_all(text.as_bytes())
            .and_then(|()| self.out.flush());
        written.map_err(Failure::Output)
    }

    /// Prints bytes as they are into files and pipes, and made harmless on a terminal.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if self.terminal {
            return self.print(&text::harmless(&String::from_utf8_lossy(bytes)));
        }
        let mut stdout = io::stdout();
        let written = stdout.write_all(bytes).and_then(|()| stdout.flush());
        written.map_err(Failure::Output)
    }
}
