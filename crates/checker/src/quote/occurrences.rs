//! Every place where one text stands in another, also where two of them overlap.

/// Finds all occurrences in order, in time proportional to both texts. An empty text occurs nowhere.
pub(super) fn occurrences<'text>(text: &'text str, sought: &'text str) -> Occurrences<'text> {
    Occurrences {
        text,
        sought,
        borders: Vec::new(),
        at: 0,
        matched: 0,
    }
}

/// A search under way.
///
/// The standard search leads to the first occurrence; from there on it goes byte by byte (Knuth, Morris and Pratt, 1977)
/// for as long as another one can have begun inside the last.
pub(super) struct Occurrences<'text> {
    text: &'text str,
    sought: &'text str,
    /// Of each beginning of what is sought, by its length less one: how much of its end is a beginning again.
    borders: Vec<usize>,
    /// The next byte to look at.
    at: usize,
    /// How many bytes before it are the beginning of what is sought.
    matched: usize,
}

impl Iterator for Occurrences<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        while self.matched > 0 {
            let byte = self.text.as_bytes().get(self.at)?;
            self.matched = longer(self.sought.as_bytes(), &self.borders, self.matched, *byte);
            self.at += 1;
            if self.matched == self.sought.len() {
                return Some(self.found());
            }
        }
        if self.sought.is_empty() {
            return None;
        }
        // What is sought begins with a character, so none begins inside one.
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
        let start = self.at + self.text.get(self.at..)?.find(self.sought)?;
        self.at = start + self.sought.len();
        if self.borders.is_empty() {
            self.borders = borders(self.sought.as_bytes());
        }
        Some(self.found())
    }
}

impl Occurrences<'_> {
    /// Notes an occurrence that ends here; gives where it starts.
    fn found(&mut self) -> usize {
        self.matched = self.borders.last().copied().unwrap_or_default();
        self.at - self.sought.len()
    }
}

fn borders(sought: &[u8]) -> Vec<usize> {
    let mut borders = Vec::with_capacity(sought.len());
    borders.push(0);
    let mut matched = 0;
    for byte in sought.iter().skip(1) {
        matched = longer(sought, &borders, matched, *byte);
        borders.push(matched);
    }
    borders
}

/// How much of a beginning stands before the place behind a byte, if so much stood before the byte.
fn longer(sought: &[u8], borders: &[usize], mut matched: usize, byte: u8) -> usize {
    loop {
        if sought.get(matched) == Some(&byte) {
            return matched + 1;
        }
        let Some(shorter) = matched.checked_sub(1).and_then(|last| borders.get(last)) else {
            return 0;
        };
        matched = *shorter;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn one_by_one(text: &str, sought: &str) -> Vec<usize> {
        let starts = text.char_indices().map(|(start, _)| start);
        starts
            .filter(|start| !sought.is_empty() && text[*start..].starts_with(sought))
            .collect()
    }

    #[test]
    fn occurrences_may_overlap() {
        let places: Vec<usize> = occurrences("1, 1, 1", "1, 1").collect();
        assert_eq!(places, [0, 3]);
        assert_eq!(occurrences("aaa", "").count(), 0);
    }

    #[test]
    fn a_text_of_one_letter_is_searched_in_one_pass() {
        let text = "a".repeat(1 << 20);
        let sought = "a".repeat(1 << 15);
        assert_eq!(
            occurrences(&text, &sought).count(),
            (1 << 20) - (1 << 15) + 1
        );
    }

    proptest! {
        #[test]
        fn every_occurrence_is_found(text in "[ab数é]{0,40}", sought in "[ab数é]{0,5}") {
            let places: Vec<usize> = occurrences(&text, &sought).collect();
            prop_assert_eq!(places, one_by_one(&text, &sought));
        }
    }
}
