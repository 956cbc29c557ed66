//! The document that language models hand in.

use std::sync::LazyLock;

use jsonschema::Validator;
use pawl_checker::intake::{Intake, Item, Limits, RevisionName, parse, schema};

/// The most problems told of a document, and the characters shown of what was found with the mark of a cut.
const MOST_TOLD: usize = 100;
const MOST_SHOWN: usize = 81;

/// An independent judge: what is read is what the published schema lets through.
static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let schema = serde_json::from_str(schema()).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is one")
});

pub(crate) fn intake(bytes: &[u8]) {
    let limits = Limits::default();
    match parse(bytes, &limits) {
        Ok(read) => {
            let value = serde_json::from_slice(bytes).expect("what is read is JSON");
            assert!(SCHEMA.is_valid(&value), "the schema refuses what is read");
            within(&read, &limits);
        }
        Err(problems) => {
            assert!((1..=MOST_TOLD).contains(&problems.all().len()));
            for problem in problems.all() {
                assert!(problem.pointer.is_empty() || problem.pointer.starts_with('/'));
                assert!(problem.got.chars().count() <= MOST_SHOWN);
            }
            assert!(!problems.to_string().is_empty());
        }
    }
}

fn within(read: &Intake, limits: &Limits) {
    assert!((1..=limits.assertions).contains(&read.items.len()));
    for notice in &read.notices {
        assert!(notice.pointer.starts_with('/') && !notice.stripped.is_empty());
    }
    for item in &read.items {
        item_within(item, limits);
    }
}

fn item_within(item: &Item, limits: &Limits) {
    let is_name = |name: &String| name.chars().count() <= limits.name;
    assert!(!item.content.trim().is_empty());
    assert!(item.content.chars().count() <= limits.content);
    assert!((1..=3).contains(&item.level));
    assert!(item.level == 3 || !item.citations.is_empty());
    assert!(item.level != 3 || !item.supports.is_empty());
    for list in [&item.entities, &item.tags] {
        assert!(list.len() <= limits.list && list.iter().all(is_name));
    }
    assert!(item.citations.len() <= limits.list && item.supports.len() <= limits.list);
    for citation in &item.citations {
        assert!(!citation.quote.exact().trim().is_empty() && is_name(&citation.source));
    }
    for revision in item.supports.iter().chain(&item.replaces) {
        assert_eq!(RevisionName::parse(&revision.to_string()), Some(*revision));
    }
}
