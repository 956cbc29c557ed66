//! Quotes from HTML.

use proptest::prelude::*;

use super::super::*;
use super::{outcome, quote};

const PAGE: &str = "<!DOCTYPE html>\n<html><head><title>Nordlys &amp; Co</title>\n\
<style>p { color: red }</style><script>var hidden = 'secret';</script></head>\n\
<body>\n<h1>Annual <em>report</em></h1>\n\
<p>The <b>Nord</b>lys group is based in <a href=\"x\">Oslo</a>\nand employs 10<sup>2</sup> people.\n\
<p>Revenue grew&nbsp;by 45&percnt; to <span style=\"display: none\">not</span>$1,200&#8239;million.<br>Costs fell.\n\
<!-- a comment --><div hidden>Never <p>shown</div>\n\
<h2>Out&shy;look</h2><ul><li>Energy <img src=x alt=\"a lamp\">prices<li>Exchange rates</ul>\n\
<table><tr><th>Country<th>Capital<tr><td rowspan=2>Norway<td>Oslo<tr><td>Berg&eacute;n</table>\n\
<p>2023年公司营收\n增长了45%。\n\
<noscript>Turn scripts on</noscript><template>later</template>\n</body></html>";

fn page(text: &str) -> Document {
    Document::parse(MediaType::parse("text/html"), text.as_bytes()).unwrap()
}

#[track_caller]
fn check(exact: &str, expected: &str) {
    assert_eq!(outcome(&find(&page(PAGE), &quote(exact), None)), expected);
}

#[track_caller]
fn check_text(source: &str, expected: &str) {
    assert_eq!(page(source).extracted(), expected);
}

#[test]
fn a_page_is_read_as_it_is_seen() {
    check("Nordlys & Co", "exact, line 2");
    check(
        "The Nordlys group is based in Oslo",
        "exact, line 6, section `Annual report`",
    );
    check(
        "based in Oslo and employs 10² people.",
        "normalised, line 6, section `Annual report`",
    );
    check(
        "Revenue grew by 45% to $1,200 million.",
        "normalised, line 8, section `Annual report`",
    );
    check("Energy prices", "exact, line 10, section `Outlook`");
    check("Bergén", "exact, line 11, row `3`, column `2`");
    check(
        "公司营收增长了45%",
        "normalised, line 12, section `Outlook`",
    );
}

#[test]
fn what_nobody_sees_is_not_there() {
    for unseen in [
        "secret",
        "color: red",
        "a comment",
        "Never",
        "shown",
        "a lamp",
        "Turn scripts on",
        "later",
        "<b>Nord</b>",
        "employs 102 people",
        "not$1,200",
    ] {
        check(unseen, "absent");
    }
}

#[test]
fn blocks_are_apart_and_lines_are_whole() {
    check_text("<p>a<p>b", "a\n\nb\n\n");
    check_text("<div><div>a</div>b</div>c", "a\n\nb\n\nc");
    check_text("one <i>wo</i>rd<wbr>s", "one words");
    check_text("a<br>b", "a\nb");
    check_text("<pre>a\n\nb</pre>", "a\n\nb\n\n");
    check_text("<textarea>a &lt; b</textarea>", "a < b\n\n");
    check_text(
        "x &notit; &amp;amp; &bogus; 1 < 2",
        "x ¬it; &amp; &bogus; 1 < 2",
    );
    check_text(
        "E=mc<sup>2</sup>, 5<sup>th</sup>, CO<sub>2</sub>",
        "E=mc², 5th, CO2",
    );
    check_text(
        "<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>は",
        "漢字は",
    );
    check_text("<dialog>a</dialog><dialog open>b</dialog>", "b\n\n");
    check_text("<svg><title>t</title><text>a</text></svg>", "a\n\n");
    check_text("<div hidden><b>a<div>b</div>c</b></div>d", "d");
    check_text("<script>'</p>'</script >a", "a");
}

#[test]
fn xhtml_ends_elements_as_xml_does() {
    let read = |media_type: &str, text: &str| {
        let document = Document::parse(MediaType::parse(media_type), text.as_bytes()).unwrap();
        document.extracted().to_owned()
    };
    let text = "<div hidden=''/>a<script/>b<![CDATA[<c>]]>";
    assert_eq!(read("application/xhtml+xml", text), "ab<c>");
    assert_eq!(read("text/html", text), "");
}

#[test]
fn a_cell_or_section_of_a_page_is_a_place() {
    let document = page(PAGE);
    let at =
        |exact: &str, locator: Locator| outcome(&find(&document, &quote(exact), Some(&locator)));
    let cell = |row, column: &str| Locator::Cell {
        row,
        column: Column::Heading(column.to_owned()),
    };
    assert_eq!(
        at("Oslo", cell(2, "Capital")),
        "exact, line 11, row `2`, column `2`"
    );
    assert_eq!(
        at("Bergén", cell(3, "Capital")),
        "exact, line 11, row `3`, column `2`"
    );
    assert_eq!(
        at("Norway", cell(2, "Capital")),
        "elsewhere, line 11, row `2`, column `1`"
    );
    assert_eq!(at("nowhere", cell(9, "Capital")), "no such part");
    let section = |title: &str| Locator::Section(title.to_owned());
    assert_eq!(
        at("Exchange rates", section("Outlook")),
        "exact, line 10, section `Outlook`"
    );
    assert_eq!(
        at("Costs fell", section("Outlook")),
        "elsewhere, line 8, section `Annual report`"
    );
    assert_eq!(
        at("Costs fell", Locator::Line { first: 8, last: 8 }),
        "exact, line 8, section `Annual report`"
    );
    let start = u32::try_from(
        document
            .extracted()
            .chars()
            .position(|it| it == '²')
            .unwrap(),
    )
    .unwrap();
    assert!(
        at(
            "²",
            Locator::Characters {
                start,
                end: start + 1
            }
        )
        .starts_with("exact")
    );
}

#[test]
fn the_character_set_is_found_where_it_is_said() {
    let look = |media_type: &str, bytes: &[u8]| {
        outcome(&crate::quote::check(
            MediaType::parse(media_type),
            bytes,
            &quote("é"),
            None,
        ))
    };
    assert_eq!(look("text/html", "é".as_bytes()), "exact, line 1");
    assert_eq!(
        look("text/html; charset=ISO-8859-1", b"\xe9"),
        "exact, line 1"
    );
    assert_eq!(
        look("text/html", b"<meta charset='windows-1252'>\xe9"),
        "exact, line 1"
    );
    assert_eq!(
        look(
            "text/html",
            b"<meta http-equiv=Content-Type content=\"text/html; charset=latin1\">\xe9"
        ),
        "exact, line 1"
    );
    assert_eq!(
        look(
            "application/xhtml+xml",
            b"<?xml version='1.0' encoding='iso-8859-1'?><p>\xe9</p>"
        ),
        "exact, line 1"
    );
    assert_eq!(look("text/html", b"\xff\xfe\xe9\x00"), "exact, line 1");
    assert_eq!(
        look("text/html", b"<meta charset=utf-16>\xc3\xa9"),
        "exact, line 1"
    );
    assert!(look("text/html", b"a\xe9b").contains("not valid utf-8 from byte `1`"));
    assert!(look("text/html; charset=gbk", b"ab\xff").contains("not valid gbk from byte `2`"));
    assert!(
        look("text/html; charset=klingon", b"a").contains("`klingon` of the source is not known")
    );
    let chinese = look("text/html; charset=gb18030", b"\xd3\xaa\xca\xd5 \xa8\xa6");
    assert_eq!(chinese, "exact, line 1");
}

#[test]
fn deep_pages_are_refused_and_wide_ones_read() {
    let deep = "<div>".repeat(600);
    let error = Document::parse(MediaType::parse("text/html"), deep.as_bytes()).unwrap_err();
    assert!(error.to_string().contains("deeper than `512`"), "{error}");
    let formatted = format!("{}end", "<b><font>".repeat(100_000));
    check_text(&formatted, "end");
    let unclosed = format!("{}end", "<p>a<li>b<tr><td>c".repeat(10_000));
    assert!(
        page(&unclosed).extracted().ends_with("end\t\n\n")
            || page(&unclosed).extracted().ends_with("end\t")
    );
}

fn any_markup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-c é营&;\n]{0,6}",
        prop::sample::select(vec![
            "<p>",
            "</p>",
            "<div hidden>",
            "</div>",
            "<table>",
            "<tr>",
            "<td colspan=3 rowspan=9>",
            "</table>",
            "<h2>",
            "</h2>",
            "<script>",
            "</script>",
            "<sup>",
            "</sup>",
            "<svg>",
            "</svg>",
            "<![CDATA[",
            "]]>",
            "<!--",
            "-->",
            "&amp;",
            "&#x20AC;",
            "&shy;",
            "<br/>",
            "<li>",
            "<title>",
            "</title>",
            "<",
            "\0",
        ])
        .prop_map(ToOwned::to_owned),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_piece_of_what_is_seen_stands_there(source in any_markup(), from in any::<prop::sample::Index>(), length in 1_usize..30) {
        for media_type in ["text/html", "application/xhtml+xml"] {
            let document = Document::parse(MediaType::parse(media_type), source.as_bytes()).unwrap();
            let text: Vec<char> = document.extracted().chars().collect();
            if text.is_empty() { continue }
            let start = from.index(text.len());
            let exact: String = text[start..].iter().take(length).collect();
            let Ok(quote) = TextQuote::new(exact, "", "") else { continue };
            let found = find(&document, &quote, None);
            prop_assert!(matches!(found, QuoteMatch::Exact(_)), "{:?} in {:?}", found, document.extracted());
        }
    }

    #[test]
    fn a_mangled_page_is_read_or_refused(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = PAGE.as_bytes().to_vec();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        bytes.truncate(cut.index(bytes.len() + 1));
        if let Ok(document) = Document::parse(MediaType::parse("text/html"), &bytes) {
            find(&document, &quote("Nordlys"), Some(&Locator::Section("Outlook".to_owned())));
        }
    }
}
