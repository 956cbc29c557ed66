//! Sources of every kind, with a quote and a locator to look up in them.
//!
//! The first line of an input is the quote, what stands before and after it, and the locator, parted by `|`; `¶` in it
//! is a line break. The rest is the source.

mod found;
mod header;

use pawl_checker::quote::{Document, DocumentError, MediaType};

use crate::text::first_line;

/// The character sets that pages are handed in with; the first letter of the source's first line chooses.
const CHARSETS: [Option<&str>; 8] = [
    None,
    Some("utf-8"),
    Some("windows-1252"),
    Some("gb18030"),
    Some("big5"),
    Some("shift_jis"),
    Some("utf-16le"),
    Some("x-none"),
];

pub(crate) fn plain(bytes: &[u8]) {
    check(MediaType::Plain, bytes);
}

pub(crate) fn markdown(bytes: &[u8]) {
    check(MediaType::Markdown, bytes);
}

pub(crate) fn comma_separated(bytes: &[u8]) {
    check(MediaType::Csv, bytes);
}

pub(crate) fn json(bytes: &[u8]) {
    check(MediaType::Json, bytes);
}

pub(crate) fn pdf(bytes: &[u8]) {
    check(MediaType::Pdf, bytes);
}

/// The first byte says whether it is HTML or XHTML, and in which character set.
pub(crate) fn html(bytes: &[u8]) {
    let Some((choice, rest)) = bytes.split_first() else {
        return;
    };
    let charset = CHARSETS.get(usize::from(choice % 8)).copied().flatten();
    let charset = charset.map(str::to_owned);
    let media_type = match choice & 8 {
        0 => MediaType::Html { charset },
        _ => MediaType::Xhtml { charset },
    };
    check(media_type, rest);
}

fn check(media_type: MediaType, bytes: &[u8]) {
    let (first, source) = first_line(bytes);
    match Document::parse(media_type, source) {
        Ok(document) => {
            found::every_piece(&document, first);
            if let Some(asked) = header::read(first) {
                found::as_asked(&document, &asked);
            }
        }
        Err(DocumentError::Encoding { byte, .. }) => assert!(byte < source.len()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
