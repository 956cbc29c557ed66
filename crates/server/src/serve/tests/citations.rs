//! Whether what is cited stands there.

use std::sync::Arc;

use pawl_checker::quote::{Column, Locator};
use pawl_ledger::{decide::Reason, status::QuoteCheck};
use pawl_proto::v1 as proto;
use prost::Message;

use super::harness::{Server, text};
use crate::app::{LiveBoard, error::AppError, sources::CitationDraft};

const REPORT: &str = "# Report\n\nRevenue grew by **45%** in\n2024. Costs fell.\n";

async fn board_with(server: &Server, media_type: &str, bytes: &[u8]) -> Arc<LiveBoard> {
    server.board("b").await;
    let header = proto::SourceHeader {
        media_type: media_type.into(),
        uri: "https://example.org/r".into(),
        ..text("b")
    };
    server.operator().upload(header, bytes).await.unwrap();
    server
        .running
        .app
        .board(&"b".parse().unwrap())
        .await
        .unwrap()
}

fn draft(quote: &str) -> CitationDraft {
    CitationDraft {
        source: "https://example.org/r".into(),
        quote: quote.into(),
        prefix: String::new(),
        suffix: String::new(),
        locator: None,
    }
}

async fn check(
    server: &Server,
    live: &Arc<LiveBoard>,
    draft: CitationDraft,
) -> Result<(QuoteCheck, proto::QuoteWords), AppError> {
    let checked = server.running.app.check_citation(live, &draft).await?;
    let (citation, words) = (checked.citation, checked.words);
    assert_eq!(citation.quote, words.commitment());
    Ok((
        citation.check,
        proto::QuoteWords::decode(words.bytes()).unwrap(),
    ))
}

async fn refused(server: &Server, live: &Arc<LiveBoard>, draft: CitationDraft) -> Reason {
    check(server, live, draft).await.unwrap_err().told().reason
}

#[tokio::test]
async fn a_quote_is_found_as_its_reader_sees_it_or_refused_with_the_nearest_passage() {
    let server = Server::start().await;
    let live = board_with(&server, "text/markdown", REPORT.as_bytes()).await;
    let (found, words) = check(&server, &live, draft("Costs fell.")).await.unwrap();
    assert_eq!(found, QuoteCheck::Exact);
    assert_eq!(words.exact, "Costs fell.");
    let (found, words) = check(&server, &live, draft("Revenue  grew by 45% in 2024"))
        .await
        .unwrap();
    assert_eq!(found, QuoteCheck::Normalised);
    assert_eq!(words.exact, "Revenue  grew by 45% in 2024");

    let absent = check(&server, &live, draft("Revenue grew by 46% in 2024"))
        .await
        .unwrap_err()
        .told();
    assert_eq!(absent.reason, Reason::QuoteNotFound);
    let nearest = absent
        .metadata
        .iter()
        .find(|(key, _)| *key == "nearest")
        .unwrap();
    assert!(nearest.1.contains("45%"), "{nearest:?}");
    let misplaced = CitationDraft {
        locator: Some(Locator::Line { first: 1, last: 1 }),
        ..draft("Costs fell.")
    };
    assert_eq!(
        refused(&server, &live, misplaced).await,
        Reason::QuoteNotFound
    );
    let out_of_context = CitationDraft {
        prefix: "no such words ".into(),
        ..draft("Costs fell.")
    };
    assert_eq!(
        refused(&server, &live, out_of_context).await,
        Reason::QuoteNotFound
    );
}

#[tokio::test]
async fn a_cell_is_checked_where_it_is_said_to_be() {
    let server = Server::start().await;
    let live = board_with(&server, "text/csv", b"year,sales\n2023,31\n2024,45\n").await;
    let cell = |row| CitationDraft {
        locator: Some(Locator::Cell {
            row,
            column: Column::Heading("sales".into()),
        }),
        ..draft("45")
    };
    let (found, words) = check(&server, &live, cell(3)).await.unwrap();
    assert_eq!(found, QuoteCheck::Exact);
    assert!(words.locator.is_some());
    assert_eq!(
        refused(&server, &live, cell(2)).await,
        Reason::QuoteNotFound
    );
}

#[tokio::test]
async fn what_cannot_be_read_is_marked_and_not_trusted() {
    let server = Server::start().await;
    let live = board_with(&server, "application/pdf", b"%PDF").await;
    let (found, _) = check(&server, &live, draft("anything")).await.unwrap();
    assert_eq!(found, QuoteCheck::Unverified);
    let register = proto::RegisterSourceRequest {
        board: "b".into(),
        uri: "https://example.org/far".into(),
        digest: "ab".repeat(32),
        media_type: "text/plain".into(),
        ..Default::default()
    };
    server
        .operator()
        .source
        .register_source(register)
        .await
        .unwrap();
    let far = CitationDraft {
        source: "abababab".into(),
        ..draft("anything")
    };
    assert_eq!(
        check(&server, &live, far).await.unwrap().0,
        QuoteCheck::Unverified
    );
}

#[tokio::test]
async fn a_citation_that_says_nothing_or_too_much_is_refused() {
    let server = Server::start().await;
    let live = board_with(&server, "text/plain", REPORT.as_bytes()).await;
    for (quote, expected) in [
        ("", Reason::FieldMissing),
        (" \n", Reason::FieldMissing),
        (&"x".repeat(32_001), Reason::FieldTooLong),
        (&"x".repeat(32_000), Reason::QuoteNotFound),
        ("Costs\u{202e} fell", Reason::TextInvalid),
    ] {
        assert_eq!(refused(&server, &live, draft(quote)).await, expected);
    }
    let unknown = CitationDraft {
        source: "https://example.org/other".into(),
        ..draft("Costs fell.")
    };
    assert_eq!(
        refused(&server, &live, unknown).await,
        Reason::SourceUnknown
    );
}
