//! The bytes of entries: read back as written, read from every version that shipped, and never a
//! panic on bytes that nobody wrote.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::PathBuf};

use pawl_ledger::{
    event::Event,
    log::{decode, decode_snapshot, encode, encode_snapshot, tree::leaf_hash},
    narrate::{kind, narrate},
    verify::verify,
};
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};

use crate::{events, world::World};

proptest! {
    #[test]
    fn every_event_reads_back_as_written(header in events::header(), event in events::event()) {
        let bytes = encode(&header, &event);
        let recorded = decode(&bytes).unwrap();
        prop_assert_eq!(&recorded.event, &event);
        prop_assert_eq!(
            (&recorded.board, recorded.position, recorded.at, &recorded.principal),
            (&header.board, header.position, header.at, &header.principal)
        );
        prop_assert_eq!(recorded.leaf, leaf_hash(&bytes));
    }

    #[test]
    fn every_snapshot_reads_back_as_written(snapshot in events::snapshot()) {
        prop_assert_eq!(decode_snapshot(&encode_snapshot(&snapshot)).unwrap(), snapshot);
    }

    #[test]
    fn arbitrary_bytes_do_no_harm(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let _ = decode(&bytes);
        let _ = decode_snapshot(&bytes);
    }

    #[test]
    fn a_changed_byte_is_an_error_or_another_entry(
        header in events::header(),
        event in events::event(),
        place in any::<proptest::sample::Index>(),
        bit in 0..8_u8,
    ) {
        let bytes = encode(&header, &event);
        let mut changed = bytes.clone();
        changed[place.index(bytes.len())] ^= 1 << bit;
        if let Ok(recorded) = decode(&changed) {
            prop_assert_ne!(recorded.leaf, leaf_hash(&bytes));
        }
    }

    #[test]
    fn any_event_on_any_board_is_told_and_verified_without_harm(
        header in events::header(),
        event in events::event(),
    ) {
        let mut world = World::bare();
        let position = world.board.position();
        let header = pawl_ledger::log::Header { board: world.board.name.clone(), position, ..header };
        let bytes = encode(&header, &event);
        let recorded = decode(&bytes).unwrap();
        let told = narrate(&world.board, &recorded, &|_| None);
        prop_assert!(!told.summary.ends_with(' '), "{}", told.summary);
        for commitment in event.commitments() {
            world.words.insert(commitment, pawl_ledger::digest::Words::new([0; 32], Vec::new()));
        }
        world.log.push((recorded, bytes));
        // The head was not moved: the entry lies beyond it.
        prop_assert!(!verify(&world.store()).unwrap().is_clean());
    }
}

/// One entry of each kind as the first version wrote it.
fn samples() -> BTreeMap<String, Vec<u8>> {
    let mut runner = TestRunner::deterministic();
    let mut samples = BTreeMap::new();
    let count = 35;
    while samples.len() < count {
        let event = events::event().new_tree(&mut runner).unwrap().current();
        let header = events::header().new_tree(&mut runner).unwrap().current();
        samples
            .entry(kind(&event).to_owned())
            .or_insert_with(|| encode(&header, &event));
        if let Event::SnapshotTaken { snapshot, .. } = &event {
            samples
                .entry("snapshot".to_owned())
                .or_insert_with(|| encode_snapshot(snapshot));
        }
    }
    samples
}

fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/entries")
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for line in bytes.chunks(40) {
        for byte in line {
            write!(text, "{byte:02x}").unwrap();
        }
        text.push('\n');
    }
    text
}

fn from_hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

/// Set `PAWL_WRITE_FIXTURES` to write those that are missing; what is there is never rewritten.
#[test]
fn entries_of_every_kind_that_shipped_are_read_and_written_the_same() {
    if std::env::var_os("PAWL_WRITE_FIXTURES").is_some() {
        for (name, bytes) in samples() {
            let path = fixtures().join(format!("{name}.hex"));
            if !path.exists() {
                fs::create_dir_all(fixtures()).unwrap();
                fs::write(path, hex(&bytes)).unwrap();
            }
        }
    }
    let mut kinds = BTreeMap::new();
    for file in fs::read_dir(fixtures()).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "hex") {
            continue;
        }
        let bytes = from_hex(&fs::read_to_string(&path).unwrap());
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if name == "snapshot" {
            let snapshot = decode_snapshot(&bytes).unwrap();
            assert_eq!(encode_snapshot(&snapshot), bytes);
            continue;
        }
        let recorded = decode(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(kind(&recorded.event), name);
        let header = pawl_ledger::log::Header {
            board: recorded.board,
            position: recorded.position,
            at: recorded.at,
            principal: recorded.principal,
        };
        assert_eq!(
            encode(&header, &recorded.event),
            bytes,
            "{name} is written otherwise now"
        );
        kinds.insert(name, ());
    }
    assert_eq!(kinds.len(), 34, "one of each kind: {kinds:?}");
}
