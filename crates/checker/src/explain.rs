//! Says in one sentence, in the language of the new text, why two statements exclude each other.

use crate::claims::ClaimKey;
use crate::text::language::Language;

fn choose(language: Language, english: String, chinese: String) -> String {
    if language == Language::Chinese {
        chinese
    } else {
        english
    }
}

/// Two values of one claim key.
pub(crate) fn claim(language: Language, key: &ClaimKey, new: &str, standing: &str) -> String {
    let (subject, attribute) = (key.subject(), key.attribute());
    choose(
        language,
        format!(
            "The new claim gives `{attribute}` of `{subject}` the value {new}; the standing claim gives it {standing}, and both cannot hold."
        ),
        format!(
            "新断言称“{subject}”的“{attribute}”为 {new}，而现有断言为 {standing}，两者不能同时成立。"
        ),
    )
}

/// Two quantities whose intervals do not meet.
pub(crate) fn quantity(language: Language, new: &str, standing: &str) -> String {
    choose(
        language,
        format!(
            "The new text says `{new}` where the standing one says `{standing}`; even with rounding, both cannot hold."
        ),
        format!("新文本为“{new}”，现有文本为“{standing}”，即使考虑舍入也不能同时成立。"),
    )
}

/// Two words of opposite meaning in one slot.
pub(crate) fn opposite(language: Language, new: &str, standing: &str) -> String {
    choose(
        language,
        format!(
            "The new text says `{new}` where the standing one says the opposite, `{standing}`."
        ),
        format!("新文本说“{new}”，现有文本说的是相反的“{standing}”。"),
    )
}

/// One text denies what the other says; `denial` stands in the new text if `in_new`.
pub(crate) fn negation(language: Language, denial: &str, head: &str, in_new: bool) -> String {
    if in_new {
        choose(
            language,
            format!("The new text denies (`{denial}`) what the standing one says of `{head}`."),
            format!("新文本以“{denial}”否定了现有文本关于“{head}”的说法。"),
        )
    } else {
        choose(
            language,
            format!("The new text says of `{head}` what the standing one denies (`{denial}`)."),
            format!("现有文本以“{denial}”否定了新文本关于“{head}”的说法。"),
        )
    }
}

/// Two quantifiers or modalities that exclude each other.
pub(crate) fn operators(language: Language, what: Operators, new: &str, standing: &str) -> String {
    let (english, chinese) = match what {
        Operators::Quantifier => ("how many", "范围"),
        Operators::Modality => ("what must or may be", "要求"),
    };
    choose(
        language,
        format!(
            "The two texts differ in {english}: `{new}` in the new one excludes `{standing}` in the standing one."
        ),
        format!("两段文本的{chinese}互相排斥：新文本为“{new}”，现有文本为“{standing}”。"),
    )
}

/// Which operator two texts differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operators {
    Quantifier,
    Modality,
}

/// Two members of a set of which only one can hold.
pub(crate) fn category(language: Language, set: &str, new: &str, standing: &str) -> String {
    choose(
        language,
        format!(
            "Only one of `{set}` can hold: the new text says `{new}`, the standing one `{standing}`."
        ),
        format!("“{set}”中只能有一个成立：新文本为“{new}”，现有文本为“{standing}”。"),
    )
}

/// Two holders of a relation that has one.
pub(crate) fn holder(language: Language, relation: &str, new: &str, standing: &str) -> String {
    choose(
        language,
        format!(
            "There is one `{relation}`: the new text names `{new}`, the standing one `{standing}`."
        ),
        format!("“{relation}”只有一个：新文本为“{new}”，现有文本为“{standing}”。"),
    )
}
