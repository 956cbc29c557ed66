//! Cuts a block into sentences, English and Chinese.

use std::ops::Range;

use crate::text::language::is_han;

/// Marks that end a sentence wherever they stand.
const HAN_ENDS: [char; 4] = ['。', '！', '？', '；'];
/// What may follow a mark and still belongs to the sentence.
const CLOSERS: [char; 9] = ['"', '\'', ')', ']', '”', '’', '」', '）', '»'];

/// Words with a full stop that seldom end a sentence.
const ABBREVIATIONS: [&str; 62] = [
    "e.g", "i.e", "cf", "vs", "fig", "figs", "eq", "eqs", "sec", "ch", "vol", "no", "nos", "p",
    "pp", "ref", "refs", "tab", "al", "ca", "approx", "est", "resp", "incl", "excl", "dr", "mr",
    "mrs", "ms", "prof", "st", "mt", "gen", "sen", "rep", "gov", "hon", "jr", "sr", "inc", "ltd",
    "co", "corp", "dept", "univ", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept",
    "oct", "nov", "dec", "bn", "mn", "ed", "eds", "max",
];

/// Words that begin a sentence even after an abbreviation: `in the U.S. The plant …`.
const OPENERS: [&str; 24] = [
    "the", "it", "its", "this", "that", "these", "those", "they", "he", "she", "we", "in", "on",
    "at", "by", "a", "an", "there", "however", "but", "as", "for", "since", "after",
];

/// The sentences of a block, as byte ranges without white space around them.
pub(super) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut start, mut after) = (0, 0);
    for (at, mark) in text.char_indices() {
        if at < after || !is_end(text, start, at, mark) {
            continue;
        }
        after = at + mark.len_utf8();
        let rest = text.get(after..).unwrap_or_default();
        let closing: usize = rest
            .chars()
            .take_while(|next| CLOSERS.contains(next) || is_mark(*next))
            .map(char::len_utf8)
            .sum();
        after += closing;
        push(&mut found, text, start..after);
        start = after;
    }
    push(&mut found, text, start..text.len());
    found
}

/// Whether a text ends as a sentence does.
pub(super) fn ends_sentence(text: &str) -> bool {
    let text = text.trim_end().trim_end_matches(CLOSERS);
    text.ends_with(is_mark)
}

fn is_mark(mark: char) -> bool {
    matches!(mark, '.' | '!' | '?') || HAN_ENDS.contains(&mark)
}

fn push(found: &mut Vec<Range<usize>>, text: &str, range: Range<usize>) {
    let piece = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (piece.len() - piece.trim_start().len());
    let end = range.start + piece.trim_end().len();
    if start < end
        && text
            .get(start..end)
            .is_some_and(|it| it.contains(char::is_alphanumeric))
    {
        found.push(start..end);
    }
}

/// How many bytes before a mark are looked at for what is open there.
const MOST_LOOKED_BACK: usize = 1_000;

/// Whether a mark ends the sentence that began at `start`.
fn is_end(text: &str, start: usize, at: usize, mark: char) -> bool {
    if !is_mark(mark) {
        return false;
    }
    // So that a text of marks alone takes no more than its length.
    let looked_at = text.ceil_char_boundary(at.saturating_sub(MOST_LOOKED_BACK));
    let before = text.get(start.max(looked_at)..at).unwrap_or_default();
    let after = text.get(at + mark.len_utf8()..).unwrap_or_default();
    let closing = after.len() - after.trim_start_matches(CLOSERS).len();
    if is_open(before, after.get(..closing).unwrap_or_default()) {
        return false;
    }
    if HAN_ENDS.contains(&mark) {
        return true;
    }
    let rest = after.trim_start_matches(|next| CLOSERS.contains(&next) || is_mark(next));
    let Some(first) = rest.chars().next() else {
        return true;
    };
    if is_han(first) && before.chars().next_back().is_some_and(is_han) {
        return true;
    }
    if !first.is_whitespace() {
        return false;
    }
    let next = rest.trim_start();
    let opens = next
        .chars()
        .next()
        .is_some_and(|letter| !letter.is_lowercase());
    opens && (mark != '.' || !is_abbreviated(before, next))
}

/// Whether a full stop after these words is that of an abbreviation.
fn is_abbreviated(before: &str, next: &str) -> bool {
    let word = before
        .rsplit(|letter: char| letter.is_whitespace() || matches!(letter, '(' | '[' | '"' | '“'))
        .next()
        .unwrap_or_default();
    let folded = word.to_lowercase();
    let initials = word.len() <= 6
        && word
            .split('.')
            .all(|part| part.chars().count() == 1 && part.chars().all(char::is_uppercase));
    // A number at the start of a block numbers it: `2. Costs`.
    let numbers = before.trim().len() <= 3 && before.trim().bytes().all(|it| it.is_ascii_digit());
    if numbers {
        return true;
    }
    if !initials && !ABBREVIATIONS.contains(&folded.as_str()) {
        return false;
    }
    let following = next
        .split(|letter: char| !letter.is_alphanumeric())
        .next()
        .unwrap_or_default()
        .to_lowercase();
    // `No. 5`, `J. Smith`, `Fig. A`; but `in the U.S. The plant`.
    !OPENERS.contains(&following.as_str()) || word.len() == 1
}

/// Whether a quotation or a bracket is open after a mark and what closes behind it: what is quoted is no sentence of
/// this text.
fn is_open(before: &str, closing: &str) -> bool {
    let count = |mark: char| before.matches(mark).count() + closing.matches(mark).count();
    let open = |left: char, right: char| count(left) > count(right);
    open('“', '”') || open('「', '」') || open('（', '）') || open('(', ')') || count('"') % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = sentences(text)
            .into_iter()
            .map(|range| text.get(range).expect("a range of the text"))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn sentences_end_where_readers_end_them() {
        check(
            "It was 3.5% (see Fig. 3). Dr. Li agreed! Did J. Smith? Yes.",
            &[
                "It was 3.5% (see Fig. 3).",
                "Dr. Li agreed!",
                "Did J. Smith?",
                "Yes.",
            ],
        );
        check(
            "It is made in the U.S. The price is e.g. 5 EUR, approx. No. 5 costs more.",
            &[
                "It is made in the U.S.",
                "The price is e.g. 5 EUR, approx. No. 5 costs more.",
            ],
        );
        check(
            "She said: \"Sales fell. We know why.\" Nobody asked.",
            &["She said: \"Sales fell. We know why.\"", "Nobody asked."],
        );
        check(
            "Use version 1.2.3 of it… And so on",
            &["Use version 1.2.3 of it… And so on"],
        );
    }

    #[test]
    fn chinese_sentences_need_no_space() {
        check(
            "装机容量约6.1亿千瓦；同比增长55.2%。他说：“增长了。很好。”真的吗？是。",
            &[
                "装机容量约6.1亿千瓦；",
                "同比增长55.2%。",
                "他说：“增长了。很好。”",
                "真的吗？",
                "是。",
            ],
        );
    }

    #[test]
    fn an_unclosed_quote_does_not_swallow_more_than_its_block() {
        check("He said \"no. They left.", &["He said \"no. They left."]);
    }
}
