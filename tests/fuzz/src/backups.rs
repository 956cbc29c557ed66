//! Backups: their records, their manifest, and a store made of them.

use std::{fs, path::Path};

use pawl_ledger::{
    backup::{Backup, FileEntry, Manifest, Origin, Tally},
    digest::Digest,
    store::{Batch, LAYOUT, MAX_KEY_BYTES, MAX_VALUE_BYTES, MemoryStore, Store},
    verify::verify,
};

/// A record of the input, read by this file's own hand.
type Record<'bytes> = (&'bytes [u8], &'bytes [u8]);

/// Records are counted as they stand, together and one by one, and a backup of them is read if they are good.
pub(crate) fn backup(bytes: &[u8]) {
    let own = records(bytes);
    let mut tally = Tally::default();
    let taken = tally.take(bytes);
    assert_eq!(taken.is_ok(), own.is_some(), "{taken:?}");
    let ending = tally.ending();
    if let Some(records) = &own {
        assert_eq!(ending.records, count(records.len()));
        assert_eq!(ending.bytes, count(bytes.len()));
    }
    let manifest = Manifest {
        origin: Origin {
            layout: LAYOUT,
            ..Origin::default()
        },
        ending,
        files: vec![FileEntry {
            name: "data-0001".to_owned(),
            bytes: count(bytes.len()),
            blake3: Digest::of(bytes).to_string(),
        }],
    };
    let body = serde_json::to_vec(&manifest).expect("a manifest is JSON");
    in_directory(|directory| {
        fs::write(directory.join("data-0001"), bytes).expect("a file is written");
        fs::write(directory.join("MANIFEST"), with_digest(&body)).expect("a file is written");
        let backup = Backup::open(directory).expect("the manifest is whole");
        assert_eq!(backup.manifest, manifest);
        assert_eq!(backup.problems().expect("the file is there"), [""; 0]);
        let mut read = Vec::new();
        let whole = backup.read(&mut |chunk| {
            read.extend_from_slice(chunk);
            Ok(())
        });
        assert_eq!(whole.is_ok(), own.is_some(), "{whole:?}");
        assert!(whole.is_err() || read == bytes);
    });
}

/// A manifest whose digest is right is read, or refused with a word.
pub(crate) fn manifest(bytes: &[u8]) {
    in_directory(|directory| {
        let path = directory.join("MANIFEST");
        for written in [bytes.to_vec(), with_digest(bytes)] {
            fs::write(&path, written).expect("a file is written");
            match Backup::open(directory) {
                Ok(backup) => {
                    assert!(backup.manifest.origin.layout <= LAYOUT);
                    // No file is there, whatever is named.
                    let problems = backup.problems().expect("what is missing is told");
                    assert_eq!(problems.len(), backup.manifest.files.len());
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    });
}

/// A store of any records is looked through without harm.
pub(crate) fn store(bytes: &[u8]) {
    let Some(records) = records(bytes) else {
        return;
    };
    let (store, mut batch) = (MemoryStore::new(), Batch::default());
    for (key, value) in records {
        batch.put(key.to_vec(), value.to_vec());
    }
    store.commit(&batch).expect("the memory store takes it");
    let _ = verify(&store).expect("it can be read").is_clean();
}

/// The records in ascending order of keys, each within what a store takes; none where anything else is there.
fn records(mut rest: &[u8]) -> Option<Vec<Record<'_>>> {
    let mut records: Vec<Record<'_>> = Vec::new();
    while let Some((header, after)) = rest.split_first_chunk::<6>() {
        let [k0, k1, v0, v1, v2, v3] = *header;
        let key = usize::from(u16::from_be_bytes([k0, k1]));
        let value = usize::try_from(u32::from_be_bytes([v0, v1, v2, v3])).ok()?;
        let (key, after) = after.split_at_checked(key)?;
        let (value, after) = after.split_at_checked(value)?;
        let is_taken = (1..=MAX_KEY_BYTES).contains(&key.len()) && value.len() <= MAX_VALUE_BYTES;
        if !is_taken || records.last().is_some_and(|(last, _)| *last >= key) {
            return None;
        }
        records.push((key, value));
        rest = after;
    }
    rest.is_empty().then_some(records)
}

/// A body with the first line that says its digest.
fn with_digest(body: &[u8]) -> Vec<u8> {
    let first = format!("pawl backup 1 {}\n", Digest::of(body));
    [first.as_bytes(), body].concat()
}

fn in_directory(run: impl FnOnce(&Path)) {
    let directory = tempfile::tempdir().expect("there is a place for temporary files");
    run(directory.path());
}

fn count(length: usize) -> u64 {
    u64::try_from(length).expect("an input is small")
}
