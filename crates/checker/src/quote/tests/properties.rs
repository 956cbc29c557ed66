//! What holds of every source and every quote.

use proptest::prelude::*;

use super::super::*;
use super::quote;

fn any_media_type() -> impl Strategy<Value = MediaType> {
    prop_oneof![
        Just(MediaType::Plain),
        Just(MediaType::Markdown),
        Just(MediaType::Csv),
        Just(MediaType::Json)
    ]
}

fn any_locator() -> impl Strategy<Value = Locator> {
    prop_oneof![
        (0_u32..9, 0_u32..9).prop_map(|(first, last)| Locator::Line { first, last }),
        (0_u32..40, 0_u32..40).prop_map(|(start, end)| Locator::Characters { start, end }),
        "[a-c]{0,2}".prop_map(Locator::Section),
        "(/[a-c01~]{0,2}){0,3}".prop_map(Locator::Pointer),
        (0_u32..5, 0_u32..5).prop_map(|(row, column)| Locator::Cell {
            row,
            column: Column::Number(column)
        }),
    ]
}

proptest! {
    #[test]
    fn nothing_makes_it_panic(
        media_type in any_media_type(),
        text in prop_oneof![any::<String>(), "[#a-c01 \\-\n,\"|`*é\u{301}营]*", "[{}\\[\\]:,\"a\\\\u0n ]*"],
        exact in prop_oneof![any::<String>(), "[a-c é\n\\-营]{1,5}"],
        prefix in "[a-c ]{0,2}",
        locator in proptest::option::of(any_locator()),
    ) {
        if let Ok(quote) = TextQuote::new(exact, prefix, "") {
            crate::quote::check(media_type, text.as_bytes(), &quote, locator.as_ref());
        }
    }

    #[test]
    fn any_bytes_parse_or_are_refused(media_type in any_media_type(), bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = Document::parse(media_type, &bytes);
    }

    #[test]
    fn a_piece_of_a_text_stands_in_it_however_it_is_wrapped(
        words in proptest::collection::vec("[a-zé]{1,5}", 2..12),
        breaks in proptest::collection::vec("( |\n|  \n |\t){1}", 12),
        cut in any::<prop::sample::Index>(),
    ) {
        let pieces = words.iter().zip(&breaks).flat_map(|(word, space)| [word.as_str(), space]);
        let document = Document::parse(MediaType::Plain, pieces.collect::<String>().as_bytes()).unwrap();
        let plain = words[cut.index(words.len())..].join(" ");
        let found = find(&document, &quote(&plain), None);
        prop_assert!(matches!(found, QuoteMatch::Exact(_) | QuoteMatch::Normalised(_)), "{:?}", found);
    }

    #[test]
    fn a_piece_of_a_chinese_text_stands_in_it_however_it_is_wrapped(
        lines in proptest::collection::vec("[营收增长，。]{1,5}", 2..12),
        cut in any::<prop::sample::Index>(),
    ) {
        let document = Document::parse(MediaType::Plain, lines.join("\n").as_bytes()).unwrap();
        let found = find(&document, &quote(&lines[cut.index(lines.len())..].concat()), None);
        prop_assert!(matches!(found, QuoteMatch::Exact(_) | QuoteMatch::Normalised(_)), "{:?}", found);
    }

    #[test]
    fn what_is_found_is_what_was_asked_for(text in "[ab \n\\-é]{0,30}", exact in "[ab é]{1,4}") {
        let document = Document::parse(MediaType::Plain, text.as_bytes()).unwrap();
        let Ok(quote) = TextQuote::new(exact.clone(), "", "") else { return Ok(()) };
        let at = |place: &Place| -> String {
            text.chars().skip(place.characters.start).take(place.characters.len()).collect()
        };
        match find(&document, &quote, None) {
            QuoteMatch::Exact(place) => prop_assert_eq!(at(&place), exact),
            QuoteMatch::Normalised(place) => {
                let bare = |text: &str| text.replace(['-', ' ', '\n'], "");
                prop_assert_eq!(bare(&at(&place)), bare(&exact));
                prop_assert!(!text.contains(&exact));
            }
            _ => prop_assert!(!text.contains(&exact)),
        }
    }
}
