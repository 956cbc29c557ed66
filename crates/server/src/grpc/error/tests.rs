use super::*;

/// The page about reasons is held to the reasons.
const PAGE: &str = include_str!("../../../../../docs/error-reasons.md");

#[test]
fn every_reason_is_documented_with_its_code() {
    let reasons: Vec<Reason> = (1..1_000)
        .filter_map(|it| Reason::try_from(it).ok())
        .collect();
    assert!(reasons.len() > 50, "{reasons:?}");
    for reason in reasons {
        let row = format!("| `{}` | `{}` |", name(reason), in_capitals(code(reason)));
        let rows = PAGE.lines().filter(|line| line.starts_with(&row));
        assert_eq!(rows.count(), 1, "no row begins with {row}");
    }
}

/// A code as the gRPC documentation writes it: `INVALID_ARGUMENT`.
fn in_capitals(code: Code) -> String {
    let mut written = String::new();
    for letter in format!("{code:?}").chars() {
        if letter.is_uppercase() && !written.is_empty() {
            written.push('_');
        }
        written.push(letter.to_ascii_uppercase());
    }
    written
}
