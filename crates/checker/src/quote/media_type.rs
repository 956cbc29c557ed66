//! The kinds of source text, by the media type they come with.

/// What a source is written in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MediaType {
    /// `text/plain`.
    Plain,
    /// `text/markdown`.
    Markdown,
    /// `text/csv`.
    Csv,
    /// `application/json`, and types that end in `+json`.
    Json,
    /// `text/html`; kept, not read yet.
    Html,
    /// `application/pdf`; kept, not read yet.
    Pdf,
    /// Anything else, by its name.
    Other(String),
}

impl MediaType {
    /// Reads the value of a `Content-Type`; parameters other than a foreign character set do not matter.
    pub fn parse(text: &str) -> Self {
        let lower = text.to_ascii_lowercase();
        let mut parts = lower.split(';').map(str::trim);
        let essence = parts.next().unwrap_or_default();
        let foreign = parts
            .filter_map(|parameter| parameter.strip_prefix("charset="))
            .any(|charset| !matches!(charset.trim_matches('"'), "utf-8" | "utf8" | "us-ascii"));
        match essence {
            _ if foreign => Self::Other(lower.clone()),
            "text/plain" => Self::Plain,
            "text/markdown" | "text/x-markdown" => Self::Markdown,
            "text/csv" => Self::Csv,
            "application/json" => Self::Json,
            _ if essence.ends_with("+json") => Self::Json,
            "text/html" => Self::Html,
            "application/pdf" => Self::Pdf,
            _ => Self::Other(lower.clone()),
        }
    }
}

impl std::fmt::Display for MediaType {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Plain => "text/plain",
            Self::Markdown => "text/markdown",
            Self::Csv => "text/csv",
            Self::Json => "application/json",
            Self::Html => "text/html",
            Self::Pdf => "application/pdf",
            Self::Other(name) => name,
        })
    }
}
