//! What is accepted, stripped and refused.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check_kept(text: &str) {
    assert_eq!(
        accept(text, 1000),
        Ok(Accepted {
            text: text.to_owned(),
            stripped: Vec::new()
        })
    );
}

#[track_caller]
fn check_stripped(text: &str, kept: &str, stripped: &[(char, usize)]) {
    let accepted = accept(text, 1000).unwrap();
    let found: Vec<_> = accepted
        .stripped
        .iter()
        .map(|it| (it.character, it.position))
        .collect();
    assert_eq!((accepted.text.as_str(), found.as_slice()), (kept, stripped));
}

#[track_caller]
fn check_refused(text: &str, message: &str) {
    assert_eq!(accept(text, 20).unwrap_err().to_string(), message);
}

#[test]
fn writing_is_kept_as_it_is() {
    check_kept("Revenue grew 45%.\n\t— e\u{301}, 10², ﬁ, 营收");
    check_kept("می\u{200c}خواهم"); // a Persian verb needs the non-joiner
    check_kept("क्\u{200d}ष"); // so does a Hindi conjunct the joiner
    check_kept("👩\u{200d}👩\u{200d}👧"); // and a family
    check_kept("🏳\u{fe0f}\u{200d}🌈");
}

#[test]
fn what_hides_is_taken_out_and_listed() {
    check_stripped(
        "4\u{200b}5\u{feff}",
        "45",
        &[('\u{200b}', 1), ('\u{feff}', 3)],
    );
    check_stripped("pass\u{200d}word", "password", &[('\u{200d}', 4)]);
    check_stripped("a\r\nb", "a\nb", &[('\r', 1)]);
    check_stripped("tag\u{e0041}", "tag", &[('\u{e0041}', 3)]);
}

#[test]
fn what_reorders_or_controls_is_refused() {
    check_refused(
        "a\u{202e}b",
        "the text has controls that reorder what is shown: U+202E at character `1`; leave them out",
    );
    check_refused(
        "a\0\u{7f}",
        "the text has control characters: U+0000 at character `1`, U+007F at character `2`; leave them out",
    );
    check_refused(
        "lone\r",
        "the text has control characters: U+000D at character `4`; leave them out",
    );
    check_refused(
        &"长".repeat(21),
        "the text has `21` characters, at most `20` are allowed; shorten it",
    );
    assert_eq!(decode(b"ok \xff"), Err(HygieneError::Encoding(3)));
}

#[test]
fn the_comparison_form_forgets_layout_alone() {
    assert_eq!(comparison_form("  e\u{301}t\u{e9}\n\n 10² "), "été 10²");
    assert_ne!(comparison_form("Ab"), comparison_form("ab"));
    assert_ne!(comparison_form("10²"), comparison_form("102"));
}

proptest! {
    #[test]
    fn what_is_accepted_is_accepted_again_unchanged(text in any::<String>()) {
        if let Ok(accepted) = accept(&text, usize::MAX) {
            let again = accept(&accepted.text, usize::MAX).map(|again| again.text);
            prop_assert_eq!(again.as_ref(), Ok(&accepted.text));
            prop_assert!(!accepted.text.chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
        }
    }

    #[test]
    fn the_comparison_form_is_a_fixed_point(text in any::<String>()) {
        let form = comparison_form(&text);
        prop_assert_eq!(comparison_form(&form), form);
    }

    #[test]
    fn any_bytes_decode_or_say_where_not(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        match decode(&bytes) {
            Ok(text) => prop_assert_eq!(text.as_bytes(), &bytes),
            Err(HygieneError::Encoding(at)) => prop_assert!(at < bytes.len()),
            Err(other) => prop_assert!(false, "{}", other),
        }
    }
}

#[test]
fn no_joiner_stays_for_a_sign_that_is_taken_out() {
    let accepted = accept("a\u{17b4}\u{200d}b", usize::MAX).unwrap();
    assert_eq!((accepted.text.as_str(), accepted.stripped.len()), ("ab", 2));
}
