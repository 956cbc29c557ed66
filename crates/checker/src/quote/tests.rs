//! Quotes in sources of every kind.

mod locators;
mod pages;
mod pdfs;
mod properties;

use super::*;

fn source(name: &str) -> Document {
    let (media_type, bytes): (_, &[u8]) = match name {
        "report.md" => (
            MediaType::Markdown,
            include_bytes!("../../../../fixtures/quote/report.md"),
        ),
        "report.txt" => (
            MediaType::Plain,
            include_bytes!("../../../../fixtures/quote/report.txt"),
        ),
        "figures.csv" => (
            MediaType::Csv,
            include_bytes!("../../../../fixtures/quote/figures.csv"),
        ),
        "answer.json" => (
            MediaType::Json,
            include_bytes!("../../../../fixtures/quote/answer.json"),
        ),
        _ => panic!("no such fixture"),
    };
    Document::parse(media_type, bytes).unwrap()
}

fn quote(exact: &str) -> TextQuote {
    TextQuote::new(exact, "", "").unwrap()
}

/// What became of a quote, in short.
fn outcome(found: &QuoteMatch) -> String {
    let at = |place: &Place| {
        let part = place
            .part
            .as_ref()
            .map_or(String::new(), |part| format!(", {part}"));
        format!("line {}{part}", place.line)
    };
    match found {
        QuoteMatch::Exact(place) => format!("exact, {}", at(place)),
        QuoteMatch::Normalised(place) => format!("normalised, {}", at(place)),
        QuoteMatch::NotFound {
            miss: Miss::Elsewhere(place),
            ..
        } => format!("elsewhere, {}", at(place)),
        QuoteMatch::NotFound {
            miss: Miss::OtherContext(place),
            ..
        } => format!("other context, {}", at(place)),
        QuoteMatch::NotFound {
            miss: Miss::NoSuchPart,
            ..
        } => "no such part".to_owned(),
        QuoteMatch::NotFound {
            miss: Miss::LongerThanSource,
            ..
        } => "longer than the source".to_owned(),
        QuoteMatch::NotFound {
            miss: Miss::Absent, ..
        } => "absent".to_owned(),
        QuoteMatch::Unverifiable(error) => error.to_string(),
    }
}

#[track_caller]
fn check(name: &str, exact: &str, expected: &str) {
    assert_eq!(outcome(&find(&source(name), &quote(exact), None)), expected);
}

#[test]
fn a_plain_text_is_read_through_its_line_breaks() {
    check("report.txt", "grew by 45% in", "exact, line 2");
    check(
        "report.txt",
        "The group's revenue grew by 45% in 2023. It employs",
        "normalised, line 1",
    );
    check(
        "report.txt",
        "公司营收增长了45%，净利润为3.2亿元",
        "normalised, line 5",
    );
    check(
        "report.txt",
        "公司营收 增长了45%，净利润 为3.2亿元",
        "normalised, line 5",
    );
    check("report.txt", "Malmo\u{308}", "normalised, line 3");
}

#[test]
fn nothing_but_layout_is_forgiven() {
    for altered in ["10² people", "It employs 10² people"] {
        check("report.txt", altered, "exact, line 3");
    }
    for altered in [
        "102 people",
        "Revenue grew by 45%",
        "grew by 45 %",
        "malmö",
        "Sales did fall",
        "４５%",
    ] {
        check("report.txt", altered, "absent");
    }
    check(
        "report.txt",
        "2023. It employs 10² people in Malmö. 2023年公司营收",
        "normalised, line 3",
    );
}

#[test]
fn a_letter_is_not_parted_from_its_marks() {
    let document =
        Document::parse(MediaType::Plain, "a =\u{338} b, x = y; e\u{301}".as_bytes()).unwrap();
    let place = |exact: &str| match find(&document, &quote(exact), None) {
        QuoteMatch::Exact(place) | QuoteMatch::Normalised(place) => Some(place.characters),
        _ => None,
    };
    assert_eq!(place("="), Some(10..11));
    assert_eq!(place("≠"), Some(2..4));
    assert_eq!(place("a ="), None);
    assert_eq!(place("e"), None);
    assert_eq!(place("é"), Some(15..17));
}

#[test]
fn markdown_is_read_with_and_without_its_markup() {
    check(
        "report.md",
        "The Nordlys group is based in Oslo",
        "exact, line 3, section `Annual report`",
    );
    check(
        "report.md",
        "based in Oslo and was founded in 1998",
        "normalised, line 3, section `Annual report`",
    );
    check(
        "report.md",
        "[Oslo](https://example.org/oslo)",
        "exact, line 3, section `Annual report`",
    );
    check(
        "report.md",
        "grew by 45% to $1,200 million",
        "exact, line 8, section `Results`",
    );
    check(
        "report.md",
        "well-known analysts",
        "normalised, line 8, section `Results`",
    );
    check(
        "report.md",
        "was EUR 310m.",
        "exact, line 9, section `Results`",
    );
    check(
        "report.md",
        "2023 1,200 26%",
        "normalised, line 14, section `Results`",
    );
    check(
        "report.md",
        "Energy prices & exchange rates",
        "exact, line 22, section `Risks`",
    );
}

#[test]
fn tables_and_json_are_read_with_their_escapes_resolved() {
    check(
        "figures.csv",
        "Paris, \"the city of light\"",
        "exact, line 4, row `4`, column `2`",
    );
    check(
        "figures.csv",
        "Norway,Oslo",
        "exact, line 2, row `2`, column `1`",
    );
    check(
        "figures.csv",
        "Norway Oslo 5.5",
        "normalised, line 2, row `2`, column `1`",
    );
    check(
        "answer.json",
        "growth of 45% 😀",
        "exact, line 5, pointer `/results/1/note`",
    );
    check(
        "answer.json",
        "line one line two",
        "normalised, line 4, pointer `/results/0/note`",
    );
    check(
        "answer.json",
        "\"revenue\": 827",
        "exact, line 4, pointer `/results/0`",
    );
    check(
        "answer.json",
        "45\\u0025",
        "exact, line 5, pointer `/results/1/note`",
    );
}

#[test]
fn what_stands_around_the_quote_must_stand_around_it() {
    let text = "Costs fell by 4%. Sales fell by 4% again.";
    let document = Document::parse(MediaType::Plain, text.as_bytes()).unwrap();
    let look = |prefix: &str, suffix: &str| {
        let found = find(
            &document,
            &TextQuote::new("fell by 4%", prefix, suffix).unwrap(),
            None,
        );
        match found {
            QuoteMatch::Exact(place) => ("exact", place.characters.start),
            QuoteMatch::Normalised(place) => ("normalised", place.characters.start),
            QuoteMatch::NotFound {
                miss: Miss::OtherContext(place),
                ..
            } => ("context", place.characters.start),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(look("", ""), ("exact", 6));
    assert_eq!(look("Sales ", ""), ("exact", 24));
    assert_eq!(look("Sales", ""), ("normalised", 24));
    assert_eq!(look("Sales", "again"), ("normalised", 24));
    assert_eq!(look("Costs ", " again"), ("context", 6));
}

#[test]
fn a_cut_word_or_number_is_pointed_out() {
    let cuts = |exact: &str| match find(&source("report.txt"), &quote(exact), None) {
        QuoteMatch::Exact(place) => place.cuts_word,
        other => panic!("{other:?}"),
    };
    assert!(cuts("grew by 4"));
    assert!(cuts("costs fell by 4"));
    assert!(cuts("ales did"));
    assert!(!cuts("costs fell by 4.5"));
    assert!(!cuts("增长了45"));
    assert!(!cuts("净利"));
}

#[test]
fn the_nearest_passage_says_what_the_source_says_instead() {
    let nearest = |name: &str, exact: &str| match find(&source(name), &quote(exact), None) {
        QuoteMatch::NotFound { nearest, .. } => {
            nearest.map(|passage| (passage.text, passage.similarity))
        }
        other => panic!("{other:?}"),
    };
    let (text, similarity) = nearest("report.txt", "costs fell by 5.4 points").unwrap();
    assert_eq!(text, "costs fell by 4.5 points");
    assert!((7_000..10_000).contains(&similarity), "{similarity}");
    let (text, _) = nearest("report.txt", "公司营收增长了54%").unwrap();
    assert!(text.contains("增长了45"), "{text}");
    let repeated = Document::parse(
        MediaType::Plain,
        b"fell fell fell fell fell. Then costs slowly fell by little.",
    );
    match find(
        &repeated.unwrap(),
        &quote("costs quickly fell by much"),
        None,
    ) {
        QuoteMatch::NotFound {
            nearest: Some(passage),
            ..
        } => {
            assert_eq!(
                (passage.text.as_str(), passage.start),
                ("costs slowly fell by little", 31)
            );
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(nearest("report.txt", "xyzzy"), None);
}

#[test]
fn empty_and_over_long_quotes_are_told_apart() {
    assert_eq!(TextQuote::new(" \n", "a", "b"), Err(EmptyQuote));
    check("report.txt", &"long ".repeat(500), "longer than the source");
    let empty = Document::parse(MediaType::Plain, b"").unwrap();
    assert_eq!(
        outcome(&find(&empty, &quote("a"), None)),
        "longer than the source"
    );
}

#[test]
fn what_cannot_be_read_is_unverifiable() {
    let look = |media_type: &str, bytes: &[u8]| {
        outcome(&super::check(
            MediaType::parse(media_type),
            bytes,
            &quote("a"),
            None,
        ))
    };
    assert!(look("text/plain; charset=gb18030", b"a").contains("cannot be checked"));
    assert!(look("text/plain", b"\xff").contains("not valid utf-8 from byte `0`"));
    assert!(look("application/json", b"{").contains("not valid application/json"));
    assert!(look("text/csv", b"\"a").contains("has no end"));
    assert_eq!(look("TEXT/PLAIN; charset=UTF-8", b"a"), "exact, line 1");
    assert_eq!(
        look("application/ld+json", b"[\"a\"]"),
        "exact, line 1, pointer `/0`"
    );
}
