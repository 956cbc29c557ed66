//! What a sentence speaks of where it only says `it`: the subject of the sentence before.
//!
//! The subject is what stands before the first verb. Verbs are known by a short list and by their ending; where none is
//! found, or the words before it look like more than a subject, nothing is said: a wrong subject makes false alarms.
//! `He` and `she` are never resolved, as people seldom are the subject of the sentence before.

use crate::text::language::is_han;

/// The longest subject that is carried on, in words and in Han characters.
const MAX_WORDS: usize = 8;
const MAX_HAN: usize = 24;

pub(super) const PRONOUNS: [&str; 2] = ["it", "they"];
const POSSESSIVES: [&str; 2] = ["its", "their"];
/// Words for people, whose names are seldom the subject of the sentence before.
const PERSONS: [&str; 4] = ["he", "she", "his", "her"];
/// Words that point at more than a subject where a verb follows.
const POINTING: [&str; 5] = ["this", "that", "these", "those", "both"];
const HAN_PRONOUNS: [&str; 7] = ["它们", "他们", "她们", "两者", "它", "他", "她"];
/// Words that begin with 其 or another pronoun and are none.
const NO_PRONOUNS: [&str; 7] = ["其中", "其他", "其它", "其余", "其实", "其次", "他国"];
/// Beginnings of Chinese sentences that leave their subject out.
const HAN_VERBS_FIRST: [&str; 10] = [
    "同比",
    "环比",
    "较上年",
    "比上年",
    "达到",
    "约为",
    "增长",
    "下降",
    "占比",
    "比去年",
];

/// Prepositions that begin an adverbial before the subject: `In 2024, solar capacity …`.
const ADVERBIALS: [&str; 20] = [
    "in",
    "at",
    "by",
    "on",
    "during",
    "since",
    "after",
    "before",
    "until",
    "from",
    "as",
    "with",
    "for",
    "over",
    "however",
    "meanwhile",
    "overall",
    "today",
    "moreover",
    "also",
];

/// Words that end a subject, as they are never nouns.
pub(super) const VERBS: [&str; 60] = [
    "is", "are", "was", "were", "be", "been", "has", "have", "had", "does", "did", "will", "would",
    "shall", "should", "could", "may", "might", "must", "cannot", "reached", "stood", "rose",
    "fell", "grew", "ran", "held", "made", "sold", "became", "becomes", "began", "begins", "came",
    "comes", "went", "goes", "lies", "won", "lost", "serves", "includes", "contains", "requires",
    "expects", "employs", "produces", "remains", "reaches", "grows", "opens", "closes", "sells",
    "carries", "makes", "adds", "stands", "exceeds", "amounts", "accounts",
];
/// Words that end a subject where no surer one is in the sentence.
const DOUBTFUL_VERBS: [&str; 26] = [
    "rises",
    "falls",
    "increases",
    "decreases",
    "declines",
    "drops",
    "runs",
    "uses",
    "costs",
    "cost",
    "holds",
    "ends",
    "starts",
    "covers",
    "supports",
    "needs",
    "plans",
    "totals",
    "can",
    "do",
    "lie",
    "reach",
    "run",
    "stand",
    "grow",
    "supplies",
];
/// Words that no subject begins or ends with, or has in it.
const NO_ENDS: [&str; 8] = ["and", "or", "so", "but", "if", "when", "while", "because"];
const NO_INNER: [&str; 7] = ["than", "that", "which", "who", "not", "it", "they"];

const HAN_VERBS: [&str; 26] = [
    "达到",
    "达",
    "约为",
    "为",
    "是",
    "有",
    "位于",
    "成立",
    "拥有",
    "增长",
    "下降",
    "上升",
    "增加",
    "减少",
    "超过",
    "不足",
    "约",
    "于",
    "将",
    "已",
    "在",
    "采用",
    "支持",
    "需要",
    "可",
    "的同比",
];

/// How a sentence begins.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// With its own subject.
    Named,
    /// With words that stand for a subject; so many bytes of them, and whether what follows belongs to it.
    Pronoun { length: usize, possessive: bool },
    /// With something that points at more than a subject (`This means …`).
    Pointing,
}

/// Looks at how a sentence begins.
pub(super) fn opening(text: &str) -> Opening {
    if text.starts_with(is_han) {
        return han_opening(text);
    }
    let mut words = words(text);
    let Some((_, first)) = words.next() else {
        return Opening::Named;
    };
    let folded = first.to_lowercase();
    let word = folded.as_str();
    let next = words.next().map(|(_, word)| word.to_lowercase());
    let pronoun = |possessive| Opening::Pronoun {
        length: first.len(),
        possessive,
    };
    if PRONOUNS.contains(&word) {
        pronoun(false)
    } else if POSSESSIVES.contains(&word) {
        pronoun(true)
    } else if PERSONS.contains(&word)
        || POINTING.contains(&word) && next.is_some_and(|next| VERBS.contains(&next.as_str()))
    {
        Opening::Pointing
    } else {
        Opening::Named
    }
}

fn han_opening(text: &str) -> Opening {
    if NO_PRONOUNS.iter().any(|word| text.starts_with(word)) {
        return Opening::Named;
    }
    if text.starts_with('这') || text.starts_with("此举") {
        return Opening::Pointing;
    }
    if HAN_VERBS_FIRST.iter().any(|word| text.starts_with(word)) {
        return Opening::Pronoun {
            length: 0,
            possessive: false,
        };
    }
    if text.starts_with('其') {
        return Opening::Pronoun {
            length: '其'.len_utf8(),
            possessive: true,
        };
    }
    let pronoun = HAN_PRONOUNS.iter().find(|word| text.starts_with(**word));
    pronoun.map_or(Opening::Named, |word| Opening::Pronoun {
        length: word.len(),
        possessive: false,
    })
}

/// Words that lead over from the sentence before and say nothing.
const TRANSITIONS: [&str; 12] = [
    "其中，",
    "此外，",
    "另外，",
    "同时，",
    "因此，",
    "however, ",
    "moreover, ",
    "meanwhile, ",
    "in addition, ",
    "therefore, ",
    "overall, ",
    "also, ",
];
/// Words that begin the naming of a source: `According to the ministry, …`.
const ATTRIBUTIONS: [&str; 4] = ["according to ", "据", "根据", "按照"];

/// The length of what stands before the statement proper: a transition, or the naming of its source.
pub(super) fn preamble(text: &str) -> usize {
    let folded = text.to_lowercase();
    if let Some(found) = TRANSITIONS.iter().find(|it| folded.starts_with(**it)) {
        return found.len();
    }
    let attributed = ATTRIBUTIONS.iter().any(|it| folded.starts_with(it));
    let comma = [", ", "，"]
        .into_iter()
        .filter_map(|comma| Some(text.find(comma)? + comma.len()))
        .min();
    comma.filter(|_| attributed).unwrap_or(0)
}

/// The subject of a sentence; none where it cannot be told.
pub(super) fn subject(text: &str) -> Option<&str> {
    if text.chars().any(is_han) {
        return han_subject(text);
    }
    let text = after_adverbial(text);
    before_verb(text, |word| VERBS.contains(&word)).or_else(|| {
        before_verb(text, |word| {
            DOUBTFUL_VERBS.contains(&word) || word.len() > 4 && word.ends_with("ed")
        })
    })
}

/// What stands before the first verb, if it looks like a subject.
fn before_verb(text: &str, is_verb: impl Fn(&str) -> bool) -> Option<&str> {
    let (end, _) = words(text).find(|(_, word)| is_verb(&word.to_lowercase()))?;
    let subject = text.get(..end)?.trim();
    let folded: Vec<String> = words(subject)
        .map(|(_, word)| word.to_lowercase())
        .collect();
    let (first, last) = (folded.first()?.as_str(), folded.last()?.as_str());
    let is_article = folded.len() == 1 && matches!(first, "the" | "a" | "an");
    let fits = folded.len() <= MAX_WORDS
        && !is_article
        && !subject.contains([',', ';', ':'])
        && !ADVERBIALS.contains(&first)
        && !NO_ENDS.contains(&first)
        && !NO_ENDS.contains(&last)
        && !folded.iter().any(|word| NO_INNER.contains(&word.as_str()));
    fits.then_some(subject)
}

/// Takes off what stands before a first comma, if a preposition or an adverb begins it and no verb is in it.
fn after_adverbial(text: &str) -> &str {
    let Some((before, rest)) = text.split_once(", ") else {
        return text;
    };
    let mut words = words(before).map(|(_, word)| word.to_lowercase());
    let begins = words
        .next()
        .is_some_and(|first| ADVERBIALS.contains(&first.as_str()));
    if begins && !words.any(|word| VERBS.contains(&word.as_str())) {
        rest
    } else {
        text
    }
}

fn han_subject(text: &str) -> Option<&str> {
    let text = match text.split_once('，') {
        Some((before, rest)) if is_adverbial(before) => rest,
        _ => text,
    };
    let end = HAN_VERBS
        .iter()
        .filter_map(|verb| text.find(verb))
        .filter(|at| *at > 0)
        .min()?;
    let subject = text.get(..end)?.trim();
    let known = !subject.is_empty()
        && subject.chars().count() <= MAX_HAN
        && !subject.contains(['，', '。', '、', '“']);
    known.then_some(subject)
}

/// A date, or a word that leads over to what follows.
fn is_adverbial(before: &str) -> bool {
    let dated = before.contains(|letter: char| letter.is_ascii_digit())
        && before.ends_with(['年', '月', '日', '底', '末', '初', '时', '后', '前']);
    dated
        || matches!(
            before,
            "其中" | "此外" | "同时" | "另外" | "因此" | "目前" | "截至目前"
        )
}

/// The words of an English text with where they start.
pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '\'' | '’' | '-')))
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subject_stands_before_the_verb() {
        let check = |text, expected| assert_eq!(subject(text), expected, "{text}");
        check(
            "Solar capacity in the province reached 24.8 GW.",
            Some("Solar capacity in the province"),
        );
        check("In 2024, the plant employed 55 people.", Some("the plant"));
        check("Energy costs fell by 12%.", Some("Energy costs"));
        check("The operator carried 8 people.", Some("The operator"));
        check("Brenn and Tolgau lay far apart and have buses.", None);
        check("The mixer paid more than was planned.", None);
        check("Quite the opposite.", None);
        check("2024年底，风电装机容量约5.2亿千瓦。", Some("风电装机容量"));
        check("该厂位于四川。", Some("该厂"));
    }

    #[test]
    fn pronouns_ask_for_a_subject() {
        let pronoun = |length, possessive| Opening::Pronoun { length, possessive };
        let check = |text, expected| assert_eq!(opening(text), expected, "{text}");
        check("It reached 24.8 GW.", pronoun(2, false));
        check("Its capacity is 24.8 GW.", pronoun(3, true));
        check("He has 24 staff.", Opening::Pointing);
        check("Both towns are small.", Opening::Named);
        check("This means a loss.", Opening::Named);
        check("This was a loss.", Opening::Pointing);
        check("This plant has 55 staff.", Opening::Named);
        check("其容量为5万千瓦。", pronoun(3, true));
        check("其中，风电为5万千瓦。", Opening::Named);
        check("同比增长13.9%。", pronoun(0, false));
        check("它于2020年投产。", pronoun(3, false));
    }
}
