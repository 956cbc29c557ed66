//! Fixed messages, told: what a person sees, without the colours.

use pawl_proto::v1::{
    Assertion, Citation, Claim, Conflict, ConflictState, DecimalValue, Draft, EvidenceNode,
    Finding, FindingKind, GetEvidenceResponse, ItemError, ListAssertionsResponse, Outcome, Part,
    QuoteCheck, Record, Span, Status, SubmitResponse, Verdict, claim::Value,
};
use prost_types::Timestamp;

use super::{annotated, assertion, conflict, document, evidence, outcome, record};
use crate::cli::output::Page;

fn bare(told: &str) -> String {
    anstream::adapter::strip_str(told).to_string()
}

fn span(text: &str, piece: &str) -> Span {
    let start = text.find(piece).expect("stands there");
    let end = start + piece.len();
    Span {
        start: u32::try_from(start).expect("short"),
        end: u32::try_from(end).expect("short"),
        text: piece.to_owned(),
    }
}

const NEW: &str = "该省2024年光伏装机容量为 21.5 GW，同比下降";
const STANDING: &str =
    "The province had 24.8 GW of solar capacity at the end of 2024, up on the year";

fn disagreement() -> Finding {
    Finding {
        standing: "boards/energy/assertions/a3@1".to_owned(),
        standing_content: STANDING.to_owned(),
        kind: FindingKind::Quantity.into(),
        exact: true,
        score: 1.0,
        conflict: true,
        reason: "the same quantity has two values that exclude each other".to_owned(),
        new_spans: vec![span(NEW, "21.5 GW"), span(NEW, "下降")],
        standing_spans: vec![span(STANDING, "24.8 GW"), span(STANDING, "up")],
        parts: vec![Part {
            name: "period".to_owned(),
            value: "2024, both".to_owned(),
        }],
        reference: None,
    }
}

fn revision(id: &str, status: Status, content: &str, supports: &[&str]) -> Assertion {
    Assertion {
        name: format!("boards/energy/assertions/{id}"),
        draft: Some(Draft {
            module: "supply".to_owned(),
            content: content.to_owned(),
            supports: supports
                .iter()
                .map(|support| (*support).to_owned())
                .collect(),
            ..Draft::default()
        }),
        principal: "ana".to_owned(),
        status: status.into(),
        create_time: Some(Timestamp {
            seconds: 1_700_000_000,
            nanos: 0,
        }),
        ..Assertion::default()
    }
}

fn quote(check: QuoteCheck) -> Citation {
    Citation {
        source: "0123456789abcdef".repeat(4),
        quote: "24.8 GW".to_owned(),
        check: check.into(),
        ..Citation::default()
    }
}

#[test]
fn a_submission_is_told_item_by_item() {
    let answer = SubmitResponse {
        outcomes: vec![
            Outcome {
                verdict: Verdict::Accepted.into(),
                assertion: "boards/energy/assertions/a7@1".to_owned(),
                ..Outcome::default()
            },
            Outcome {
                verdict: Verdict::Refused.into(),
                findings: vec![disagreement()],
                conflicts: vec!["boards/energy/conflicts/c1".to_owned()],
                remedies: vec!["raise a flag on a3@1".to_owned()],
                ..Outcome::default()
            },
            Outcome {
                error: Some(ItemError {
                    reason: "QUOTE_NOT_FOUND".to_owned(),
                    message: "the quote does not stand in the source".to_owned(),
                    metadata: [("nearest".to_owned(), "24.8 GW".to_owned())].into(),
                }),
                ..Outcome::default()
            },
        ],
        position: 42,
        committed: true,
    };
    let contents = ["Solar capacity grew.".to_owned(), NEW.to_owned()];
    insta::assert_snapshot!(bare(&outcome::submission(
        &answer,
        &contents,
        Page::endless()
    )));
}

#[test]
fn a_list_is_a_table() {
    let mut challenged = revision("a3@1", Status::Locked, STANDING, &[]);
    challenged.challenged = true;
    challenged.flags = vec!["boards/energy/flags/f1".to_owned()];
    let list = ListAssertionsResponse {
        assertions: vec![challenged, revision("a4@2", Status::Contested, NEW, &[])],
        next_page_token: "dG9rZW4".to_owned(),
        position: 9,
    };
    insta::assert_snapshot!(bare(&assertion::assertions(&list, Page::endless())));
}

#[test]
fn an_empty_list_says_so() {
    let list = ListAssertionsResponse::default();
    insta::assert_snapshot!(assertion::assertions(&list, Page::endless()), @"nothing stands here yet");
}

#[test]
fn an_assertion_is_told_in_full() {
    let mut shown = revision("a3@1", Status::Locked, STANDING, &["a1@1"]);
    shown.verdict = Verdict::Accepted.into();
    shown.verified_sources = 1;
    if let Some(draft) = &mut shown.draft {
        draft.confidence = Some(0.95);
        draft.citations = vec![quote(QuoteCheck::Exact)];
        draft.claim = Some(Claim {
            subject: "province".to_owned(),
            attribute: "solar_capacity".to_owned(),
            value: Some(Value::Decimal(DecimalValue {
                value: "24.8".to_owned(),
                unit: "GW".to_owned(),
            })),
            qualifiers: [("period".to_owned(), "2024".to_owned())].into(),
        });
    }
    insta::assert_snapshot!(bare(&assertion::assertion(&shown, Page::endless())));
}

#[test]
fn evidence_is_a_tree_that_shows_nothing_twice() {
    let node = |assertion, validation| EvidenceNode {
        depth: 0,
        assertion: Some(assertion),
        validation,
    };
    let mut cited = revision("a1@1", Status::Validated, "Capacity was 24.8 GW.", &[]);
    cited.validated_by = "ben".to_owned();
    if let Some(draft) = &mut cited.draft {
        draft.citations = vec![quote(QuoteCheck::Exact)];
    }
    let answer = GetEvidenceResponse {
        nodes: vec![
            node(
                revision(
                    "a5@1",
                    Status::Proposed,
                    "Supply will do.",
                    &["a2@1", "a3@1"],
                ),
                vec![],
            ),
            node(
                revision("a2@1", Status::Proposed, "Supply grows.", &["a1@1"]),
                vec![],
            ),
            node(
                revision(
                    "a3@1",
                    Status::Retracted,
                    "Demand falls.",
                    &["a1@1", "a9@1"],
                ),
                vec![],
            ),
            node(cited, vec![quote(QuoteCheck::Unverified)]),
        ],
    };
    insta::assert_snapshot!(bare(&evidence::evidence(&answer, Page::endless())));
}

#[test]
fn a_conflict_shows_both_sides() {
    let told = Conflict {
        name: "boards/energy/conflicts/c1".to_owned(),
        state: ConflictState::Open.into(),
        refusal: "r1".to_owned(),
        challenger_content: NEW.to_owned(),
        finding: Some(disagreement()),
        principal: "cai".to_owned(),
        appealed: true,
        ..Conflict::default()
    };
    insta::assert_snapshot!(bare(&conflict::conflict(&told, Page::endless())));
}

#[test]
fn spans_that_do_not_fit_are_looked_for() {
    let mut finding = disagreement();
    finding.new_spans = vec![Span {
        start: 900,
        end: 907,
        text: "21.5 GW".to_owned(),
    }];
    let told = super::finding::finding(&finding, Some(NEW), Page::endless());
    assert!(bare(&told).contains("~~~~~~~\n"), "{told}");
    let unknown = super::finding::finding(&finding, None, Page::endless());
    assert!(bare(&unknown).contains("new       “21.5 GW”"), "{unknown}");
}

#[test]
fn a_record_cannot_be_markup() {
    let hostile = Record {
        position: 3,
        time: Some(Timestamp {
            seconds: 1_700_000_000,
            nanos: 0,
        }),
        principal: "ana".to_owned(),
        summary: "submitted a1@1".to_owned(),
        detail: "<script>alert(1)</script>\n# [click](http://example.org)".to_owned(),
        ..Record::default()
    };
    insta::assert_snapshot!(record::markdown(&hostile, Page::endless()));
    insta::assert_snapshot!(bare(&record::record(&hostile, Page::endless())));
}

/// A text of two statements of which the second contradicts the first, and both a fact.
fn checked_document(text: &str) -> pawl_proto::v1::CheckDocumentResponse {
    use pawl_proto::v1::{
        Backing, CheckDocumentResponse, DocumentStatement, DocumentSummary, SelfContradiction,
        Standing, TextRange,
    };
    let half = text.find("8 doors").expect("the first half") + "8 doors.".len();
    let statement = |start: usize, end: usize, standing: Standing| DocumentStatement {
        range: Some(TextRange {
            start: u32::try_from(start).expect("small"),
            end: u32::try_from(end).expect("small"),
            line: 1,
            column: u32::try_from(start + 1).expect("small"),
        }),
        text: text[start..end].to_owned(),
        compared: text[start..end].to_owned(),
        standing: standing.into(),
        ..DocumentStatement::default()
    };
    let span = |figure: &str| Span {
        start: 10,
        end: 11,
        text: figure.to_owned(),
    };
    CheckDocumentResponse {
        position: 7,
        statements: vec![
            DocumentStatement {
                backing: vec![Backing {
                    assertion: "boards/b/assertions/a1@1".to_owned(),
                    content: "The plant has *8* doors.\n[^x]: <b>".to_owned(),
                    status: Status::Locked.into(),
                    ..Backing::default()
                }],
                ..statement(0, half, Standing::Backed)
            },
            statement(half + 1, text.len(), Standing::Unbacked),
        ],
        self_contradictions: vec![SelfContradiction {
            first: 0,
            second: 1,
            finding: Some(Finding {
                standing_content: text[..half].to_owned(),
                kind: FindingKind::Quantity.into(),
                exact: true,
                score: 0.99,
                conflict: true,
                reason: "Both cannot hold.".to_owned(),
                new_spans: vec![span("9")],
                standing_spans: vec![span("8")],
                ..Finding::default()
            }),
        }],
        summary: Some(DocumentSummary {
            statements: 2,
            backed: 1,
            unbacked: 1,
            self_contradictions: 1,
            ..DocumentSummary::default()
        }),
        with_model: true,
    }
}

#[test]
fn a_checked_text_is_told_place_by_place() {
    let answer = checked_document("Plant has 8 doors. Plant has 9 doors.");
    let checked = document::Checked {
        file: "plant.md",
        all: false,
        alone: false,
    };
    insta::assert_snapshot!(bare(&checked.told(&answer, Page::endless())), @r"
    plant.md:1:20: unbacked: Plant has 9 doors.
    plant.md:1:20: contradicts what line 1:1 says
      quantity (exact, 0.99): a conflict
        Both cannot hold.
        new       Plant has 9 doors.
                            ~
        standing  Plant has 8 doors.
                            ~
    2 statements: 1 backed, 0 partly backed, 1 unbacked, 0 contradicted, 0 outdated, 0 no claims; 1 self-contradictions; position 7
    ");
}

#[test]
fn what_was_not_compared_is_told_apart_from_what_nothing_is_behind() {
    let mut answer = checked_document("Plant has 8 doors. It has 9 windows.");
    answer.self_contradictions.clear();
    answer.statements[1].notes = vec!["not compared: name it".to_owned()];
    let counted = answer.summary.as_mut().expect("a summary");
    (counted.self_contradictions, counted.not_compared) = (0, 1);
    let checked = document::Checked {
        file: "plant.md",
        all: false,
        alone: false,
    };
    insta::assert_snapshot!(bare(&checked.told(&answer, Page::endless())), @r"
    plant.md:1:20: unbacked: It has 9 windows.
      note: not compared: name it
    2 statements: 1 backed, 0 partly backed, 1 unbacked (1 not compared), 0 contradicted, 0 outdated, 0 no claims; 0 self-contradictions; position 7
    ");
    let alone = document::Checked {
        alone: true,
        ..checked
    };
    let told = bare(&alone.told(&answer, Page::endless()));
    assert!(told.contains("0 self-contradictions; 1 not compared"));
}

#[test]
fn nothing_of_a_board_acts_in_an_annotated_text() {
    let text = "Plant has 8 doors. Plant has 9 doors.";
    let answer = checked_document(text);
    insta::assert_snapshot!(annotated::annotated(text, &answer), @r"
    Plant has 8 doors.[^pawl-1] Plant has 9 doors.[^pawl-2]

    [^pawl-1]: **Backed.** By a1@1 (locked): “The plant has \*8\* doors. \[^x\]: \<b\>”.
    [^pawl-2]: **Unbacked.** **Contradicts line 1**, “Plant has 8 doors.”: Both cannot hold.
    ");
    let taken = format!("{text}[^pawl-1]");
    assert!(annotated::annotated(&taken, &answer).contains("[^pawl-check-1]"));
}
