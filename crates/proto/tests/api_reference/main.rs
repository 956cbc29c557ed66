//! Keeps `docs/api.md` what the comments of the protos say.

mod comments;
mod page;

use std::path::Path;

use pawl_proto::v1::DESCRIPTORS;
use prost::Message;
use prost_types::FileDescriptorSet;

/// Set by `make docs`: the page is written instead of compared.
const RENEW: &str = "PAWL_RENEW_DOCS";

#[test]
fn the_api_reference_is_what_the_protos_say() {
    let files = FileDescriptorSet::decode(DESCRIPTORS).unwrap();
    let expected = page::write(&files);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api.md");
    if std::env::var_os(RENEW).is_some() {
        std::fs::write(&path, expected).unwrap();
        return;
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    let differing = found
        .lines()
        .zip(expected.lines())
        .position(|(a, b)| a != b);
    assert!(
        found == expected,
        "docs/api.md differs from what the protos say, from line {} on: run `make docs`",
        differing.map_or(
            found.lines().count().min(expected.lines().count()),
            |line| line
        ) + 1
    );
}

#[test]
fn everything_has_a_comment() {
    let files = FileDescriptorSet::decode(DESCRIPTORS).unwrap();
    let page = page::write(&files);
    for line in page.lines() {
        assert!(
            !line.ends_with("|  |") && !line.ends_with("| |"),
            "no comment: {line}"
        );
    }
}
