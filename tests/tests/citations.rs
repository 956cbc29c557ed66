//! Sources, and whether what is quoted stands in them.

use pawl_proto::v1::{
    self as proto, Citation, QuoteCheck, RegisterSourceRequest, SourceHeader, locator::Place,
};

use crate::world::{Client, World, accepted, cite, cited, denied, short};

/// The four formats in which quotes are looked up, each as `docs` shows them.
const TEXT: &str = "The group's reve-\nnue grew by 45% in\n2023.  It employs 10² people in Malmö.\n\n\
                    2023年公司营收\n增长了45%。\n";
const MARKDOWN: &str = "# Report\n\nThe **Nordlys** group is based in [Oslo](https://example.org).\n\n\
                        ## Outlook\n\nThe group expects *lower* revenue.\n";
const CSV: &str =
    "Country,Capital,Inhabitants\nNorway,Oslo,5.5\n\"Congo, Dem. Rep.\",Kinshasa,102.3\n";
const JSON: &str = r#"{"results": [{"year": 2023, "revenue": 1200, "note": "growth of 45%"}]}"#;

async fn quoted(client: &Client, citation: Citation) -> Result<QuoteCheck, String> {
    let content = format!("It is reported: {}", citation.quote);
    let draft = cited(&content, citation);
    let outcome = &client.check(vec![draft.clone()]).await.unwrap().outcomes[0];
    if let Some(error) = &outcome.error {
        return Err(error.reason.clone());
    }
    let id = accepted(&client.submit_one(draft).await);
    let stored = client.assertion(&id).await.draft.unwrap();
    Ok(stored.citations[0].check())
}

fn at(citation: Citation, place: Place) -> Citation {
    Citation {
        locator: Some(proto::Locator { place: Some(place) }),
        ..citation
    }
}

#[tokio::test]
async fn a_quote_from_plain_text_stands_up_to_white_space_and_line_breaks_only() {
    let world = World::new().await;
    let source = world.ana.upload("text/plain", TEXT.as_bytes()).await;
    let check = async |quote| quoted(&world.ana, cite(&source, quote)).await;
    assert_eq!(check("people in Malmö").await, Ok(QuoteCheck::Exact));
    assert_eq!(
        check("revenue grew by 45% in 2023. It employs").await,
        Ok(QuoteCheck::Normalised)
    );
    assert_eq!(check("公司营收增长了45%").await, Ok(QuoteCheck::Normalised));
    assert_eq!(check("in Malmo\u{308}").await, Ok(QuoteCheck::Normalised));
    for absent in ["It employs 102 people", "grew by 46%", "revenue Grew"] {
        assert_eq!(
            check(absent).await,
            Err("QUOTE_NOT_FOUND".into()),
            "{absent}"
        );
    }
}

#[tokio::test]
async fn a_quote_from_markdown_stands_as_a_reader_sees_it() {
    let world = World::new().await;
    let source = world.ana.upload("text/markdown", MARKDOWN.as_bytes()).await;
    let check = async |citation| quoted(&world.ana, citation).await;
    assert!(
        check(cite(&source, "The Nordlys group is based in Oslo."))
            .await
            .is_ok()
    );
    let outlook = |quote| at(cite(&source, quote), Place::Section("Outlook".into()));
    assert!(check(outlook("expects lower revenue")).await.is_ok());
    assert!(check(outlook("based in Oslo")).await.is_err());
    assert!(
        check(cite(&source, "expects higher revenue"))
            .await
            .is_err()
    );
}

#[tokio::test]
async fn a_quote_from_csv_stands_in_its_cell() {
    let world = World::new().await;
    let source = world.ana.upload("text/csv", CSV.as_bytes()).await;
    let cell = |row, heading: &str, quote| {
        let column = Some(proto::cell::Column::Heading(heading.into()));
        at(
            cite(&source, quote),
            Place::Cell(proto::Cell { row, column }),
        )
    };
    let check = async |citation| quoted(&world.ana, citation).await;
    assert!(check(cell(3, "Inhabitants", "102.3")).await.is_ok());
    assert!(check(cell(3, "Country", "Congo, Dem. Rep.")).await.is_ok());
    assert_eq!(
        check(cell(2, "Inhabitants", "102.3")).await,
        Err("QUOTE_NOT_FOUND".into())
    );
    assert_eq!(
        check(cite(&source, "999.9")).await,
        Err("QUOTE_NOT_FOUND".into())
    );
}

#[tokio::test]
async fn a_quote_from_json_stands_at_its_pointer() {
    let world = World::new().await;
    let source = world.ana.upload("application/json", JSON.as_bytes()).await;
    let pointed =
        |pointer: &str, quote| at(cite(&source, quote), Place::JsonPointer(pointer.into()));
    let check = async |citation| quoted(&world.ana, citation).await;
    assert!(
        check(pointed("/results/0/note", "growth of 45%"))
            .await
            .is_ok()
    );
    assert!(check(pointed("/results/0/revenue", "1200")).await.is_ok());
    assert_eq!(
        check(pointed("/results/0/year", "1200")).await,
        Err("QUOTE_NOT_FOUND".into())
    );
    assert_eq!(
        check(cite(&source, "growth of 54%")).await,
        Err("QUOTE_NOT_FOUND".into())
    );
}

#[tokio::test]
async fn what_was_said_to_be_quoted_and_is_not_there_comes_with_the_nearest_passage() {
    let world = World::new().await;
    let source = world.ana.upload("text/plain", TEXT.as_bytes()).await;
    let draft = cited(
        "Revenue grew by 54%.",
        cite(&source, "revenue grew by 54% in 2023"),
    );
    let metadata = world.item_denied(draft, "QUOTE_NOT_FOUND").await;
    assert_eq!(metadata["quote"], "revenue grew by 54% in 2023");
    assert!(metadata["nearest"].contains("grew by 45%"), "{metadata:?}");
}

#[tokio::test]
async fn context_tells_two_places_with_the_same_words_apart() {
    let world = World::new().await;
    let text = "In Oslo the rate was 4%. In Bergen the rate was 4%.";
    let source = world.ana.upload("text/plain", text.as_bytes()).await;
    let in_bergen = Citation {
        prefix: "In Bergen ".into(),
        ..cite(&source, "the rate was 4%")
    };
    assert!(quoted(&world.ana, in_bergen).await.is_ok());
    let in_trondheim = Citation {
        prefix: "In Trondheim ".into(),
        ..cite(&source, "the rate was 4%")
    };
    assert_eq!(
        quoted(&world.ana, in_trondheim).await,
        Err("QUOTE_NOT_FOUND".into())
    );
}

#[tokio::test]
async fn quotes_that_cannot_be_checked_are_marked_and_never_trusted() {
    let world = World::new().await;
    let pdf = world
        .ana
        .upload("application/pdf", b"%PDF-1.7 not read yet")
        .await;
    let digest = blake3::hash(b"a table somewhere else").to_hex().to_string();
    let registered = world
        .ana
        .sources()
        .register_source(RegisterSourceRequest {
            board: world.board.clone(),
            uri: "https://example.org/table".into(),
            digest: digest.clone(),
            media_type: "text/html".into(),
            title: String::new(),
            date: String::new(),
        })
        .await
        .unwrap()
        .into_inner();
    assert!(!registered.kept);
    for source in [pdf, digest, "https://example.org/table".to_owned()] {
        let draft = cited(
            &format!("A table in {source} lists 40 towns."),
            cite(&source, "40 towns"),
        );
        let outcome = world.ana.submit_one(draft).await;
        let id = accepted(&outcome);
        assert!(
            outcome.warnings.iter().any(|it| it.contains("unverified")),
            "{outcome:?}"
        );
        let stored = world.ana.assertion(&id).await;
        assert_eq!(stored.verified_sources, 0);
        let citation = stored.draft.unwrap().citations[0].clone();
        assert_eq!(citation.check(), QuoteCheck::Unverified);
        let evidence = vec![cite(&source, "40 towns")];
        world
            .denied(world.vera.validate(&id, evidence), "CITATION_MISSING")
            .await;
    }
}

#[tokio::test]
async fn a_later_version_of_an_address_marks_citations_of_the_old_one() {
    let world = World::new().await;
    let header = || SourceHeader {
        media_type: "text/plain".into(),
        uri: "https://example.org/report".into(),
        title: "Report".into(),
        ..Default::default()
    };
    let old = world
        .ana
        .upload_as(header(), b"Sales were 10 million.")
        .await
        .unwrap();
    let draft = cited(
        "Sales were 10 million.",
        cite(&short(&old.name), "Sales were 10 million."),
    );
    let id = accepted(&world.ana.submit_one(draft).await);
    assert!(!world.ana.assertion(&id).await.draft.unwrap().citations[0].drifted);

    let new = world
        .ana
        .upload_as(header(), b"Sales were 11 million.")
        .await
        .unwrap();
    assert!(!new.drifted);
    assert!(world.ana.assertion(&id).await.draft.unwrap().citations[0].drifted);
    let get = proto::GetSourceRequest {
        board: world.board.clone(),
        source: short(&old.name),
    };
    assert!(
        world
            .ben
            .sources()
            .get_source(get)
            .await
            .unwrap()
            .into_inner()
            .drifted
    );
}

#[tokio::test]
async fn a_source_is_kept_as_it_was_uploaded_by_the_digest_of_its_bytes() {
    let world = World::new().await;
    let bytes: Vec<u8> = (0..3 << 20)
        .map(|it: u32| b'a' + u8::try_from(it % 23).unwrap())
        .collect();
    let digest = world.ana.upload("text/plain", &bytes).await;
    assert_eq!(digest, blake3::hash(&bytes).to_hex().to_string());
    let read = proto::ReadSourceRequest {
        board: world.board.clone(),
        source: digest.clone(),
    };
    let mut stream = world
        .ben
        .sources()
        .read_source(read)
        .await
        .unwrap()
        .into_inner();
    let mut kept = Vec::new();
    while let Some(part) = stream.message().await.unwrap() {
        kept.extend(part.chunk);
    }
    assert!(kept == bytes);

    let wrong = SourceHeader {
        media_type: "text/plain".into(),
        digest,
        ..Default::default()
    };
    let metadata = world
        .denied(world.ana.upload_as(wrong, b"other"), "DIGEST_MISMATCH")
        .await;
    assert_eq!(
        metadata["found"],
        blake3::hash(b"other").to_hex().to_string()
    );
}

#[tokio::test]
async fn a_source_over_the_limit_is_refused_before_it_is_kept() {
    let world = World::new().await;
    let bytes = vec![b'a'; pawl_checker::quote::MAX_BYTES + 1];
    let header = SourceHeader {
        media_type: "text/plain".into(),
        ..Default::default()
    };
    let metadata = world
        .denied(world.ana.upload_as(header, &bytes), "SOURCE_TOO_LARGE")
        .await;
    assert_eq!(
        metadata["limit"],
        pawl_checker::quote::MAX_BYTES.to_string()
    );
    let get = proto::GetSourceRequest {
        board: world.board.clone(),
        source: blake3::hash(&bytes).to_hex().to_string(),
    };
    let error = world.ana.sources().get_source(get).await.unwrap_err();
    denied(&error, "SOURCE_UNKNOWN");
}

#[tokio::test]
async fn an_upload_that_breaks_off_keeps_nothing() {
    use pawl_proto::v1::{UploadSourceRequest, upload_source_request::Part};
    let world = World::new().await;
    let text = b"Half of a document.";
    let header = SourceHeader {
        board: world.board.clone(),
        media_type: "text/plain".into(),
        ..Default::default()
    };
    let parts = [Part::Header(header), Part::Chunk(text.to_vec())];
    let parts = parts.map(|part| UploadSourceRequest { part: Some(part) });
    let mut ana = world.ana.sources();
    let upload = ana.upload_source(tokio_stream::iter(parts));
    let metadata = world.denied(upload, "FIELD_MISSING").await;
    assert_eq!(metadata["field"], "end");
    let get = proto::GetSourceRequest {
        board: world.board.clone(),
        source: blake3::hash(text).to_hex().to_string(),
    };
    let error = world.ana.sources().get_source(get).await.unwrap_err();
    denied(&error, "SOURCE_UNKNOWN");
}
