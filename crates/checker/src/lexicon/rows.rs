//! The byte form of a lexicon file: tab-separated columns, `#` comments, members parted by commas.

/// One row with its line number, counted from one.
pub(super) struct Row<'a> {
    pub(super) line: usize,
    columns: Vec<&'a str>,
}

/// Reads the rows of a file.
pub(super) fn rows(text: &str) -> impl Iterator<Item = Row<'_>> {
    text.lines().enumerate().filter_map(|(index, line)| {
        let line = line.trim_end();
        (!line.is_empty() && !line.starts_with('#')).then(|| Row {
            line: index + 1,
            columns: line.split('\t').map(str::trim).collect(),
        })
    })
}

impl<'a> Row<'a> {
    /// A column, empty when absent.
    pub(super) fn column(&self, index: usize) -> &'a str {
        self.columns.get(index).copied().unwrap_or_default()
    }

    /// The members of a column.
    pub(super) fn members(&self, index: usize) -> impl Iterator<Item = &'a str> + use<'a> {
        self.column(index)
            .split(',')
            .map(str::trim)
            .filter(|member| !member.is_empty())
    }
}
