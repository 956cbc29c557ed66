//! What the contract says, on each store.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use pawl_ledger::store::{Batch, MAX_KEY_BYTES, MAX_VALUE_BYTES, StoreError};

use crate::{Place, batch, check, everything, for_each_store, range};

for_each_store!(
    a_batch_puts_and_deletes,
    a_later_put_replaces,
    a_batch_replaces_what_it_deletes,
    appended_batches_act_one_after_the_other,
    a_range_is_half_open_and_in_order,
    a_scan_ends_when_told,
    a_visitor_can_read,
    the_longest_value_fits_and_no_longer_one,
    keys_have_a_length,
    what_was_committed_is_there_after_reopening,
    a_scan_sees_no_half_batch,
    a_long_scan_sees_one_moment_and_holds_nobody_up,
    long_values_stay_in_synced_files,
);

fn a_batch_puts_and_deletes(place: &mut Place) {
    let store = place.open();
    check(&*store, &[]);
    store.commit(&Batch::default()).unwrap();
    store
        .commit(&batch(&[("a", "1"), ("b", "2"), ("c", "")], &[]))
        .unwrap();
    assert_eq!(store.get(b"a").unwrap().unwrap(), b"1");
    assert_eq!(store.get(b"c").unwrap().unwrap(), b"");
    assert_eq!(store.get(b"d").unwrap(), None);
    store
        .commit(&batch(&[("d", "4")], &["a", "unknown"]))
        .unwrap();
    assert_eq!(store.get(b"a").unwrap(), None);
    check(&*store, &[("b", "2"), ("c", ""), ("d", "4")]);
}

fn a_later_put_replaces(place: &mut Place) {
    let store = place.open();
    store
        .commit(&batch(&[("a", "1"), ("a", "2")], &[]))
        .unwrap();
    check(&*store, &[("a", "2")]);
    store.commit(&batch(&[("a", "3")], &[])).unwrap();
    check(&*store, &[("a", "3")]);
}

fn a_batch_replaces_what_it_deletes(place: &mut Place) {
    let store = place.open();
    store
        .commit(&batch(&[("a", "1"), ("b", "1")], &[]))
        .unwrap();
    store.commit(&batch(&[("a", "2")], &["a", "b"])).unwrap();
    check(&*store, &[("a", "2")]);
    drop(store);
    check(&*place.open(), &[("a", "2")]);
}

fn appended_batches_act_one_after_the_other(place: &mut Place) {
    let store = place.open();
    let mut first = batch(&[("a", "1"), ("b", "1")], &["c"]);
    first.append(batch(&[("c", "2"), ("d", "2")], &["a", "d"]));
    store.commit(&first).unwrap();
    check(&*store, &[("b", "1"), ("c", "2"), ("d", "2")]);
}

fn a_range_is_half_open_and_in_order(place: &mut Place) {
    let store = place.open();
    let mut mixed = Batch::default();
    let keys: [&[u8]; 7] = [b"b\xff", b"b", b"a", b"b\0", b"c", b"ba", b"\0"];
    keys.iter()
        .for_each(|key| mixed.put(key.to_vec(), Vec::new()));
    store.commit(&mixed).unwrap();
    let keys = |from: &[u8], to: &[u8]| {
        let pairs = range(&*store, from, to);
        pairs.into_iter().map(|(key, _)| key).collect::<Vec<_>>()
    };
    assert_eq!(keys(b"b", b"c"), [&b"b"[..], b"b\0", b"ba", b"b\xff"]);
    assert_eq!(keys(b"b\0", b"b\xff"), [&b"b\0"[..], b"ba"]);
    assert_eq!(keys(b"", b"b"), [&b"\0"[..], b"a"]);
    assert!(keys(b"b", b"b").is_empty());
    assert!(keys(b"c", b"a").is_empty());
    assert!(keys(b"x", b"y").is_empty());
}

fn a_scan_ends_when_told(place: &mut Place) {
    let store = place.open();
    store
        .commit(&batch(&[("a", ""), ("b", ""), ("c", "")], &[]))
        .unwrap();
    let mut seen = Vec::new();
    let mut visit = |key: &[u8], _: &[u8]| {
        seen.push(key.to_vec());
        if seen.len() == 2 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    store.scan(b"a", b"z", &mut visit).unwrap();
    assert_eq!(seen, [b"a", b"b"]);
}

fn a_visitor_can_read(place: &mut Place) {
    let store = place.open();
    store
        .commit(&batch(&[("a", "1"), ("b", "2")], &[]))
        .unwrap();
    let mut visit = |key: &[u8], value: &[u8]| {
        assert_eq!(store.get(key).unwrap().unwrap(), value);
        check(&*store, &[("a", "1"), ("b", "2")]);
        ControlFlow::Continue(())
    };
    store.scan(b"a", b"z", &mut visit).unwrap();
}

fn the_longest_value_fits_and_no_longer_one(place: &mut Place) {
    let store = place.open();
    let mut fits = Batch::default();
    fits.put(b"a".to_vec(), vec![7; MAX_VALUE_BYTES]);
    store.commit(&fits).unwrap();
    let mut too_long = batch(&[("b", "1")], &["a"]);
    too_long.put(b"c".to_vec(), vec![7; MAX_VALUE_BYTES + 1]);
    let refused = store.commit(&too_long);
    assert!(
        matches!(refused, Err(StoreError::ValueTooLong { bytes: 65_537 })),
        "{refused:?}"
    );
    drop(store);
    assert_eq!(
        everything(&*place.open()),
        [(b"a".to_vec(), vec![7; MAX_VALUE_BYTES])]
    );
}

fn keys_have_a_length(place: &mut Place) {
    let store = place.open();
    let mut longest = Batch::default();
    longest.put(vec![b'k'; MAX_KEY_BYTES], b"1".to_vec());
    store.commit(&longest).unwrap();
    for bytes in [0, MAX_KEY_BYTES + 1] {
        let mut wrong = batch(&[("a", "1")], &[]);
        wrong.put(vec![b'k'; bytes], b"1".to_vec());
        let refused = store.commit(&wrong);
        assert!(matches!(refused, Err(StoreError::KeyLength { bytes: found }) if found == bytes));
        assert_eq!(store.get(&vec![b'k'; bytes]).unwrap(), None);
    }
    assert_eq!(everything(&*store).len(), 1);
}

fn what_was_committed_is_there_after_reopening(place: &mut Place) {
    const BATCHES: u32 = 40;
    const IN_BATCH: u32 = 250;
    let key = |number: u32| number.wrapping_mul(2_654_435_761).to_be_bytes().to_vec();
    let value = |number: u32| {
        number
            .to_be_bytes()
            .repeat(usize::try_from(number % 90).unwrap())
    };
    let store = place.open();
    for first in (0..BATCHES).map(|batch| batch * IN_BATCH) {
        let mut batch = Batch::default();
        (first..first + IN_BATCH).for_each(|number| batch.put(key(number), value(number)));
        store.commit(&batch).unwrap();
    }
    let mut deletes = Batch::default();
    deletes
        .deletes
        .extend((0..BATCHES * IN_BATCH).step_by(3).map(key));
    store.commit(&deletes).unwrap();
    drop(store);
    let kept = (0..BATCHES * IN_BATCH).filter(|number| number % 3 != 0);
    let mut expected = kept
        .map(|number| (key(number), value(number)))
        .collect::<Vec<_>>();
    expected.sort();
    for _ in 0..2 {
        assert!(
            everything(&*place.open()) == expected,
            "not everything is there again"
        );
    }
}

fn a_scan_sees_no_half_batch(place: &mut Place) {
    const KEYS: u32 = 60;
    const BATCHES: u32 = 200;
    let store = place.open();
    let commit = |round: u32| {
        let mut batch = Batch::default();
        (0..KEYS)
            .for_each(|key| batch.put(key.to_be_bytes().to_vec(), round.to_be_bytes().to_vec()));
        store.commit(&batch).unwrap();
    };
    commit(0);
    let done = AtomicBool::new(false);
    let read = || {
        let mut last = vec![0; 4];
        while !done.load(Ordering::Relaxed) {
            let pairs = everything(&*store);
            assert_eq!(pairs.len(), usize::try_from(KEYS).unwrap());
            let first = &pairs[0].1;
            assert!(
                pairs.iter().all(|(_, value)| value == first),
                "a scan saw half a batch"
            );
            assert!(*first >= last, "a scan went back in time");
            last.clone_from(first);
        }
    };
    thread::scope(|scope| {
        scope.spawn(read);
        scope.spawn(read);
        (1..=BATCHES).for_each(commit);
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(store.get(&[0; 4]).unwrap().unwrap(), BATCHES.to_be_bytes());
}

fn a_long_scan_sees_one_moment_and_holds_nobody_up(place: &mut Place) {
    const KEYS: u32 = 6_000;
    let store = place.open();
    let key = |number: u32| number.to_be_bytes().to_vec();
    let mut before = Batch::default();
    (0..KEYS)
        .step_by(2)
        .for_each(|number| before.put(key(number), vec![1; 40]));
    store.commit(&before).unwrap();
    let expected = everything(&*store);
    // While it is visited another thread replaces, adds and deletes ahead of it and behind, and has
    // to come to its end although the visitor waits for it.
    let mut seen = Vec::new();
    let mut visit = |found: &[u8], value: &[u8]| {
        let at = seen.len();
        seen.push((found.to_vec(), value.to_vec()));
        if at.is_multiple_of(500) {
            let mut change = Batch::default();
            (0..KEYS)
                .step_by(7)
                .for_each(|number| change.put(key(number), vec![9; at % 90]));
            change
                .deletes
                .extend((0..KEYS).skip(at % 5).step_by(13).map(key));
            change.puts.retain(|(key, _)| !change.deletes.contains(key));
            thread::scope(|scope| {
                let committing = scope.spawn(|| store.commit(&change).unwrap());
                committing.join().unwrap();
            });
        }
        ControlFlow::Continue(())
    };
    store.scan(&[], &[0xff; 8], &mut visit).unwrap();
    assert!(seen == expected, "the scan saw what came during it");
    assert!(everything(&*store) != expected);
}

fn long_values_stay_in_synced_files(place: &mut Place) {
    let store = place.open();
    for number in 0..100_u8 {
        let mut batch = Batch::default();
        let mut key = vec![number.reverse_bits(); MAX_KEY_BYTES];
        key.push(number);
        key.remove(0);
        batch.put(key, vec![number; MAX_VALUE_BYTES]);
        store.commit(&batch).unwrap();
    }
    let mut deletes = Batch::default();
    deletes.deletes.extend(
        everything(&*store)
            .into_iter()
            .map(|(key, _)| key)
            .skip(3)
            .step_by(2),
    );
    store.commit(&deletes).unwrap();
    // Where sled puts nodes that are too large for it, and never syncs them.
    if let Some(blobs) = place.files("sled/blobs").filter(|blobs| blobs.exists()) {
        assert_eq!(blobs.read_dir().unwrap().count(), 0);
    }
    drop(store);
    assert_eq!(everything(&*place.open()).len(), 51);
}
