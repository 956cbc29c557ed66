use super::*;
use crate::compare::Thresholds;
use crate::statement::Statement;
use crate::vocabulary::Vocabulary;

fn read_as(text: &str, media_type: &MediaType) -> Document {
    Document::read(text, media_type, &Vocabulary::shipped()).expect("a text")
}

fn read(text: &str) -> Document {
    read_as(text, &MediaType::Markdown)
}

/// The forms that are compared of the claims of a text.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let document = read(text);
    let claims = document.passages.iter().filter(|it| it.is_claim);
    let compared: Vec<&str> = claims.map(|it| it.compared.as_str()).collect();
    assert_eq!(compared, expected);
}

#[test]
fn every_statement_stands_where_it_says() {
    let text = "# One\n\nThe **plant** has 5 doors. It\nis old.\n\n* a [link](http://x.y) with `code` in it\n\
        \n| | doors |\n|---|---|\n| plant | 5 |\n\n> Quoted words stand here.\n";
    let document = read(text);
    let pieces: Vec<&str> = document
        .passages
        .iter()
        .map(|it| text.get(it.range.clone()).expect("a range of the text"))
        .collect();
    assert_eq!(
        pieces,
        [
            "The **plant** has 5 doors.",
            "It\nis old.",
            "a [link](http://x.y) with `code` in it",
            "5",
            "Quoted words stand here."
        ]
    );
    let kinds: Vec<Kind> = document.passages.iter().map(|it| it.kind).collect();
    let expected = [
        Kind::Sentence,
        Kind::Sentence,
        Kind::Item,
        Kind::Cell,
        Kind::Quote,
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn what_is_no_text_is_left_out() {
    check(
        "---\ntitle: The plant has 5 doors\n---\n\n# The plant has 6 doors\n\n```\nThe plant has 7 doors.\n```\n\n\
         <p>The plant has 8 doors.</p>\n\n![The plant has 9 doors.](p.png)\n\nSee <https://a.b/c> there.\n",
        &[],
    );
}

#[test]
fn questions_instructions_and_transitions_claim_nothing() {
    check(
        "Is the plant old? See the annex. This report has several sections. The figures are as follows:\n\n\
         请参阅附录。本文分为几个部分。增长了吗？\n",
        &[],
    );
    check("Nobody was dismissed.", &["Nobody was dismissed."]);
    check(
        "The figures of 2023 are shown below. Sales fell by 5%, as shown below.",
        &["Sales fell by 5%, as shown below."],
    );
}

#[test]
fn context_is_carried_where_it_is_safe() {
    check(
        "## 2023年底\n\n- 风电装机容量约4.4亿千瓦。\n- 2022年为3.7亿千瓦，风电。\n",
        &[
            "2023年底，风电装机容量约4.4亿千瓦。",
            "2022年为3.7亿千瓦，风电。",
        ],
    );
    check(
        "The old plant was sold. It has 5 doors. Its yard is wide.\n",
        &[
            "The old plant was sold.",
            "The old plant has 5 doors.",
            "The old plant's yard is wide.",
        ],
    );
    check(
        "The port of Brenn handled 3.4 million tonnes in 2025. In 2024 it had handled 3.1 million. It employed 80 \
         people.\n",
        &[
            "The port of Brenn handled 3.4 million tonnes in 2025.",
            "In 2024 the port of Brenn had handled 3.1 million.",
            "The port of Brenn employed 80 people.",
        ],
    );
    check(
        "## Plant A\n\n- Capacity: 40 MW\n\n## Plant B\n\n- Capacity: 55 MW\n",
        &["Plant A: Capacity: 40 MW", "Plant B: Capacity: 55 MW"],
    );
    check(
        "In 2025 the town buys:\n\n- 12 electric buses\n",
        &["In 2025 the town buys: 12 electric buses"],
    );
    check(
        "| | 2022 | 2023 |\n|---|---|---|\n| sales | 5 GW | n/a |\n",
        &["sales 2022: 5 GW"],
    );
}

#[test]
fn what_is_not_safe_is_not_carried() {
    for text in [
        "It has 5 doors.",
        "In 2024 it had 6 doors. It has 5 doors.",
        "The plant is old.\n\nIt has 5 doors.",
        "Ann met Ben. She has 5 doors.",
        "The plant is old. That was 5% more.",
    ] {
        let document = read(text);
        let last = document.passages.last().expect("a statement");
        assert!(last.is_subject_unknown, "{text}: {last:?}");
    }
}

#[test]
fn plain_text_has_headings_and_items_too() {
    let text = "The plant in 2023\n\nThe plant has\n5 doors.\n\n1. It is wide.\n- Doors: 5\n";
    let document = read_as(text, &MediaType::Plain);
    let compared: Vec<&str> = document
        .passages
        .iter()
        .map(|it| it.compared.as_str())
        .collect();
    assert_eq!(
        compared,
        [
            "2023, The plant has 5 doors.",
            "2023, It is wide.",
            "2023, Doors: 5"
        ]
    );
    assert_eq!(document.passages[0].headings, ["The plant in 2023"]);
}

#[test]
fn a_text_has_a_limit() {
    let vocabulary = Vocabulary::shipped();
    let fails = |text: &str, media_type| Document::read(text, &media_type, &vocabulary).err();
    let long = "a".repeat(MAX_BYTES + 1);
    assert_eq!(
        fails(&long, MediaType::Plain),
        Some(ReadError::TooLong(MAX_BYTES + 1))
    );
    let many = "The plant has 5 doors. ".repeat(MAX_STATEMENTS + 1);
    assert_eq!(fails(&many, MediaType::Plain), Some(ReadError::TooMany));
    assert_eq!(
        fails("a", MediaType::Csv),
        Some(ReadError::Unsupported(MediaType::Csv))
    );
}

/// What a standing fact is to the last statement of a text: the figures it bears out, and its findings.
fn traced(text: &str, standing: &str) -> Option<(Vec<String>, Vec<String>)> {
    let vocabulary = Vocabulary::shipped();
    let document = read(text);
    let passage = document.passages.last().expect("a statement");
    let statement = Statement::of(&passage.compared, &vocabulary);
    let standing = Statement::of(standing, &vocabulary);
    let traced = trace(&document, passage, &statement, &standing, None, &vocabulary);
    let figure = |range: &Range<usize>| passage.compared[range.clone()].to_owned();
    let figures = traced
        .backing
        .map(|by| by.figures.iter().map(figure).collect());
    let findings: Vec<String> = traced
        .findings
        .iter()
        .flat_map(|it| &it.new_spans)
        .inspect(|span| assert_eq!(passage.compared[span.start..span.end], span.text))
        .map(|span| span.text.clone())
        .collect();
    (figures.is_some() || !findings.is_empty()).then(|| (figures.unwrap_or_default(), findings))
}

#[test]
fn facts_bear_out_or_contradict() {
    let of = |figures: &[&str], findings: &[&str]| {
        let owned = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        Some((owned(figures), owned(findings)))
    };
    let fact = "Solar capacity in the province was 24.8 GW in 2024.";
    let same = "In 2024 solar capacity in the province stood at 24.8 GW.";
    assert_eq!(traced(same, fact), of(&["24.8 GW"], &[]));
    let first = "Solar capacity in the province was 24.8 GW in 2024, up 12% year on year.";
    assert_eq!(traced(first, fact), of(&["24.8 GW"], &[]));
    let other = "Solar capacity in the province was 21.5 GW in 2024, up 12% year on year.";
    assert_eq!(traced(other, fact), of(&[], &["21.5 GW"]));
    assert_eq!(traced("The museum has 24.8 GW of fans.", fact), None);
    assert_eq!(
        traced("Solar capacity in the province was 24.8 GW in 2021.", fact),
        None
    );
    assert_eq!(
        traced(
            "Solar capacity in the province was not 24.8 GW in 2024.",
            fact
        ),
        of(&[], &["not", "24.8 GW"])
    );

    let elsewhere = "Solar capacity in Bavaria was 24.8 GW in 2024.";
    let fact = "Solar capacity in Hesse was 24.8 GW in 2024.";
    assert_eq!(traced(elsewhere, fact), None, "another name");

    let worldwide = "Wind capacity worldwide reached 1,017 GW in 2023.";
    let lent = "# Wind worldwide\n\nWind capacity reached 1,117 GW in 2023.";
    assert_eq!(traced(lent, worldwide), of(&[], &["1,117 GW"]));
    let lent = "# Wind worldwide\n\nWind capacity reached 1,017 GW in 2023.";
    assert_eq!(traced(lent, worldwide), of(&["1,017 GW"], &[]));
    assert_eq!(
        traced(
            "# Wind\n\nWind capacity reached 1,017 GW in 2023.",
            worldwide
        ),
        None
    );

    let fell = "The additions of wind capacity worldwide fell in 2024.";
    let clause = "The additions of wind capacity worldwide fell in 2024: 113 GW were added.";
    assert_eq!(traced(clause, fell), of(&[], &[]));
}

#[test]
fn a_unit_in_a_heading_belongs_to_the_number() {
    let fact = "Revenue was 5.2 million euros in 2024.";
    let row =
        |value: &str| format!("| | 2024 |\n|---|---|\n| Revenue (million euros) | {value} |\n");
    let (figures, findings) = traced(&row("5.2"), fact).expect("it is about the fact");
    assert_eq!((figures.len(), findings.len()), (1, 0));
    let (figures, findings) = traced(&row("6.4"), fact).expect("it is about the fact");
    assert_eq!((figures.len(), findings), (0, vec!["6.4".to_owned()]));
}

/// How many pairs of a text contradict each other.
fn against_itself(text: &str) -> usize {
    let vocabulary = Vocabulary::shipped();
    let document = read(text);
    let read = document.parsed(&vocabulary);
    contradictions(&document, &read, Thresholds::default(), &vocabulary, || {
        false
    })
    .len()
}

#[test]
fn place_tells_statements_apart() {
    let (five, six) = ("The plant has 5 doors.", "The plant has 6 doors.");
    let check = |text: String, expected| assert_eq!(against_itself(&text), expected, "{text}");
    check(format!("{five} {six}"), 1);
    check(format!("## Summary\n\n{five}\n\n## Details\n\n{six}\n"), 1);
    check(format!("## Hall A\n\n{five}\n\n## Hall B\n\n{six}\n"), 0);
    check(
        format!("## 东湖分馆\n\n{five}\n\n## 西山分馆\n\n{six}\n"),
        0,
    );
    check(
        format!("## Hall A\n\n{five}\n\n## Hall B\n\nIn hall A {six}\n"),
        1,
    );
    check(format!("{five}\n\n> {six}\n"), 0);
    check("- doors: 5\n- doors: 6\n".to_owned(), 0);
    check(
        "| | doors |\n|---|---|\n| plant | 5 |\n| plant | 6 |\n".to_owned(),
        0,
    );
    check(
        "| | state |\n|---|---|\n| bridge | open |\n\nThe state of the bridge is closed.\n"
            .to_owned(),
        0,
    );
    check(
        "| | doors |\n|---|---|\n| plant | 5 doors |\n\nThe plant doors: 6 doors.\n".to_owned(),
        1,
    );
}
