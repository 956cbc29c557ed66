use std::collections::BTreeMap;

use pawl_ledger::claim::ClaimValue;
use rust_decimal::Decimal;

mod comparing;
mod odd;

use super::*;
use crate::{
    statement::{Draft, Statement},
    vocabulary::{AttributeDeclaration, AttributeKind, Vocabulary},
};

const MOST: u32 = 100;

fn vocabulary() -> Vocabulary {
    let mut vocabulary = Vocabulary::shipped();
    let declare = |name: &str, kind, unit: Option<&str>, alias: &str| AttributeDeclaration {
        name: name.into(),
        kind,
        unit: unit.map(str::to_owned),
        aliases: vec![alias.into()],
        multi_valued: false,
    };
    for declaration in [
        declare(
            "solar_capacity",
            AttributeKind::Decimal,
            Some("GW"),
            "solar power",
        ),
        declare("state", AttributeKind::Enum, None, "condition"),
        declare("opened", AttributeKind::Date, None, "opening"),
        declare("listed", AttributeKind::Boolean, None, "quoted"),
        declare("load", AttributeKind::Range, Some("MW"), "demand"),
    ] {
        vocabulary.declare_attribute(declaration).unwrap();
    }
    vocabulary
}

fn csv(text: &str) -> Result<Vec<Row>, TableError> {
    read(text.as_bytes(), Format::Csv, &Columns::default(), MOST)
}

/// Checks that a table is refused, with each of these in what is told.
#[track_caller]
fn check_refused(result: Result<impl std::fmt::Debug, TableError>, told: &[&str]) {
    let error = result.unwrap_err().to_string();
    for part in told {
        assert!(error.contains(part), "{part} is not in: {error}");
    }
}

#[test]
fn rows_are_read_alike_from_both_formats() {
    let from_csv = csv(
        "\u{feff}subject,attribute,value,unit,valid_from,valid_to,authority,region\r\n\
         Norway,solar_capacity,45.0,GW,2024,2024-12,\"Statistics, Norway\",north\r\n",
    );
    let line = "\n{\"subject\":\"Norway\",\"attribute\":\"solar_capacity\",\"value\":45.0,\
        \"unit\":\"GW\",\"valid_from\":\"2024\",\"valid_to\":\"2024-12\",\
        \"authority\":\"Statistics, Norway\",\"region\":\"north\",\"note\":null}\n";
    let from_lines = read(
        line.as_bytes(),
        Format::JsonLines,
        &Columns::default(),
        MOST,
    );
    let (from_csv, from_lines) = (from_csv.unwrap(), from_lines.unwrap());
    assert_eq!(from_csv, from_lines);
    assert_eq!(digest(&from_csv), digest(&from_lines));
    assert_eq!((from_csv[0].line, from_csv[0].value.as_str()), (2, "45.0"));
    assert_eq!(
        sentence(&from_csv[0]),
        "The solar capacity of Norway was 45.0 GW in 2024 (region: north)."
    );
}

#[test]
fn columns_can_have_other_names() {
    let columns = BTreeMap::from([
        ("subject".to_owned(), "country".to_owned()),
        ("value".to_owned(), "amount".to_owned()),
    ]);
    let columns = Columns::new(&columns).unwrap();
    let text = "country,attribute,amount,value\nNorway,area,385207,wide\n";
    let rows = read(text.as_bytes(), Format::Csv, &columns, MOST).unwrap();
    assert_eq!(
        (rows[0].subject.as_str(), rows[0].value.as_str()),
        ("Norway", "385207")
    );
    assert_eq!(rows[0].qualifiers["value"], "wide");
    let refused = |meaning: &str, column: &str| {
        Columns::new(&BTreeMap::from([(meaning.to_owned(), column.to_owned())])).is_err()
    };
    assert!(refused("colour", "red") && refused("value", ""));
    let missing = Columns::new(&BTreeMap::from([("unit".to_owned(), "measure".to_owned())]));
    let result = read(
        b"subject,attribute,value\na,b,1\n",
        Format::Csv,
        &missing.unwrap(),
        MOST,
    );
    check_refused(result, &["no column `measure`"]);
}

#[test]
fn every_bad_row_is_told_with_its_line() {
    let head = "subject,attribute,value,valid_from,valid_to";
    for (rows, told) in [
        (
            "a,b,,,\nc,,1,,",
            vec!["line 2, `value`", "line 3, `attribute`"],
        ),
        ("a,b,1,soon,", vec!["line 2, `valid_from` is `soon`"]),
        (
            "a,b,1,2024,2023",
            vec!["line 2, `valid_to`", "before `2024`"],
        ),
        ("a,b,1,2024-02-30,", vec!["line 2, `valid_from`"]),
        ("a,b,1", vec!["line 2", "3 cells and the header 5"]),
        ("a,\u{202e}b,1,,", vec!["line 2, `attribute`", "reorder"]),
        ("a,b\u{200b},1,,", vec!["line 2, `attribute`", "invisible"]),
        ("a,\"b,1,,", vec!["line"]),
    ] {
        check_refused(csv(&format!("{head}\n{rows}\n")), &told);
    }
    check_refused(csv("subject,value\na,1\n"), &["no column `attribute`"]);
    check_refused(csv("subject,attribute,value,value\na,b,1,2\n"), &["twice"]);
    check_refused(
        csv("subject,attribute,value,\na,b,1,2\n"),
        &["without a name"],
    );
    check_refused(csv(head), &["no rows"]);
    check_refused(csv(""), &["no column"]);
    check_refused(
        read(
            b"subject,attribute,value\na,b,\xff\n",
            Format::Csv,
            &Columns::default(),
            MOST,
        ),
        &["line 2", "utf-8"],
    );
    let many = format!("{head}\n{}", "a,b,,,\n".repeat(50));
    let error = csv(&many).unwrap_err();
    assert_eq!((error.count, error.problems.len()), (50, MAX_TOLD));
    let long = format!("{head}\n{}", "a,b,1,,\n".repeat(101));
    check_refused(csv(&long), &["line 102", "at most 100 rows"]);
}

#[test]
fn every_bad_line_is_told() {
    let lines = |text: &str| {
        read(
            text.as_bytes(),
            Format::JsonLines,
            &Columns::default(),
            MOST,
        )
    };
    let good = "{\"subject\":\"a\",\"attribute\":\"b\",\"value\":1}";
    for (line, told) in [
        ("[1]", "type array"),
        ("{\"subject\":\"a\"", "no JSON"),
        ("{\"subject\":\"a\",\"subject\":\"b\"}", "stands twice"),
        ("{\"subject\":{}}", "give a string"),
        (
            "{\"subject\":\"a\",\"attribute\":\"b\"}",
            "every row has a value",
        ),
    ] {
        check_refused(lines(&format!("{good}\n{line}\n")), &["line 2", told]);
    }
}

fn row(attribute: &str, value: &str, unit: &str) -> Row {
    Row {
        line: 7,
        subject: "Norway".into(),
        attribute: attribute.into(),
        value: value.into(),
        unit: unit.into(),
        ..Row::default()
    }
}

#[test]
fn values_are_of_the_declared_type() {
    let vocabulary = vocabulary();
    let good = |attribute: &str, value: &str, unit: &str| {
        typed(&row(attribute, value, unit), &vocabulary)
            .unwrap()
            .value
    };
    let number = ClaimValue::Decimal {
        value: Decimal::new(450, 1),
        unit: Some("MW".into()),
    };
    assert_eq!(good("solar power", "45.0", "MW"), number);
    assert_eq!(good("state", "open", ""), ClaimValue::Enum("open".into()));
    assert_eq!(
        good("opened", "2024-06", ""),
        ClaimValue::Date("2024-06".into())
    );
    assert_eq!(good("listed", "true", ""), ClaimValue::Boolean(true));
    assert!(matches!(good("load", "1..2", ""), ClaimValue::Range { .. }));
    assert!(matches!(
        good("anything", "..2", ""),
        ClaimValue::Range { .. }
    ));
    assert_eq!(
        good("anything", "words", ""),
        ClaimValue::Text("words".into())
    );
    for (attribute, value, unit) in [
        ("solar_capacity", "45 GW", ""),
        ("solar_capacity", "1,000", ""),
        ("solar_capacity", "1e3", ""),
        ("solar_capacity", "45", "kg"),
        ("opened", "June", ""),
        ("listed", "yes", ""),
        ("listed", "true", "GW"),
        ("load", "2..1", ""),
        ("load", "..", ""),
    ] {
        let problem = typed(&row(attribute, value, unit), &vocabulary);
        assert_eq!(problem.unwrap_err().line, 7, "{attribute} {value} {unit}");
    }
}

#[test]
fn rows_that_exclude_each_other_are_told_with_both_lines() {
    let vocabulary = vocabulary();
    let checked = |rows: &str| {
        let head = "subject,attribute,value,unit,valid_from,valid_to,period,region";
        let rows = csv(&format!("{head}\n{rows}"))?;
        check(&rows, &vocabulary)
    };
    let clash = "Norway,solar_capacity,45,GW,,,,\nSweden,state,open,,,,,\n\
        norway,solar power,46000,MW,,,,\n";
    check_refused(checked(clash), &["line 4", "line 2"]);
    check_refused(
        checked("N,state,open,,2023,2025,,\nN,state,shut,,,,2024,\n"),
        &["line 3", "line 2"],
    );
    for good in [
        "N,state,open,,2023,2023,,\nN,state,shut,,2024,2024,,\n",
        "N,state,open,,,,2023,\nN,state,shut,,2024,2024,,\n",
        "N,state,open,,,,,north\nN,state,shut,,,,,south\n",
        "N,state,open,,,,,\nN,state,open,,,,,\n",
        "N,tag,open,,,,,\nN,tag,shut,,,,,\n",
    ] {
        checked(good).unwrap();
    }
}
