//! A light English stemmer: plural, past and progressive endings, nothing derivational.
//!
//! It is cut so that forms of one word meet (`rise`, `rising`; `close`, `closed`), not so that stems look well;
//! irregular forms come from a data file.

use std::borrow::Cow;

/// Cuts the ending of a folded English word; words of other scripts come back unchanged.
pub fn stem(word: &str) -> Cow<'_, str> {
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Borrowed(word);
    }
    if let Some(base) = word
        .strip_suffix("ies")
        .or_else(|| word.strip_suffix("ied"))
        && base.len() > 1
    {
        return Cow::Owned(format!("{base}y"));
    }
    let bare = cut_past(cut_plural(word));
    Cow::Borrowed(if bare.len() > 3 {
        bare.strip_suffix('e').unwrap_or(bare)
    } else {
        bare
    })
}

fn cut_plural(word: &str) -> &str {
    if let Some(base) = word.strip_suffix("es")
        && ["ss", "sh", "ch", "x", "zz"]
            .iter()
            .any(|end| base.ends_with(end))
    {
        return base;
    }
    if ["ss", "us", "is"].iter().any(|end| word.ends_with(end)) {
        return word;
    }
    word.strip_suffix('s')
        .filter(|base| base.len() > 2)
        .unwrap_or(word)
}

fn cut_past(word: &str) -> &str {
    if word.ends_with("eed") {
        return word;
    }
    let base = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed"));
    match base {
        Some(base) if base.len() >= 3 && has_vowel(base) => undouble(base),
        _ => word,
    }
}

fn has_vowel(base: &str) -> bool {
    base.bytes()
        .any(|byte| matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y'))
}

/// `stopped` gives `stop`; `called` and `passed` keep their double letter.
fn undouble(base: &str) -> &str {
    let mut ends = base.bytes().rev();
    match (ends.next(), ends.next()) {
        (Some(last), Some(before))
            if last == before && !matches!(last, b'l' | b's' | b'z' | b'e' | b'o' | b'f') =>
        {
            base.get(..base.len() - 1).unwrap_or(base)
        }
        _ => base,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_one_word_meet() {
        for forms in [
            &["rise", "rises", "rising"][..],
            &["close", "closes", "closed", "closing"],
            &["stop", "stops", "stopped", "stopping"],
            &["company", "companies"],
            &["carry", "carried", "carrying"],
            &["box", "boxes"],
            &["increase", "increased", "increasing", "increases"],
            &["need", "needs"],
        ] {
            let stems: Vec<_> = forms.iter().map(|form| stem(form)).collect();
            assert!(stems.windows(2).all(|pair| pair[0] == pair[1]), "{stems:?}");
        }
        assert_eq!(stem("speed"), "speed");
        assert_eq!(stem("king"), "king");
    }
}
