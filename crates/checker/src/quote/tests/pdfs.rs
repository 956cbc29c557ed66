//! Quotes from PDF.

mod file;

use proptest::prelude::*;

use self::file::{File, chinese, deflated, with_pages};
use super::super::*;
use super::{outcome, quote};

const FIRST: &str = "BT /F1 24 Tf 72 760 Td (Annual report) Tj ET\n\
    BT /F1 12 Tf 72 700 Td 14 TL (The Nordlys group is based in Oslo and its reve-) Tj T* \
    (nue grew by 45%.) Tj 0 -40 Td [(Costs ) -50 (fe) 20 (ll)] TJ 0 -14 Td (by 4.5 ) Tj (points.) Tj ET";
const SECOND: &str = "BT /F1 12 Tf 1 0 0 1 72 700 Tm (It employs 10) Tj 8 0 0 8 140 706 Tm /F1 1 Tf (2) Tj \
    12 0 0 12 150 700 Tm (people) Tj ET";

fn read(bytes: &[u8]) -> Result<Document, DocumentError> {
    Document::parse(MediaType::Pdf, bytes)
}

#[track_caller]
fn check(bytes: &[u8], exact: &str, expected: &str) {
    assert_eq!(
        outcome(&find(&read(bytes).unwrap(), &quote(exact), None)),
        expected
    );
}

#[track_caller]
fn check_unread(bytes: &[u8], reason: &str) {
    let error = read(bytes).unwrap_err().to_string();
    assert!(error.contains(reason), "{error}");
}

#[test]
fn a_quote_stands_on_its_page() {
    for is_packed in [false, true] {
        let bytes = with_pages(&[FIRST, SECOND], is_packed).bytes();
        check(&bytes, "Annual report", "exact, line 1, page `1`");
        check(
            &bytes,
            "based in Oslo and its revenue grew by 45%.",
            "normalised, line 3, page `1`",
        );
        check(
            &bytes,
            "Costs fell by 4.5 points",
            "normalised, line 6, page `1`",
        );
        check(&bytes, "It employs 10² people", "exact, line 8, page `2`");
        check(&bytes, "It employs 102 people", "absent");
        check(&bytes, "revenue grew by 54%", "absent");
    }
}

#[test]
fn a_page_is_a_place() {
    let document = read(&with_pages(&[FIRST, SECOND], true).bytes()).unwrap();
    let at = |page| {
        outcome(&find(
            &document,
            &quote("people"),
            Some(&Locator::Page(page)),
        ))
    };
    assert_eq!(at(2), "exact, line 8, page `2`");
    assert_eq!(at(1), "elsewhere, line 8, page `2`");
    assert_eq!(at(3), "elsewhere, line 8, page `2`");
}

#[test]
fn chinese_is_read_by_what_the_font_says() {
    let bytes = chinese(&["2023年公司营收", "增长了45%，净利润为3.2亿元"]).bytes();
    check(&bytes, "净利润为3.2亿元", "exact, line 2, page `1`");
    check(&bytes, "公司营收增长了45%", "normalised, line 1, page `1`");
    check(&bytes, "公司营收下降了45%", "absent");
}

#[test]
fn columns_are_read_one_after_the_other() {
    let columns = "BT /F1 10 Tf 50 700 Td 12 TL (The left column says) Tj T* (that prices rose.) Tj \
        1 0 0 1 320 700 Tm (The right column says) Tj T* (that wages fell.) Tj ET";
    let bytes = with_pages(&[columns], true).bytes();
    check(
        &bytes,
        "The left column says that prices rose.",
        "normalised, line 1, page `1`",
    );
    check(
        &bytes,
        "The right column says that wages fell.",
        "normalised, line 3, page `1`",
    );
}

#[test]
fn a_form_is_part_of_its_page_and_may_hold_itself() {
    let mut file = with_pages(&["/X1 Do BT /F1 12 Tf 72 500 Td (after) Tj ET"], false);
    let form = file.stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> /XObject << /X1 6 0 R >> >>",
        b"BT /F1 12 Tf 72 700 Td (within a form) Tj ET /X1 Do",
    );
    assert_eq!(form, 6);
    file.set(
        5,
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R \
         /Resources << /Font << /F1 3 0 R >> /XObject << /X1 6 0 R >> >> >>",
    );
    check(&file.bytes(), "within a form", "exact, line 1, page `1`");
    check(&file.bytes(), "after", "exact, line 3, page `1`");
}

#[test]
fn what_has_no_text_to_check_says_so() {
    let mut encrypted = with_pages(&[FIRST], false);
    encrypted.trailer("/Encrypt << /Filter /Standard /V 1 /R 2 /O (o) /U (u) /P -4 >>");
    check_unread(&encrypted.bytes(), "it is encrypted");
    let mut disguised = with_pages(&[FIRST], false);
    disguised.trailer("/Encr#79pt << /Filter /Standard /V 1 /R 2 /O (o) /U (u) /P -4 >>");
    check_unread(&disguised.bytes(), "it is encrypted");
    check_unread(
        &with_pages(&["0 0 100 100 re f"], true).bytes(),
        "it has no text",
    );
    check_unread(b"%PDF-1.7 and no more", "it is damaged or no pdf");
    check_unread(b"PK\x03\x04", "it is damaged or no pdf");
    check_unread(b"", "it is damaged or no pdf");
    let mut mute = chinese(&["甲乙丙"]);
    mute.set(3, "<< >>");
    check_unread(&mute.bytes(), "its fonts do not say");
}

#[test]
fn a_file_that_means_harm_is_bounded() {
    let bomb = vec![b' '; 1 << 20];
    let mut twice = with_pages(&[FIRST], false);
    twice.stream(
        "/Filter [/FlateDecode /FlateDecode]",
        &deflated(&deflated(&bomb)),
    );
    check_unread(&twice.bytes(), "more memory than");
    let mut old = with_pages(&[FIRST], false);
    old.stream("/Filter /LZWDecode", &bomb);
    check_unread(&old.bytes(), "more memory than");

    let mut cyclic = with_pages(&[FIRST], false);
    cyclic.set(2, "<< /Type /Pages /Kids [2 0 R 5 0 R 2 0 R] /Count 3 >>");
    check(&cyclic.bytes(), "Annual report", "exact, line 1, page `1`");
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let mut nested = with_pages(&[FIRST, &deep], false);
    nested.add(deep.clone());
    check(&nested.bytes(), "Annual report", "exact, line 1, page `1`");
    let mut wide = File::default();
    wide.add("<< /Type /Catalog /Pages 2 0 R >>");
    wide.add("<< /Type /Pages /Count 1 /Kids [ 2 0 R ] >>");
    assert!(read(&wide.bytes()).is_err());
}

/// Forms that each show the next one many times would take longer than the world lasts.
#[test]
fn forms_that_multiply_end_in_time() {
    let mut file = with_pages(&["/X0 Do"], false);
    let mut names = String::new();
    for depth in 0..20 {
        let next = format!("/X{} Do ", depth + 1).repeat(40);
        let form = file.stream(
            "/Type /XObject /Subtype /Form /BBox [0 0 595 842]",
            next.as_bytes(),
        );
        names.push_str(&format!("/X{depth} {form} 0 R "));
    }
    file.set(
        5,
        &format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << {names} >> >> >>"
        ),
    );
    let begun = std::time::Instant::now();
    check_unread(&file.bytes(), "more time than");
    assert!(begun.elapsed() < std::time::Duration::from_secs(30));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_piece_of_what_was_read_stands_there(
        lines in proptest::collection::vec("[a-zA-Z0-9 .,%-]{1,30}", 1..6),
        from in any::<prop::sample::Index>(),
        length in 1_usize..40,
    ) {
        let shown: String = lines.iter().map(|line| format!("({line}) Tj T* ")).collect();
        let operators = format!("BT /F1 12 Tf 72 700 Td 14 TL {shown} ET");
        let Ok(document) = read(&with_pages(&[&operators], true).bytes()) else { return Ok(()) };
        let text: Vec<char> = document.extracted().chars().collect();
        let start = from.index(text.len());
        let exact: String = text[start..].iter().take(length).collect();
        let Ok(quote) = TextQuote::new(exact, "", "") else { return Ok(()) };
        let found = find(&document, &quote, None);
        prop_assert!(matches!(found, QuoteMatch::Exact(_)), "{found:?}");
    }

    #[test]
    fn a_mangled_file_is_read_or_refused(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        which in 0_usize..3,
        cut in proptest::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = match which {
            0 => with_pages(&[FIRST, SECOND], false).bytes(),
            1 => with_pages(&[FIRST, SECOND], true).bytes(),
            _ => chinese(&["2023年公司营收", "增长了45%"]).bytes(),
        };
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len() + 1));
        }
        if let Ok(document) = read(&bytes) {
            find(&document, &quote("Nordlys"), Some(&Locator::Page(1)));
        }
    }
}
