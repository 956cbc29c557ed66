//! The reports and what the agents made of them, embedded, so that the demonstration runs anywhere.

use serde_json::Value;

use crate::cli::failure::Failure;

/// The story that is told unless another is named.
pub(crate) const STORY: &str = include_str!("../../../../fixtures/demo/story.json");

/// A report as it is uploaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Report {
    /// Its name, which is its address on the board too.
    pub(crate) name: &'static str,
    /// Its media type.
    pub(crate) media_type: &'static str,
    /// Its words.
    pub(crate) text: &'static str,
}

macro_rules! reports {
    ($($name:literal as $media_type:literal),* $(,)?) => {
        /// Every report.
        pub(crate) const REPORTS: &[Report] = &[$(Report {
            name: $name,
            media_type: $media_type,
            text: include_str!(concat!("../../../../fixtures/demo/reports/", $name)),
        }),*];
    };
}

macro_rules! documents {
    ($($name:literal),* $(,)?) => {
        /// Every intake document, by name.
        const DOCUMENTS: &[(&str, &str)] = &[$((
            $name,
            include_str!(concat!("../../../../fixtures/demo/intake/", $name, ".json")),
        )),*];
    };
}

reports! {
    "world-2023.md" as "text/markdown",
    "world-2024.md" as "text/markdown",
    "world-2025.md" as "text/markdown",
    "china.md" as "text/markdown",
    "industry.csv" as "text/csv",
}

documents! {
    "ana-world",
    "ana-misquote",
    "ana-corrected",
    "bai-china",
    "bai-world",
    "cleo-additions",
    "cleo-wind",
    "cleo-wind-scope",
    "cleo-turn-back",
    "cleo-turn-back-scope",
    "cleo-analysis",
}

/// Finds a report.
pub(crate) fn report(name: &str) -> Result<Report, Failure> {
    let found = REPORTS.iter().find(|report| report.name == name);
    found.copied().ok_or_else(|| {
        Failure::Local(format!("the story names a report `{name}` that is not there").into())
    })
}

/// Reads an intake document.
pub(crate) fn document(name: &str) -> Result<Value, Failure> {
    let text = DOCUMENTS.iter().find(|(known, _)| *known == name);
    let (_, text) = text.ok_or_else(|| {
        Failure::Local(format!("the story names a document `{name}` that is not there").into())
    })?;
    serde_json::from_str(text).map_err(|error| {
        Failure::Local(format!("the document `{name}` is no json: {error}").into())
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_file_is_embedded() {
        let check = |folder: &str, embedded: BTreeSet<String>| {
            let path = format!(
                "{}/../../fixtures/demo/{folder}",
                env!("CARGO_MANIFEST_DIR")
            );
            let found: BTreeSet<_> = std::fs::read_dir(path)
                .expect("the folder is there")
                .map(|entry| entry.expect("readable").file_name())
                .map(|name| name.to_string_lossy().into_owned())
                .collect();
            assert_eq!(found, embedded);
        };
        let reports = REPORTS.iter().map(|report| report.name.to_owned());
        check("reports", reports.collect());
        let documents = DOCUMENTS.iter().map(|(name, _)| format!("{name}.json"));
        check("intake", documents.collect());
    }
}
