//! Page tokens: where the page before ended, unreadable and bound to the list they were made for.

use pawl_ledger::decide::{Denied, Reason};

use crate::app::error::AppError;

/// How much of the digest that binds a token is in it, in bytes.
const BOUND_BYTES: usize = 8;

/// Where a list goes on. The meaning of the two numbers is the list's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// The state the list is read from, for example a log position.
    pub view: u64,
    /// The last item of the page before, for example its log position.
    pub after: u64,
}

/// Writes a token for a list, named with all that a reader must not change between pages: the
/// method, the board and the filters.
pub fn token(list: &str, page: Page) -> String {
    let numbers = [page.view.to_be_bytes(), page.after.to_be_bytes()].concat();
    let bound = bound(list, &numbers);
    let bytes = bound.iter().chain(&numbers);
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

/// Reads a token; none for an empty one, the first page.
pub fn parse(list: &str, token: &str) -> Result<Option<Page>, AppError> {
    if token.is_empty() {
        return Ok(None);
    }
    let page = read(list, token).ok_or_else(|| {
        Denied::new(
            Reason::PageTokenInvalid,
            "the page token is not one that this list gave; begin without one",
        )
        .with("page_token", token.chars().take(80).collect::<String>())
    })?;
    Ok(Some(page))
}

fn read(list: &str, text: &str) -> Option<Page> {
    let (view, after) = text.get(2 * BOUND_BYTES..)?.split_at_checked(16)?;
    let number = |digits| u64::from_str_radix(digits, 16).ok();
    let page = Page {
        view: number(view)?,
        after: number(after)?,
    };
    // Written anew: what binds it to the list is compared, and there is one spelling.
    (token(list, page) == text).then_some(page)
}

fn bound(list: &str, numbers: &[u8]) -> [u8; BOUND_BYTES] {
    let mut hasher = blake3::Hasher::new_derive_key("pawl page token v1");
    hasher.update(numbers).update(list.as_bytes());
    let mut bound = [0; BOUND_BYTES];
    hasher.finalize_xof().fill(&mut bound);
    bound
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_good_for_its_own_list_only() {
        let page = Page { view: 9, after: 3 };
        let text = token("sources of b", page);
        assert_eq!(parse("sources of b", &text).unwrap(), Some(page));
        assert_eq!(parse("sources of b", "").unwrap(), None);
        for (list, text) in [
            ("sources of c", text.as_str()),
            ("sources of b", "00"),
            ("sources of b", "+1"),
            ("sources of b", "é"),
            ("sources of b", &text[2..]),
            ("sources of b", &text.replace("00", "+0")),
            ("sources of b", &text.to_uppercase()),
        ] {
            let error = parse(list, text).unwrap_err().told();
            assert_eq!(error.reason, Reason::PageTokenInvalid, "{text}");
        }
    }
}
