//! What a backup holds, what is found of a damaged one, and what a restore that broke off leaves.

use std::{fs, ops::ControlFlow, os::unix::fs::PermissionsExt, path::Path};

use pawl_ledger::{
    backup::{Backup, BackupError, Origin, Tally, Writer, restore, restore_store, write_record},
    store::{Batch, Engine, LAYOUT, MemoryStore, Store, StoreError, open},
};
use proptest::prelude::*;
use tempfile::tempdir;

use crate::everything;

/// A store with a board's record and head, short values and long ones.
fn sample() -> MemoryStore {
    let store = MemoryStore::new();
    let mut batch = Batch::default();
    batch.put(b"bdemo".to_vec(), 7_u32.to_be_bytes().to_vec());
    let head = [&3_u64.to_be_bytes()[..], &[5; 32]].concat();
    batch.put([b"h".as_slice(), &7_u32.to_be_bytes()].concat(), head);
    for number in 0..40_u8 {
        let key = [b"s".as_slice(), &[number; 36]].concat();
        batch.put(key, vec![number; usize::from(number) * 1_600]);
    }
    store.commit(&batch).unwrap();
    store
}

fn origin() -> Origin {
    Origin {
        layout: LAYOUT,
        at_ms: 5,
        server: "0".into(),
    }
}

/// Writes a backup of a store, some records a chunk.
fn back_up(store: &dyn Store, to: &Path) -> Result<(), BackupError> {
    let (mut writer, mut tally, mut chunk) = (Writer::create(to)?, Tally::default(), Vec::new());
    let mut chunks = Vec::new();
    store.scan(&[], &[0xff; 16], &mut |key, value| {
        write_record(key, value, &mut chunk);
        if chunk.len() > 50_000 {
            chunks.push(std::mem::take(&mut chunk));
        }
        ControlFlow::Continue(())
    })?;
    chunks.push(chunk);
    for chunk in chunks {
        tally.take(&chunk).unwrap();
        writer.append(&chunk)?;
    }
    writer.finish(origin(), &tally.ending()).map(drop)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn what_was_backed_up_is_restored_with_either_engine() {
    let above = tempdir().unwrap();
    let (store, backup) = (sample(), above.path().join("backup"));
    back_up(&store, &backup).unwrap();
    assert_eq!(mode(&backup), 0o700);
    for file in fs::read_dir(&backup).unwrap() {
        assert_eq!(mode(&file.unwrap().path()), 0o600);
    }
    let engines = [
        Engine::Fjall,
        #[cfg(feature = "sled")]
        Engine::Sled,
    ];
    for engine in engines {
        let data = above.path().join(engine.name());
        let manifest = restore(&backup, &data, Some(engine)).unwrap();
        assert_eq!(manifest.ending.records, 42);
        let board = &manifest.ending.boards[0];
        assert_eq!((board.name.as_str(), board.entries), ("demo", 3));
        assert_eq!(board.tree_root, "05".repeat(32));
        let restored = open(&data.join("store"), None).unwrap();
        assert!(everything(&*restored) == everything(&store));
        drop(restored);
        let again = restore(&backup, &data, None);
        assert!(
            matches!(again, Err(BackupError::Store(StoreError::Format { .. }))),
            "{again:?}"
        );
    }
}

#[test]
fn a_used_directory_is_refused_and_a_broken_off_backup_is_taken_away() {
    let above = tempdir().unwrap();
    let (target, draft) = (
        above.path().join("backup"),
        above.path().join("backup.partial"),
    );
    fs::create_dir(&target).unwrap();
    drop(Writer::create(&target).unwrap());
    assert!(!draft.exists());
    let _under_way = Writer::create(&target).unwrap();
    let second = Writer::create(&target).map(drop);
    assert!(matches!(second, Err(BackupError::Left(_))), "{second:?}");
    fs::write(target.join("letter"), "").unwrap();
    let used = Writer::create(&target).map(drop);
    assert!(matches!(used, Err(BackupError::NotEmpty(_))), "{used:?}");
    let none = Backup::open(&target).map(drop);
    assert!(matches!(none, Err(BackupError::None(_))), "{none:?}");
    let data = above.path().join("data");
    fs::create_dir(&data).unwrap();
    fs::write(data.join("operator.token"), "").unwrap();
    let used = restore(&target, &data, None).map(drop);
    assert!(matches!(used, Err(BackupError::NotEmpty(_))), "{used:?}");
}

#[test]
fn what_did_not_arrive_whole_is_no_backup() {
    let above = tempdir().unwrap();
    let target = above.path().join("backup");
    let mut sent = Tally::default();
    let mut chunk = Vec::new();
    write_record(b"a", b"1", &mut chunk);
    sent.take(&chunk).unwrap();
    let ending = sent.ending();
    let writer = Writer::create(&target).unwrap();
    assert!(matches!(
        writer.finish(origin(), &ending),
        Err(BackupError::Broken(_))
    ));
    for wrong in [
        &chunk[..chunk.len() - 1],
        &[chunk.as_slice(), &chunk].concat(),
    ] {
        let mut writer = Writer::create(&target).unwrap();
        assert!(matches!(writer.append(wrong), Err(BackupError::Broken(_))));
    }
    assert!(!target.exists());
}

/// Every file of a backup with its bytes.
fn files(backup: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(backup)
        .unwrap()
        .map(|file| file.unwrap())
        .map(|file| {
            (
                file.file_name().into_string().unwrap(),
                fs::read(file.path()).unwrap(),
            )
        })
        .collect();
    files.sort();
    files
}

/// Restores what has to be refused as damaged, and sees that no store is left to be opened.
#[track_caller]
fn check_damaged(backup: &Path) {
    let above = tempdir().unwrap();
    let store = above.path().join("store");
    let found = Backup::open(backup)
        .and_then(|backup| backup.problems().map(|problems| !problems.is_empty()));
    assert!(
        matches!(
            found,
            Ok(true)
                | Err(BackupError::Damaged(_) | BackupError::Newer { .. } | BackupError::None(_))
        ),
        "{found:?}"
    );
    let refused = restore_store(backup, &store, None).map(drop);
    assert!(refused.is_err(), "restored what is damaged");
    assert!(!store.join("FORMAT").exists());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn a_flipped_byte_a_cut_and_a_missing_file_are_found(file in 0_usize..2, place: prop::sample::Index, flip in 1_u8..=255) {
        let above = tempdir().unwrap();
        let backup = above.path().join("backup");
        back_up(&sample(), &backup).unwrap();
        let (name, bytes) = files(&backup).swap_remove(file);
        let (path, place) = (backup.join(name), place.index(bytes.len()));
        let mut flipped = bytes.clone();
        flipped[place] ^= flip;
        fs::write(&path, flipped).unwrap();
        check_damaged(&backup);
        fs::write(&path, &bytes[..place]).unwrap();
        check_damaged(&backup);
        fs::write(&path, [bytes.as_slice(), &[0]].concat()).unwrap();
        check_damaged(&backup);
        fs::remove_file(&path).unwrap();
        check_damaged(&backup);
    }
}

#[test]
fn the_file_of_another_backup_is_found() {
    let above = tempdir().unwrap();
    let (one, other) = (above.path().join("one"), above.path().join("other"));
    let store = sample();
    back_up(&store, &one).unwrap();
    let mut batch = Batch::default();
    batch.put(b"x".to_vec(), vec![0]);
    store.commit(&batch).unwrap();
    back_up(&store, &other).unwrap();
    fs::copy(one.join("data-0001"), other.join("data-0001")).unwrap();
    check_damaged(&other);
}

#[test]
fn a_half_restored_store_is_refused_and_replaced() {
    let above = tempdir().unwrap();
    let (backup, data) = (above.path().join("backup"), above.path().join("data"));
    back_up(&sample(), &backup).unwrap();
    // What a kill leaves: the marker, and some of the records.
    let store = data.join("store");
    let half = open(&store, None).unwrap();
    let mut batch = Batch::default();
    batch.put(b"half".to_vec(), vec![1]);
    half.commit(&batch).unwrap();
    drop(half);
    fs::write(store.join("RESTORING"), "").unwrap();
    let refused = open(&store, None).map(drop);
    assert!(
        matches!(refused, Err(StoreError::Restoring { .. })),
        "{refused:?}"
    );
    restore(&backup, &data, None).unwrap();
    assert!(everything(&*open(&store, None).unwrap()) == everything(&sample()));
}

#[test]
fn later_forms_are_named() {
    let above = tempdir().unwrap();
    let backup = above.path().join("backup");
    let later = Writer::create(&backup).unwrap();
    let origin = Origin {
        layout: LAYOUT + 1,
        ..origin()
    };
    later.finish(origin, &Tally::default().ending()).unwrap();
    let refused = restore(&backup, &above.path().join("data"), None)
        .unwrap_err()
        .to_string();
    assert!(
        refused.contains("layout 2") && refused.contains("newer pawl"),
        "{refused}"
    );
    let path = backup.join("MANIFEST");
    let text = fs::read_to_string(&path)
        .unwrap()
        .replacen("backup 1 ", "backup 3 ", 1);
    fs::write(&path, text).unwrap();
    let refused = Backup::open(&backup).map(drop).unwrap_err().to_string();
    assert!(
        refused.contains("form 3") && refused.contains("newer pawl"),
        "{refused}"
    );
}
