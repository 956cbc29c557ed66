//! Which text is accepted.

use pawl_checker::hygiene::{self, HygieneError};

/// Short, so that texts beyond it are met.
const MOST_CHARACTERS: usize = 200;
/// How many findings a text's error or notice lists.
const MOST_LISTED: usize = 16;

pub(crate) fn hygiene(bytes: &[u8]) {
    let text = match hygiene::decode(bytes) {
        Ok(text) => text,
        Err(HygieneError::Encoding(byte)) => {
            let before = bytes.get(..byte).expect("the wrong byte is one of them");
            assert!(std::str::from_utf8(before).is_ok() && byte < bytes.len());
            return;
        }
        Err(other) => unreachable!("of bytes: {other}"),
    };
    compared(text);
    match hygiene::accept(text, MOST_CHARACTERS) {
        Ok(accepted) => {
            assert!(accepted.stripped.len() <= MOST_LISTED);
            for oddity in &accepted.stripped {
                assert_eq!(text.chars().nth(oddity.position), Some(oddity.character));
            }
            let again = hygiene::accept(&accepted.text, MOST_CHARACTERS);
            let again = again.expect("what was accepted is accepted again");
            assert_eq!(again.text, accepted.text, "nothing is left to take out");
        }
        Err(HygieneError::TooLong { characters, most }) => {
            assert!(characters == text.chars().count() && characters > most);
        }
        Err(HygieneError::Control(found) | HygieneError::Bidirectional(found)) => {
            assert!((1..=MOST_LISTED).contains(&found.len()));
            for oddity in &found {
                assert_eq!(text.chars().nth(oddity.position), Some(oddity.character));
            }
        }
        Err(other @ HygieneError::Encoding(_)) => unreachable!("of text: {other}"),
    }
}

/// Two texts are compared in one form, which is its own.
fn compared(text: &str) {
    let form = hygiene::comparison_form(text);
    assert_eq!(hygiene::comparison_form(&form), form);
    assert_eq!(form.trim(), form);
    assert!(!form.contains("  "));
}
