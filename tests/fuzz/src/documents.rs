//! Finished texts to check.

use pawl_checker::{
    compare::Thresholds,
    document::{Document, MAX_STATEMENTS, Passage, ReadError, contradictions, trace},
    quote::MediaType,
};

use crate::statements::{VOCABULARY, judged};
use crate::text::{cut, text};

/// How many statements are laid beside each other; each pair is a comparison.
const MOST_TRACED: usize = 6;

/// Read as Markdown and as plain text.
pub(crate) fn document(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    for media_type in [MediaType::Markdown, MediaType::Plain] {
        match Document::read(text, &media_type, &VOCABULARY) {
            Ok(document) => check(text, &document),
            Err(ReadError::TooMany) => {}
            Err(other) => unreachable!("of a short text: {other}"),
        }
    }
}

fn check(text: &str, document: &Document) {
    let passages = &document.passages;
    assert!(passages.len() <= MAX_STATEMENTS);
    for passage in passages {
        assert!(!cut(text, &passage.range).trim().is_empty());
        assert!(!passage.text.trim().is_empty() && !passage.text.contains('\n'));
    }
    assert!(passages.is_sorted_by_key(|passage| passage.range.start));
    let read = document.parsed(&VOCABULARY);
    assert_eq!(read.len(), passages.len());
    let of = |index: usize| passages.get(index).expect("a statement of the text");
    let found = contradictions(document, &read, Thresholds::default(), &VOCABULARY, || {
        false
    });
    for contradiction in &found {
        assert!(contradiction.first < contradiction.second);
        let (first, second) = (of(contradiction.first), of(contradiction.second));
        judged(
            &contradiction.judgement,
            &second.compared,
            Some(&first.compared),
        );
    }
    let pairs = passages.iter().zip(&read).take(MOST_TRACED);
    for (passage, new) in pairs.clone() {
        for (_, standing) in pairs.clone() {
            let standing = &standing.statement;
            let traced = trace(
                document,
                passage,
                &new.statement,
                standing,
                None,
                &VOCABULARY,
            );
            for found in &traced.findings {
                judged(found, &passage.compared, Some(standing.content()));
            }
            if let Some(backing) = traced.backing {
                assert!(backing.coverage_percent <= 100);
                figures(passage, &backing.figures);
            }
        }
    }
}

fn figures(passage: &Passage, figures: &[std::ops::Range<usize>]) {
    for figure in figures {
        assert!(!cut(&passage.compared, figure).is_empty());
    }
}
