//! What all targets ask of texts and of places in them.

use std::ops::Range;

/// The bytes as text; none where they are no UTF-8.
pub(crate) fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// The first line and what follows it. Targets that need more than one thing take the first lines for the small ones.
pub(crate) fn first_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.iter().position(|byte| *byte == b'\n') {
        Some(end) => (
            bytes.get(..end).unwrap_or_default(),
            bytes.get(end + 1..).unwrap_or_default(),
        ),
        None => (bytes, &[]),
    }
}

/// Cuts a range out of a text in which it has to lie, from the start of a character to the end of one.
pub(crate) fn cut<'text>(text: &'text str, range: &Range<usize>) -> &'text str {
    text.get(range.clone())
        .expect("a range lies in its text, between characters")
}

/// Cuts characters out of a text that has to have them.
pub(crate) fn characters(text: &str, range: &Range<usize>) -> String {
    let count = text.chars().count();
    assert!(
        range.start <= range.end && range.end <= count,
        "{range:?} of {count} characters"
    );
    text.chars().skip(range.start).take(range.len()).collect()
}
