//! Sources that are pages and PDF files, and what is quoted from them.

use std::fmt::Write;

use pawl_proto::v1::{self as proto, Citation, GetSourceRequest, QuoteCheck, locator::Place};

use crate::world::{Client, World, accepted, cite, cited};

const PAGE: &str = "<!DOCTYPE html><html><head><title>Nordlys</title></head><body>\
    <h1>Report</h1><p>The <b>Nordlys</b> group employs 10<sup>2</sup> people.</p>\
    <h2>Outlook</h2><p>It expects lower revenue.<span hidden>It expects higher revenue.</span></p>\
    <table><tr><th>Country</th><th>Capital</th></tr><tr><td>Norway</td><td>Oslo</td></tr></table>\
    <script>let promise = 'growth of 90%';</script></body></html>";

/// A PDF file with these pages of one line each; none of them has text if the operators show none.
fn pdf(pages: &[&str]) -> Vec<u8> {
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        String::new(),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
            .to_owned(),
    ];
    let mut kids = String::new();
    for operators in pages {
        objects.push(format!(
            "<< /Length {} >>\nstream\n{operators}\nendstream",
            operators.len()
        ));
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {} 0 R \
             /Resources << /Font << /F1 3 0 R >> >> >>",
            objects.len()
        ));
        write!(kids, "{} 0 R ", objects.len()).unwrap();
    }
    objects[1] = format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", pages.len());
    let mut file = "%PDF-1.7\n".to_owned();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (number, object) in (1..).zip(&objects) {
        writeln!(table, "{:010} 00000 n ", file.len()).unwrap();
        write!(file, "{number} 0 obj\n{object}\nendobj\n").unwrap();
    }
    let start = file.len();
    let size = objects.len() + 1;
    write!(
        file,
        "{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    )
    .unwrap();
    file.into_bytes()
}

const FIRST: &str =
    "BT /F1 12 Tf 72 700 Td 14 TL (The group's reve-) Tj T* (nue grew by 45%.) Tj ET";
const SECOND: &str = "BT /F1 12 Tf 72 700 Td (Costs fell by 4.5 points.) Tj ET";

async fn quoted(client: &Client, citation: Citation) -> Result<QuoteCheck, String> {
    let draft = cited(&format!("It is reported: {}", citation.quote), citation);
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

fn absent() -> Result<QuoteCheck, String> {
    Err("QUOTE_NOT_FOUND".into())
}

async fn source(client: &Client, source: &str) -> proto::Source {
    let request = GetSourceRequest {
        board: client.board.clone(),
        source: source.into(),
    };
    client
        .sources()
        .get_source(request)
        .await
        .unwrap()
        .into_inner()
}

#[tokio::test]
async fn a_quote_from_a_page_stands_as_a_reader_sees_it() {
    let world = World::new().await;
    for media_type in [
        "text/html",
        "application/xhtml+xml",
        "application/octet-stream",
    ] {
        // The same bytes are one source, so each type gets bytes of its own.
        let page = format!("{PAGE}<!-- {media_type} -->");
        let id = world.ana.upload(media_type, page.as_bytes()).await;
        let check = async |quote| quoted(&world.ana, cite(&id, quote)).await;
        assert_eq!(
            check("The Nordlys group employs 10² people.").await,
            Ok(QuoteCheck::Exact)
        );
        assert_eq!(
            check("Country Capital Norway Oslo").await,
            Ok(QuoteCheck::Normalised)
        );
        for unseen in [
            "102 people",
            "It expects higher revenue",
            "growth of 90%",
            "<b>Nordlys</b>",
        ] {
            assert_eq!(check(unseen).await, absent(), "{unseen}");
        }
        let section = |title: &str, quote| at(cite(&id, quote), Place::Section(title.into()));
        assert!(
            quoted(&world.ana, section("Outlook", "expects lower revenue"))
                .await
                .is_ok()
        );
        assert_eq!(
            quoted(&world.ana, section("Outlook", "group employs")).await,
            absent()
        );
        let column = Some(proto::cell::Column::Heading("Capital".into()));
        let cell = |row, quote| {
            at(
                cite(&id, quote),
                Place::Cell(proto::Cell {
                    row,
                    column: column.clone(),
                }),
            )
        };
        assert!(quoted(&world.ana, cell(2, "Oslo")).await.is_ok());
        assert_eq!(quoted(&world.ana, cell(2, "Norway")).await, absent());
    }
}

#[tokio::test]
async fn a_page_is_read_in_its_character_set_or_refused() {
    let world = World::new().await;
    let latin = world
        .ana
        .upload("text/html; charset=iso-8859-1", b"<p>Malm\xf6</p>")
        .await;
    assert_eq!(
        quoted(&world.ana, cite(&latin, "Malmö")).await,
        Ok(QuoteCheck::Exact)
    );
    let header = |media_type: &str| proto::SourceHeader {
        media_type: media_type.into(),
        ..Default::default()
    };
    let broken = world.ana.upload_as(header("text/html"), b"<p>Malm\xf6</p>");
    let metadata = world.denied(broken, "TEXT_INVALID").await;
    assert_eq!(metadata["byte"], "7");
    let unknown = world
        .ana
        .upload_as(header("text/html; charset=klingon"), b"<p>a</p>");
    world.denied(unknown, "FIELD_INVALID").await;
}

#[tokio::test]
async fn a_quote_from_a_pdf_stands_on_its_page() {
    let world = World::new().await;
    let id = world
        .ana
        .upload("application/pdf", &pdf(&[FIRST, SECOND]))
        .await;
    assert_eq!(source(&world.ana, &id).await.unchecked_reason, "");
    let check = async |citation| quoted(&world.ana, citation).await;
    assert_eq!(
        check(cite(&id, "revenue grew by 45%.")).await,
        Ok(QuoteCheck::Normalised)
    );
    assert_eq!(
        check(at(cite(&id, "Costs fell by 4.5 points"), Place::Page(2))).await,
        Ok(QuoteCheck::Exact)
    );
    assert_eq!(
        check(at(cite(&id, "fell by 4.5 points"), Place::Page(1))).await,
        absent()
    );
    let draft = cited("Costs fell by 5.4.", cite(&id, "Costs fell by 5.4 points"));
    let metadata = world.item_denied(draft, "QUOTE_NOT_FOUND").await;
    assert_eq!(metadata["nearest"], "Costs fell by 4.5 points");
}

#[tokio::test]
async fn a_pdf_that_cannot_be_read_is_kept_and_says_why() {
    let world = World::new().await;
    let mut encrypted = pdf(&[FIRST]);
    let root = encrypted.windows(5).rposition(|it| it == b"/Root").unwrap();
    encrypted.splice(root..root, *b"/Encrypt << /Filter /Standard >> ");
    for (bytes, reason) in [
        (encrypted, "it is encrypted"),
        (pdf(&["0 0 100 100 re f"]), "it has no text"),
        (b"%PDF-1.7 cut off".to_vec(), "it is damaged"),
    ] {
        let id = world.ana.upload("application/pdf", &bytes).await;
        let told = source(&world.ana, &id).await.unchecked_reason;
        assert!(told.contains(reason), "{told}");
        let draft = cited(
            &format!("So it says, though {reason}."),
            cite(&id, "nue grew by 45%"),
        );
        let outcome = world.ana.submit_one(draft).await;
        assert!(
            outcome.warnings.iter().any(|it| it.contains(reason)),
            "{:?}",
            outcome.warnings
        );
        let stored = world
            .ana
            .assertion(&accepted(&outcome))
            .await
            .draft
            .unwrap();
        assert_eq!(stored.citations[0].check(), QuoteCheck::Unverified);
    }
}
