//! Quotes that must stand where they are said to.

use super::super::*;
use super::{outcome, quote, source};

#[track_caller]
fn check_at(name: &str, exact: &str, locator: &Locator, expected: &str) {
    assert_eq!(
        outcome(&find(&source(name), &quote(exact), Some(locator))),
        expected
    );
}

#[test]
fn a_locator_must_hold_the_whole_quote() {
    let line = |first, last| Locator::Line { first, last };
    check_at("report.txt", "grew by 45%", &line(2, 2), "exact, line 2");
    check_at(
        "report.txt",
        "revenue grew",
        &line(2, 2),
        "elsewhere, line 1",
    );
    check_at(
        "report.txt",
        "revenue grew",
        &line(1, 2),
        "normalised, line 1",
    );
    check_at(
        "report.txt",
        "Sales did not fall",
        &line(9, 9),
        "exact, line 9",
    );
    check_at(
        "report.txt",
        "Sales did not fall",
        &line(90, 91),
        "elsewhere, line 9",
    );
    check_at(
        "report.txt",
        "Sales did fall",
        &line(90, 91),
        "no such part",
    );
    check_at(
        "report.txt",
        "Sales did not fall",
        &Locator::Page(1),
        "elsewhere, line 9",
    );

    let section = |title: &str| Locator::Section(title.to_owned());
    check_at(
        "report.md",
        "EUR 310m",
        &section("Results"),
        "exact, line 9, section `Results`",
    );
    check_at(
        "report.md",
        "Nothing more",
        &section("Results"),
        "exact, line 26, section `Results`",
    );
    check_at(
        "report.md",
        "Energy prices",
        &section("Outlook"),
        "exact, line 22, section `Risks`",
    );
    check_at(
        "report.md",
        "Energy prices",
        &section("Results"),
        "elsewhere, line 22, section `Risks`",
    );

    let cell = |row, column: &str| Locator::Cell {
        row,
        column: Column::Heading(column.to_owned()),
    };
    check_at(
        "figures.csv",
        "5.5",
        &cell(2, "Inhabitants, millions"),
        "exact, line 2, row `2`, column `3`",
    );
    check_at(
        "figures.csv",
        "5.5",
        &cell(3, "Capital"),
        "elsewhere, line 2, row `2`, column `3`",
    );
    check_at(
        "figures.csv",
        "Kinshasa",
        &Locator::Cell {
            row: 3,
            column: Column::Number(2),
        },
        "exact, line 3, row `3`, column `2`",
    );

    let pointer = |path: &str| Locator::Pointer(path.to_owned());
    check_at(
        "answer.json",
        "1200",
        &pointer("/results/1/revenue"),
        "exact, line 5, pointer `/results/1/revenue`",
    );
    check_at(
        "answer.json",
        "1200",
        &pointer("/results/0"),
        "elsewhere, line 5, pointer `/results/1/revenue`",
    );
    check_at(
        "answer.json",
        "slash",
        &pointer("/results/1/a~1b"),
        "exact, line 5, pointer `/results/1/a~1b`",
    );
    check_at(
        "answer.json",
        "none such",
        &pointer("/results/01"),
        "no such part",
    );
}

#[test]
fn characters_count_in_the_text_a_reader_sees() {
    let document = source("report.md");
    let QuoteMatch::Exact(place) = find(&document, &quote("Nordlys"), None) else {
        panic!("must be found")
    };
    let seen: String = document
        .extracted()
        .chars()
        .skip(place.characters.start)
        .take(7)
        .collect();
    assert_eq!((seen.as_str(), place.view), ("Nordlys", View::Extracted));
    let (start, end) = (
        u32::try_from(place.characters.start).unwrap(),
        u32::try_from(place.characters.end).unwrap(),
    );
    check_at(
        "report.md",
        "Nordlys",
        &Locator::Characters { start, end },
        "exact, line 3, section `Annual report`",
    );
    check_at(
        "report.md",
        "Nordlys",
        &Locator::Characters {
            start: start + 1,
            end,
        },
        "elsewhere, line 3, section `Annual report`",
    );
}
