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
    /// `text/html`.
    Html {
        /// The character set it comes with; none where the bytes have to say.
        charset: Option<String>,
    },
    /// `application/xhtml+xml`.
    Xhtml {
        /// The character set it comes with; none where the bytes have to say.
        charset: Option<String>,
    },
    /// `application/pdf`.
    Pdf,
    /// Anything else, by its name.
    Other(String),
}

impl MediaType {
    /// Reads the value of a `Content-Type`. Of its parameters the character set counts: pages are read in any, other
    /// text in UTF-8 alone.
    pub fn parse(text: &str) -> Self {
        let lower = text.to_ascii_lowercase();
        let mut parts = lower.split(';').map(str::trim);
        let essence = parts.next().unwrap_or_default();
        let charset = parts
            .find_map(|parameter| parameter.strip_prefix("charset="))
            .map(|charset| charset.trim_matches('"').to_owned());
        let is_foreign = charset
            .as_deref()
            .is_some_and(|charset| !matches!(charset, "utf-8" | "utf8" | "us-ascii"));
        match essence {
            "text/html" => Self::Html { charset },
            "application/xhtml+xml" => Self::Xhtml { charset },
            "application/pdf" => Self::Pdf,
            _ if is_foreign => Self::Other(lower.clone()),
            "text/plain" => Self::Plain,
            "text/markdown" | "text/x-markdown" => Self::Markdown,
            "text/csv" => Self::Csv,
            "application/json" => Self::Json,
            _ if essence.ends_with("+json") => Self::Json,
            _ => Self::Other(lower.clone()),
        }
    }

    /// The media type that the first bytes of a source show, for one that came without.
    pub fn sniff(bytes: &[u8]) -> Option<&'static str> {
        if bytes.starts_with(b"%PDF-") {
            return Some("application/pdf");
        }
        let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let start = start.trim_ascii_start();
        let begins = |word: &[u8]| {
            start
                .get(..word.len())
                .is_some_and(|it| it.eq_ignore_ascii_case(word))
        };
        (begins(b"<!doctype html") || begins(b"<html")).then_some("text/html")
    }

    /// Says whether quotes from sources of this type can be checked.
    pub fn is_read(&self) -> bool {
        !matches!(self, Self::Other(_))
    }
}

impl std::fmt::Display for MediaType {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Plain => "text/plain",
            Self::Markdown => "text/markdown",
            Self::Csv => "text/csv",
            Self::Json => "application/json",
            Self::Html { .. } => "text/html",
            Self::Xhtml { .. } => "application/xhtml+xml",
            Self::Pdf => "application/pdf",
            Self::Other(name) => name,
        })
    }
}
