//! Statements beside rows.

use super::*;

/// An attribute, its value, and what that holds for.
type Claimed<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);

pub(super) fn statement(content: &str, claim: Option<Claimed<'_>>) -> Statement {
    let vocabulary = vocabulary();
    let claim = claim.map(|(attribute, value, qualifiers)| {
        let mut claim = typed(&row(attribute, value, ""), &vocabulary).unwrap();
        let pairs = qualifiers.iter();
        claim.qualifiers = pairs
            .map(|(name, value)| ((*name).into(), (*value).into()))
            .collect();
        claim
    });
    let draft = Draft {
        content,
        claim: claim.as_ref(),
        entities: &[],
        valid_from: None,
        valid_to: None,
    };
    Statement::parse(&draft, &vocabulary)
}

/// The lines that a statement agrees with, and those it excludes.
fn judged(rows: &str, new: &Statement) -> (Vec<u32>, Vec<u32>) {
    let head = "subject,attribute,value,unit,valid_from,valid_to,region";
    let rows = csv(&format!("{head}\n{rows}")).unwrap();
    let vocabulary = vocabulary();
    let index = TableIndex::new(rows, &vocabulary);
    let judged = index.judge(new, &vocabulary);
    let lines = |agrees: bool| {
        let these = judged
            .iter()
            .filter(|(_, it)| (*it == Judged::Agrees) == agrees);
        these.map(|(row, _)| row.line).collect()
    };
    (lines(true), lines(false))
}

#[test]
fn claims_are_compared_with_the_rows_of_their_time() {
    let rows = "Norway,solar_capacity,44,GW,2023,2023,\nNorway,solar_capacity,45,GW,2024,2024,\n\
        Norway,solar_capacity,9,GW,2024,2024,north\n";
    let say = |value, qualifiers| {
        judged(
            rows,
            &statement("So it was.", Some(("solar power", value, qualifiers))),
        )
    };
    assert_eq!(say("45", &[("period", "2024")]), (vec![3], vec![]));
    assert_eq!(say("46", &[("period", "2024")]), (vec![], vec![3]));
    assert_eq!(say("44", &[("period", "2024")]), (vec![], vec![3]));
    assert_eq!(say("46", &[("period", "2022")]), (vec![], vec![]));
    assert_eq!(
        say("46", &[("period", "2024"), ("region", "south")]),
        (vec![], vec![])
    );
    assert_eq!(
        say("46", &[("period", "2024"), ("region", "north")]),
        (vec![], vec![4])
    );
    // Without a time it is about the latest.
    assert_eq!(say("45", &[]), (vec![3], vec![]));
    assert_eq!(say("44", &[]), (vec![], vec![3]));
}

#[test]
fn other_types_are_compared_too() {
    let say = |rows: &str, attribute, value| {
        judged(
            rows,
            &statement("So it was.", Some((attribute, value, &[]))),
        )
    };
    assert_eq!(
        say("Norway,state,open,,,,\n", "state", "shut"),
        (vec![], vec![2])
    );
    assert_eq!(
        say("Norway,state,open,,,,\n", "state", "open"),
        (vec![2], vec![])
    );
    assert_eq!(
        say("Norway,listed,true,,,,\n", "listed", "false"),
        (vec![], vec![2])
    );
    assert_eq!(
        say("Norway,opened,2024-06,,,,\n", "opened", "2024"),
        (vec![2], vec![])
    );
    assert_eq!(
        say("Norway,opened,2024-06,,,,\n", "opened", "2023"),
        (vec![], vec![2])
    );
    assert_eq!(
        say("Norway,load,1..2,MW,,,\n", "load", "3..4"),
        (vec![], vec![2])
    );
    // Undeclared texts may stand side by side.
    assert_eq!(
        say("Norway,tag,open,,,,\n", "tag", "shut"),
        (vec![], vec![])
    );
}

#[test]
fn texts_are_compared_where_they_speak_of_the_row() {
    let rows = "Norway,solar_capacity,45,GW,2024,2024,\nSweden,solar_capacity,12,GW,2024,2024,\n";
    let say = |content: &str| judged(rows, &statement(content, None)).1;
    assert_eq!(
        say("The solar capacity of Norway was 31 GW in 2024."),
        vec![2]
    );
    assert_eq!(
        say("In 2024 the solar capacity of Norway reached 31 GW."),
        vec![2]
    );
    for apart in [
        "The solar capacity of Norway was 45 GW in 2024.",
        "The solar capacity of Norway was 31 GW in 2023.",
        "The solar capacity of Denmark was 31 GW in 2024.",
        "The wind capacity of Norway was 31 GW in 2024.",
        "The solar capacity of Norway grew in 2024.",
    ] {
        assert_eq!(say(apart), Vec::<u32>::new(), "{apart}");
    }
}
