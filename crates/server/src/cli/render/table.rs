//! Tables and lists of fields, in one look.

use comfy_table::{Cell, ContentArrangement, Table, presets};

use crate::cli::{output::Page, text, tone::Tone};

/// Lays out rows under headings; says so where there are none.
pub(crate) fn table(page: Page, nothing: &str, headings: &[&str], rows: Vec<Vec<Cell>>) -> String {
    if rows.is_empty() {
        return format!("{nothing}\n");
    }
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .enforce_styling()
        .set_header(headings.iter().map(|heading| Tone::Strong.cell(heading)))
        .add_rows(rows);
    table.style_text_only();
    match page.table_width() {
        Some(width) => table
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(width),
        None => table.set_content_arrangement(ContentArrangement::Disabled),
    };
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let mut out = String::new();
    for line in table.lines() {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Makes a cell without colour.
pub(crate) fn plain(text: impl std::fmt::Display) -> Cell {
    Tone::Plain.cell(text)
}

/// Makes a cell of a word in its colour.
pub(crate) fn toned((word, tone): (String, Tone)) -> Cell {
    tone.cell(word)
}

/// Names and values under each other; those without a value are left out.
pub(crate) struct Fields {
    page: Page,
    out: String,
}

/// The columns the names take.
const NAME_WIDTH: usize = 14;

impl Fields {
    /// Begins with a heading.
    pub(crate) fn new(page: Page, heading: &str) -> Self {
        Self {
            page,
            out: format!("{}\n", Tone::Strong.paint(heading)),
        }
    }

    /// Adds a value.
    pub(crate) fn add(self, name: &str, value: impl std::fmt::Display) -> Self {
        self.add_toned(name, value, Tone::Plain)
    }

    /// Adds a value in colour.
    pub(crate) fn add_toned(
        mut self,
        name: &str,
        value: impl std::fmt::Display,
        tone: Tone,
    ) -> Self {
        let value = value.to_string();
        if value.is_empty() {
            return self;
        }
        let first = format!("  {name:<NAME_WIDTH$}");
        let room = self.page.text_width();
        let wrapped = text::wrapped(&" ".repeat(first.len()), &value, room);
        // The name is put in after wrapping, so that its codes do not count as columns.
        let rest = wrapped
            .get(first.len()..)
            .unwrap_or_default()
            .trim_end_matches('\n');
        self.out.push_str(&Tone::Faint.paint(&first));
        self.out.push_str(&if tone == Tone::Plain {
            rest.to_owned()
        } else {
            tone.paint(rest)
        });
        self.out.push('\n');
        self
    }

    /// Adds text that is laid out already.
    pub(crate) fn block(mut self, text: &str) -> Self {
        self.out.push_str(text);
        self
    }

    /// Ends it.
    pub(crate) fn text(self) -> String {
        self.out
    }
}
