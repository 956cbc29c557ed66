//! What comes with a call: headers, page tokens, locators, drafts.

use axum::{
    body::Body,
    extract::Request,
    http::header::{HOST, HeaderValue, ORIGIN},
};
use pawl_ledger::id::BoardName;
use pawl_proto::v1::{self as proto, AuthorityRank};
use pawl_server::{
    app::{
        rules::Authority,
        sources::{accept_date, accept_description, day_of, locator},
        submission::Draft,
    },
    auth::bearer,
    config::Config,
    grpc::{
        self,
        page::{self, Page},
    },
    http::{refusal, timeout},
};
use prost::Message;

use crate::text::text;

/// The most characters of content, of a rationale, of a label; the most of each list.
const MOST_OF_CONTENT: usize = 4_000;
const MOST_OF_RATIONALE: usize = 8_000;
const MOST_OF_LABEL: usize = 512;
const MOST_LISTED: usize = 64;

/// Each line is read as everything that is one line.
pub(crate) fn request(bytes: &[u8]) {
    wire_locator(bytes);
    for line in bytes.split(|byte| *byte == b'\n') {
        headers(line);
        page_token(line);
        if let Some(text) = text(line) {
            dates(text);
            addresses(text);
        }
    }
}

fn headers(line: &[u8]) {
    let Ok(value) = HeaderValue::from_bytes(line) else {
        return;
    };
    if let Ok(text) = value.to_str() {
        if let Some(secret) = bearer(text) {
            assert!(!secret.is_empty() && secret.trim() == secret && text.contains(secret));
        }
        if let Some(asked) = timeout(text) {
            assert!(asked.as_secs() <= 99_999_999 * 3_600 && (2..=9).contains(&text.len()));
        }
    }
    let settings = Config::local("unused".into());
    for name in [HOST, ORIGIN] {
        let mut request = Request::new(Body::empty());
        request
            .headers_mut()
            .insert(HOST, HeaderValue::from_static("localhost"));
        let is_host = name == HOST;
        request.headers_mut().insert(name, value.clone());
        let answered = refusal(&settings, &request).is_none();
        // No page may call unless the settings name it, and only loopback is answered.
        let is_loopback = || {
            let text = value.to_str().unwrap_or_default().to_ascii_lowercase();
            // Loopback has many spellings in IPv6, all of them with two colons.
            ["localhost", "127."].iter().any(|it| text.contains(it))
                || text.matches(':').count() > 1
        };
        assert!(!answered || (is_host && is_loopback()), "{value:?}");
    }
}

/// A token is read only where it was made, and as what it was made for.
fn page_token(line: &[u8]) {
    const LIST: &str = "sources of b";
    let mut numbers = [0; 16];
    for (number, byte) in numbers.iter_mut().zip(line) {
        *number = *byte;
    }
    let number = |half: &[u8]| {
        half.iter()
            .fold(0, |sum, byte| (sum << 8) | u64::from(*byte))
    };
    let (view, after) = numbers.split_at(8);
    let page = Page {
        view: number(view),
        after: number(after),
    };
    let token = page::token(LIST, page);
    assert_eq!(page::parse(LIST, &token).ok(), Some(Some(page)));
    assert!(page::parse("sources of c", &token).is_err());
    let Some(text) = text(line) else { return };
    // The same digits, the last of them as the input has them.
    let rest = text.get(16..).unwrap_or_default();
    let kept = token.len().saturating_sub(rest.len());
    let mixed = format!("{}{rest}", token.get(..kept).unwrap_or_default());
    for tried in [text, &mixed] {
        if let Ok(Some(read)) = page::parse(LIST, tried) {
            assert_eq!(page::token(LIST, read), tried, "one spelling");
        }
    }
}

fn dates(text: &str) {
    let _ = day_of(text);
    if let Ok(Some(_)) = accept_date(text) {
        let form: String = text
            .chars()
            .map(|it| if it.is_ascii_digit() { '0' } else { it })
            .collect();
        assert_eq!(form, "0000-00-00", "{text}");
    }
}

fn addresses(text: &str) {
    if let Ok(words) = accept_description(text, text, text) {
        assert!(words.media_type.contains('/') && !words.uri.contains(char::is_whitespace));
        let again = accept_description(&words.media_type, &words.uri, &words.title);
        assert_eq!(again.ok(), Some(words));
    }
    let sources = text.split(' ').map(str::to_owned).collect();
    let ranks = [AuthorityRank { sources }];
    if let Ok((read, kept)) = Authority::parse(&ranks) {
        assert_eq!(read.count(), 1);
        assert!(read.rank(text).is_none_or(|rank| rank == 1));
        let again = Authority::parse(&kept.ranks).expect("what is kept is read");
        assert_eq!(again, (read, kept));
    }
}

fn wire_locator(bytes: &[u8]) {
    let Ok(wire) = proto::Locator::decode(bytes) else {
        return;
    };
    if let Ok(Some(read)) = locator::from_wire(&wire) {
        assert_eq!(locator::to_wire(&read), wire);
    }
}

pub(crate) fn draft(bytes: &[u8]) {
    let Ok(wire) = proto::Draft::decode(bytes) else {
        return;
    };
    let board: BoardName = "b".parse().expect("a name");
    match grpc::draft(&board, &wire) {
        Ok(draft) => within(&draft),
        Err(denied) => assert!(!denied.message.is_empty()),
    }
}

fn within(draft: &Draft) {
    let characters = |text: &str| text.chars().count();
    assert!((1..=MOST_OF_CONTENT).contains(&characters(&draft.content)));
    assert!(characters(&draft.rationale) <= MOST_OF_RATIONALE);
    for labels in [&draft.entities, &draft.tags] {
        assert!(labels.len() <= MOST_LISTED);
        let mut lengths = labels.iter().map(|label| characters(label));
        assert!(lengths.all(|length| (1..=MOST_OF_LABEL).contains(&length)));
    }
    assert!(draft.citations.len() <= MOST_LISTED && draft.supports.len() <= MOST_LISTED);
}
