//! Pairs as data: what must come of comparing two texts, and what must hold of all pairs.

use std::collections::BTreeMap;

use pawl_checker::comparable::{Comparability, Qualifier};
use pawl_checker::compare::{Comparison, Thresholds, compare};
use pawl_checker::statement::{Draft, Statement};
use pawl_checker::vocabulary::{AttributeDeclaration, AttributeKind, Vocabulary};
use pawl_ledger::claim::{Claim, ClaimValue};
use pawl_ledger::finding::{Certainty, FindingKind};
use proptest::prelude::*;

fn parse(text: &str, vocabulary: &Vocabulary) -> Statement {
    Statement::parse(
        &Draft {
            content: text,
            claim: None,
            entities: &[],
            valid_from: None,
            valid_to: None,
        },
        vocabulary,
    )
}

fn compared(standing: &str, new: &str) -> Comparison {
    let vocabulary = Vocabulary::shipped();
    compare(
        &parse(new, &vocabulary),
        &parse(standing, &vocabulary),
        None,
        &vocabulary,
    )
}

/// The name a value has in JSON.
fn name(value: impl serde::Serialize) -> String {
    serde_json::to_string(&value)
        .unwrap_or_default()
        .trim_matches('"')
        .to_owned()
}

fn outcome(comparison: &Comparison) -> String {
    if let Comparability::NotComparable { qualifier, .. } = &comparison.comparable {
        return format!("apart:{}", name(qualifier));
    }
    let conflict = Thresholds::default().conflict;
    let finding = comparison
        .findings
        .iter()
        .find(|finding| finding.score >= conflict);
    finding.map_or("none".to_owned(), |finding| name(finding.kind))
}

#[test]
fn pairs_come_out_as_the_table_says() {
    let table = include_str!("../../../fixtures/pairs/pairs.tsv");
    let mut wrong = Vec::new();
    for row in table
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
    {
        let columns: Vec<&str> = row.split('\t').collect();
        let comparison = compared(columns[1], columns[2]);
        let found = outcome(&comparison);
        let silent = columns[0] == "none" && found.starts_with("apart:");
        if found != columns[0] && !silent {
            wrong.push(format!(
                "expected {}, found {found}: {} | {}\n  {:?}",
                columns[0], columns[1], columns[2], comparison.findings
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn two_languages_meet_where_the_embedding_says_so() {
    let vocabulary = Vocabulary::shipped();
    let check = |standing: &str, new: &str, cosine: i16, expected: &str| {
        let found = compare(
            &parse(new, &vocabulary),
            &parse(standing, &vocabulary),
            Some(cosine),
            &vocabulary,
        );
        assert_eq!(outcome(&found), expected, "{standing} | {new}: {found:?}");
    };
    check("House prices rose.", "房价下跌。", 8_200, "opposite");
    check("House prices rose.", "房价下跌。", 2_000, "apart:subject");
    check("House prices rose.", "房价上涨。", 8_200, "none");
    check(
        "Revenue was 5.2 billion euros.",
        "营收为61亿欧元。",
        8_200,
        "number",
    );
    check(
        "Revenue was 5.2 billion euros.",
        "营收为52亿欧元。",
        8_200,
        "none",
    );
}

#[test]
fn findings_explain_themselves_in_the_language_of_the_new_text() {
    let english = compared(
        "The bridge is 300 metres long.",
        "The bridge is 400 metres long.",
    );
    let finding = &english.findings[0];
    assert!(
        finding.reason.contains("400 metres") && finding.reason.contains("300 metres"),
        "{}",
        finding.reason
    );
    assert_eq!(finding.new_spans[0].text, "400 metres");
    assert_eq!(finding.standing_spans[0].text, "300 metres");
    assert!(
        finding
            .parts
            .iter()
            .any(|part| part.name == "standing_interval" && part.value == "[299.5, 300.5)")
    );
    let chinese = compared("这座桥长300米。", "这座桥长400米。");
    assert!(
        chinese.findings[0].reason.contains("不能同时成立"),
        "{}",
        chinese.findings[0].reason
    );
}

fn claim(attribute: &str, value: ClaimValue, period: Option<&str>) -> Claim {
    let qualifiers = period.map(|period| ("period".to_owned(), period.to_owned()));
    Claim {
        subject: "Norway".into(),
        attribute: attribute.into(),
        value,
        qualifiers: BTreeMap::from_iter(qualifiers),
    }
}

fn with_claims(vocabulary: &Vocabulary, new: &Claim, standing: &Claim) -> Comparison {
    let parse = |claim: &Claim, content: &str| {
        Statement::parse(
            &Draft {
                content,
                claim: Some(claim),
                entities: &[],
                valid_from: None,
                valid_to: None,
            },
            vocabulary,
        )
    };
    compare(
        &parse(new, "The new text."),
        &parse(standing, "Another one."),
        None,
        vocabulary,
    )
}

fn decimal(value: i64, unit: &str) -> ClaimValue {
    ClaimValue::Decimal {
        value: value.into(),
        unit: Some(unit.into()),
    }
}

#[test]
fn claims_conflict_by_key_and_only_when_their_values_exclude_each_other() {
    let mut vocabulary = Vocabulary::shipped();
    let declared = |name: &str, multi_valued| AttributeDeclaration {
        name: name.into(),
        kind: AttributeKind::Text,
        unit: None,
        aliases: vec![format!("{name} town")],
        multi_valued,
    };
    vocabulary
        .declare_attribute(declared("capital", false))
        .unwrap();
    vocabulary
        .declare_attribute(declared("export", true))
        .unwrap();
    let check = |new: Claim, standing: Claim, expected: &str| {
        assert_eq!(
            outcome(&with_claims(&vocabulary, &new, &standing)),
            expected,
            "{new:?} | {standing:?}"
        );
    };
    let text = |word: &str| ClaimValue::Text(word.into());
    check(
        claim("length", decimal(2, "km"), None),
        claim("length", decimal(3_000, "m"), None),
        "claim_key",
    );
    check(
        claim("length", decimal(2, "km"), None),
        claim("length", decimal(2, "kg"), None),
        "apart:unit_dimension",
    );
    check(
        claim("length", decimal(2, "km"), Some("2022")),
        claim("length", decimal(3, "km"), Some("2023")),
        "apart:period",
    );
    check(
        claim("capital town", text("Oslo"), None),
        claim("capital", text("Bergen"), None),
        "claim_key",
    );
    check(
        claim("motto", text("all"), None),
        claim("motto", text("none"), None),
        "apart:subject",
    );
    check(
        claim("export", text("fish"), None),
        claim("export", text("oil"), None),
        "apart:subject",
    );
    check(
        claim("member", ClaimValue::Boolean(true), None),
        claim("member", ClaimValue::Boolean(false), None),
        "claim_key",
    );
    check(
        claim("founded", ClaimValue::Date("1905".into()), None),
        claim("founded", ClaimValue::Date("1905-06-07".into()), None),
        "apart:subject",
    );
    check(
        claim("founded", ClaimValue::Date("1905".into()), None),
        claim("founded", ClaimValue::Date("1906-06".into()), None),
        "claim_key",
    );
}

#[test]
fn declared_words_count() {
    let mut vocabulary = Vocabulary::shipped();
    vocabulary
        .add_exclusive_set("stage", &["alpha", "gamma"])
        .unwrap();
    vocabulary.add_opposites(&["docked"], &["adrift"]).unwrap();
    vocabulary
        .add_alias("International Widget Corporation", "IWC")
        .unwrap();
    let check = |standing: &str, new: &str, expected: &str| {
        let found = compare(
            &parse(new, &vocabulary),
            &parse(standing, &vocabulary),
            None,
            &vocabulary,
        );
        assert_eq!(outcome(&found), expected, "{standing} | {new}: {found:?}");
    };
    check(
        "The probe is in alpha.",
        "The probe is in gamma.",
        "exclusive_set",
    );
    check("The ferry is docked.", "The ferry is adrift.", "opposite");
    check(
        "International Widget Corporation has 500 staff.",
        "IWC has 300 staff.",
        "quantity",
    );
}

#[test]
fn validity_and_entities_separate() {
    let vocabulary = Vocabulary::shipped();
    let parse = |content, entities: &[String], from, to| {
        Statement::parse(
            &Draft {
                content,
                claim: None,
                entities,
                valid_from: from,
                valid_to: to,
            },
            &vocabulary,
        )
    };
    let qualifier =
        |new: &Statement, standing: &Statement| match compare(new, standing, None, &vocabulary)
            .comparable
        {
            Comparability::NotComparable { qualifier, .. } => Some(qualifier),
            Comparability::Comparable { .. } => None,
        };
    let old = parse("Prices rose.", &[], None, Some("2022-12-31"));
    let late = parse("Prices fell.", &[], Some("2023-01"), None);
    assert_eq!(qualifier(&late, &old), Some(Qualifier::Period));
    let (one, other) = (["Oslo".to_owned()], ["Bergen".to_owned()]);
    assert_eq!(
        qualifier(
            &parse("Prices rose.", &one, None, None),
            &parse("Prices fell.", &other, None, None)
        ),
        Some(Qualifier::Subject)
    );
}

fn sentence() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "revenue",
        "rose",
        "fell",
        "5%",
        "not",
        "all",
        "in 2023",
        "3 km",
        "over",
        "$5bn",
        "must",
        "or",
        "营收",
        "增长",
        "下降",
        "不",
        "三百万",
        "元",
        "2023年",
        "，",
        "red",
        "blue",
        "premium",
        "-",
        "1.2.3",
        "第",
        "百分之",
        "years old",
    ]);
    prop::collection::vec(words, 0..12).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn a_statement_never_conflicts_with_itself(text in sentence()) {
        prop_assert!(compared(&text, &text).findings.is_empty());
    }

    #[test]
    fn any_text_is_read_without_panic_and_the_same_each_time(one in any::<String>(), other in sentence()) {
        let first = compared(&one, &other);
        prop_assert_eq!(&first, &compared(&one, &other));
        let json = serde_json::to_string(&first).unwrap();
        prop_assert_eq!(first, serde_json::from_str::<Comparison>(&json).unwrap());
        prop_assert!(compared(&one, &one).findings.is_empty());
    }

    #[test]
    fn figures_of_any_length_are_read_without_panic(digits in "[0-9]{1,40}", decimals in "[0-9]{0,30}") {
        for frame in ["about # bn", "over #%", "nearly $#", "v#", "#/#", "#-#", "约#亿元", "#万", "第#名", "-# °C", "#分之#", "between # and # km"] {
            let text = frame.replace('#', &format!("{digits}.{decimals}"));
            let whole = frame.replace('#', &digits);
            compared(&text, &whole);
        }
    }

    #[test]
    fn exact_findings_do_not_depend_on_which_text_is_new(one in sentence(), other in sentence()) {
        let exact = |comparison: &Comparison| -> Vec<FindingKind> {
            comparison.findings.iter().map(|finding| finding.kind).filter(|kind| kind.certainty() == Certainty::Exact).collect()
        };
        prop_assert_eq!(exact(&compared(&one, &other)), exact(&compared(&other, &one)));
    }
}
