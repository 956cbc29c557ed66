//! The normal form in which quote and source are compared, with the way back to where each piece stood.

use std::ops::Range;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::offsets::Derived;

/// How a line break is read where the text alone does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// `grow-⏎ing` is `growing`, and `增长⏎45%` is `增长45%`.
    Joined,
    /// `well-⏎known` is `well-known`, and `增长⏎45%` is `增长 45%`.
    Kept,
}

/// A text in normal form.
#[derive(Debug, Default)]
pub(super) struct Normal {
    pub(super) derived: Derived,
    /// Whether the other reading of its line breaks gives another form.
    pub(super) ambiguous: bool,
}

impl Normal {
    pub(super) fn text(&self) -> &str {
        self.derived.text()
    }
}

/// Normalises a text under a reading of its line breaks.
pub(super) fn normalise(text: &str, reading: Reading) -> Normal {
    let mut normal = Normal::default();
    let mut place = 0;
    while place < text.len() {
        let plain = plain_end(text, place);
        normal
            .derived
            .copy(text.get(place..plain).unwrap_or_default(), place);
        place = plain;
        let Some(character) = rest(text, place).chars().next() else {
            break;
        };
        let end = place + character.len_utf8();
        place = if character.is_whitespace() {
            white_space(&mut normal, text, place, reading)
        } else if is_hyphen(character) {
            hyphen(&mut normal, text, place..end, reading)
        } else {
            cluster(&mut normal.derived, text, place..end)
        };
    }
    normal
}

/// The end of the longest piece from here that is sure to stay as it is: letters of ASCII with single spaces between
/// them. The last one before another script is left out, since a mark may follow that composes with it.
fn plain_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let at = |place: usize| bytes.get(place).copied();
    let is_plain = |byte: u8| byte.is_ascii_graphic() && byte != b'-';
    let mut end = start;
    while let Some(byte) = at(end) {
        let stays = match at(end + 1) {
            Some(next) if byte == b' ' => end > start && is_plain(next),
            Some(next) => is_plain(byte) && next.is_ascii(),
            None => is_plain(byte),
        };
        if !stays {
            break;
        }
        end += 1;
    }
    end
}

/// Whether a text may be cut before this character without changing what stands on either side.
pub(super) fn starts_cluster(character: char) -> bool {
    character < '\u{300}'
        || matches!(character, '\u{4e00}'..='\u{9fff}')
        || character.is_whitespace()
        || (canonical_combining_class(character) == 0
            && is_nfc_quick(std::iter::once(character)) == IsNormalized::Yes)
}

/// Reads a run of white space: one space, or nothing where a line of Chinese or Japanese goes on.
fn white_space(normal: &mut Normal, text: &str, start: usize, reading: Reading) -> usize {
    let end = white_space_end(text, start);
    let before = normal.text().chars().next_back();
    let after = rest(text, end).chars().next();
    let may_join = is_line_break(text, start..end)
        && before
            .zip(after)
            .is_some_and(|(before, after)| is_unspaced(before) || is_unspaced(after));
    normal.ambiguous |= may_join;
    if !(may_join && reading == Reading::Joined) {
        normal.derived.replace(" ", start..end);
    }
    end
}

/// Reads a hyphen: one that breaks a word at the end of a line goes with the break, or stays without it.
///
/// Between digits it always stays: `10-⏎20` is a range, and no `1020`.
fn hyphen(normal: &mut Normal, text: &str, place: Range<usize>, reading: Reading) -> usize {
    let break_end = white_space_end(text, place.end);
    let before = normal.text().chars().next_back();
    let after = rest(text, break_end).chars().next();
    let (Some(before), Some(after)) = (before, after) else {
        return cluster(&mut normal.derived, text, place);
    };
    let breaks_word = is_line_break(text, place.end..break_end)
        && before.is_alphanumeric()
        && after.is_alphanumeric();
    if !breaks_word {
        return cluster(&mut normal.derived, text, place);
    }
    let soft = rest(text, place.start).starts_with('\u{ad}');
    let may_go = !soft && before.is_alphabetic() && after.is_lowercase();
    normal.ambiguous |= may_go;
    let goes = soft || (may_go && reading == Reading::Joined);
    if !goes {
        cluster(&mut normal.derived, text, place);
    }
    break_end
}

/// Reads a character with the marks that follow it, composed.
fn cluster(derived: &mut Derived, text: &str, first: Range<usize>) -> usize {
    let mut end = first.end;
    while let Some(next) = rest(text, end)
        .chars()
        .next()
        .filter(|&next| !starts_cluster(next))
    {
        end += next.len_utf8();
    }
    let piece = text.get(first.start..end).unwrap_or_default();
    let alone = end == first.end && piece.chars().all(starts_cluster);
    if alone || piece.is_ascii() {
        derived.copy(piece, first.start);
        return end;
    }
    let composed: String = piece.nfc().collect();
    if composed == piece {
        derived.copy(piece, first.start);
    } else {
        derived.replace(&composed, first.start..end);
    }
    end
}

fn rest(text: &str, place: usize) -> &str {
    text.get(place..).unwrap_or_default()
}

fn white_space_end(text: &str, start: usize) -> usize {
    let rest = rest(text, start);
    start + (rest.len() - rest.trim_start().len())
}

/// Whether a run of white space breaks the line once; a blank line ends a paragraph and joins nothing.
fn is_line_break(text: &str, run: Range<usize>) -> bool {
    let run = text.get(run).unwrap_or_default();
    let breaks = run
        .chars()
        .filter(|character| matches!(character, '\n' | '\r' | '\u{2028}'))
        .count();
    breaks - run.matches("\r\n").count() == 1
}

fn is_hyphen(character: char) -> bool {
    matches!(character, '-' | '\u{ad}' | '\u{2010}')
}

/// Characters of scripts written without spaces between words, with their punctuation.
fn is_unspaced(character: char) -> bool {
    matches!(
        character,
        '\u{2e80}'..='\u{312f}'
            | '\u{31a0}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{fe30}'..='\u{fe4f}'
            | '\u{ff00}'..='\u{ff9f}'
            | '\u{20000}'..='\u{3ffff}'
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hygiene::comparison_form;

    #[track_caller]
    fn check(text: &str, joined: &str, kept: &str) {
        assert_eq!(normalise(text, Reading::Joined).text(), joined);
        assert_eq!(normalise(text, Reading::Kept).text(), kept);
    }

    #[test]
    fn line_breaks_are_undone() {
        check("grow-\n  ing", "growing", "grow-ing");
        check("grow\u{ad}\r\ning", "growing", "growing");
        check("COVID-\n19", "COVID-19", "COVID-19");
        check("10-\n20", "10-20", "10-20");
        check("a -\nb", "a - b", "a - b");
        check("end-\n\nStart", "end- Start", "end- Start");
        check("营收\n增长", "营收增长", "营收 增长");
        check("营收\n\n增长", "营收 增长", "营收 增长");
        check("增长\n45%", "增长45%", "增长 45%");
        check("매출\n증가", "매출 증가", "매출 증가");
    }

    #[test]
    fn composition_is_canonical_and_nothing_else() {
        check("e\u{301}", "é", "é");
        check("\u{1112}\u{1161}\u{11ab}", "한", "한");
        check("10² ﬁ Å ①", "10² ﬁ Å ①", "10² ﬁ Å ①");
        check("\u{212b}", "\u{c5}", "\u{c5}");
        check("a \t\n b", "a b", "a b");
    }

    proptest! {
        #[test]
        fn without_line_breaks_it_is_the_comparison_form(text in "[^\n\r\u{2028}]*") {
            let normal = normalise(&text, Reading::Joined);
            prop_assert_eq!(normal.text().trim(), comparison_form(&text));
        }

        #[test]
        fn a_text_that_is_read_one_way_says_so(text in "[a-c0-9\\-\n é营]*") {
            let (joined, kept) = (normalise(&text, Reading::Joined), normalise(&text, Reading::Kept));
            prop_assert_eq!(joined.ambiguous, kept.ambiguous);
            prop_assert_eq!(joined.ambiguous, joined.text() != kept.text());
        }

        #[test]
        fn every_piece_leads_back_into_the_source(text in "[a-c\\-\n é\u{301}营가ᄀ\u{1161}]*") {
            for reading in [Reading::Joined, Reading::Kept] {
                let normal = normalise(&text, reading);
                let mut last = 0;
                for (place, character) in normal.text().char_indices() {
                    let source = normal.derived.source(&(place..place + character.len_utf8()));
                    prop_assert!(text.get(source.clone()).is_some_and(|piece| !piece.is_empty()));
                    prop_assert!(source.start >= last);
                    last = source.start;
                }
            }
        }
    }
}
