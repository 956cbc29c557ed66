//! Ids, names and other short texts, each with one spelling.

use std::fmt::Display;
use std::str::FromStr;

use pawl_checker::{intake::RevisionName, interval::Interval, quote::MediaType};
use pawl_ledger::{
    digest::Digest,
    id::{
        AssertionId, AttributeName, BoardName, ConflictId, FlagId, IdError, LookupId, ModuleName,
        PhaseName, PrincipalName, RefusalId, RevisionId,
    },
    store::Engine,
};

use crate::text::text;

/// The longest name, and the most characters an error shows of what is none.
const MOST_BYTES: usize = 63;
const MOST_SHOWN: usize = 80;

pub(crate) fn names(bytes: &[u8]) {
    media_type(bytes);
    let Some(text) = text(bytes) else { return };
    id::<BoardName>(text);
    id::<ModuleName>(text);
    id::<AttributeName>(text);
    id::<PhaseName>(text);
    id::<PrincipalName>(text);
    id::<AssertionId>(text);
    id::<ConflictId>(text);
    id::<FlagId>(text);
    id::<LookupId>(text);
    id::<RefusalId>(text);
    id::<RevisionId>(text);
    if let Ok(digest) = text.parse::<Digest>() {
        assert_eq!(digest.to_string(), text.to_ascii_lowercase());
    }
    if let Ok(engine) = text.parse::<Engine>() {
        assert_eq!(engine.to_string(), text);
    }
    if let Some(revision) = RevisionName::parse(text) {
        assert_eq!(revision.to_string(), text);
    }
    if let Ok(interval) = text.parse::<Interval>() {
        assert_eq!(interval.to_string().parse(), Ok(interval));
        assert!(interval.contains(&interval));
    }
}

fn id<T: FromStr<Err = IdError> + Display>(text: &str) {
    match text.parse::<T>() {
        Ok(id) => {
            assert_eq!(id.to_string(), text);
            assert!(text.len() <= MOST_BYTES);
        }
        Err(error) => assert!(error.value.chars().count() <= MOST_SHOWN),
    }
}

/// What a type is written as reads back as the same; of pages the character set is not written.
fn media_type(bytes: &[u8]) {
    if let Some(sniffed) = MediaType::sniff(bytes) {
        assert!(MediaType::parse(sniffed).is_read());
    }
    let Some(text) = text(bytes) else { return };
    let read = MediaType::parse(text);
    let again = MediaType::parse(&read.to_string());
    match read {
        MediaType::Html { .. } => assert_eq!(again, MediaType::Html { charset: None }),
        MediaType::Xhtml { .. } => assert_eq!(again, MediaType::Xhtml { charset: None }),
        read => assert_eq!(again, read),
    }
}
