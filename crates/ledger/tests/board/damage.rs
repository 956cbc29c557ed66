//! Every key of a store is damaged once, in every way; `verify` finds each, names the entry where
//! it can be known, and is silent on what is whole.

use std::{ops::ControlFlow, sync::Arc};

use pawl_ledger::{
    command::Command,
    digest::Digest,
    id::{BoardName, Position},
    ledger::{Ledger, RequestKey, TransactError},
    module::SealMode,
    store::{
        Batch, MemoryStore, Store,
        keys::{self, read},
    },
    verify::{MAX_LISTED, ProblemKind, Report, verify},
};

use crate::world::{NUMBER, World, name};

/// A board with every kind of thing on it, an image and an answer.
fn whole() -> MemoryStore {
    let mut world = World::new();
    let locked = world.locked("market", SealMode::Hard);
    let standing = world.accepted("ben", "market");
    let (challenger, conflict) = world.contested("ann", standing);
    world.resolve("axel", conflict, challenger).unwrap();
    let inference = world.inference("market", &[locked]);
    world.accept("ann", inference);
    let proposal = world.against(
        "market",
        &[(locked, pawl_ledger::finding::FindingKind::ClaimKey)],
    );
    world.submit("ann", proposal).unwrap();
    let reason = world.says("a doubt");
    let flag = Command::Flag {
        revision: locked,
        reason,
        citations: Vec::new(),
    };
    world.act("ben", flag).unwrap();
    world.amend("axel", locked).unwrap();
    let store = world.store();
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(async {
            let ledger = Ledger::start(Arc::new(store.clone())).unwrap();
            let open = ledger.open(&name::<BoardName>("trial")).unwrap().unwrap();
            let context = world.context("olga");
            let key = RequestKey {
                principal: name("olga"),
                id: "r1".into(),
            };
            let ((), receipt) = ledger
                .transact(&open, &context, |transaction| {
                    transaction.remember(key, Digest::of(b"r1"), b"done".to_vec());
                    Ok::<_, TransactError>(())
                })
                .unwrap();
            receipt.durable().await.unwrap();
            ledger.write_image(&open).await.unwrap();
        });
    store
}

fn contents(store: &MemoryStore) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut all = Vec::new();
    store
        .scan(&[0], &[0xff], &mut |key, value| {
            all.push((key.to_vec(), value.to_vec()));
            ControlFlow::Continue(())
        })
        .unwrap();
    all
}

/// A copy of a store without the image, which would name more than the log can.
fn without_image(store: &MemoryStore) -> MemoryStore {
    let copy = store.crash();
    let (from, to) = keys::images(NUMBER);
    let mut batch = Batch::default();
    copy.scan(&from, &to, &mut |key, _| {
        batch.deletes.push(key.to_vec());
        ControlFlow::Continue(())
    })
    .unwrap();
    copy.commit(&batch).unwrap();
    copy
}

fn changed(store: &MemoryStore, change: impl FnOnce(&mut Batch)) -> Report {
    let copy = store.crash();
    let mut batch = Batch::default();
    change(&mut batch);
    copy.commit(&batch).unwrap();
    verify(&copy).unwrap()
}

fn is_entry(key: &[u8]) -> bool {
    key[0] == b'e'
}

fn position(key: &[u8]) -> Position {
    read::position(key).unwrap().0
}

fn first(report: &Report) -> Option<Position> {
    report.first_wrong_entry().map(|(_, position)| position)
}

#[test]
fn what_is_whole_raises_no_alarm() {
    let report = verify(&whole()).unwrap();
    assert!(report.is_clean() && report.notes.is_empty(), "{report}");
    assert!(report.to_string().ends_with("everything agrees"));
    assert_eq!((report.boards, report.sources), (1, 5));
    assert!(verify(&MemoryStore::new()).unwrap().is_clean());
}

#[test]
fn every_removed_key_is_found_and_named() {
    let store = whole();
    for (key, _) in contents(&store) {
        let report = changed(&store, |batch| batch.deletes.push(key.clone()));
        let told = format!("{} removed: {report}", key.escape_ascii());
        match key[0] {
            b'i' | b'q' => assert!(report.is_clean(), "derived, and not missed: {told}"),
            b'e' => {
                assert_eq!(report.findings[0].kind, ProblemKind::EntryMissing, "{told}");
                assert_eq!(first(&report), Some(position(&key)), "{told}");
            }
            b'w' => {
                assert_eq!(report.findings.len(), 1, "{told}");
                assert_eq!(report.findings[0].kind, ProblemKind::WordsMissing, "{told}");
                assert_eq!(first(&report), Some(position(&key)), "{told}");
            }
            b's' => {
                assert_eq!(report.findings[0].kind, ProblemKind::Source, "{told}");
                let (source, _) = read::source(&key).unwrap();
                assert!(
                    report.findings[0].what.contains(&source.to_string()),
                    "{told}"
                );
            }
            _ => assert!(!report.is_clean(), "{told}"),
        }
    }
}

#[test]
fn every_flipped_bit_is_found_and_no_earlier_entry_is_blamed() {
    let store = whole();
    let bare = without_image(&store);
    for (key, value) in contents(&store) {
        let store = if key[0] == b'i' { &store } else { &bare };
        let places = value.len();
        let step = if key[0] == b'i' { 97 } else { 1 };
        for place in (0..places).step_by(step) {
            let bit = place % 8;
            let mut damaged = value.clone();
            damaged[place] ^= 1 << bit;
            let report = changed(store, |batch| batch.put(key.clone(), damaged));
            let told = format!("byte {place} of {}: {report}", key.escape_ascii());
            // A kept answer is a cache of what the log says; only what cannot be read is found.
            if key[0] == b'q' {
                continue;
            }
            // The bytes of an image's version say that another program wrote it.
            if key[0] == b'i' && place < 4 {
                assert!(!report.notes.is_empty(), "{told}");
                continue;
            }
            assert!(!report.is_clean(), "{told}");
            if is_entry(&key) {
                let named = first(&report);
                assert!(named.is_none_or(|it| it >= position(&key)), "{told}");
                let tree = report
                    .findings
                    .iter()
                    .any(|it| it.kind == ProblemKind::Tree);
                assert!(tree, "{told}");
            }
            if key[0] == b'w' {
                assert_eq!(first(&report), Some(position(&key)), "{told}");
            }
        }
    }
}

#[test]
fn a_commitment_that_was_changed_names_its_entry_exactly() {
    let store = without_image(&whole());
    let mut looked = 0;
    for (key, _) in contents(&store)
        .into_iter()
        .filter(|(key, _)| key[0] == b'w')
    {
        let (position, commitment) = read::words(&key).unwrap();
        let place = keys::entry(NUMBER, position);
        let mut entry = store.get(&place).unwrap().unwrap();
        let at = entry
            .windows(32)
            .position(|it| it == commitment.0.0)
            .unwrap();
        entry[at] ^= 1;
        let report = changed(&store, |batch| batch.put(place, entry));
        assert_eq!(first(&report), Some(position), "{report}");
        looked += 1;
    }
    assert!(looked > 20);
}

#[test]
fn every_swapped_pair_of_entries_is_found_at_the_first() {
    let store = whole();
    let entries: Vec<_> = contents(&store)
        .into_iter()
        .filter(|(key, _)| is_entry(key))
        .collect();
    for pair in entries.windows(2) {
        let report = changed(&store, |batch| {
            batch.put(pair[0].0.clone(), pair[1].1.clone());
            batch.put(pair[1].0.clone(), pair[0].1.clone());
        });
        assert_eq!(first(&report), Some(position(&pair[0].0)), "{report}");
    }
}

#[test]
fn every_duplicated_entry_is_found_where_it_does_not_belong() {
    let store = whole();
    let entries: Vec<_> = contents(&store)
        .into_iter()
        .filter(|(key, _)| is_entry(key))
        .collect();
    for pair in entries.windows(2) {
        let report = changed(&store, |batch| {
            batch.put(pair[1].0.clone(), pair[0].1.clone());
        });
        assert_eq!(first(&report), Some(position(&pair[1].0)), "{report}");
    }
}

#[test]
fn a_tail_that_was_cut_off_is_found_by_the_head_and_one_too_many_too() {
    let store = whole();
    let entries: Vec<_> = contents(&store)
        .into_iter()
        .filter(|(key, _)| is_entry(key))
        .collect();
    let count = entries.len();
    let report = changed(&store, |batch| {
        batch
            .deletes
            .extend(entries[count - 3..].iter().map(|(key, _)| key.clone()));
    });
    assert_eq!(first(&report), Some(Position(count as u64 - 3)), "{report}");
    let beyond = Position(count as u64);
    let report = changed(&store, |batch| {
        batch.put(keys::entry(NUMBER, beyond), entries[count - 1].1.clone());
    });
    assert_eq!(report.findings[0].kind, ProblemKind::EntryStray, "{report}");
    assert_eq!(first(&report), Some(beyond), "{report}");
}

#[test]
fn strays_are_found() {
    let store = whole();
    let words = pawl_ledger::digest::Words::new([3; 32], b"stray".to_vec());
    let number = keys::BoardNumber(7);
    let strays: [(Vec<u8>, ProblemKind); 7] = [
        (
            keys::words(NUMBER, Position(3), words.commitment()),
            ProblemKind::WordsStray,
        ),
        (
            keys::words(NUMBER, Position(3_000), words.commitment()),
            ProblemKind::WordsStray,
        ),
        (
            keys::words(number, Position(3), words.commitment()),
            ProblemKind::Board,
        ),
        (keys::entry(number, Position(0)), ProblemKind::Board),
        (keys::head(number), ProblemKind::Board),
        (keys::image(number, 0), ProblemKind::Board),
        (
            [keys::entry(NUMBER, Position(2)), vec![9]].concat(),
            ProblemKind::EntryStray,
        ),
    ];
    for (key, kind) in strays {
        let report = changed(&store, |batch| batch.put(key, words.to_stored()));
        assert!(
            report.findings.iter().any(|it| it.kind == kind),
            "{kind}: {report}"
        );
    }
    let unregistered = keys::source(Digest::of(b"unregistered"), 0);
    let report = changed(&store, |batch| batch.put(unregistered, b"bytes".to_vec()));
    assert!(
        report.is_clean(),
        "an upload that waits is no damage: {report}"
    );
    assert_eq!(report.notes.len(), 1);
}

#[test]
fn two_boards_do_not_share_a_number() {
    let store = whole();
    let key = keys::board(&name("second"));
    let report = changed(&store, |batch| batch.put(key, 0_u32.to_be_bytes().to_vec()));
    let shared = |it: &pawl_ledger::verify::Problem| it.kind == ProblemKind::Board;
    assert!(report.findings.iter().any(shared), "{report}");
    assert!(report.findings.len() < 5, "{report}");
}

#[test]
fn a_store_of_rubbish_is_reported_in_bounds() {
    let store = MemoryStore::new();
    let mut batch = Batch::default();
    batch.put(keys::board(&name("trial")), NUMBER.0.to_be_bytes().to_vec());
    for number in 0..(MAX_LISTED as u64 + 5_000) {
        let commitment = pawl_ledger::digest::Commitment(Digest::of(&number.to_be_bytes()));
        batch.put(
            keys::words(NUMBER, Position(number), commitment),
            b"rubbish".to_vec(),
        );
        batch.put(
            keys::entry(NUMBER, Position(number * 2)),
            number.to_be_bytes().to_vec(),
        );
    }
    store.commit(&batch).unwrap();
    let report = verify(&store).unwrap();
    assert_eq!(report.findings.len(), MAX_LISTED);
    assert!(report.left_out > 0);
    assert_eq!(first(&report), Some(Position(0)));
}

#[test]
fn a_report_is_data_too() {
    let report = changed(&whole(), |batch| {
        batch.deletes.push(keys::entry(NUMBER, Position(5)));
    });
    let bytes = postcard::to_stdvec(&report).unwrap();
    assert!(!bytes.is_empty());
    assert!(
        report
            .to_string()
            .contains("the first wrong entry is 5 of board `trial`"),
        "{report}"
    );
}
