//! Citations by options: `--source S --quote Q`, repeated in the same order.

use std::str::FromStr;

use clap::Args;
use pawl_proto::v1::{
    Cell, CharacterRange, Citation, LineRange, Locator, cell::Column, locator::Place,
};

use super::resource::Resource;
use crate::cli::failure::Failure;

/// Citations, their parts given in the same order.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Citations, each option once for each of them")]
pub(crate) struct Citations {
    /// The source: its digest, at least the first 8 digits, or its address.
    #[arg(long = "source", value_name = "SOURCE")]
    sources: Vec<Resource>,
    /// The exact text that stands there.
    #[arg(long = "quote", value_name = "TEXT", allow_hyphen_values = true)]
    quotes: Vec<String>,
    /// The text right before the quote.
    #[arg(
        long = "prefix",
        value_name = "TEXT",
        requires = "quotes",
        allow_hyphen_values = true
    )]
    prefixes: Vec<String>,
    /// The text right after the quote.
    #[arg(
        long = "suffix",
        value_name = "TEXT",
        requires = "quotes",
        allow_hyphen_values = true
    )]
    suffixes: Vec<String>,
    /// Where: `page:3`, `line:12`, `lines:12-14`, `section:Results`, `pointer:/a/0`, `cell:2,1` or `characters:10-25`.
    #[arg(long = "at", value_name = "PLACE", requires = "quotes")]
    places: Vec<At>,
}

impl Citations {
    /// Puts the parts together; says which option is missing or one too many.
    pub(crate) fn into_messages(self) -> Result<Vec<Citation>, Failure> {
        let count = self.sources.len();
        let whole = |option: &str, given: usize| {
            if given == count {
                return Ok(());
            }
            Err(Failure::Usage(format!(
                "{count} times --source but {given} times {option}: give each once for each citation"
            )))
        };
        let whole_or_absent = |option: &str, given: usize| {
            if given == 0 {
                Ok(())
            } else {
                whole(option, given)
            }
        };
        whole("--quote", self.quotes.len())?;
        whole_or_absent("--prefix", self.prefixes.len())?;
        whole_or_absent("--suffix", self.suffixes.len())?;
        whole_or_absent("--at", self.places.len())?;

        let mut prefixes = self.prefixes.into_iter();
        let mut suffixes = self.suffixes.into_iter();
        let mut places = self.places.into_iter();
        let pairs = self.sources.into_iter().zip(self.quotes);
        Ok(pairs
            .map(|(source, quote)| Citation {
                prefix: prefixes.next().unwrap_or_default(),
                suffix: suffixes.next().unwrap_or_default(),
                locator: places.next().map(|at| Locator { place: Some(at.0) }),
                ..quoted(&source, quote)
            })
            .collect())
    }
}

/// Makes a citation of a source and a quote.
pub(crate) fn quoted(source: &Resource, quote: String) -> Citation {
    Citation {
        // The digest alone says which bytes are meant, on whatever board.
        source: source.id.clone(),
        quote,
        ..Citation::default()
    }
}

/// Makes citations of sources and quotes that follow each other.
pub(crate) fn pairs(words: Vec<String>) -> Vec<Citation> {
    let mut words = words.into_iter();
    let pair = std::iter::from_fn(|| words.next().zip(words.next()));
    pair.map(|(source, quote)| {
        let Ok(source) = source.parse();
        quoted(&source, quote)
    })
    .collect()
}

/// A place inside a source as written.
#[derive(Clone, Debug, PartialEq)]
struct At(Place);

/// Why a place could not be read.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{0}` is no place: write `page:3`, `line:12`, `lines:12-14`, `section:Results`, `pointer:/a/0`, `cell:ROW,COLUMN` or `characters:START-END`"
)]
struct AtError(String);

impl FromStr for At {
    type Err = AtError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        place(text)
            .map(Self)
            .ok_or_else(|| AtError(text.to_owned()))
    }
}

fn place(text: &str) -> Option<Place> {
    let (kind, value) = text.split_once(':')?;
    Some(match kind {
        "page" => Place::Page(value.parse().ok()?),
        "line" | "lines" => {
            let (first, last) = value.split_once('-').unwrap_or((value, value));
            Place::Lines(LineRange {
                first: first.parse().ok()?,
                last: last.parse().ok()?,
            })
        }
        "section" => Place::Section(value.to_owned()),
        "pointer" => Place::JsonPointer(value.to_owned()),
        "cell" => {
            let (row, column) = value.split_once(',')?;
            Place::Cell(Cell {
                row: row.parse().ok()?,
                column: Some(match column.parse() {
                    Ok(number) => Column::Number(number),
                    Err(_) => Column::Heading(column.to_owned()),
                }),
            })
        }
        "characters" => {
            let (start, end) = value.split_once('-')?;
            Place::Characters(CharacterRange {
                start: start.parse().ok()?,
                end: end.parse().ok()?,
            })
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read() {
        let check = |text: &str, expected: Option<Place>| {
            assert_eq!(text.parse::<At>().ok().map(|at| at.0), expected, "{text}");
        };
        check("page:3", Some(Place::Page(3)));
        check(
            "section:Results: 2024",
            Some(Place::Section("Results: 2024".to_owned())),
        );
        let cell = |column| {
            Some(Place::Cell(Cell {
                row: 2,
                column: Some(column),
            }))
        };
        check("cell:2,1", cell(Column::Number(1)));
        check(
            "cell:2,Total, GW",
            cell(Column::Heading("Total, GW".to_owned())),
        );
        check(
            "line:12",
            Some(Place::Lines(LineRange {
                first: 12,
                last: 12,
            })),
        );
        check(
            "lines:12-14",
            Some(Place::Lines(LineRange {
                first: 12,
                last: 14,
            })),
        );
        check(
            "characters:10-25",
            Some(Place::Characters(CharacterRange { start: 10, end: 25 })),
        );
        for bad in [
            "",
            "page",
            "page:",
            "page:-1",
            "cell:2",
            "chapter:1",
            "characters:1..2",
            "line:1-",
            "cell:x,1",
        ] {
            check(bad, None);
        }
    }

    #[test]
    fn parts_have_to_match() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let check = |sources: &[&str], quotes: &[&str], prefixes: &[&str], right: bool| {
            let citations = Citations {
                sources: sources.iter().flat_map(|source| source.parse()).collect(),
                quotes: words(quotes),
                prefixes: words(prefixes),
                ..Citations::default()
            };
            assert_eq!(
                citations.into_messages().is_ok(),
                right,
                "{sources:?} {quotes:?} {prefixes:?}"
            );
        };
        check(&[], &[], &[], true);
        check(&["s"], &["q"], &[], true);
        check(&["s", "t"], &["q", "r"], &["p", "o"], true);
        check(&["s"], &[], &[], false);
        check(&[], &["q"], &[], false);
        check(&["s", "t"], &["q", "r"], &["p"], false);
    }
}
