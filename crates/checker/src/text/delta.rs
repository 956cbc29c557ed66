//! Tells changes (`grew 45%`) from levels (`reached 45%`, `grew to 45%`).

use super::token::Token;
use crate::lexicon::Lexicon;

/// How far before a number a word of change is looked for, in tokens.
const REACH: usize = 4;

/// Says whether the number at `start..end` is a change.
pub(crate) fn is_delta(tokens: &[Token], start: usize, end: usize, lexicon: &Lexicon) -> bool {
    for token in tokens
        .get(start.saturating_sub(REACH)..start)
        .unwrap_or_default()
        .iter()
        .rev()
    {
        match token.folded.as_str() {
            "by" => return true,
            "to" | "at" | "is" | "was" | "are" | "were" | "for" | "with" | "in" | "from" | ","
            | "." | "than" | "到" | "至" | "为" | "达" | "率" | "，" | "。" | "、" | "的"
            | "从" | "超过" => {
                break;
            }
            _ => {}
        }
        if is_change(token, lexicon) {
            return true;
        }
    }
    tokens
        .get(end)
        .is_some_and(|next| is_change(next, lexicon) && !next.glued)
}

fn is_change(token: &Token, lexicon: &Lexicon) -> bool {
    lexicon
        .entries
        .single(token.term)
        .is_some_and(|entry| entry.is_change)
}
