//! The blocks of a plain text: paragraphs between blank lines, items after marks, lone lines as headings.

use super::blocks::{Block, BlockKind, Blocks};
use super::sentences::ends_sentence;

/// The longest line that can be a heading, in characters.
const HEADING_CHARACTERS: usize = 80;

/// Cuts a plain text into blocks.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Blocks::default();
    let mut at = 0;
    let (mut lines, mut last, mut kind, mut list) = (0_usize, "", BlockKind::Paragraph, 0);
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        let marked = item_mark(content);
        if content.is_empty() || marked.is_some() {
            close(&mut blocks, (lines, last), kind, list);
            (lines, kind) = (0, BlockKind::Paragraph);
        }
        if content.is_empty() {
            list += 1;
        } else {
            let start = at + (line.len() - line.trim_start().len());
            let mark = marked.unwrap_or(0);
            if lines > 0 {
                blocks.replace("\n", start..start);
            }
            blocks.copy(content.get(mark..).unwrap_or_default(), start + mark);
            if mark > 0 {
                kind = BlockKind::Item;
            }
            (lines, last) = (lines + 1, content);
        }
        at += line.len();
    }
    close(&mut blocks, (lines, last), kind, list);
    blocks.finish()
}

fn close(blocks: &mut Blocks, (lines, last): (usize, &str), kind: BlockKind, list: usize) {
    match kind {
        BlockKind::Paragraph if lines == 1 && is_heading(last) => {
            blocks.close(BlockKind::Heading(1), None);
        }
        BlockKind::Item => blocks.close(kind, Some(list)),
        _ => blocks.close(kind, None),
    }
}

/// A short line alone that ends no sentence and gives no figures but years.
fn is_heading(line: &str) -> bool {
    let figures = line
        .split(|letter: char| !letter.is_ascii_digit())
        .any(|digits| !digits.is_empty() && digits.len() != 4);
    line.chars().count() <= HEADING_CHARACTERS
        && !ends_sentence(line)
        && !line.contains([':', '：', '%'])
        && !figures
}

/// The length of a list mark with the space after it.
fn item_mark(line: &str) -> Option<usize> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..)?;
    let mark = match rest.chars().next()? {
        '-' | '*' | '+' | '•' | '–' if digits == 0 => rest.chars().next()?.len_utf8(),
        '.' | ')' if (1..=3).contains(&digits) => digits + 1,
        _ => return None,
    };
    let spaces = line.get(mark..)?;
    let blank = spaces.len() - spaces.trim_start().len();
    (blank > 0).then_some(mark + blank)
}
