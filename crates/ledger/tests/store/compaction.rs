//! After it, nothing of what was deleted is in any file.

use std::{
    fs,
    path::{Path, PathBuf},
};

use pawl_ledger::store::{self, Batch, Engine, StoreError};

use crate::{Place, everything};

const PHRASE: &[u8] = b"the heron of Zirbenholz counts to nine";

fn compact_leaves_nothing(engine: Engine) {
    let mut place = Place::engine(engine);
    let path = place.files("").unwrap();
    let store = place.open();
    let mut batch = Batch::default();
    for number in 0..3_000_u32 {
        let value = [number.to_be_bytes().as_slice(), &[7; 300]].concat();
        batch.put([b"k", number.to_be_bytes().as_slice()].concat(), value);
    }
    batch.put(b"secret".to_vec(), [PHRASE, &[1; 400]].concat());
    store.commit(&batch).unwrap();
    let deletes = vec![b"secret".to_vec()];
    let puts = Vec::new();
    store.commit(&Batch { puts, deletes }).unwrap();
    let expected = everything(store.as_ref());
    assert!(matches!(
        store::compact(&path),
        Err(StoreError::InUse { .. })
    ));
    drop(store);
    assert!(holds_phrase(&path), "the phrase was in no file before");

    assert_eq!(store::compact(&path).unwrap(), 3_000);
    assert!(!holds_phrase(&path), "the phrase is still there");
    let store = place.open();
    assert_eq!(everything(store.as_ref()), expected);
}

/// Says whether a file below holds the phrase.
fn holds_phrase(path: &Path) -> bool {
    files(path).iter().any(|file| {
        let bytes = fs::read(file).unwrap();
        bytes.windows(PHRASE.len()).any(|it| it == PHRASE)
    })
}

fn files(path: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for item in fs::read_dir(path).unwrap() {
        let path = item.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found
}

#[test]
fn fjall() {
    compact_leaves_nothing(Engine::Fjall);
}

#[cfg(feature = "sled")]
#[test]
fn sled() {
    compact_leaves_nothing(Engine::Sled);
}

#[test]
fn what_a_crash_left_is_put_right() {
    let mut place = Place::fjall();
    let path = place.files("").unwrap();
    let mut batch = Batch::default();
    batch.put(b"a".to_vec(), b"1".to_vec());
    place.open().commit(&batch).unwrap();
    let [engine, fresh, old] = ["fjall", "fjall.fresh", "fjall.old"].map(|it| path.join(it));

    fs::create_dir(&fresh).unwrap();
    fs::rename(&engine, &old).unwrap();
    assert_eq!(everything(place.open().as_ref()).len(), 1);
    assert!(!fresh.exists() && !old.exists());

    fs::create_dir(&old).unwrap();
    assert_eq!(everything(place.open().as_ref()).len(), 1);
    assert!(!old.exists());
}

#[test]
fn what_is_no_store_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let error = store::compact(directory.path()).unwrap_err();
    assert!(matches!(error, StoreError::Format { .. }), "{error}");
}
