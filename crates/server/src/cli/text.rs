//! Text for a terminal: made harmless, measured in columns, wrapped, its spans underlined.

use std::ops::Range;

use unicode_width::UnicodeWidthChar;

/// Replaces what a terminal would obey: control characters, direction marks, invisible characters.
///
/// Each is replaced by something visible of the same length in bytes, so that byte offsets into the
/// text still hold. Line feeds and tabs stay.
pub(crate) fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match (acts(character), character.len_utf8()) {
            (false, _) => out.push(character),
            (true, 1) => out.push('?'),
            (true, 2) => out.push('¿'),
            (true, 3) => out.push(char::REPLACEMENT_CHARACTER),
            (true, _) => out.extend([char::REPLACEMENT_CHARACTER, '?']),
        }
    }
    out
}

/// Whether a character does something to a terminal, or hides, instead of being shown.
pub(crate) fn acts(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' => true,
        '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}' => true,
        other => other.is_control(),
    }
}

/// Counts the columns a text takes; Chinese characters take two each.
pub(crate) fn columns(text: &str) -> usize {
    text.chars()
        .map(|character| character.width().unwrap_or(0))
        .sum()
}

/// Shortens a text to one line of so many columns.
pub(crate) fn headline(text: &str, width: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if columns(&line) <= width {
        return line;
    }
    let mut taken = 0;
    let mut out: String = line
        .chars()
        .take_while(|character| {
            taken += character.width().unwrap_or(0);
            taken < width
        })
        .collect();
    out.push('…');
    out
}

/// Wraps a text to so many columns, the first line after `first`, the others under it.
pub(crate) fn wrapped(first: &str, text: &str, width: usize) -> String {
    marked(first, text, &[], width)
}

/// Wraps a text and underlines its spans, given as byte ranges, with a line of `~` below.
pub(crate) fn marked(first: &str, text: &str, spans: &[Range<usize>], width: usize) -> String {
    let indent = columns(first);
    let room = width.saturating_sub(indent).max(20);
    let mut out = String::new();
    for (number, line) in lines(text, room).into_iter().enumerate() {
        if number == 0 {
            out.push_str(first);
        } else {
            out.push_str(&" ".repeat(indent));
        }
        let shown = text.get(line.clone()).unwrap_or_default().trim_end();
        out.push_str(shown);
        out.push('\n');
        let marks = underline(shown, line.start, spans);
        if !marks.is_empty() {
            out.push_str(&" ".repeat(indent));
            out.push_str(&marks);
            out.push('\n');
        }
    }
    out
}

/// Splits a text into lines, at spaces where there are any, else between characters.
fn lines(text: &str, room: usize) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let (mut start, mut used) = (0, 0);
    // The byte after the last space of the line, and the columns up to there.
    let mut space: Option<(usize, usize)> = None;
    for (at, character) in text.char_indices() {
        let after = at + character.len_utf8();
        if character == '\n' {
            lines.push(start..at);
            (start, used, space) = (after, 0, None);
            continue;
        }
        let wide = character.width().unwrap_or(0);
        if used + wide > room && !character.is_whitespace() {
            let (cut, before) = space.take().unwrap_or((at, used));
            lines.push(start..cut);
            (start, used) = (cut, used - before);
        }
        used += wide;
        if character.is_whitespace() {
            space = Some((after, used));
        }
    }
    lines.push(start..text.len());
    lines
}

/// Marks the pieces of a line that begins at the byte `start` of its text.
fn underline(shown: &str, start: usize, spans: &[Range<usize>]) -> String {
    let marks: String = shown
        .char_indices()
        .flat_map(|(at, character)| {
            let inside = spans.iter().any(|span| span.contains(&(start + at)));
            let mark = if inside { '~' } else { ' ' };
            std::iter::repeat_n(mark, character.width().unwrap_or(0))
        })
        .collect();
    marks.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_shown_instead() {
        let hostile = "a\u{1b}[31mb\u{9b}c\u{202e}d\u{e0041}e\r\u{7}f\u{200b}g\n\t中";
        let shown = harmless(hostile);
        assert_eq!(shown, "a?[31mb¿c\u{fffd}d\u{fffd}?e??f\u{fffd}g\n\t中");
        assert_eq!(shown.len(), hostile.len());
    }

    #[test]
    fn a_headline_fits() {
        assert_eq!(headline("one\n two", 20), "one two");
        assert_eq!(headline("营收增长百分之十", 9), "营收增长…");
    }

    #[test]
    fn spans_are_underlined_where_they_stand() {
        let text = "2024年营收为 12.5 亿元，同比下降";
        let find = |part: &str| {
            let start = text.find(part).expect("stands there");
            start..start + part.len()
        };
        let shown = marked("  new  ", text, &[find("12.5 亿元"), find("下降")], 40);
        insta::assert_snapshot!(shown, @r"
          new  2024年营收为 12.5 亿元，同比下降
                            ~~~~~~~~~      ~~~~
        ");
    }

    #[test]
    fn long_texts_wrap_under_their_start() {
        let text = "the quick brown fox jumps over the lazy dog and an unbreakableword";
        insta::assert_snapshot!(marked("> ", text, std::slice::from_ref(&(16..25)), 22), @r"
        > the quick brown fox
                          ~~~
          jumps over the lazy
          ~~~~~
          dog and an
          unbreakableword
        ");
    }
}
