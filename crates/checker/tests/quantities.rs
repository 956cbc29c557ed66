//! Quantities as data: text and what it must mean, in English and Chinese.

use pawl_checker::statement::{Draft, Statement};
use pawl_checker::vocabulary::Vocabulary;
use proptest::prelude::*;

fn quantities(text: &str) -> String {
    let draft = Draft {
        content: text,
        claim: None,
        entities: &[],
        valid_from: None,
        valid_to: None,
    };
    let statement = Statement::parse(&draft, &Vocabulary::shipped());
    let written: Vec<String> = statement
        .quantities()
        .iter()
        .map(ToString::to_string)
        .collect();
    written.join(" ; ")
}

fn check_table(table: &str, least: usize) {
    let rows: Vec<_> = table
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .collect();
    assert!(rows.len() >= least, "only {} rows", rows.len());
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|row| {
            let (text, expected) = row.split_once('\t').unwrap_or((row, ""));
            let found = quantities(text);
            (found != expected).then(|| format!("{text}: expected `{expected}`, found `{found}`"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn english_quantities_mean_what_the_table_says() {
    check_table(include_str!("../../../fixtures/quantities/en.tsv"), 120);
}

#[test]
fn chinese_quantities_mean_what_the_table_says() {
    check_table(include_str!("../../../fixtures/quantities/zh.tsv"), 120);
}

#[test]
fn spans_cut_the_text_the_quantity_is_written_in() {
    let draft = Draft {
        content: "它的营收超过5.2亿元。",
        claim: None,
        entities: &[],
        valid_from: None,
        valid_to: None,
    };
    let statement = Statement::parse(&draft, &Vocabulary::shipped());
    let span = statement.quantities()[0].span.clone();
    assert_eq!(&statement.content()[span], "超过5.2亿元");
}

const UNITS: [(&str, &str, i64); 7] = [
    (" km", "length", 1_000),
    ("公里", "length", 1_000),
    (" tonnes", "mass", 1_000),
    (" minutes", "time", 60),
    ("分钟", "time", 60),
    (" euros", "money:EUR", 1),
    ("欧元", "money:EUR", 1),
];

fn grouped(value: u32) -> String {
    let digits = value.to_string();
    let first = digits.len() % 3;
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && at % 3 == first {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

proptest! {
    #[test]
    fn a_printed_bound_is_read_back(value in 1_u32..900_000_000, unit in 0..UNITS.len(), marks in any::<bool>()) {
        let (written, dimension, factor) = UNITS[unit];
        let digits = if marks { grouped(value) } else { value.to_string() };
        let expected = format!("{dimension} [{}, inf)", i64::from(value) * factor);
        prop_assert_eq!(quantities(&format!("at least {digits}{written}")), expected.clone());
        prop_assert_eq!(quantities(&format!("至少{digits}{written}")), expected);
    }

    #[test]
    fn a_printed_day_is_read_back(year in 1600_i32..2100, month in 1_u8..13, day in 1_u8..29) {
        let iso = format!("{year:04}-{month:02}-{day:02}");
        let expected = format!("date [{iso}, {iso}]");
        prop_assert_eq!(quantities(&format!("signed on {iso}")), expected.clone());
        prop_assert_eq!(quantities(&format!("{year}年{month}月{day}日签署")), expected);
    }
}
