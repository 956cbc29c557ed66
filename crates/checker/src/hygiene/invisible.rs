//! Characters that cannot be seen: which reorder text, which hide, and where a joiner is writing.

use unicode_normalization::char::is_combining_mark;

/// Embeddings, overrides, isolates and the marks of direction (UAX 9, section 2).
pub(super) fn is_bidirectional_control(character: char) -> bool {
    matches!(character, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Characters that show nothing and take no room, and the tag characters, which can hide a whole message.
pub(super) fn is_zero_width(character: char) -> bool {
    matches!(
        character,
        '\u{00ad}'
            | '\u{034f}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200d}'
            | '\u{2060}'..='\u{2065}'
            | '\u{206a}'..='\u{206f}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Whether a joiner or non-joiner changes how its neighbours are written.
pub(super) fn joins(before: Option<char>, after: Option<char>) -> bool {
    let (Some(before), Some(after)) = (before, after) else {
        return before.is_some_and(is_joining_script);
    };
    is_joining_script(before) || (is_pictograph(before) && is_pictograph(after))
}

/// Scripts whose letters change with their neighbours: Arabic, Syriac and kin, the Indic ones and those like them.
fn is_joining_script(character: char) -> bool {
    matches!(
        character,
        '\u{0600}'..='\u{08ff}'
            | '\u{0900}'..='\u{0dff}'
            | '\u{0f00}'..='\u{109f}'
            | '\u{1780}'..='\u{18af}'
            | '\u{1a20}'..='\u{1bff}'
            | '\u{a840}'..='\u{a87f}'
            | '\u{fb50}'..='\u{fdff}'
            | '\u{fe70}'..='\u{fefe}'
            | '\u{11000}'..='\u{11fff}'
    ) && (character.is_alphabetic() || is_combining_mark(character))
        // Two vowels of Khmer show nothing and are taken out, so no joiner stays for their sake.
        && !is_zero_width(character)
}

/// Signs that emoji sequences are made of, their modifiers and variation selector included.
fn is_pictograph(character: char) -> bool {
    matches!(
        character,
        '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{20e3}' | '\u{1f000}'..='\u{1faff}'
    )
}
