//! The quote and the locator of an input.

use pawl_checker::quote::{Column, Locator, TextQuote};

use crate::text::text;

/// What is looked up.
pub(super) struct Asked {
    pub(super) quote: TextQuote,
    pub(super) locator: Option<Locator>,
}

/// Reads `quote|prefix|suffix|locator`; the last three may be missing.
pub(super) fn read(line: &[u8]) -> Option<Asked> {
    let line = text(line)?.replace('¶', "\n");
    let mut fields = line.split('|');
    let mut field = || fields.next().unwrap_or_default();
    let quote = TextQuote::new(field(), field(), field()).ok()?;
    Some(Asked {
        quote,
        locator: locator(field()),
    })
}

/// Reads a letter for the kind of locator and what follows it: `p2`, `l3-4`, `sTitle`, `j/a/0`, `c2,3`, `c2,Heading`,
/// `x0-9`.
fn locator(text: &str) -> Option<Locator> {
    let kind = text.chars().next()?;
    let rest = text.get(kind.len_utf8()..)?;
    let pair = || {
        let (first, last) = rest.split_once('-')?;
        Some((first.parse().ok()?, last.parse().ok()?))
    };
    Some(match kind {
        'p' => Locator::Page(rest.parse().ok()?),
        'l' => {
            let (first, last) = pair()?;
            Locator::Line { first, last }
        }
        's' => Locator::Section(rest.to_owned()),
        'j' => Locator::Pointer(rest.to_owned()),
        'x' => {
            let (start, end) = pair()?;
            Locator::Characters { start, end }
        }
        'c' => {
            let (row, column) = rest.split_once(',')?;
            Locator::Cell {
                row: row.parse().ok()?,
                column: match column.parse() {
                    Ok(number) => Column::Number(number),
                    Err(_) => Column::Heading(column.to_owned()),
                },
            }
        }
        _ => return None,
    })
}
