//! Failing commits: the fault points of the store in memory, and an engine that stops.

use std::fs;

use pawl_ledger::store::{
    self, Batch, Engine, Fault, MAX_VALUE_BYTES, MemoryStore, Store, StoreError,
};

use crate::{batch, check};

#[test]
fn a_commit_fails_before_or_after_it_took_effect() {
    let store = MemoryStore::new();
    let handle = store.clone();
    handle.fail(2, Fault::Before);
    handle.fail(3, Fault::After);
    store.commit(&batch(&[("a", "1")], &[])).unwrap();
    store.commit(&batch(&[("b", "2")], &[])).unwrap_err();
    check(&store, &[("a", "1")]);
    store.commit(&batch(&[("c", "3")], &["a"])).unwrap_err();
    check(&store, &[("c", "3")]);
    store.commit(&batch(&[("d", "4")], &[])).unwrap();
    check(&store, &[("c", "3"), ("d", "4")]);
    assert_eq!(handle.commits(), 4);
}

#[test]
fn a_full_store_writes_nothing_until_there_is_space() {
    let store = MemoryStore::new();
    store.commit(&batch(&[("a", "1")], &[])).unwrap();
    store.set_full(true);
    let refused = store.commit(&batch(&[("b", "2")], &["a"]));
    assert!(
        matches!(refused, Err(StoreError::Full { .. })),
        "{refused:?}"
    );
    check(&store, &[("a", "1")]);
    store.set_full(false);
    store.commit(&batch(&[("b", "2")], &[])).unwrap();
    check(&store, &[("a", "1"), ("b", "2")]);
}

#[test]
fn a_crash_leaves_what_was_committed_and_no_faults() {
    let store = MemoryStore::new();
    store.commit(&batch(&[("a", "1")], &[])).unwrap();
    store.fail(1, Fault::Before);
    store.set_full(true);
    let left = store.crash();
    left.commit(&batch(&[("b", "2")], &[])).unwrap();
    check(&left, &[("a", "1"), ("b", "2")]);
    check(&store, &[("a", "1")]);
}

/// fjall writes tables in the background and stops for good when it cannot. Here something
/// else is in the place of their directory for a while.
#[test]
fn an_engine_that_stopped_works_again_once_the_cause_is_gone() {
    const MOST: u64 = 2_000;
    let directory = tempfile::tempdir().unwrap();
    let store = store::open(directory.path(), Some(Engine::Fjall)).unwrap();
    let commit = |number: u64| {
        let mut batch = Batch::default();
        batch.put(number.to_be_bytes().to_vec(), vec![b'v'; MAX_VALUE_BYTES]);
        store.commit(&batch)
    };
    commit(0).unwrap();
    let tables = directory.path().join("fjall/keyspaces/1/tables");
    let away = directory.path().join("away");
    fs::rename(&tables, &away).unwrap();
    fs::write(&tables, "").unwrap();
    let failed = (1..MOST).find(|number| commit(*number).is_err());
    let failed = failed.expect("the engine wrote no table");
    fs::remove_file(&tables).unwrap();
    fs::rename(&away, &tables).unwrap();
    // The failed one may have taken effect; those before it have, and nothing in between is lost.
    for number in 0..failed {
        assert!(
            store.get(&number.to_be_bytes()).unwrap().is_some(),
            "{number} is lost"
        );
    }
    commit(failed).unwrap();
    drop(store);
    let store = store::open(directory.path(), None).unwrap();
    for number in 0..=failed {
        assert!(
            store.get(&number.to_be_bytes()).unwrap().is_some(),
            "{number} is lost"
        );
    }
}
