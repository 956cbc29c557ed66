//! Which sentences say something that can be checked.
//!
//! A sentence is no claim if it asks, tells the reader to do something, speaks of the text itself without a figure, or
//! has less than two words of content, `nobody` and `must` included, and no figure. Everything else is one, whether it can be found on a board or not.

use crate::lexicon::Role;
use crate::statement::Statement;

/// Words that begin an instruction to the reader.
const INSTRUCTIONS: [&str; 18] = [
    "see", "note", "consider", "let", "please", "compare", "imagine", "recall", "remember",
    "suppose", "assume", "refer", "contact", "ask", "read", "think", "try", "check",
];
const HAN_INSTRUCTIONS: [&str; 9] = [
    "请",
    "参见",
    "见",
    "注意",
    "注：",
    "让我们",
    "试想",
    "假设",
    "设想",
];

/// Words for the text itself and for places in it.
const POINTERS: [&str; 24] = [
    "a summary of",
    "an overview of",
    "this report",
    "this document",
    "this paper",
    "this section",
    "this chapter",
    "this article",
    "this page",
    "this summary",
    "this note",
    "the following",
    "as follows",
    "below",
    "above",
    "next section",
    "previous section",
    "table of contents",
    "we look",
    "we discuss",
    "we turn",
    "we begin",
    "in short",
    "to sum up",
];
const HAN_POINTERS: [&str; 16] = [
    "本文",
    "本报告",
    "本节",
    "本章",
    "本页",
    "下文",
    "上文",
    "如下",
    "下表",
    "上表",
    "下图",
    "上图",
    "以下",
    "综上",
    "总之",
    "附录",
];

/// Whether a sentence, parsed as `statement`, says something that can be checked.
pub(super) fn is_claim(text: &str, statement: &Statement) -> bool {
    let text = text.trim();
    let end = text.trim_end_matches(['"', '\'', ')', '”', '’', '」', '）']);
    if end.ends_with(['?', '？']) {
        return false;
    }
    let folded = text.to_lowercase();
    if is_instruction(&folded) {
        return false;
    }
    let has_figure = statement.quantities().iter().any(|it| !it.is_label);
    let measures = statement
        .quantities()
        .iter()
        .any(|it| !it.is_label && !it.dimension.is_calendar());
    let introduces = end.ends_with([':', '：']);
    if (introduces || is_about_text(&folded)) && !measures {
        return false;
    }
    let words = statement
        .items
        .iter()
        .filter(|item| item.role != Role::Stop && item.quantity.is_none());
    let (mut count, mut han) = (0, 0);
    for item in words {
        if item.han && item.span.len() <= 4 {
            han += 1;
        } else {
            count += 1;
        }
    }
    // Han text that no lexicon knows comes as single characters; two of them make a word.
    let count = count + han / 2;
    count >= 2 || (has_figure && count >= 1)
}

fn is_instruction(folded: &str) -> bool {
    let first = folded
        .split(|letter: char| !letter.is_alphabetic())
        .find(|word| !word.is_empty());
    let english = first.is_some_and(|word| INSTRUCTIONS.contains(&word));
    english || HAN_INSTRUCTIONS.iter().any(|word| folded.starts_with(word))
}

fn is_about_text(folded: &str) -> bool {
    let words: Vec<&str> = folded
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let english = POINTERS.iter().any(|pointer| {
        let pointer: Vec<&str> = pointer.split(' ').collect();
        words.windows(pointer.len()).any(|window| window == pointer)
    });
    english || HAN_POINTERS.iter().any(|pointer| folded.contains(pointer))
}
