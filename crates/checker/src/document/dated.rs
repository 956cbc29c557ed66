//! A sentence that begins with a date and goes on with a pronoun: `In 2024 it had handled 3.1 million.`

use std::ops::Range;

use super::subject::{PRONOUNS, VERBS, words};

/// Prepositions before a date.
const PREPOSITIONS: [&str; 7] = ["in", "at", "by", "on", "during", "since", "until"];
/// Words of a date beside its figures and months.
const DATE_WORDS: [&str; 14] = [
    "the",
    "end",
    "start",
    "beginning",
    "middle",
    "of",
    "that",
    "same",
    "year",
    "early",
    "late",
    "previous",
    "following",
    "next",
];
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Where the pronoun is that a verb follows and nothing but a date precedes.
pub(super) fn pronoun(text: &str) -> Option<Range<usize>> {
    let mut words = words(text).map(|(at, word)| (at, word, word.to_lowercase()));
    words
        .next()
        .filter(|(_, _, first)| PREPOSITIONS.contains(&first.as_str()))?;
    let (at, word, _) = words.find(|(_, _, word)| !is_of_date(word))?;
    let is_pronoun = PRONOUNS.contains(&word);
    let (_, _, verb) = words.next()?;
    (is_pronoun && VERBS.contains(&verb.as_str())).then(|| at..at + word.len())
}

fn is_of_date(word: &str) -> bool {
    let has_digit = word.contains(|letter: char| letter.is_ascii_digit());
    has_digit || DATE_WORDS.contains(&word) || MONTHS.contains(&word)
}

/// A subject as it is written within a sentence.
pub(super) fn within(subject: &str) -> String {
    let article = ["The ", "A ", "An "].into_iter().find_map(|article| {
        let rest = subject.strip_prefix(article)?;
        Some(format!("{}{rest}", article.to_lowercase()))
    });
    article.unwrap_or_else(|| subject.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_date_stands_before_the_pronoun() {
        let found = |text| pronoun(text).map(|range: Range<usize>| range.start);
        assert_eq!(found("In 2024 it had handled 3.1 million."), Some(8));
        assert_eq!(found("At the end of May 2024, they were sold."), Some(24));
        assert_eq!(found("In the town it had 5 doors."), None);
        assert_eq!(found("In 2024 it rained."), None);
        assert_eq!(found("It had 5 doors."), None);
    }
}
